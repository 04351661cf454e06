"""The network lab's comparison: every algorithm of an all-reduce that the model knows, on the same links."""

from typing import Any

from labs.lab import decades
from labs.model.collectives.algorithm import Algorithm, possible
from labs.model.collectives.cost import Collective, collective
from labs.model.machines.hierarchy import HierarchicalCollective, hierarchical_collective
from labs.model.machines.machine import Level

GROUP = 8  # ranks of a group, where the algorithm has two levels
SWITCHED = ("one-shot", "two-shot")  # they send to all ranks at once


def compared(ranks: int, payload: float, bandwidth: float, latency: float, low: float, high: float) -> dict[str, Any]:
    """Return the parts of a frame that compare: a chart over payloads from low to high, a table, notes."""
    links = {"ranks": ranks, "bandwidth": bandwidth, "latency": latency}
    return {
        "series": [_chart(payload, low, high, links)],
        "tables": [_table(payload, links)],
        "notes": _notes(ranks),
    }


def _one(algorithm: Algorithm, payload: float, links: dict[str, Any]) -> Collective:
    return collective(operation="all-reduce", algorithm=algorithm, payload=payload, **links)


def _grouped(ranks: int) -> bool:
    return ranks > GROUP and ranks % GROUP == 0


def _two_levels(payload: float, *, ranks: int, bandwidth: float, latency: float) -> HierarchicalCollective:
    levels = tuple(
        Level(name=name, devices=devices, bandwidth=bandwidth, latency=latency)
        for name, devices in (("group", GROUP), ("all", ranks))
    )
    return hierarchical_collective(operation="all-reduce", payload=payload, levels=levels)


def _label(algorithm: str) -> str:
    return algorithm[:1].upper() + algorithm[1:]


def _chart(payload: float, low: float, high: float, links: dict[str, Any]) -> dict[str, Any]:
    payloads = sorted({*decades(low, high, (1, 3)), *([payload] if payload > 0 else [])})
    lines: list[dict[str, Any]] = [
        {"name": name, "label": name, "points": [(m, _one(name, m, links).time) for m in payloads]}
        for name in possible("all-reduce", links["ranks"])
        if name not in SWITCHED
    ]
    if _grouped(links["ranks"]):
        points = [(m, _two_levels(m, **links).time) for m in payloads]
        lines.append({"name": "two levels", "label": "two levels", "points": points})
    return {
        "kind": "lines",
        "id": "algorithms",
        "title": "Time of other algorithms",
        "x": {"label": "Payload", "symbol": "M", "unit": "byte", "scale": "log"},
        "y": {"label": "Time", "symbol": "T", "unit": "s", "scale": "log"},
        "lines": lines,
        "point": {"x": payload, "y": _one("ring", payload, links).time},
    }


def _table(payload: float, links: dict[str, Any]) -> dict[str, Any]:
    costs = [_one(name, payload, links) for name in possible("all-reduce", links["ranks"])]
    rows: list[list[Any]] = [
        [_label(cost.algorithm), cost.steps, cost.bytes_per_rank, cost.time, _crossover(cost.algorithm, links)]
        for cost in costs
    ]
    if _grouped(links["ranks"]):
        found = _two_levels(payload, **links)
        steps = sum(phase.cost.steps for phase in found.phases)
        sent = sum(phase.cost.bytes_per_rank for phase in found.phases)
        rows.append([f"Two levels, groups of {GROUP}", steps, sent, found.time, None])
    return {
        "id": "algorithms",
        "caption": "Algorithms of an all-reduce on these links, the fastest first",
        "columns": [
            {"label": "Algorithm"},
            {"label": "Steps", "unit": "1"},
            {"label": "Sent by the busiest rank", "unit": "byte"},
            {"label": "Time", "unit": "s"},
            {"label": "As fast as the ring at", "unit": "byte"},
        ],
        "rows": sorted(rows, key=lambda row: row[3]),
    }


def _crossover(algorithm: Algorithm, links: dict[str, Any]) -> float | None:
    """Return the payload from which on the ring is no slower, or None where there is none.

    Both times are straight in the payload, n α + v M / B: fewer steps win below it, fewer bytes above.
    """
    ring, other = _one("ring", 1.0, links), _one(algorithm, 1.0, links)
    waiting = ring.latency_term - other.latency_term
    moving = other.bandwidth_term - ring.bandwidth_term
    if waiting <= 0 or moving <= 1e-12 * ring.bandwidth_term:
        return None
    return waiting / moving


def _notes(ranks: int) -> list[str]:
    notes = [
        "With less than the payload in the last column an algorithm is faster than the ring, with more it is slower; a "
        "dash where both are equally fast at no payload.",
        "The comparison takes the same α and B for every algorithm, links between any two ranks, and sums that cost "
        "nothing.",
        "One-shot and two-shot send to all other ranks at once, which takes a switch; they are in the table only.",
    ]
    if _grouped(ranks):
        notes.append(
            f"Two levels reduce within groups of {GROUP}, then between them, then gather within, each by the faster of "
            "a ring and a double binary tree."
        )
    return notes
