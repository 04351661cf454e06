"""Time of a ring all-reduce against payload: where latency rules, where bandwidth does, and the crossover."""

from dataclasses import dataclass
from math import log10, sqrt

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import NullLocator

from labs.model.collectives.ring import RingAllReduce, ring_all_reduce, ring_all_reduce_crossover
from labs.model.quantities.units import format_quantity
from macros.figures.drawing import Figure, canvas, svg_of
from macros.figures.style import ACCENT, INK, MUTED, SURFACE, WIDTH

ID = "ring-all-reduce-time"

RANKS = 32
LATENCY = 5e-6  # s
BANDWIDTH = 100e9  # byte/s

PAYLOADS = (1e4, 1e10)  # byte
TIMES = (1e-5, 1.0)  # s
POINTS_PER_DECADE = 20

HEIGHT = 290.0
LEFT, RIGHT, TOP, BOTTOM = 44.0, 8.0, 24.0, 38.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """What is drawn, in base units."""

    payload: tuple[float, ...]
    time: tuple[float, ...]
    latency_term: tuple[float, ...]
    bandwidth_term: tuple[float, ...]
    crossover: RingAllReduce


def at(payload: float) -> RingAllReduce:
    """Return the model's answer for the figure's ring."""
    return ring_all_reduce(payload=payload, ranks=RANKS, latency=LATENCY, bandwidth=BANDWIDTH)


def series() -> Series:
    """Return the curves, at equal steps of the logarithm, and the point where both terms are equal."""
    first, last = (log10(end) for end in PAYLOADS)
    payloads = [float(payload) for payload in np.logspace(first, last, round((last - first) * POINTS_PER_DECADE) + 1)]
    points = [at(payload) for payload in payloads]
    return Series(
        payload=tuple(payloads),
        time=tuple(point.time for point in points),
        latency_term=tuple(point.latency_term for point in points),
        bandwidth_term=tuple(point.bandwidth_term for point in points),
        crossover=at(crossover()),
    )


def crossover() -> float:
    """Return the payload at which both terms are equal [byte]."""
    return ring_all_reduce_crossover(ranks=RANKS, latency=LATENCY, bandwidth=BANDWIDTH)


def draw() -> Figure:
    """Return the figure."""
    drawn = series()
    alt, caption = _words(drawn)
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    with canvas(HEIGHT) as sheet:
        axes = sheet.add_axes((LEFT / WIDTH, BOTTOM / HEIGHT, wide / WIDTH, high / HEIGHT))
        _axes(axes, high)
        _regions(axes, drawn)
        _curves(axes, drawn)
        _crossing(axes, drawn)
        svg = svg_of(sheet, ID, title="Time of a ring all-reduce against payload", alt=alt)
    return Figure(svg=svg, alt=alt, caption=caption)


def _axes(axes: Axes, high: float) -> None:
    axes.set(xscale="log", yscale="log", xlim=PAYLOADS, ylim=TIMES)
    for axis, ends, unit in ((axes.xaxis, PAYLOADS, "byte"), (axes.yaxis, TIMES, "s")):
        first, last = (round(log10(end)) for end in ends)
        ticks = [10.0**power for power in range(first, last + 1)]
        axis.set_ticks(ticks, [format_quantity(tick, unit) for tick in ticks])
        axis.set_minor_locator(NullLocator())
    labels = axes.get_xticklabels()
    labels[0].set_horizontalalignment("left")  # inside the frame: not under the lowest time, not over the edge
    labels[-1].set_horizontalalignment("right")
    axes.text(0, 1 + 10 / high, "time", transform=axes.transAxes, ha="left", color=INK)
    axes.text(1, -28 / high, "payload on each rank", transform=axes.transAxes, ha="right", color=INK)


def _regions(axes: Axes, drawn: Series) -> None:
    payload = drawn.crossover.crossover
    for left, right, words, colour in (
        (PAYLOADS[0], payload, "latency-bound", MUTED),
        (payload, PAYLOADS[1], "bandwidth-bound", ACCENT),
    ):
        axes.axvspan(left, right, color=colour, alpha=0.07, linewidth=0)
        middle = sqrt(left * right)
        axes.text(middle, TIMES[1] / 2.2, words, ha="center", color=colour, weight="bold")


def _curves(axes: Axes, drawn: Series) -> None:
    axes.plot(drawn.payload, drawn.latency_term, color=INK, linestyle=(0, (5, 3)), gid="latency-term")
    axes.plot(drawn.payload, drawn.bandwidth_term, color=INK, linestyle=(0, (1, 3)), gid="bandwidth-term")
    axes.plot(drawn.payload, drawn.time, color=ACCENT, linewidth=2.2, gid="time")
    both = drawn.crossover
    axes.text(PAYLOADS[0] * 1.3, both.latency_term * 1.3, "all-reduce time", color=ACCENT, weight="bold")
    axes.text(PAYLOADS[1] / 1.3, both.latency_term / 1.9, "latency term", ha="right", color=INK)
    low = both.latency_term / 6
    axes.text(both.crossover / 6 / 1.5, low, "bandwidth term", ha="right", va="center", color=INK)


def _crossing(axes: Axes, drawn: Series) -> None:
    both = drawn.crossover
    axes.plot([both.crossover] * 2, [TIMES[0], both.time], color=MUTED, linewidth=0.8)
    axes.plot(both.crossover, both.latency_term, "o", markersize=6, color=SURFACE, markeredgecolor=INK, gid="crossover")
    lines = (
        (f"crossover {format_quantity(both.crossover, 'byte')}", INK, "bold"),
        (f"each term {format_quantity(both.latency_term, 's', 3)}", MUTED, "normal"),
    )
    for row, (words, colour, weight) in enumerate(lines):
        place = (6, 22 - 13 * row)
        axes.annotate(words, (both.crossover, TIMES[0]), place, textcoords="offset points", color=colour, weight=weight)


def _words(drawn: Series) -> tuple[str, str]:
    both, ranks = drawn.crossover, format_quantity(RANKS, "1")
    latency, bandwidth = format_quantity(LATENCY, "s"), format_quantity(BANDWIDTH, "byte/s")
    payload, term = format_quantity(both.crossover, "byte"), format_quantity(both.latency_term, "s", 3)
    total, steps = format_quantity(both.time, "s", 3), format_quantity(both.steps, "1")
    smallest, largest = (format_quantity(end, "byte") for end in PAYLOADS)
    alt = (
        f"Log-log chart of the time of a ring all-reduce over {ranks} ranks, "
        f"for payloads from {smallest} to {largest}. Up to the crossover at {payload} the latency term, "
        f"{term} whatever the payload, is the larger and the curve is nearly flat. Beyond it the bandwidth term is, "
        f"and the curve comes to rise in proportion to the payload, to {format_quantity(drawn.time[-1], 's', 3)} "
        f"at {largest}."
    )
    caption = (
        f"An ideal ring all-reduce over {ranks} ranks, latency {latency} a step, effective bandwidth {bandwidth}. "
        f"At {payload} the latency of the {steps} steps and the time of the bytes are equal: "
        f"{term} each, {total} together. A smaller payload is latency-bound, a larger one bandwidth-bound."
    )
    return alt, caption
