"""The calibration lab: a log of nccl-tests, the ring's α and B from it, and a model that fits where a ring does not."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from labs.lab import Control, Frame, Lab, TextControl, decades, doublings
from labs.model.measured.read import read_nccl_log
from labs.model.measured.records import NcclLog, NcclRow, NcclRun
from labs.model.measured.regimes import RegimeFit, fit_regimes
from labs.model.measured.ring_fit import RingFit, fit_ring
from labs.model.measured.sample import all_reduce_sample
from labs.model.measured.verdict import edge_rows, verdict, where
from labs.model.quantities.errors import ModelError
from labs.model.quantities.inputs import amount
from labs.model.quantities.units import format_quantity
from labs.parts.calibrate.example import EXAMPLE

LAB = Lab(
    id="calibrate",
    title="α and B from a log",
    scope=(
        "Times of an all-reduce as nccl-tests prints them, out of place. What is fitted describes these sizes on these "
        "ranks, with the library and settings of that run; it is no promise for others."
    ),
    texts=(TextControl(name="log", label="Output of all_reduce_perf", rows=12, default=EXAMPLE,
                       note="paste it, or drop a file here; a part of it will do"),),
    controls=(
        Control(name="ranks", label="Ranks", symbol="p", unit="1", whole=True, default=0,
                stops=(0, *doublings(1, 65536)), note="0: as the log tells"),
        Control(name="link", label="Stated link", symbol="L", unit="byte/s", default=0, stops=(0, *decades(1e8, 1e13)),
                note="of one rank, one direction; 0: not stated"),
    ),
)

MOST_SKIPPED = 200  # lines that a frame lists; the rest is counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Fits:
    """Both models of one run."""

    run: NcclRun
    ring: RingFit
    regimes: RegimeFit


def frame(*, log: str, ranks: int = 0, link: float = 0.0) -> Frame:
    """Return what the log says: runs and what was skipped, fits with the error of each row, and a verdict in words."""
    if not log.strip():
        raise ModelError("expected the text of a log, found nothing", argument="log")
    amount("link", link, "byte/s")
    read = read_nccl_log(text=log)
    tried = [(run, _tried(run, ranks or None)) for run in read.runs]
    fits = [found for _, found in tried if isinstance(found, Fits)]
    refusals = [found for _, found in tried if isinstance(found, ModelError)]
    if ranks and not fits and any(refusal.argument == "ranks" for refusal in refusals):
        raise next(refusal for refusal in refusals if refusal.argument == "ranks")
    best = max(fits, key=lambda one: len(one.run.rows), default=None)
    return {
        "metrics": _metrics(best),
        "verdict": [
            *(sentence for run, found in tried for sentence in _verdict(run, found, link)),
            *(_elsewhere(best.ring) if best else []),
        ]
        or ["No row of a table of nccl-tests was read."],
        "series": [_times(best), _errors(best)] if best else [],
        "tables": [*([_rows(best), _regimes(best)] if best else []), _skipped(read)],
        "runs": [_run(run, found) for run, found in tried],
        "notes": list(read.notes),
    }


def _tried(run: NcclRun, ranks: int | None) -> Fits | ModelError:
    try:
        sample = all_reduce_sample(run=run, ranks=ranks)
        return Fits(
            run=run,
            ring=fit_ring(sizes=sample.sizes, times=sample.times, ranks=sample.ranks),
            regimes=fit_regimes(sizes=sample.sizes, times=sample.times),
        )
    except ModelError as refusal:
        return refusal


def _verdict(run: NcclRun, found: Fits | ModelError, link: float) -> list[str]:
    if isinstance(found, ModelError):
        return [f"{where(run)}: not fitted; {found}."]
    return list(verdict(run=run, ring=found.ring, regimes=found.regimes, link=link))


def _elsewhere(ring: RingFit) -> list[dict[str, object]]:
    """Return the way to the ring lab with what was fitted, where both of it are known."""
    if ring.latency is None or ring.bandwidth is None:
        return []
    fitted = {
        "ranks": str(ring.ranks),
        "latency": format_quantity(ring.latency, "s", 4),
        "bandwidth": format_quantity(ring.bandwidth, "byte/s", 4),
    }
    return [{"text": "Use these α and B in the ring lab", "lab": "network", "inputs": fitted}]


def _metrics(best: Fits | None) -> list[dict[str, object]]:
    ring, regimes = (best.ring, best.regimes) if best else (None, None)
    return [
        {"name": "latency", "label": "Startup of a step", "symbol": "α", "unit": "s",
         "value": ring and ring.latency},
        {"name": "bandwidth", "label": "Effective bandwidth", "symbol": "B", "unit": "byte/s",
         "value": ring and ring.bandwidth},
        {"name": "best_bus_bandwidth", "label": "Best bus bandwidth", "symbol": "2(p−1)/p · M/T", "unit": "byte/s",
         "value": ring and ring.best_bus_bandwidth},
        {"name": "ring_error", "label": "Median error, one ring", "symbol": "", "unit": "%",
         "value": ring and ring.median_error},
        {"name": "regimes_error", "label": "Median error, regimes", "symbol": "", "unit": "%",
         "value": regimes and regimes.median_error},
        {"name": "left_out_error", "label": "The same, each row left out", "symbol": "", "unit": "%",
         "value": regimes and regimes.left_out_median},
    ]


def _run(run: NcclRun, found: Fits | ModelError) -> dict[str, object]:
    about = {name: value for name, value in asdict(run).items() if name != "rows"}
    about |= {"rows": len(run.rows), "first_line": run.rows[0].line, "last_line": run.rows[-1].line}
    if isinstance(found, ModelError):
        return about | {"fitted": False, "refused": str(found)}
    known = {"bandwidth_identifiable": found.ring.bandwidth is not None,
             "latency_identifiable": found.ring.latency is not None}
    regimes = asdict(found.regimes)
    if found.ring.bandwidth is None:
        regimes["regimes"] = [regime | {"rate": None} for regime in regimes["regimes"]]
    return about | {"fitted": True, "ring": known | asdict(found.ring), "regimes": regimes}


def _times(best: Fits) -> dict[str, object]:
    rows = best.run.rows
    lines = [
        ("measured", "measured", _by_size(rows, [row.time for row in rows])),
        ("ring", "one ring", _by_size(rows, best.ring.times)),
        ("regimes", "regimes", _by_size(rows, best.regimes.times)),
    ]
    return {
        "kind": "lines",
        "id": "time-against-size",
        "title": "Time against size",
        "x": {"label": "Payload", "symbol": "M", "unit": "byte", "scale": "log"},
        "y": {"label": "Time", "symbol": "T", "unit": "s", "scale": "log"},
        "lines": [{"name": name, "label": label, "points": points} for name, label, points in lines],
        "regions": [
            {"label": f"regime {number}", "from": regime.from_size, "to": regime.to_size}
            for number, regime in enumerate(best.regimes.regimes, start=1)
        ],
    }


def _by_size(rows: Sequence[NcclRow], values: Sequence[float]) -> list[tuple[float, float]]:
    return sorted(zip((row.size for row in rows), values, strict=True), key=lambda point: point[0])


def _errors(best: Fits) -> dict[str, object]:
    rows = best.run.rows
    lines = [("ring", "one ring", best.ring.errors), ("regimes", "regimes", best.regimes.errors)]
    return {
        "kind": "lines",
        "id": "error-of-each-row",
        "title": "Error of each row",
        "x": {"label": "Payload", "symbol": "M", "unit": "byte", "scale": "log"},
        "y": {"label": "Fitted over measured time, less one", "symbol": "", "unit": "1", "scale": "linear"},
        "lines": [
            {"name": name, "label": label, "points": _by_size(rows, errors)}
            for name, label, errors in lines
        ],
    }


def _rows(best: Fits) -> dict[str, object]:
    edges = edge_rows(run=best.run, regimes=best.regimes)
    return {
        "id": "rows",
        "caption": "Each row, and what the models make of it",
        "columns": [{"label": "Payload", "unit": "byte"}, {"label": "Line", "unit": "1"},
                    {"label": "Measured", "unit": "s"}, {"label": "One ring", "unit": "s"},
                    {"label": "Error of one ring", "unit": "%"}, {"label": "Regimes", "unit": "s"},
                    {"label": "Error of regimes", "unit": "%"}, {"label": "At an edge"}],
        "rows": [
            [row.size, row.line, row.time, ring, ring_error, regime, regime_error, edges.get(row)]
            for row, ring, ring_error, regime, regime_error in zip(
                best.run.rows, best.ring.times, best.ring.errors, best.regimes.times, best.regimes.errors, strict=True
            )
        ],
    }


def _regimes(best: Fits) -> dict[str, object]:
    part = 2 * (best.ring.ranks - 1) / best.ring.ranks
    return {
        "id": "regimes",
        "caption": "Regimes: in each, time is a startup and the payload over a rate, or a power of the payload",
        "columns": [{"label": "From", "unit": "byte"}, {"label": "To", "unit": "byte"}, {"label": "Rows", "unit": "1"},
                    {"label": "Startup", "unit": "s"}, {"label": "Bus bandwidth", "unit": "byte/s"},
                    {"label": "Jump", "unit": "%"}, {"label": "Power", "unit": "1"}],
        "rows": [
            [regime.from_size, regime.to_size, regime.rows, regime.startup,
             part * regime.rate if regime.rate and best.ring.bandwidth else None, regime.jump,
             regime.exponent]
            for regime in best.regimes.regimes
        ],
    }


def _skipped(read: NcclLog) -> dict[str, object]:
    more = len(read.skipped) - MOST_SKIPPED
    rows: list[list[object]] = [[one.line, one.reason, one.text] for one in read.skipped[:MOST_SKIPPED]]
    return {
        "id": "skipped",
        "caption": f"Lines not read, and {more} more" if more > 0 else "Lines not read",
        "columns": [{"label": "Line", "unit": "1"}, {"label": "Reason"}, {"label": "Text"}],
        "rows": rows,
    }
