"""The ring lab: ranks, payload, bandwidth and latency of an ideal ring all-reduce."""

from collections.abc import Sequence
from math import ceil, floor, log10

from labs.lab import Control, Frame, Lab, Preset, decades, doublings, switch
from labs.model.collectives.ring import (
    RingAllReduce,
    ring_all_reduce,
    ring_all_reduce_bandwidth_term,
    ring_all_reduce_latency_term,
)
from labs.model.collectives.ring_execution import MOST_RANKS
from labs.model.quantities.inputs import count
from labs.model.quantities.units import format_quantity
from labs.parts.network.algorithms import compared
from labs.parts.network.ring_steps import ring_steps
from labs.snippet import call

LAB = Lab(
    id="network",
    title="Ring all-reduce",
    scope=(
        "An ideal ring all-reduce: every rank holds the payload, all links are alike, and nothing else uses them. "
        "It is no model of a particular topology, nor of other collectives."
    ),
    controls=(
        Control(name="ranks", label="Ranks", symbol="p", unit="1", whole=True, default=8, stops=doublings(1, 65536)),
        Control(name="payload", label="Payload", symbol="M", unit="byte", default=100e6, stops=decades(1e3, 1e12),
                note="buffer on each rank"),
        Control(name="bandwidth", label="Effective bandwidth", symbol="B", unit="byte/s", default=50e9,
                stops=decades(1e8, 1e13), note="per link and direction"),
        Control(name="latency", label="Startup", symbol="α", unit="s", default=5e-6, stops=(0, *decades(1e-7, 1e-2)),
                note="per step"),
        Control(name="step", label="Step", symbol="s", unit="1", whole=True, default=0, stops=tuple(range(31)),
                note="steps taken of the ring drawn", group="Look closer", play=True),
        switch(name="compare", label="Other algorithms", default=False,
               note="trees, halving and doubling, two levels", group="Look closer"),
    ),
    presets=(
        Preset(id="node", label="Gradients of a layer", inputs={"ranks": 8, "payload": 384 * 2**20,
               "bandwidth": 200e9, "latency": 2e-6},
               note="A layer of width 4,096 holds 12 × 4,096² weights; their gradients, 2 bytes each, are 384 MiB."),
        Preset(id="thousand", label="1,024 ranks, 1 GB", inputs={"ranks": 1024, "payload": 1e9},
               note="2,046 steps: their startups add up to a fifth of the time, though the payload is large."),
        Preset(id="small", label="Small message", inputs={"ranks": 64, "payload": 10e3},
               note="64 ranks, 10 kB: nearly all of the time is startup, and more bandwidth would not help."),
        Preset(id="crossover", label="At the crossover", inputs={"payload": 2e6},
               note="The payload is p α B = 8 × 5 µs × 50 GB/s: both terms are equal."),
        Preset(id="ethernet", label="Links of 10 Gb/s", inputs={"ranks": 16, "payload": 100e6,
               "bandwidth": 1.25e9, "latency": 50e-6},
               note="10 Gb/s are 1.25 GB/s, here put to full use; 50 µs for a step is a round number, not measured."),
    ),
)

TERMS = (
    {"name": "time", "label": "time"},
    {"name": "latency_term", "label": "latency term"},
    {"name": "bandwidth_term", "label": "bandwidth term"},
)


def frame(
    *, ranks: int, payload: float, bandwidth: float, latency: float, step: int = 0, compare: str = "off"
) -> Frame:
    """Return the ring's numbers for these inputs, its time over ranges of them, and what a change of each would do."""
    ring = ring_all_reduce(payload=payload, ranks=ranks, latency=latency, bandwidth=bandwidth)
    asked, most = count("step", step, at_least=0), 2 * (min(ranks, MOST_RANKS) - 1)
    taken = ring_steps(ranks, asked)
    frame = {
        "verdict": taken["verdict"],
        "metrics": _metrics(ring),
        "series": [
            *taken["series"],
            _time_against_payload(ring, ranks, payload, bandwidth, latency),
            _time_against_ranks(ring, ranks, payload, bandwidth, latency),
            _changes(ring, ranks, payload, bandwidth, latency),
        ],
        "tables": [*taken["tables"], _terms(ring)],
        "limits": {"step": most},
        "taken": {"step": min(asked, most)},
        "notes": taken["notes"],
    }
    if compare == "on":
        other = compared(ranks, payload, bandwidth, latency, *_span(payload, ring.crossover))
        frame |= {part: [*frame[part], *found] for part, found in other.items()}
    return frame


def _metrics(ring: RingAllReduce) -> list[dict[str, object]]:
    return [
        {"name": "time", "label": "Time", "symbol": "T", "value": ring.time, "unit": "s"},
        {"name": "latency_term", "label": "Latency term", "symbol": "2(p−1)α", "value": ring.latency_term, "unit": "s"},
        {"name": "bandwidth_term", "label": "Bandwidth term", "symbol": "2(p−1)/p · M/B",
         "value": ring.bandwidth_term, "unit": "s"},
        {"name": "crossover", "label": "Crossover payload", "symbol": "pαB",
         "value": ring.crossover if ring.steps else None, "unit": "byte"},
        {"name": "algorithm_bandwidth", "label": "Algorithm bandwidth", "symbol": "M/T",
         "value": ring.algorithm_bandwidth, "unit": "byte/s"},
        {"name": "bus_bandwidth", "label": "Bus bandwidth", "symbol": "2(p−1)/p · M/T",
         "value": ring.bus_bandwidth, "unit": "byte/s"},
    ]


def _terms(ring: RingAllReduce) -> dict[str, object]:
    share = (lambda term: term / ring.time) if ring.time else (lambda term: None)
    return {
        "id": "terms",
        "caption": "What the time is made of",
        "columns": [{"label": "Part"}, {"label": "Steps", "unit": "1"}, {"label": "Sent by each rank", "unit": "byte"},
                    {"label": "Time", "unit": "s"}, {"label": "Share", "unit": "%"}],
        "rows": [
            ["Reduce-scatter", ring.steps // 2, ring.bytes_per_rank / 2, ring.time / 2, share(ring.time / 2)],
            ["All-gather", ring.steps // 2, ring.bytes_per_rank / 2, ring.time / 2, share(ring.time / 2)],
            ["of both: latency", ring.steps, None, ring.latency_term, share(ring.latency_term)],
            ["of both: bandwidth", None, ring.bytes_per_rank, ring.bandwidth_term, share(ring.bandwidth_term)],
        ],
    }


def _time_against_payload(
    ring: RingAllReduce, ranks: int, payload: float, bandwidth: float, latency: float
) -> dict[str, object]:
    low, high = _span(payload, ring.crossover)
    # Between two of these the curve is straight to half a unit of the drawing.
    payloads = sorted({*decades(low, high), *([payload] if payload > 0 else [])})
    waiting = ring_all_reduce_latency_term(ranks=ranks, latency=latency)
    points = []
    for m in payloads:
        moving = ring_all_reduce_bandwidth_term(payload=m, ranks=ranks, bandwidth=bandwidth)
        points.append((m, waiting + moving, waiting, moving))
    return {
        "kind": "lines",
        "id": "time-against-payload",
        "title": "Time against payload",
        "x": {"label": "Payload", "symbol": "M", "unit": "byte", "scale": "log"},
        "y": {"label": "Time", "symbol": "T", "unit": "s", "scale": "log"},
        "lines": _lines(points),
        "regions": [
            {"label": "latency-bound", "from": low, "to": ring.crossover},
            {"label": "bandwidth-bound", "from": ring.crossover, "to": high},
        ]
        if ring.steps
        else [],  # one rank waits for nothing and moves nothing
        "point": {"x": payload, "y": ring.time},
    }


def _time_against_ranks(
    ring: RingAllReduce, ranks: int, payload: float, bandwidth: float, latency: float
) -> dict[str, object]:
    """Return the time from two ranks on: one alone takes none."""
    counts = sorted({*doublings(2, max(65536, min(2 * ranks, 2**40))), *([ranks] if ranks > 1 else [])})
    points = []
    for p in counts:
        waiting = ring_all_reduce_latency_term(ranks=p, latency=latency)
        moving = ring_all_reduce_bandwidth_term(payload=payload, ranks=p, bandwidth=bandwidth)
        points.append((p, waiting + moving, waiting, moving))
    return {
        "kind": "lines",
        "id": "time-against-ranks",
        "title": "Time against ranks",
        "x": {"label": "Ranks", "symbol": "p", "unit": "1", "scale": "log", "base": 2},
        "y": {"label": "Time", "symbol": "T", "unit": "s", "scale": "log"},
        "lines": _lines(points),
        "point": {"x": ranks, "y": ring.time},
    }


def _lines(points: Sequence[tuple[float, float, float, float]]) -> list[dict[str, object]]:
    return [term | {"points": [(row[0], row[i]) for row in points]} for i, term in enumerate(TERMS, start=1)]


def _changes(ring: RingAllReduce, ranks: int, payload: float, bandwidth: float, latency: float) -> dict[str, object]:
    """Return both terms as they are, and with each input made better by a factor of two."""
    half = max(ranks // 2, 1)
    # Half of the smallest float is none, and twice the largest is no number: such an input stays.
    faster = 2 * bandwidth if bandwidth < 1e300 else bandwidth
    rows = [
        (f"half the startup, {format_quantity(latency / 2, 's', 3)}", ranks, payload, bandwidth, latency / 2),
        (f"twice the bandwidth, {format_quantity(faster, 'byte/s', 3)}", ranks, payload, faster, latency),
        (f"half the payload, {format_quantity(payload / 2, 'byte', 3)}", ranks, payload / 2, bandwidth, latency),
        (f"half the ranks, {half}", half, payload, bandwidth, latency),
    ]
    return {
        "kind": "bars",
        "id": "changes",
        "title": "What a change would do",
        "row": "change",
        "x": {"label": "Time", "symbol": "T", "unit": "s"},
        "parts": list(TERMS[1:]),
        "rows": [
            {"label": "none, as set", "now": True, "values": [ring.latency_term, ring.bandwidth_term]},
            *(
                {
                    "label": label,
                    "values": [
                        ring_all_reduce_latency_term(ranks=p, latency=α),
                        ring_all_reduce_bandwidth_term(payload=m, ranks=p, bandwidth=b),
                    ],
                }
                for label, p, m, b, α in rows
            ),
        ],
    }


def _span(payload: float, crossover: float) -> tuple[float, float]:
    """Return whole decades that hold the payload and the crossover with room on both sides."""
    wanted = [log10(value) for value in (payload, crossover) if value > 0]
    low = max(min([3, *(floor(value - 0.3) for value in wanted)]), -30)
    high = min(max([11, *(ceil(value + 0.3) for value in wanted)]), 30)
    return float(f"1e{low}"), float(f"1e{high}")


def code(**inputs: float) -> str:
    """Return the Python text that gives this frame's numbers; its last expression is the ring's record."""
    ring = call("ring_all_reduce", LAB.controls[:4], inputs)
    return f"""\
from labs.model import format_quantity, ring_all_reduce

ring = {ring}
print(ring.steps, "steps in", format_quantity(ring.time, "s"))
ring
"""
