"""The overlap lab: steps by hand, the bounds of any order, and moves that data forbid."""

from typing import Any

import pytest

from labs.answer import read_inputs
from labs.catalog import LABS
from labs.model.quantities.errors import ModelError
from labs.model.timelines.overlap import exposed_gradient_reduction
from labs.overlap import LAB, frame

GRADIENTS = {"mode": "gradients", "payload": 100e6, "compute": 4e-3, "ranks": 2, "latency": 0, "bandwidth": 50e9}
PREFETCH = GRADIENTS | {"mode": "prefetch", "layers": 4}


def made(**inputs: Any) -> dict[str, Any]:
    return frame(**LAB.inputs(inputs))


def preset(name: str) -> dict[str, Any]:
    (inputs,) = [dict(each.inputs) for each in LAB.presets if each.id == name]
    return inputs


def metrics(found: dict[str, Any]) -> dict[str, Any]:
    return {metric["name"]: metric["value"] for metric in found["metrics"]}


def test_a_collective_of_two_milliseconds_beside_one_of_compute() -> None:
    """4 · 5 µs + 100 MB / 50 GB/s = 2.02 ms, exposed unless compute is independent of it."""
    for needs, exposed in (("result", 2.02e-3), ("output", 2.02e-3), ("nothing", 1.02e-3)):
        found = metrics(made(needs=needs))
        assert found["communication"] == pytest.approx(2.02e-3)
        assert found["exposed"] == pytest.approx(exposed)
        assert found["step"] == pytest.approx(1e-3 + exposed)
        assert (found["shortest"], found["longest"]) == pytest.approx((2.02e-3, 3.02e-3))


def test_of_reductions_behind_the_backward_pass_the_last_one_is_exposed() -> None:
    """Two ranks: 2 (p − 1) / p M / B = 2 ms for each of 8 layers of 4 ms."""
    found = metrics(made(**GRADIENTS))
    assert found["step"] == pytest.approx(8 * 4e-3 + 2e-3)
    assert found["hidden"] == pytest.approx(7 * 2e-3)
    assert found["exposed"] == pytest.approx(exposed_gradient_reduction(communication=16e-3, backward=32e-3, buckets=8))
    assert metrics(made(**GRADIENTS, size=8e8))["exposed"] == pytest.approx(16e-3)


def test_gathers_hide_with_two_buffers_and_not_with_one() -> None:
    """Gathers and scatters of 1 ms, layers of 4 ms and 8 ms: the first gather and the last scatter are exposed."""
    assert metrics(made(**PREFETCH))["exposed"] == pytest.approx(2e-3)
    # With one buffer each of 8 gathers waits for the computation before; the last scatter is exposed as ever.
    one = made(**PREFETCH, buffers=1)
    assert metrics(one)["exposed"] >= 8e-3 + 1e-3
    (offer,) = [said for said in one["verdict"] if isinstance(said, dict)]
    assert offer["sets"] == {"buffers": "2"}


@pytest.mark.parametrize("mode", ["collective", "gradients", "prefetch"])
@pytest.mark.parametrize("start", [-4, -1, 0, 1, 4])
@pytest.mark.parametrize("bucket", [0, 1, 5])
def test_a_step_lies_between_its_longer_stream_and_the_sum_or_the_move_is_refused(
    mode: str, start: int, bucket: int
) -> None:
    found = made(mode=mode, start=start, bucket=bucket)
    values = metrics(found)
    if values["step"] is None:
        assert isinstance(found["verdict"][0], str) and found["verdict"][1]["sets"]
    else:
        assert values["shortest"] * (1 - 1e-12) <= values["step"] <= values["longest"] * (1 + 1e-12)
        assert values["exposed"] + values["hidden"] == pytest.approx(values["communication"])


def test_a_reduction_before_its_gradients_is_refused_with_the_dependency() -> None:
    found = made(**GRADIENTS, bucket=2, start=-1)
    assert found["verdict"][0] == (
        "Reduce 2 may not start earlier by 1: expected reduce 2 to wait for backward 5, which writes gradient 5 that "
        "it reads, found no such wait."
    )
    assert found["verdict"][1] == {"text": "Undo the move", "sets": {"start": "0"}}
    assert set(metrics(found).values()) == {None}
    assert found["diagrams"][0]["title"] == "The step without the move"


def test_a_gather_into_a_buffer_in_use_is_refused_with_who_reads_it() -> None:
    verdict = made(**preset("reuse"))["verdict"]
    assert "expected gather 2 to wait for forward 0, which reads parameters 0 that it overwrites" in verdict[0]


def test_a_gather_after_the_layer_that_needs_it_would_wait_for_ever() -> None:
    verdict = made(**PREFETCH, bucket=2, start=4)["verdict"]
    assert "expected waits that can end" in verdict[0]


def test_a_reduction_moved_later_takes_longer_and_can_be_undone() -> None:
    found = made(**GRADIENTS, bucket=6, start=1)
    # The last two reductions now follow the whole backward pass.
    assert metrics(found)["step"] == pytest.approx(8 * 4e-3 + 2 * 2e-3)
    assert {"start": "0"} in [said["sets"] for said in found["verdict"] if isinstance(said, dict)]
    assert "moved" in [part["name"] for part in found["diagrams"][0]["parts"]]


def test_the_last_reduction_cannot_start_later_and_is_not_shown_as_moved() -> None:
    """Its gradients come from the last piece of compute: no place is left behind it."""
    found, plain = made(**GRADIENTS, bucket=7, start=4), made(**GRADIENTS)
    assert found["verdict"][0]["says"] == (
        "Reduce 7 cannot start later by 4: it was not moved, and behind the last piece of compute there is no place "
        "left."
    )
    assert found["verdict"][0]["sets"] == {"start": "0"}
    assert found["diagrams"] == plain["diagrams"]
    assert found["metrics"] == plain["metrics"]


def test_a_move_that_is_cut_short_says_by_how_much_it_was_moved() -> None:
    found, one = made(**GRADIENTS, bucket=6, start=4), made(**GRADIENTS, bucket=6, start=1)
    assert "Reduce 6 cannot start later by 4: it was moved by 1" in found["verdict"][0]["says"]
    assert found["verdict"][0]["sets"] == {"start": "1"}
    assert found["diagrams"] == one["diagrams"]
    assert not any("cannot start" in str(said) for said in one["verdict"])


def test_the_first_gather_cannot_start_earlier() -> None:
    found = made(**PREFETCH, bucket=0, start=-1)
    assert "before the first piece of compute there is no place left" in found["verdict"][0]["says"]


def test_a_move_by_half_a_layer_is_refused() -> None:
    with pytest.raises(ModelError, match="expected start to be a whole number, found") as refused:
        frame(**LAB.inputs({}) | {"start": 0.5})
    assert refused.value.argument == "start"


@pytest.mark.parametrize("inputs", [{}, {"needs": "output"}, PREFETCH | {"buffers": 1}])
def test_the_bounds_are_not_called_reachable_where_dependencies_forbid_overlap(inputs: dict[str, Any]) -> None:
    said = " ".join(said for said in made(**inputs)["verdict"] if isinstance(said, str))
    assert "If nothing depended on anything, it could be as short as" in said
    assert "ny order" not in said


def test_what_is_advised_takes_as_long_as_it_says() -> None:
    whole = preset("whole")
    (offer,) = [said for said in made(**whole)["verdict"] if isinstance(said, dict)]
    texts = {control.name: str(LAB.inputs(whole)[control.name]) for control in LAB.controls}
    again = metrics(frame(**read_inputs(LABS["overlap"], texts | offer["sets"])))
    assert again["step"] < metrics(made(**whole))["step"]
    assert f"{again['step'] * 1e3:.2f} ms" in offer["says"]


def test_an_exchange_that_is_not_there_cannot_be_moved() -> None:
    found = made(bucket=3, start=1)
    assert found["verdict"][0] == "There is no exchange 3: they are counted from 0 to 0."
    assert found["verdict"][1]["sets"] == {"bucket": "0"}


def test_what_the_presets_say_is_so() -> None:
    assert metrics(made(**preset("beside")))["exposed"] == pytest.approx(1.02e-3)
    buckets = metrics(made(**preset("buckets")))
    assert buckets["exposed"] == pytest.approx(buckets["communication"] / 8)
    assert metrics(made(**preset("whole")))["hidden"] == pytest.approx(0)
    ahead = metrics(made(**preset("prefetch")))
    # Three exchanges a layer, all of one length: two of 18 are exposed.
    assert ahead["exposed"] == pytest.approx(2 * ahead["communication"] / 18)


def test_what_arithmetic_leaves_over_is_not_hidden() -> None:
    """a + b − T is some 1e-18 s where the two follow one another."""
    for inputs in ({"phases": 1000}, {"phases": 10, "compute": 7e-3}):
        assert metrics(made(**inputs))["hidden"] == 0.0


@pytest.mark.parametrize("size", [0.0, -5e6])
def test_a_bucket_without_a_size_is_refused_at_its_own_field(size: float) -> None:
    with pytest.raises(ModelError) as refused:
        made(mode="gradients", size=size)
    assert refused.value.argument == "size"
