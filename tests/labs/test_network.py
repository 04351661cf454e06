"""The network lab beyond its ring's formula: the ring step by step, and other algorithms where they are asked for."""

from typing import Any

import pytest

from labs.answer import answered_frame
from labs.catalog import LABS
from labs.lab import Control
from labs.model.quantities.errors import ModelError
from labs.network import LAB, frame
from labs.parts.network.ring_steps import ring_steps


def shown(**changed: Any) -> dict[str, Any]:
    return frame(**LAB.defaults() | changed)  # type: ignore[arg-type]


def ring(ranks: int, step: int) -> dict[str, Any]:
    (series,) = ring_steps(ranks, step)["series"]
    return dict(series)


def ids(found: dict[str, Any], part: str) -> list[str]:
    return [one["id"] for one in found[part]]


@pytest.mark.parametrize("ranks", [2, 3, 8, 16])
def test_in_the_end_every_rank_holds_the_sum_of_what_all_started_with(ranks: int) -> None:
    start, end = ring(ranks, 0), ring(ranks, 2 * (ranks - 1))
    total = [sum(buffer[chunk] for buffer in start["buffers"]) for chunk in range(ranks)]
    assert end["buffers"] == [total] * ranks
    (said,) = ring_steps(ranks, 2 * (ranks - 1))["verdict"]
    assert f"After {2 * (ranks - 1)} steps each of {ranks} ranks holds {total[0]:g}" in said
    assert max(total) < 100  # two digits: what fits in a square of a ring of 16


@pytest.mark.parametrize("ranks", [2, 3, 8, 16])
def test_reduce_scatter_leaves_each_rank_one_whole_chunk_and_all_gather_adds_one_a_step(ranks: int) -> None:
    for step in range(2 * ranks - 1):
        whole = [held.count(ranks) for held in ring(ranks, step)["summed"]]
        assert whole == [max(step - ranks + 2, 0)] * ranks


def test_a_step_sends_one_chunk_of_each_rank_to_its_right_neighbour() -> None:
    for step in range(1, 15):
        moves = ring(8, step)["moves"]
        assert [(move["from"], move["to"]) for move in moves] == [(r, (r + 1) % 8) for r in range(8)]
        assert len({move["chunk"] for move in moves}) == 8
    assert [move["chunk"] for move in ring(8, 1)["moves"]] == list(range(8))


def test_what_a_move_says_is_what_the_buffers_did() -> None:
    before, after = ring(4, 0)["buffers"], ring(4, 1)
    for move in after["moves"]:
        chunk, held = move["chunk"], before[move["to"]][move["chunk"]]
        sent, now = before[move["from"]][chunk], after["buffers"][move["to"]][chunk]
        assert now == held + sent
        assert move["text"] == f"chunk {chunk} from rank {move['from']}: {held:g} + {sent:g} = {now:g}"
    before, after = ring(4, 3)["buffers"], ring(4, 4)
    for move in after["moves"]:
        assert after["buffers"][move["to"]][move["chunk"]] == before[move["from"]][move["chunk"]]


def test_steps_beyond_the_last_are_the_last() -> None:
    assert ring(4, 30) == ring(4, 6)
    assert ring(4, 7)["step"] == 6
    assert ring(1, 5)["steps"] == 0
    (step,) = [control for control in LAB.controls if control.name == "step"]
    assert isinstance(step, Control) and step.play
    assert step.stops == tuple(range(2 * (16 - 1) + 1))  # to the end of the largest ring that is drawn


def test_a_step_below_none_is_refused_at_its_control() -> None:
    with pytest.raises(ModelError) as refused:
        shown(step=-1)
    assert refused.value.argument == "step"


def test_a_ring_too_large_is_offered_as_one_of_16_and_said_to_be_one() -> None:
    resting = shown(ranks=1024)
    assert "ring" not in ids(resting, "series") and resting["verdict"] == []
    (offer,) = resting["notes"]
    assert offer["says"] == "A ring of 1,024 ranks is too large to be drawn." and offer["sets"] == {"step": "1"}
    going = shown(ranks=1024, step=1)
    assert len(going["series"][0]["buffers"]) == 16
    assert going["verdict"] == ["The ring drawn has 16 ranks; 1,024 would take 2,046 such steps."]
    assert going["metrics"] == resting["metrics"]


def test_the_table_of_buffers_is_folded_and_holds_the_numbers_drawn() -> None:
    found = shown(ranks=4, step=2)
    (table,) = [table for table in found["tables"] if table["id"] == "buffers"]
    assert table["folded"]
    assert [[float(number) for number in row[1].split()] for row in table["rows"]] == found["series"][0]["buffers"]


def test_nothing_of_other_algorithms_is_there_until_they_are_asked_for() -> None:
    found = shown()
    assert "algorithms" not in ids(found, "series") + ids(found, "tables")
    html = answered_frame(LABS["network"], LAB.defaults())["html"]
    assert "Rabenseifner" not in html and "tree" not in html


def rows(**changed: Any) -> dict[str, list[Any]]:
    (table,) = [table for table in shown(compare="on", **changed)["tables"] if table["id"] == "algorithms"]
    return {row[0]: row[1:] for row in table["rows"]}


def test_the_compared_algorithms_take_the_steps_and_times_of_their_sources() -> None:
    # p = 8, M = 100 MB, B = 50 GB/s, α = 5 µs: M / B = 2 ms, lg p = 3
    found = rows()
    assert found["Ring"][:3] == pytest.approx([14, 175e6, 14 * 5e-6 + 1.75 * 2e-3])
    # Thakur, Rabenseifner, Gropp 2005, section 4.5: lg p α + lg p M / B, and 2 lg p α + 2 (p − 1) / p M / B
    assert found["Recursive doubling"][:3] == pytest.approx([3, 300e6, 3 * 5e-6 + 3 * 2e-3])
    assert found["Rabenseifner"][:3] == pytest.approx([6, 175e6, 6 * 5e-6 + 1.75 * 2e-3])
    assert found["Two-shot"][:3] == pytest.approx([2, 175e6, 2 * 5e-6 + 1.75 * 2e-3])
    assert list(found) == sorted(found, key=lambda name: found[name][2])
    assert not any(name.startswith("Two levels") for name in found)


def test_at_a_crossover_an_algorithm_is_as_fast_as_the_ring() -> None:
    # recursive doubling: (14 − 3) α = (3 − 1.75) M / B
    assert rows()["Recursive doubling"][3] == pytest.approx(11 * 5e-6 / 1.25 * 50e9)
    for name, row in rows().items():
        if row[3] is not None:
            there = rows(payload=row[3])
            assert there[name][2] == pytest.approx(there["Ring"][2])
    assert rows()["Rabenseifner"][3] is None  # as many bytes in fewer steps
    assert rows(latency=0)["Recursive doubling"][3] is None


def test_two_levels_of_equal_links_send_as_much_in_fewer_steps() -> None:
    found = rows(ranks=64, payload=1e12)
    # rings of 8 within, of 8 between, of 8 within: 7 + 14 + 7 steps; 2 (p − 1) / p M in all
    assert found["Two levels, groups of 8"][:2] == pytest.approx([28, 2 * 63 / 64 * 1e12])
    assert "Two levels, groups of 8" not in rows(ranks=60)


ENDS: list[dict[str, Any]] = [
    *({"ranks": ranks} for ranks in (1, 2, 1000, 65536)),
    *({"payload": 0.0}, {"latency": 0.0}, {"payload": 0.0, "latency": 0.0}),
]
LARGEST: list[dict[str, Any]] = [
    *({"ranks": 17, "step": step, "payload": 1e3} for step in (1, 15, 30)),
    *({"ranks": 1024, "step": 5}, {"ranks": 64, "compare": "on"}),
]


@pytest.mark.parametrize("changed", ENDS)
def test_the_comparison_is_there_at_the_ends_too(changed: dict[str, Any]) -> None:
    inputs = LAB.inputs(changed | {"compare": "on", "step": 1})
    assert answered_frame(LABS["network"], inputs)["html"].count("<figure") >= 4


@pytest.mark.parametrize("inputs", LARGEST)
def test_a_frame_is_not_large(inputs: dict[str, Any]) -> None:
    assert len(answered_frame(LABS["network"], LAB.inputs(inputs))["html"]) < 60_000


def test_a_large_ring_at_rest_costs_one_sentence() -> None:
    html = answered_frame(LABS["network"], LAB.inputs({"ranks": 1024, "payload": 1e9}))["html"]
    assert html.count("<figure") == 3
    assert len(html) < 31_000
