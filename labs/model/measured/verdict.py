"""What a fitted log says, in sentences."""

from collections.abc import Iterator

from labs.model.measured.records import NcclRow, NcclRun
from labs.model.measured.regimes import RegimeFit
from labs.model.measured.ring_fit import RingFit
from labs.model.quantities.units import format_quantity

_NOTABLE = 0.1  # a jump or a fall that a sentence is due to
_ANOTHER_UNIT = 100  # times the link: more than any reduction in a switch or ranks that share it explain
_UNCERTAIN = 0.02  # of a median row that was left out


def verdict(*, run: NcclRun, ring: RingFit, regimes: RegimeFit, link: float) -> Iterator[str]:
    """Yield what the fits of one run come to; a link of 0 is one that was not stated."""
    sizes = [row.size for row in run.rows]
    yield (
        f"{where(run)}: {len(sizes)} rows of an all-reduce, {_size(min(sizes))} to {_size(max(sizes))}, over "
        f"{ring.ranks} ranks ({run.ranks_from if run.ranks else 'as given'})."
    )
    yield from _reached(ring, link)
    yield from _bandwidth(ring)
    yield from _latency(ring)
    yield from _models(ring, regimes)
    yield from _edges(run, regimes)


def where(run: NcclRun) -> str:
    """Return the lines that a run stands on."""
    first, last = run.rows[0].line, run.rows[-1].line
    return f"Line {first}" if first == last else f"Lines {first} to {last}"


def edge_rows(*, run: NcclRun, regimes: RegimeFit) -> dict[NcclRow, str]:
    """Return which end of which regime each row beside an edge is."""
    named: dict[NcclRow, str] = {}
    for number, regime in enumerate(regimes.regimes, start=1):
        for row in run.rows:
            if row.size == regime.to_size and number < len(regimes.regimes):
                named[row] = f"last of regime {number}"
            if row.size == regime.from_size and number > 1:
                named[row] = f"first of regime {number}"
    return named


def _reached(ring: RingFit, link: float) -> Iterator[str]:
    best = _rate(ring.best_bus_bandwidth)
    if not link:
        return
    share = ring.best_bus_bandwidth / link  # inf where the link is next to nothing
    if share > _ANOTHER_UNIT:
        yield (
            f"Bus bandwidth is more than {_ANOTHER_UNIT} times the stated link ({best} of {_rate(link)}): "
            "was the link stated in another unit?"
        )
        return
    reached = f"{share:.2f}" if share >= 0.005 else "less than 0.01"
    yield f"Bus bandwidth reaches {reached} of the stated link ({best} of {_rate(link)})."
    if share > 1:
        yield (
            "More than the link: reduction in the switch (NVLS, SHARP) sends less than a ring does, or the link is "
            "stated for less than one rank and direction. Such a bus bandwidth measures no link."
        )


def _bandwidth(ring: RingFit) -> Iterator[str]:
    if ring.bandwidth is None or ring.bandwidth_from is None or ring.bandwidth_to is None:
        yield (
            f"B is not identifiable: {ring.bandwidth_why}. The highest bus bandwidth measured is "
            f"{_rate(ring.best_bus_bandwidth)}."
        )
    else:
        yield (
            f"The nearest ring has B = {_rate(ring.bandwidth)} (95 %: {_rate(ring.bandwidth_from)} to "
            f"{_rate(ring.bandwidth_to)}); the highest bus bandwidth measured is {_rate(ring.best_bus_bandwidth)}."
        )


def _latency(ring: RingFit) -> Iterator[str]:
    if ring.latency is None:
        yield f"α is not identifiable: {ring.latency_why}. It is at most {_time(ring.most_latency)} a step."
    else:
        yield f"Small messages are dominated by {_time(ring.latency)} a step, {2 * (ring.ranks - 1)} steps."


def _models(ring: RingFit, regimes: RegimeFit) -> Iterator[str]:
    median, worst = _percent(ring.median_error), _percent(ring.worst_error)
    yield f"One ring misses the median row by {median} and the worst by {worst}."
    number = len(regimes.regimes)
    if number > 1:
        unseen = regimes.left_out_median
        yield (
            f"{number} regimes miss them by {_percent(regimes.median_error)} and {_percent(regimes.worst_error)}"
            + (f", and the median row by {_percent(unseen)} where the other rows predict it." if unseen else ".")
        )
        if regimes.continuous:
            yield "The regimes meet: no jump beyond the scatter of the rows."
    yield from _bent(regimes)
    yield from _scatter(regimes)


def _bent(regimes: RegimeFit) -> Iterator[str]:
    for number, regime in enumerate(regimes.regimes, start=1):
        if regime.exponent is not None:
            yield (
                f"Regime {number} bends: from {_size(regime.from_size)} to {_size(regime.to_size)} time grows as the "
                f"power {regime.exponent:.2g} of the payload, which no startup and rate describe."
            )


def _scatter(regimes: RegimeFit) -> Iterator[str]:
    unseen, between = regimes.left_out_median, regimes.between_median
    if unseen and between and unseen > _UNCERTAIN and between > 0.75 * unseen:
        yield (
            f"The rows scatter: from the straight line between its neighbours the median row is {_percent(between)} "
            "off, so no model of a few numbers comes much nearer."
        )


def _edges(run: NcclRun, regimes: RegimeFit) -> Iterator[str]:
    for before, regime in zip(regimes.regimes, regimes.regimes[1:], strict=False):
        jump = regime.jump or 0.0
        if abs(jump) > _NOTABLE and not regimes.continuous:
            way = "rises" if jump > 0 else "falls"
            yield (
                f"Between {_size(before.to_size)} and {_size(regime.from_size)} time {way} by {_percent(abs(jump))} "
                "against the regime before: another protocol or algorithm takes over."
            )
    named = edge_rows(run=run, regimes=regimes)
    if named:
        rows = [f"{_size(row.size)} (line {row.line})" for row in run.rows if row in named]
        yield f"Least certain are the rows at the edges of regimes: {', '.join(rows)}."


def _size(size: float) -> str:
    return format_quantity(size, "byte", 3)


def _rate(rate: float) -> str:
    return format_quantity(rate, "byte/s", 4)


def _time(time: float) -> str:
    return format_quantity(time, "s", 3)


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %" if share < 0.1 else f"{100 * share:.0f} %"
