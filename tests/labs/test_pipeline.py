"""The pipeline lab: steps and bubbles of published figures, the slowest stage, and what is drawn."""

from typing import Any

import pytest

from labs import pipeline
from labs.cell import source
from labs.parts.pipeline.views import OPERATIONS, STAGES
from labs.pipeline import LAB, SCHEDULES, frame
from labs.views.text import shown
from tests.labs.reader import Ran


def made(**inputs: Any) -> dict[str, Any]:
    return frame(**LAB.inputs(inputs))


def preset(name: str) -> dict[str, Any]:
    (inputs,) = [dict(each.inputs) for each in LAB.presets if each.id == name]
    return inputs


def metrics(found: dict[str, Any]) -> dict[str, Any]:
    return {metric["name"]: metric["value"] for metric in found["metrics"]}


def steps(found: dict[str, Any]) -> dict[str, float]:
    (rows,) = [each["rows"] for each in found["series"] if each["id"] == "steps"]
    return {row["sets"]["schedule"]: sum(row["values"]) for row in rows}


def test_overhead_and_share_of_the_bubble_are_two_numbers_each_as_published() -> None:
    """GPipe, section 2.3: (K − 1) / (M + K − 1); Narayanan et al., section 2.2: (p − 1) / m."""
    found = metrics(made(**preset("gpipe")))
    assert (found["bubble_share"], found["closed_share"]) == pytest.approx((3 / 19, 3 / 19))
    assert (found["bubble_overhead"], found["closed_overhead"]) == pytest.approx((3 / 16, 3 / 16))


def test_interleaving_halves_the_bubble_of_figure_4() -> None:
    """p = 4, m = 8, F = 1, B = 2: 8 · 3 of work, 3 · 3 of bubble, half of that with two chunks."""
    found = steps(made(**preset("interleaved")))
    assert found["1f1b"] == found["gpipe"] == pytest.approx(33e-3)
    assert found["interleaved"] == pytest.approx(28.5e-3)
    assert metrics(made(**preset("large")))["bubble_overhead"] == pytest.approx(7 / 96)


def test_zero_bubble_leaves_a_third_and_holds_no_more() -> None:
    found = made(**preset("zero"))
    assert steps(found)["zb-h1"] == pytest.approx(24e-3 + (33e-3 - 24e-3) / 3)
    assert metrics(found)["in_flight"] == 4 == metrics(made())["in_flight"]


def test_stages_of_1f1b_hold_ever_fewer_and_of_gpipe_all() -> None:
    def held(**inputs: Any) -> list[float]:
        (rows,) = [each["rows"] for each in made(**inputs)["series"] if each["id"] == "in-flight"]
        return [row["values"][0] for row in rows]

    assert held() == [4, 3, 2, 1]
    assert held(schedule="gpipe") == [8, 8, 8, 8]


def test_the_slowest_stage_sets_the_pace() -> None:
    """The first microbatch reaches it after 3 F; it works 16 times 1.25 (F + B); then 3 B are left."""
    found = metrics(made(**preset("head")))
    assert found["step_time"] == pytest.approx(3e-3 + 16 * 1.25 * 3e-3 + 3 * 2e-3)
    assert found["closed_overhead"] is None and found["closed_share"] is None


def test_a_delay_is_paid_on_the_way_there_and_back() -> None:
    plain, late = steps(made()), steps(made(delay=1e-4))
    assert late["gpipe"] - plain["gpipe"] == pytest.approx(2 * 3 * 1e-4)
    assert late["1f1b"] > late["gpipe"]  # 1F1B has no slack: it waits in each round


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_simulation_and_closed_form_agree_in_the_table(schedule: str) -> None:
    for inputs in ({}, {"stages": 8, "microbatches": 16}, {"stages": 1}, {"stages": 2, "microbatches": 2, "chunks": 3}):
        (table,) = made(schedule=schedule, **inputs)["tables"]
        for _, step, overhead, share, closed, _ in table["rows"]:
            assert step == pytest.approx(closed)
            assert share == pytest.approx(overhead / (1 + overhead))


def test_microbatches_that_do_not_go_round_are_refused_with_what_mends_it() -> None:
    found = made(schedule="interleaved", microbatches=6)
    assert "expected microbatches to be a multiple of stages, found 6 and 4" in found["verdict"][0]
    sets = [said["sets"] for said in found["verdict"][1:]]
    assert sets == [{"microbatches": "8"}, {"schedule": "1f1b"}]
    assert metrics(made(schedule="interleaved", microbatches=8))["step_time"]


def test_the_fastest_schedule_is_offered() -> None:
    found = made()
    (offer,) = [said for said in found["verdict"] if isinstance(said, dict)]
    assert offer["sets"] == {"schedule": min(steps(found), key=lambda name: steps(found)[name])}
    assert made(schedule="zb-h1")["verdict"][-1].startswith("None of the schedules")


def test_all_operations_are_drawn_or_it_is_said_which_are() -> None:
    (drawn,) = made()["diagrams"]
    assert sum(len(row["spans"]) for row in drawn["rows"]) == 4 * 8 * 2
    (cut,) = made(stages=32, microbatches=24)["diagrams"]
    assert len(cut["rows"]) == STAGES and sum(len(row["spans"]) for row in cut["rows"]) == OPERATIONS
    assert f"the first {STAGES} of 32 stages; the first {OPERATIONS} of {STAGES * 24 * 2} operations" in cut["title"]


def test_too_many_operations_are_left_to_the_closed_form() -> None:
    found = made(stages=32, microbatches=64)
    assert found.get("diagrams") == []
    assert metrics(found)["step_time"] == pytest.approx((64 + 31) * 3e-3)
    assert metrics(found)["bubble_share"] == pytest.approx(31 / 95)
    assert metrics(made(stages=32, microbatches=64, slow=2))["step_time"] is None


def says(found: dict[str, Any]) -> str:
    return " ".join(said if isinstance(said, str) else f"{said.get('says', '')} [{said['text']}]"
                    for said in found["verdict"])


def test_schedules_of_unequal_stages_are_compared_by_running_them() -> None:
    """ZB-H1 and interleaving both end sooner than 1F1B where the last stage takes a quarter longer."""
    found = made(stages=8, microbatches=32, slow=1.25)
    assert set(steps(found)) == set(SCHEDULES)
    assert steps(found)["zb-h1"] < steps(found)["interleaved"] < steps(found)["1f1b"]
    assert "Zero bubble (ZB-H1) takes" in says(found)


def test_a_long_weight_part_hides_no_schedule_from_the_comparison() -> None:
    found = made(stages=8, microbatches=32, weight=0.7)
    assert min(steps(found), key=lambda name: steps(found)[name]) == "zb-h1"
    assert "[Show it]" in says(found)


def test_what_was_not_compared_is_named() -> None:
    """32 × 32 × 2 = 2048 operations are simulated, 3 · 1024 of zero bubble and 4 · 1024 of two chunks are not."""
    found = made(stages=32, microbatches=32, slow=1.1)
    assert set(steps(found)) == {"gpipe", "1f1b"}
    assert "None of the schedules compared is faster." in says(found)
    assert "Interleaved 1F1B and Zero bubble (ZB-H1) were not compared" in says(found)


def test_what_cannot_be_interleaved_is_not_called_too_long() -> None:
    found = made(schedule="zb-h1", microbatches=6)
    assert "None of the schedules that are possible here is faster." in says(found)
    assert "compared" not in says(found)


def test_a_step_without_any_number_says_why_and_what_gives_one() -> None:
    found = made(stages=32, microbatches=64, slow=1.1)
    assert "4,096 operations" in says(found)
    assert "closed form alone" not in " ".join(found["notes"])
    offers = [said["sets"] for said in found["verdict"] if isinstance(said, dict)]
    assert offers == [{"slow": "1"}, {"microbatches": "32"}]
    for sets in ({"slow": 1.0}, {"microbatches": 32}):
        assert metrics(made(**{"stages": 32, "microbatches": 64, "slow": 1.1, **sets}))["step_time"]
    large = {"slow": 1.1, "schedule": "interleaved", "stages": 10**9, "microbatches": 10**9, "chunks": 10**9}
    sets = made(**large)["verdict"][-1]["sets"]
    assert metrics(made(**large | {name: int(text) for name, text in sets.items()}))["in_flight"]


def test_the_code_is_short_however_many_stages_there_are() -> None:
    assert len(pipeline.code(**LAB.inputs({"stages": 10**15, "slow": 1.1}))) < 700


@pytest.mark.parametrize("stage", ["first", "middle", "last"])
@pytest.mark.parametrize("stages", [1, 2, 5])
def test_the_code_has_the_slower_stage_in_its_place(stages: int, stage: str) -> None:
    inputs = {"stages": stages, "slow": 1.5, "slow_stage": stage, "schedule": "zb-h1"}
    assert Ran(source(pipeline, LAB.inputs(inputs))).value == repr(metrics(made(**inputs))["step_time"])


@pytest.mark.parametrize("name", ["gpipe", "interleaved", "zero", "head"])
def test_the_code_gives_the_same_step(name: str) -> None:
    assert Ran(source(pipeline, LAB.inputs(preset(name)))).value == repr(metrics(made(**preset(name)))["step_time"])


@pytest.mark.parametrize(
    ("schedule", "formula"),
    [
        ("gpipe", lambda p, m, v: (p - 1) / m),
        ("1f1b", lambda p, m, v: (p - 1) / m),
        ("interleaved", lambda p, m, v: (p - 1) / (v * m)),
    ],
)
def test_the_formula_that_is_shown_gives_the_number_beside_it(schedule: str, formula: Any) -> None:
    found = {metric["name"]: metric for metric in made(schedule=schedule)["metrics"]}
    p, m, v = (LAB.inputs({})[name] for name in ("stages", "microbatches", "chunks"))
    assert found["closed_overhead"]["value"] == pytest.approx(formula(p, m, v))
    assert ("v" in found["closed_overhead"]["symbol"]) == (schedule == "interleaved")
    assert ("v" in found["closed_share"]["symbol"]) == (schedule == "interleaved")


def test_a_bubble_is_the_same_number_in_words_as_in_the_results() -> None:
    found = made(schedule="1f1b", stages=256, microbatches=2, slow=6)
    told = " ".join(said for said in found["verdict"] if isinstance(said, str))
    share = metrics(found)["bubble_overhead"]
    assert share > 10
    assert f"{shown(share, '%')} of the work" in told
