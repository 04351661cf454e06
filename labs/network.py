"""The ring lab: ranks, payload, bandwidth and latency of an ideal ring all-reduce."""

from labs.lab import Control, Frame, Lab, decades, doublings
from labs.model.ring import (
    RingAllReduce,
    ring_all_reduce,
    ring_all_reduce_bandwidth_term,
    ring_all_reduce_latency_term,
    ring_all_reduce_time,
)

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
    ),
)

CURVE_POINTS = 61


def frame(*, ranks: int, payload: float, bandwidth: float, latency: float) -> Frame:
    """Return the ring's numbers for these inputs, and its time over a range of payloads."""
    ring = ring_all_reduce(payload=payload, ranks=ranks, latency=latency, bandwidth=bandwidth)
    return {
        "metrics": _metrics(ring),
        "series": [_time_against_payload(ring, ranks, payload, bandwidth, latency)],
        "tables": [_terms(ring)],
    }


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
    payloads = [low * (high / low) ** (i / (CURVE_POINTS - 1)) for i in range(CURVE_POINTS)]
    total = [ring_all_reduce_time(payload=m, ranks=ranks, latency=latency, bandwidth=bandwidth) for m in payloads]
    moving = [ring_all_reduce_bandwidth_term(payload=m, ranks=ranks, bandwidth=bandwidth) for m in payloads]
    waiting = ring_all_reduce_latency_term(ranks=ranks, latency=latency)
    return {
        "id": "time-against-payload",
        "title": "Time against payload",
        "x": {"label": "Payload", "symbol": "M", "unit": "byte", "scale": "log"},
        "y": {"label": "Time", "symbol": "T", "unit": "s", "scale": "log"},
        "lines": [
            {"name": "time", "label": "time", "points": list(zip(payloads, total, strict=True))},
            {"name": "latency_term", "label": "latency term", "points": [(m, waiting) for m in payloads]},
            {"name": "bandwidth_term", "label": "bandwidth term", "points": list(zip(payloads, moving, strict=True))},
        ],
        "regions": [
            {"label": "latency-bound", "from": low, "to": ring.crossover},
            {"label": "bandwidth-bound", "from": ring.crossover, "to": high},
        ]
        if ring.steps
        else [],  # one rank waits for nothing and moves nothing
        "point": {"x": payload, "y": ring.time},
    }


def _span(payload: float, crossover: float) -> tuple[float, float]:
    """Return whole decades that hold the payload and the crossover with room on both sides."""
    low, high = 1e3, 1e11
    for value in (payload, crossover):
        if value > 0:
            while value <= low * 2 and low > 1e-3:
                low /= 10
            while value >= high / 2 and high < 1e30:
                high *= 10
    return low, high
