"""The ring's two numbers, α and B, from measured times — and whether the measurements tell them at all."""

from collections.abc import Sequence
from dataclasses import dataclass

from labs.model.measured.averages import median
from labs.model.measured.line import Sums, student
from labs.model.quantities.errors import ModelError
from labs.model.quantities.inputs import count, positive

# A number counts as known where its 95 % interval is at most half of it to either side …
_WIDEST = 0.5
# … and where the measurements come near to it: the term that it stands for is three quarters of the time, B's at the
# largest size, α's at the smallest. By then the other term is a third of it, so B is not a guess far beyond the data.
_SATURATED = 0.75
# Of sizes in byte and times in s: their squares, and what is left of them over each other, still are floats.
_LEAST, _MOST = 1e-60, 1e60


@dataclass(frozen=True, slots=True, kw_only=True)
class RingFit:
    """An ideal ring fitted to measured times of an all-reduce.

    Attributes:
        ranks: members of the ring [1]
        latency: per step, α; None where the sizes do not tell it [s]
        latency_from: lower end of its 95 % interval; None with it [s]
        latency_to: upper end of its 95 % interval; None with it [s]
        latency_why: what the answer rests on
        most_latency: that the shortest time leaves room for [s]
        bandwidth: effective, per link and direction, B; None where the sizes do not tell it [byte/s]
        bandwidth_from: lower end of its 95 % interval; None with it [byte/s]
        bandwidth_to: upper end of its 95 % interval; None with it [byte/s]
        bandwidth_why: what the answer rests on
        best_bus_bandwidth: the highest that was measured [byte/s]
        times: that the fitted ring takes, in the order of the rows, whether or not its numbers are known
        errors: of these, relative to the measured times
        median_error: of their magnitudes [1]
        worst_error: of their magnitudes [1]
    """

    ranks: int
    latency: float | None
    latency_from: float | None
    latency_to: float | None
    latency_why: str
    most_latency: float
    bandwidth: float | None
    bandwidth_from: float | None
    bandwidth_to: float | None
    bandwidth_why: str
    best_bus_bandwidth: float
    times: tuple[float, ...]
    errors: tuple[float, ...]
    median_error: float
    worst_error: float


def fit_ring(*, sizes: tuple[float, ...], times: tuple[float, ...], ranks: int) -> RingFit:
    """Return the ideal ring that is nearest to measured times of an all-reduce, by relative error.

        T = 2 (p − 1) α + 2 (p − 1) / p · M / B

    A number that the sizes do not reach is None: B where no message is bound by bandwidth, α where none is by latency.

    Args:
        sizes: buffer on each rank of each measurement, in byte
        times: of these, in s
        ranks: members of the ring, p [1]

    Returns:
        α and B where they are known, with intervals and the error of each row

    Raises:
        ModelError: one rank, fewer than two sizes, or an input out of range

    Source:
        weighted linear least squares: Bevington and Robinson, Data Reduction and Error Analysis, chapter 6

    >>> fit = fit_ring(sizes=(1, 10, 100, 1000), times=(5, 14, 104, 1004), ranks=2)
    >>> round(fit.latency, 9), round(fit.bandwidth, 9)
    (2.0, 1.0)
    """
    count("ranks", ranks, at_least=2)
    sums = checked(sizes, times)
    steps, part = 2 * (ranks - 1), 2 * (ranks - 1) / ranks
    line = sums.line()
    if line.start < 0:
        line = sums.line_from_zero()
    fitted = tuple(line.at(size) for size in sizes)
    errors = tuple(one / measured - 1 for one, measured in zip(fitted, times, strict=True))
    freedom = len(set(sizes)) - 2
    best = max(part * size / time for size, time in zip(sizes, times, strict=True))
    why = _unknown(freedom)
    start_doubt = slope_doubt = 0.0
    if freedom > 0:
        of_start, of_slope = sums.deviations(sum(error**2 for error in errors) / (len(sizes) - 2))
        start_doubt, slope_doubt = student(len(sizes) - 2) * of_start, student(len(sizes) - 2) * of_slope
    slope_why = why or _doubted("1/B", slope_doubt, line.slope) or _short_of_bandwidth(part, line.slope, best)
    start_why = why or _doubted("α", start_doubt, line.start) or _short_of_latency(line.start, line.at(min(sizes)))
    known_slope, known_start = not slope_why, not start_why
    magnitudes = [abs(error) for error in errors]
    return RingFit(
        ranks=ranks,
        latency=line.start / steps if known_start else None,
        latency_from=(line.start - start_doubt) / steps if known_start else None,
        latency_to=(line.start + start_doubt) / steps if known_start else None,
        latency_why=start_why or "small messages take this time, whatever their size",
        most_latency=min(times) / steps,
        bandwidth=part / line.slope if known_slope else None,
        bandwidth_from=part / (line.slope + slope_doubt) if known_slope else None,
        bandwidth_to=part / (line.slope - slope_doubt) if known_slope else None,
        bandwidth_why=slope_why or "large messages come within a quarter of it, or above",
        best_bus_bandwidth=best,
        times=fitted,
        errors=errors,
        median_error=median(magnitudes),
        worst_error=max(magnitudes),
    )


def checked(sizes: Sequence[float], times: Sequence[float]) -> Sums:
    """Return the sums of rows that a line can be fitted to."""
    if len(sizes) != len(times):
        raise ModelError(f"expected a time for each size, found {len(times)} for {len(sizes)}", argument="times")
    sums = Sums()
    for size, time in zip(sizes, times, strict=True):
        sums.add(_bounded("sizes", size, "byte"), _bounded("times", time, "s"))
    if len(set(sizes)) < 2:
        raise ModelError(f"expected two sizes or more, found {len(set(sizes))}", argument="sizes")
    return sums


def _bounded(argument: str, value: object, unit: str) -> float:
    number = positive(argument, value, unit)
    if not _LEAST <= number <= _MOST:
        raise ModelError(
            f"expected {argument} from {_LEAST:g} to {_MOST:g} {unit}, found {number:g} {unit}", argument=argument
        )
    return number


def _unknown(freedom: int) -> str:
    return "" if freedom > 0 else "two sizes give a line through both, and nothing to judge it by"


def _doubted(name: str, doubt: float, number: float) -> str:
    if number <= 0:
        return "no part of the time grows with size" if name == "1/B" else "no part of the time is independent of size"
    if doubt >= number:
        what = "grows with size" if name == "1/B" else "is independent of size"
        return f"no part of the time {what} beyond the scatter of the rows"
    if doubt > _WIDEST * number:
        return f"the rows fix {name} to ±{100 * doubt / number:.0f} % only"
    return ""


def _short_of_bandwidth(part: float, slope: float, best: float) -> str:
    reached = best * slope / part
    if reached < _SATURATED:
        return (
            f"the fastest row reaches {100 * reached:.0f} % of the B that a fit would find: no message is large enough"
        )
    return ""


def _short_of_latency(start: float, shortest: float) -> str:
    if start < _SATURATED * shortest:
        return f"startup is {100 * start / shortest:.0f} % of the smallest message's time: no message is small enough"
    return ""
