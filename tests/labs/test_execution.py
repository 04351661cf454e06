"""The partition explorer: what crosses equals tables by hand, and a newcomer sees what matters."""

import doctest
import json
from time import perf_counter
from typing import Any

import pytest

from labs import execution
from labs.lab import Choice, Preset
from labs.model.plans.plan import Plan
from labs.model.quantities.errors import ModelError
from labs.model.steps.work import training_work
from labs.model.transformers.named import named_model
from labs.model.transformers.parameter_count import parameters
from labs.model.transformers.transformer import Transformer
from labs.parts.execution import words
from labs.parts.execution.models import OWN, SMALL
from labs.parts.execution.scenario import scenario
from labs.parts.execution.spoken import reason
from labs.views.frame import frame_html
from tests.labs.model import published_configs as configs
from tests.labs.model.boundaries.test_training_step import TABLES
from tests.labs.parts.execution.explored import (
    LAB,
    PRESETS,
    Inputs,
    actions,
    boxes,
    column,
    frame,
    metrics,
    preset,
    pressed,
    table,
)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Put another model in the place of the small one."""

    def put(model: Transformer) -> None:
        monkeypatch.setitem(OWN, SMALL.name, model)

    return put


def inputs_of(plan: Plan) -> Inputs:
    values: Inputs = {}
    for control in LAB.controls:
        if hasattr(plan, control.name):
            value = getattr(plan, control.name)
            switched = ("on" if value else "off") if isinstance(value, bool) else value
            values[control.name] = str(switched) if isinstance(control, Choice) else switched
    return values


@pytest.mark.parametrize("name", TABLES)
def test_rows_and_arrows_are_the_table_by_hand(name: str, small: Any) -> None:
    model, plan, expected = TABLES[name]
    small(model)
    shown = frame(**inputs_of(plan))
    labels = ("Tensor", "Collective", "Each", "Times", "When")
    rows = list(zip(*(column(shown, "crossings", label) for label in labels), strict=True))
    assert rows == [(tensor, how, payload, times, phase) for tensor, how, _, payload, times, phase in expected]
    assert table(shown, "crossings")["keys"] == [row[0] for row in expected]
    arrows = shown["diagrams"][0]["arrows"]
    assert [(one["name"], one["operation"], one["axis"], one["phase"]) for one in arrows] == [
        (tensor, how, axis, phase) for tensor, how, axis, _, _, phase in expected
    ]
    assert [one["key"] for one in arrows] == [one["sets"]["selected"] for one in arrows]
    assert len({one["key"] for one in arrows}) == len(arrows)
    assert all(one["zero"] == (one["axis"] == "data" and plan.zero > 0) for one in arrows)


def test_a_newcomer_sees_what_crosses_with_two_tensor_ranks() -> None:
    """The default: sums of both outputs forward, gradients of both inputs back, in each layer and microbatch."""
    shown = frame()
    in_layers = [
        "gradient of the attention input (partial sums)",
        "gradient of the MLP input (partial sums)",
        "attention output (partial sums)",
        "MLP output (partial sums)",
    ]
    assert column(shown, "crossings", "Tensor")[:4] == in_layers
    assert "Tensor ranks exchange 4 tensors" in shown["verdict"][0]
    assert all(name in shown["verdict"][0] for name in in_layers)
    assert set(column(shown, "crossings", "Split")) == {"tensor"}


def test_a_newcomer_sees_what_zero_3_adds() -> None:
    """Gathered twice and reduced once, where ZeRO-1 gathers once: one and a half times the bytes."""
    shown = preset("zero3")
    assert column(shown, "zero", "Of what ZeRO-1 sends") == pytest.approx([1, 1, 1, 1.5])
    sent = column(shown, "zero", "Sent by a device in a step")
    assert sent[3] == pytest.approx(sum(column(shown, "traffic", "Sent by a device")))
    assert "1.5 times what ZeRO-1 would" in shown["verdict"][0]


def test_a_newcomer_sees_why_16_tensor_ranks_are_refused_for_8_key_and_value_heads() -> None:
    shown = preset("refused")
    reason, copies = actions(shown)
    assert "found 16 and 8" in reason["says"]
    assert "whole key and value heads" in reason["says"]
    assert reason["sets"] == {"tensor": "8"}
    assert copies["sets"] == {"replicate_kv": "on"}
    assert "each key and value head would be held by 2 ranks" in reason["says"]
    held = boxes(pressed(dict(PRESETS["refused"].inputs), copies))
    assert [held[name]["copies"] for name in ("attention.query", "attention.key")] == [1, 2]
    assert [held[name]["parts"] for name in ("attention.query", "attention.key")] == [16, 8]


@pytest.mark.parametrize("one", [None, *LAB.presets], ids=lambda one: one.id if one else "default")
def test_all_devices_of_a_stage_hold_each_weight_together(one: Preset | None) -> None:
    """Parts × copies are the devices that have the weight: of a stage, or of both ends of a tied embedding."""
    shown = frame(**dict(one.inputs) if one else {})
    (diagram,) = shown["diagrams"]
    stages = len({stage["label"] for stage in diagram["stages"]}) or 1
    devices = metrics(shown)["devices"] if diagram["arrows"] else 1
    tied = "head.tied" in boxes(shown)
    for name, box in boxes(shown).items():
        ends = 2 if tied and stages > 1 and name in ("embedding.tokens", "head.tied") else 1
        pieces = box["parts"] * box["expert_parts"] * box["slices"]
        assert pieces * box["copies"] == devices // stages * ends
        assert box["mine"] is None or all(
            0 <= mine < of
            for mine, of in zip(box["mine"], (box["parts"], box["expert_parts"], box["slices"]), strict=True)
        )
    layers = [layer for stage in diagram["stages"] for layer in range(stage["from"], stage["to"] + 1)]
    assert not diagram["stages"] or layers == list(range(diagram["layers"]))


def test_a_device_is_marked_where_it_holds_something() -> None:
    """Of 2 tensor × 2 data × 2 stages, device 5 is tensor rank 1 of replica 0 on the last stage."""
    shown = frame(tensor=2, data=2, pipeline=2, device=5, zero="3")
    held = boxes(shown)
    assert held["embedding.tokens"]["mine"] is None
    assert held["attention.query"]["mine"] == [1, 0, 0]
    assert held["norms.mlp"]["mine"] == [0, 0, 0]
    assert boxes(frame(tensor=2, data=2, pipeline=2, device=7, zero="3"))["attention.query"]["mine"] == [1, 0, 1]
    assert [stage["mine"] for stage in shown["diagrams"][0]["stages"]] == [False, True]
    # Rows 512 to 1,023 of a query of 1,024 × 1,024; of these elements a replica keeps half.
    assert held["attention.query"]["says"].startswith("Device 5: rows 512–1,023 of 1,024; of these elements 0–262,143")
    assert table(shown, "device")["caption"].startswith("What device 5 holds (tensor rank 1, replica 0, stage 1)")


def test_experts_are_marked_by_their_ranks() -> None:
    up = boxes(preset("experts", device=3))["experts.up"]
    assert (up["shape"], up["experts"], up["axis"]) == ([4096, 1024], 8, 0)
    assert (up["expert_parts"], up["mine"]) == (4, [0, 3, 0])


def test_a_selected_tensor_is_told_with_its_formula() -> None:
    shown = frame(selected="MLP output (partial sums)")
    facts = dict(table(shown, "selected")["rows"])
    # b s h of the small transformer, 2 byte each
    assert facts["Payload"] == "b s h · 2 byte = 1 · 1024 · 1024 · 2 byte = 2.1 MB"
    assert facts["Devices"] == "0, 1"
    assert facts["Why"] == "Each tensor rank multiplies its own rows; the output is the sum of all ranks'."
    (arrow,) = (one for one in shown["diagrams"][0]["arrows"] if one["selected"])
    assert arrow["place"] == "mlp output"


def test_a_selected_weight_is_told() -> None:
    facts = dict(table(frame(selected="mlp.down", device=1), "selected")["rows"])
    assert facts["Whole"] == "1,024 × 4,096 = 4,194,304 parameters in each of 8 layers"
    assert facts["Device 1 holds"] == "columns 2,048–4,095 of 4,096; no other device holds it"


def test_what_is_selected_and_not_there_is_told() -> None:
    notes = frame(selected="output of a stage")["notes"]
    assert any("Nothing called output of a stage crosses" in note for note in notes)


@pytest.mark.parametrize(
    ("inputs", "name", "members"),
    [
        ({"tensor": 2, "data": 4, "device": 3}, "gradients", "1, 3, 5, 7"),
        ({"tensor": 2, "pipeline": 4, "device": 5}, "output of a stage", "5, 7"),
        ({"tensor": 2, "pipeline": 4, "device": 7}, "output of a stage", "5, 7"),
        ({"model": "GPT-3 175B", "tensor": 2, "pipeline": 4, "device": 3}, "gradient of the tied embedding", "1, 7"),
        ({"tensor": 1, "data": 16}, "gradients", "0, 1, 2, 3, 4, 5, 6, …, 15"),
    ],
)
def test_the_devices_of_a_group(inputs: Inputs, name: str, members: str) -> None:
    assert dict(table(frame(**inputs, selected=name), "selected")["rows"])["Devices"] == members


def test_a_config_takes_the_place_of_the_model() -> None:
    shown = frame(config=json.dumps(configs.LLAMA_3_8B), tensor=8)
    assert boxes(shown)["mlp.gate"]["shape"] == [14336, 4096]
    with pytest.raises(ModelError, match="expected config to be JSON") as refused:
        frame(config="{")
    assert refused.value.argument == "config"


@pytest.mark.parametrize(
    "inputs",
    [
        {"tensor": 2},
        {"tensor": 2, "sequence_parallel": "on"},
        {"tensor": 2, "sequence_parallel": "on", "recompute": "full", "context": 2, "sequence": 2048},
        {"tensor": 1, "context": 4, "recompute": "selective"},
        {"model": "Small mixture of experts", "tensor": 2, "sequence_parallel": "on", "data": 2, "expert": 2},
        {"tensor": 2, "sequence_parallel": "on", "pipeline": 4},
        {"tensor": 1, "pipeline": 2, "interleave": 4, "accumulation": 2},
    ],
)
def test_a_microbatch_of_training_exchanges_what_the_diagram_shows_in_its_layers(inputs: Inputs) -> None:
    shown = frame(**inputs)
    ends = ("embedding output", "head input", "loss", "all weights", "norm weights")
    crossing: dict[tuple[str, float], float] = {}
    arrows = {one["key"]: one for one in shown["diagrams"][0]["arrows"] if one["place"] not in ends}
    for row in table(shown, "crossings")["rows"]:
        if arrow := arrows.get(row[0]["text"]):
            key = f"{arrow['axis']}: {arrow['operation']}", row[5]
            crossing[key] = crossing.get(key, 0) + row[7] / inputs.get("accumulation", 1)
    labels = ("Exchange", "Each, training", "Times, training")
    rows = list(zip(*(column(shown, "exchanges", label) for label in labels), strict=True))
    assert {(name, each): times for name, each, times in rows if each is not None} == crossing


def test_tensor_ranks_with_fewer_tokens_than_they_are_add_up_whole_sums() -> None:
    shown = frame(tensor=2, sequence_parallel="on", served=1)
    kinds = dict(zip(column(shown, "exchanges", "Exchange"), column(shown, "exchanges", "Times, decode"), strict=True))
    assert kinds == {"tensor: all-gather": None, "tensor: reduce-scatter": None, "tensor: all-reduce": 16}
    split = frame(tensor=2, sequence_parallel="on", served=2)
    assert column(split, "exchanges", "Times, decode") == [16, 16]


def test_fractions_are_told_to_be_means_and_groups_to_be_groups() -> None:
    shown = frame(model="Llama 3 405B", tensor=8, pipeline=4, uneven="on", accumulation=4)
    assert column(shown, "exchanges", "Times, prefill") == [2 * 126 / 4, 1]
    assert "on the mean of all" in table(shown, "exchanges")["caption"]
    assert column(shown, "passes", "Pass")[2] == "decode, 8 sequences in 4 groups"


def test_the_same_plan_trains_and_serves() -> None:
    """A token of each of n sequences has n h elements to add up twice in each layer, a microbatch b s h four times."""
    shown = frame(served=8)
    assert column(shown, "exchanges", "Each, training") == [1024 * 1024 * 2]
    assert column(shown, "exchanges", "Each, decode") == [8 * 1024 * 2]
    assert column(shown, "exchanges", "Times, training") == [4 * 8]
    assert column(shown, "exchanges", "Times, decode") == column(shown, "exchanges", "Times, prefill") == [2 * 8]


@pytest.mark.parametrize("name", [None, *PRESETS])
def test_the_code_gives_the_same_numbers(name: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    inputs = LAB.inputs(dict(PRESETS[name].inputs) if name else {})
    exec(execution.code(**inputs), {})
    said = capsys.readouterr().out
    shown = execution.frame(**inputs)
    if metrics(shown)["step_time"] is None:
        why = shown["verdict"][0]["says"].removeprefix("This plan is impossible: ").partition(". ")[0]
        assert why in reason(said)
        return
    assert f"time={metrics(shown)['step_time']!r}" in said
    assert f"total={metrics(shown)['memory']!r}" in said
    assert all(crossing in said for crossing in column(shown, "crossings", "Tensor"))


@pytest.mark.parametrize("control", [*LAB.controls], ids=lambda control: control.name)
def test_every_value_of_every_control_is_answered(control: Any) -> None:
    for value in control.values if isinstance(control, Choice) else control.stops:
        shown = frame(**{control.name: value})
        json.dumps(shown, allow_nan=False)
        assert shown["metrics"]
        assert shown["verdict"]


@pytest.mark.parametrize("one", LAB.presets, ids=lambda one: one.id)
def test_a_frame_is_quick_and_small(one: Preset) -> None:
    inputs = LAB.inputs(one.inputs)
    took = []
    for _ in range(10):
        begun = perf_counter()
        shown = execution.frame(**inputs)
        took.append(perf_counter() - begun)
    assert min(took) < 0.025
    assert len(frame_html({name: part for name, part in shown.items() if name != "diagrams"})) < 60_000


def test_sends_between_stages_are_in_the_bubble() -> None:
    """The rest is hidden or exposed, and what is exposed is what the step waits for."""
    shown = preset("pipeline", tensor=2)
    exposed = dict(zip(column(shown, "traffic", "Split"), column(shown, "traffic", "Exposed"), strict=True))
    assert exposed["pipeline"] is None
    rows = dict(zip(column(shown, "crossings", "Tensor"), column(shown, "crossings", "Exposed"), strict=True))
    assert rows["output of a stage"] == "in the bubble"
    assert rows["attention output (partial sums)"] == "exposed"


@pytest.mark.parametrize(
    ("inputs", "gradients"),
    [
        ({"tensor": 1, "data": 4}, "data"),
        ({"tensor": 1, "context": 4}, "context, as replicas"),
        ({"tensor": 1, "context": 2, "data": 2}, "data and context"),
        ({"tensor": 2, "sequence_parallel": "on", "context": 2, "data": 2, "zero": "3"}, "ZeRO-3"),
    ],
)
def test_both_tables_give_traffic_the_same_cause(inputs: Inputs, gradients: str) -> None:
    shown = frame(**inputs)
    causes = column(shown, "crossings", "Split")
    assert gradients in causes
    assert sorted(set(causes)) == sorted(column(shown, "traffic", "Split"))


def test_each_group_is_told_with_the_level_that_it_spans() -> None:
    """Nodes of 8: tensor ranks lie within one, stages of 8 devices each on different ones."""
    shown = frame(tensor=8, pipeline=2, data=1)
    among = dict(zip(column(shown, "crossings", "Tensor"), column(shown, "crossings", "Among: level"), strict=True))
    assert among["MLP output (partial sums)"] == "8 tensor ranks: node"
    assert among["output of a stage"] == "2 stages, 8 apart: cluster"


def test_the_code_asks_for_no_more_than_it_uses() -> None:
    code = execution.code(**LAB.defaults())
    names = code.partition("(\n")[2].partition(")")[0].replace(",", " ").split()
    assert names
    assert all(code.count(name) > 1 for name in names)


def test_the_examples_in_the_docstrings() -> None:
    assert doctest.testmod(words).failed == 0


@pytest.mark.parametrize(("name", "width"), [("mixed", 2), ("fp32", 4), ("megatron-bf16", 4)])
def test_gradients_cross_as_wide_as_the_convention_sums_them(name: str, width: int) -> None:
    """Eight replicas of GPT 1.3B sum each gradient: what a ring sends of them is 2 · 7/8 of the payload."""
    shown = frame(model="GPT 1.3B", tensor=1, data=8, convention=name)
    (payload,) = column(shown, "crossings", "Each")
    assert payload == width * parameters(model=named_model(name="GPT 1.3B")).total
    assert column(shown, "zero", "Sent by a device in a step")[0] == pytest.approx(2 * 7 / 8 * payload)
    assert any("16-bit arithmetic" in note for note in shown["notes"]) == (name == "fp32")
    assert any(f"gradients in {width}." in note for note in shown["notes"])


@pytest.mark.parametrize("name", ["llama-3-long", "gpt-3"])
def test_the_step_counts_attention_to_all_tokens_and_the_passes_to_earlier_ones(name: str) -> None:
    """Both counts are of one model and batch, and differ by half of the attention, recomputed or not, alone."""
    scene = scenario(LAB.inputs(PRESETS[name].inputs))
    shown = preset(name)
    plan, peak = scene.plan, scene.machine.peak
    assert plan
    each = column(shown, "passes", "Arithmetic at peak")[0] * plan.accumulation * plan.devices * peak
    work = {
        causal: training_work(
            model=scene.model, sequences=plan.global_batch, recompute=plan.recompute, causal=causal
        ).total
        for causal in (True, False)
    }
    # A pass computes its head again where all layers are; tokens attend to themselves, and that is 1 of s/2.
    assert each == pytest.approx(work[True], rel=0.01)
    bars = next(series for series in shown["series"] if series["id"] == "step")
    at = [part["name"] for part in bars["parts"]].index("arithmetic")
    assert bars["rows"][0]["values"][at] * 0.64 * plan.devices * peak == pytest.approx(work[False])
    assert work[True] < work[False]
    assert "earlier ones only" in table(shown, "passes")["caption"]
    assert any("as if every token saw all others" in note for note in shown["notes"])
