"""Refusals: what is required and what came, in one form, from every function."""

import math
import pickle
from fractions import Fraction

import numpy as np
import pytest

import labs.model as model
from labs.model import ModelError

RING = {"payload": 1e9, "ranks": 32, "latency": 5e-6, "bandwidth": 100e9}
COARSE = {"phases": 4, "latency": 5e-6, "payload": 100e6, "bandwidth": 50e9}
BATCH = {"microbatch": 8, "accumulation": 16, "data_parallel": 64}

REFUSALS = [
    ("ranks", 0, "expected ranks >= 1, found 0"),
    ("ranks", -3, "expected ranks >= 1, found -3"),
    ("ranks", 2.5, "expected ranks to be a whole number, found 2.5"),
    ("ranks", Fraction(5, 2), "expected ranks to be a whole number, found 2.5"),
    ("ranks", True, "expected ranks to be a number, found True"),
    ("ranks", np.True_, "expected ranks to be a number, found a value of type bool"),
    ("ranks", math.nan, "expected ranks to be a finite number, found nan"),
    ("ranks", math.inf, "expected ranks to be a finite number, found inf"),
    ("ranks", "32", 'expected ranks to be a number, found "32"'),
    ("ranks", None, "expected ranks to be a number, found None"),
    ("ranks", 2**53 + 1, "expected ranks <= 9007199254740992, found 9007199254740993"),
    ("ranks", 10**31, "expected ranks <= 9007199254740992, found a number of more than 30 digits"),
    ("ranks", 10**5000, "expected ranks <= 9007199254740992, found a number of more than 30 digits"),
    ("ranks", -(10**5000), "expected ranks >= 1, found a number of more than 30 digits"),
    ("ranks", Fraction(10**400), "expected ranks below 1.8e+308, found a larger number"),
    ("payload", -1, "expected payload >= 0 byte, found -1 byte"),
    ("payload", False, "expected payload to be a number, found False"),
    ("payload", math.nan, "expected payload to be a finite number, found nan"),
    ("payload", [1e9], "expected payload to be a number, found a value of type list"),
    ("payload", 10**400, "expected payload below 1.8e+308, found a larger number"),
    ("payload", "1 GB", 'expected payload to be a number, found "1 GB"'),
    ("latency", -5e-6, "expected latency >= 0 s, found -5 µs"),
    ("latency", -math.inf, "expected latency to be a finite number, found -inf"),
    ("bandwidth", 0, "expected bandwidth > 0 byte/s, found 0 byte/s"),
    ("bandwidth", -0.0, "expected bandwidth > 0 byte/s, found 0 byte/s"),
    ("bandwidth", -1e9, "expected bandwidth > 0 byte/s, found -1 GB/s"),
    ("bandwidth", math.inf, "expected bandwidth to be a finite number, found inf"),
]


# Ids, since Python does not write out the largest values.
@pytest.mark.parametrize(("argument", "value", "message"), REFUSALS, ids=[message for *_, message in REFUSALS])
def test_the_ring_refuses(argument, value, message):
    with pytest.raises(ModelError) as refusal:
        model.ring_all_reduce(**RING | {argument: value})
    assert str(refusal.value) == refusal.value.message == message
    assert refusal.value.argument == argument
    assert refusal.value.hint is None


@pytest.mark.parametrize("argument", ["payload", "latency", "bandwidth"])
def test_the_coarse_form_refuses_as_the_ring_does(argument):
    for value, message in [(value, message) for name, value, message in REFUSALS if name == argument]:
        with pytest.raises(ModelError) as refusal:
            model.coarse_communication_time(**COARSE | {argument: value})
        assert (str(refusal.value), refusal.value.argument) == (message, argument)


@pytest.mark.parametrize(
    ("call", "inputs", "message"),
    [
        (model.coarse_communication_time, COARSE | {"phases": -1}, "expected phases >= 0, found -1"),
        (model.coarse_communication_time, COARSE | {"phases": 0.5}, "expected phases to be a whole number, found 0.5"),
        (model.global_batch, BATCH | {"microbatch": 0}, "expected microbatch >= 1, found 0"),
        (model.global_batch, BATCH | {"accumulation": 1.5}, "expected accumulation to be a whole number, found 1.5"),
        (model.global_batch, BATCH | {"data_parallel": True}, "expected data_parallel to be a number, found True"),
        (model.algorithm_bandwidth, {"payload": 1e9, "time": 0}, "expected time > 0 s, found 0 s"),
        (model.algorithm_bandwidth, {"payload": -2e9, "time": 1}, "expected payload >= 0 byte, found -2 GB"),
        (model.all_reduce_bus_bandwidth, {"payload": 1, "time": 1, "ranks": 0}, "expected ranks >= 1, found 0"),
        (model.ring_all_reduce_schedule, {"ranks": 0}, "expected ranks >= 1, found 0"),
        (model.ring_all_reduce_schedule, {"ranks": 1024}, "expected ranks <= 256, found 1024"),
    ],
)
def test_the_others_refuse(call, inputs, message):
    with pytest.raises(ModelError) as refusal:
        call(**inputs)
    assert str(refusal.value) == message
    assert refusal.value.argument in inputs


def test_a_whole_number_may_come_as_a_float():
    assert model.ring_all_reduce_steps(ranks=32.0) == 62
    assert model.global_batch(microbatch=8.0, accumulation=16, data_parallel=64) == 8192


def test_numpy_scalars_are_taken_and_plain_numbers_come_back():
    ring = model.ring_all_reduce(
        payload=np.float64(1e9), ranks=np.int64(4), latency=np.float64(0), bandwidth=np.float64(100e9)
    )
    assert type(ring.steps) is int
    assert {type(getattr(ring, name)) for name in ring.__slots__ if name != "steps"} == {float}
    assert type(model.global_batch(microbatch=np.int32(2**30), accumulation=4, data_parallel=4)) is int


def test_large_counts_do_not_wrap_around():
    assert model.global_batch(microbatch=np.int32(2**30), accumulation=4, data_parallel=4) == 2**34


def test_a_hint_stands_in_brackets_and_apart():
    refusal = ModelError("expected a, found b", argument="c", hint="did you mean d?")
    assert str(refusal) == "expected a, found b (did you mean d?)"
    assert (refusal.message, refusal.argument, refusal.hint) == ("expected a, found b", "c", "did you mean d?")
    assert isinstance(refusal, ValueError)


def test_a_refusal_survives_a_trip_to_another_process():
    refusal = pickle.loads(pickle.dumps(ModelError("expected a, found b", argument="c", hint="d?")))
    assert (str(refusal), refusal.argument, refusal.hint) == ("expected a, found b (d?)", "c", "d?")
