"""Rooflines: at each limit both times are equal, worked out from the FLOP and bytes of the matrices themselves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.model.machines.roofline import (
    best_data_ranks,
    critical_contraction,
    critical_intensity,
    data_parallel_critical_batch,
    data_parallel_limit,
    mixed_critical_batch,
    roofline_time,
    tensor_parallel_limit,
)
from labs.model.quantities.errors import ModelError

COMPUTE = st.floats(1e12, 1e16)
BANDWIDTH = st.floats(1e9, 1e13)
AXES = st.integers(1, 3)
WIDTH = st.sampled_from([1, 2, 4])
FFN = st.integers(1000, 100_000)


@given(compute=COMPUTE, bandwidth=BANDWIDTH, traffic=st.floats(1, 1e12), share=st.floats(0.01, 100))
def test_arithmetic_sets_the_time_above_the_critical_intensity(compute, bandwidth, traffic, share):
    work = share * critical_intensity(compute=compute, bandwidth=bandwidth) * traffic
    time = roofline_time(work=work, traffic=traffic, compute=compute, bandwidth=bandwidth)
    assert time == pytest.approx((work / compute) if share >= 1 else (traffic / bandwidth))


@given(compute=COMPUTE, bandwidth=BANDWIDTH, width=WIDTH)
def test_two_devices_that_halve_a_contraction(compute, bandwidth, width):
    rows, columns = 128, 512
    length = critical_contraction(compute=compute, bandwidth=bandwidth, width=width)
    arithmetic = 2 * rows * (length / 2) * columns / compute
    assert arithmetic == pytest.approx(width * rows * columns / bandwidth)


@given(compute=COMPUTE, bandwidth=BANDWIDTH, axes=AXES, width=WIDTH, experts=st.integers(1, 64))
def test_data_parallel_gradients_take_as_long_as_the_backward_pass(compute, bandwidth, axes, width, experts):
    parameters, met = 1e9, 1e9 / experts
    tokens = data_parallel_critical_batch(
        compute=compute, bandwidth=bandwidth, axes=axes, width=width, sparsity=experts
    )
    backward = 4 * met * tokens / compute
    scattered_and_gathered = 2 * width * parameters / (axes * bandwidth)
    assert backward == pytest.approx(scattered_and_gathered)


@given(compute=COMPUTE, bandwidth=BANDWIDTH, axes=AXES, width=WIDTH, batch=st.floats(0, 1e9))
def test_the_largest_data_parallel_group_still_has_enough_tokens_each(compute, bandwidth, axes, width, batch):
    inputs = {"compute": compute, "bandwidth": bandwidth, "axes": axes, "width": width}
    enough = data_parallel_critical_batch(**inputs)
    devices = data_parallel_limit(batch=batch, **inputs)
    assert devices * enough <= batch * (1 + 1e-12)
    assert (devices + 1) * enough > batch * (1 - 1e-12)


@given(compute=COMPUTE, bandwidth=BANDWIDTH, axes=AXES, width=WIDTH, ffn=FFN)
def test_tensor_ranks_at_the_limit_gather_and_scatter_as_long_as_they_multiply(compute, bandwidth, axes, width, ffn):
    hidden, tokens = 1000, 100
    ranks = tensor_parallel_limit(ffn=ffn, compute=compute, bandwidth=bandwidth, axes=axes, width=width)
    multiplying = 2 * (2 * tokens * hidden * ffn / ranks) / compute
    exchanging = 2 * width * tokens * hidden / (axes * bandwidth)
    assert multiplying == pytest.approx(exchanging)


def mixed_times(batch, ffn, devices, data_ranks, data_axes, tensor_axes, compute, bandwidth):
    """Return an MLP's arithmetic and its two exchanges, for a hidden width of 1 and numbers of 16 bit."""
    multiplying = 4 * batch * ffn / (devices * compute)
    parameters = 2 * 2 * ffn * data_ranks / devices / (data_axes * bandwidth)
    activations = 2 * 2 * batch / data_ranks / (tensor_axes * bandwidth)
    return multiplying, parameters, activations


@given(batch=st.floats(1e3, 1e8), ffn=FFN, devices=st.integers(1, 4096), data_axes=AXES, tensor_axes=AXES)
def test_the_best_mix_sends_parameters_and_activations_equally_long_and_no_other_mix_less(
    batch, ffn, devices, data_axes, tensor_axes
):
    best = best_data_ranks(batch=batch, ffn=ffn, devices=devices, data_axes=data_axes, tensor_axes=tensor_axes)

    def exchanges(data_ranks):
        return mixed_times(batch, ffn, devices, data_ranks, data_axes, tensor_axes, 1e15, 1e11)[1:]

    assert exchanges(best)[0] == pytest.approx(exchanges(best)[1])
    for other in (best / 1.3, best * 1.3):
        assert sum(exchanges(other)) > sum(exchanges(best))


@given(compute=COMPUTE, bandwidth=BANDWIDTH, ffn=FFN, data_axes=AXES, tensor_axes=AXES)
def test_at_its_critical_batch_the_best_mix_exchanges_as_long_as_it_multiplies(
    compute, bandwidth, ffn, data_axes, tensor_axes
):
    devices = 64
    axes = {"data_axes": data_axes, "tensor_axes": tensor_axes}
    batch = devices * mixed_critical_batch(compute=compute, bandwidth=bandwidth, ffn=ffn, **axes)
    best = best_data_ranks(batch=batch, ffn=ffn, devices=devices, **axes)
    multiplying, parameters, activations = mixed_times(
        batch, ffn, devices, best, data_axes, tensor_axes, compute, bandwidth
    )
    assert multiplying == pytest.approx(parameters + activations)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: critical_intensity(compute=0, bandwidth=1), "expected compute > 0 FLOP/s, found 0 FLOP/s"),
        (lambda: critical_intensity(compute=1, bandwidth=0), "expected bandwidth > 0 byte/s, found 0 byte/s"),
        (
            lambda: critical_intensity(compute=1e300, bandwidth=1e-300),
            "expected inputs that give a critical intensity below 1.8e+308 FLOP per byte, found a larger one",
        ),
        (
            lambda: data_parallel_critical_batch(compute=1, bandwidth=1, sparsity=0),
            "expected sparsity > 0, found 0",
        ),
        (lambda: tensor_parallel_limit(ffn=0, compute=1, bandwidth=1), "expected ffn >= 1, found 0"),
    ],
)
def test_refusals(call, message):
    with pytest.raises(ModelError) as refusal:
        call()
    assert str(refusal.value) == message
