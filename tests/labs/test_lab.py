"""What a lab declares, checked for every lab at once."""

import pytest

from labs.answer import Refused, answered_frame, compute, read_inputs
from labs.catalog import LABS
from labs.lab import Control, Lab, LabModule, Preset, decades, doublings
from macros.tries import ends


def test_a_default_off_the_slider_is_refused() -> None:
    with pytest.raises(ValueError, match="expected the default 3 among the slider's stops"):
        Control(name="a", label="A", symbol="a", unit="1", default=3, stops=(1, 2))


def test_stops_rise() -> None:
    with pytest.raises(ValueError, match="expected stops that rise"):
        Control(name="a", label="A", symbol="a", unit="1", default=1, stops=(2, 1))


def test_round_stops() -> None:
    assert decades(1, 100) == (1, 2, 5, 10, 20, 50, 100)
    assert doublings(1, 8) == (1, 2, 4, 8)


@pytest.mark.parametrize("lab", [module.LAB for module in LABS.values()], ids=lambda lab: lab.id)
def test_every_stop_of_every_lab_is_answered(lab: Lab) -> None:
    for control in lab.controls:
        for stop in ends(control):
            try:
                assert compute(LABS[lab.id], lab.defaults() | {control.name: stop})["metrics"]
            except Refused as refused:
                assert refused.control == control.name


def lab(**changes: object) -> Lab:
    control = Control(name="a", label="A", symbol="a", unit="1", default=1, stops=(1, 2))
    return Lab(id="l", title="L", scope="", controls=(control,), **changes)  # type: ignore[arg-type]


def test_a_preset_of_an_input_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="preset p: expected one of a, found b"):
        lab(presets=(Preset(id="p", label="P", inputs={"b": 1}),))


def test_two_presets_of_one_id_are_refused() -> None:
    with pytest.raises(ValueError, match="lab l: expected presets of different ids, found p, p"):
        lab(presets=(Preset(id="p", label="P", inputs={}), Preset(id="p", label="Q", inputs={"a": 2})))


@pytest.mark.parametrize("lab", [module.LAB for module in LABS.values()], ids=lambda lab: lab.id)
def test_every_preset_of_every_lab_is_a_case_of_its_own_with_its_reason(lab: Lab) -> None:
    inputs = [tuple((lab.defaults() | dict(preset.inputs)).items()) for preset in lab.presets]
    assert len(set(inputs)) == len(inputs)
    assert tuple(lab.defaults().items()) not in inputs
    assert all(preset.note.endswith(".") and 0 < len(preset.label) <= 30 for preset in lab.presets)


def test_what_the_ring_presets_say_is_so() -> None:
    def ring(preset: str) -> dict[str, float]:
        (inputs,) = [p.inputs for p in LABS["network"].LAB.presets if p.id == preset]
        metrics = LABS["network"].frame(**LABS["network"].LAB.defaults() | dict(inputs))["metrics"]
        return {metric["name"]: metric["value"] for metric in metrics}

    presets = {preset.id: preset for preset in LABS["network"].LAB.presets}
    assert presets["node"].inputs["payload"] == 12 * 4096**2 * 2 == 384 * 2**20
    thousand = ring("thousand")
    assert 2 * (presets["thousand"].inputs["ranks"] - 1) == 2046
    assert thousand["latency_term"] / thousand["time"] == pytest.approx(1 / 5, abs=0.01)
    assert ring("small")["latency_term"] / ring("small")["time"] > 0.99
    assert ring("crossover")["latency_term"] == pytest.approx(ring("crossover")["bandwidth_term"], rel=1e-12)
    assert presets["ethernet"].inputs["bandwidth"] == 10e9 / 8


@pytest.mark.parametrize("module", LABS.values(), ids=LABS)
def test_a_preset_answers_as_its_texts_typed_by_hand_do(module: LabModule) -> None:
    for given in ({}, *(preset.inputs for preset in module.LAB.presets)):
        built = answered_frame(module, module.LAB.inputs(given))
        typed = {name: read["text"] for name, read in built["inputs"].items()}
        assert answered_frame(module, read_inputs(module, typed)) == built
