"""How fast the site is: what `make bench` has measured, as bars, tables and promises held against it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from labs.views.text import quantity
from macros.pages.bars import DIGITS, HEIGHT, Bar, bars_svg, limit, ring, whisker
from macros.pages.prepared import Prepared
from macros.pages.template import render
from macros.results import Claim, Measurement, Results, Summary, Weight

SECTIONS = {
    "promises": "What is promised",
    "sizes": "Sizes by part",
    "builds": "Build times",
    "machine": "What it was measured on",
    "repeat": "How to repeat it",
}
THIS = "This site"
# What each of the browser's parts is, in words short enough for a phone's chart; one without is shown by its name.
PARTS = {
    "editor": "Editor of code cells",
    "labs": "Model and labs",
    "memory": "Picture of memory",
    "page": "Script of every page",
    "python": "What starts Python",
    "quick": "Python for the labs",
    "stdlib": "Standard library",
    "wasm": "Python for readers' code",
    "worker": "Script of the worker",
}
BUSY = 0.5  # of the cores; what the bench itself and the build before it leave is less
NAMES_OF = {"ratio": "", "median": "the median", "p95": "the 95th percentile"}


@dataclass(frozen=True, kw_only=True)
class Row:
    """One bar's numbers as text."""

    label: str
    median: str
    p95: str
    runs: str  # of each, or nothing where only their count is kept
    count: int
    limit: str


@dataclass(frozen=True, kw_only=True)
class View:
    """One measurement in all browsers, as the page shows it."""

    id: str
    title: str
    how: str
    ratios: str
    svg: Markup
    rows: tuple[Row, ...]


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What was found of one promise in one browser; `met` is None where it was not measured."""

    browser: str
    found: str
    met: bool | None


@dataclass(frozen=True, kw_only=True)
class Promise:
    """One promise, and what was found of it in each browser."""

    id: str
    title: str
    limit: str
    verdicts: tuple[Verdict, ...]


def speed_page(results: Results | None) -> Prepared:
    """Return the results, or how to get some where there are none."""
    if results is None:
        return Prepared(render("speed.html.jinja", results=None, sections=SECTIONS), (("repeat", SECTIONS["repeat"]),))
    measured = [_view(results, id) for id in dict.fromkeys(found.id for found in results.measurements)]
    titles = {view.id: view.title for view in measured}
    html = render(
        "speed.html.jinja",
        results=results,
        sections=SECTIONS,
        day=f"{results.date.day} {results.date:%B %Y}",
        browsers=[f"{_name(browser)} {_version(results, browser)}" for browser in _browsers(results)],
        names=[_name(browser) for browser in _browsers(results)],
        busy=results.machine.load[0] > BUSY * results.machine.cores,
        promises=_promises(results, titles),
        kept=sum(claim.met for claim in results.claims),
        samples=_samples(),
        measured=measured,
        parts=_parts(results),
        parts_svg=bars_svg(SECTIONS["sizes"], _part_bars(results), "byte"),
        builds=[(build.cards, quantity(build.seconds, "s", DIGITS)) for build in results.builds],
        memory=quantity(results.machine.memory, "byte", DIGITS),
    )
    (first, *others) = SECTIONS.items()
    return Prepared(html, (first, *titles.items(), *others))


def _view(results: Results, id: str) -> View:
    found = [measurement for measurement in results.measurements if measurement.id == id]
    limits = {claim.browser: claim for claim in results.claims if claim.measurement == id}
    sides = [side for one in found for side in _sides(one, limits.get(one.browser))]
    unit = found[0].unit
    return View(
        id=id,
        title=found[0].title,
        how=found[0].how,
        ratios=_ratios(found),
        svg=bars_svg(found[0].title, [bar for bar, _ in sides], unit),
        rows=tuple(_row(bar, summary, unit) for bar, summary in sides),
    )


def _sides(found: Measurement, claim: Claim | None) -> Iterator[tuple[Bar, Summary]]:
    """Yield this site's bar and that of what it is compared with, each with its numbers."""
    yield _bar(THIS, found, found.ours, ours=True, limit=_limit(found, claim)), found.ours
    if found.against and found.other:
        yield _bar(found.against, found, found.other, ours=False, limit=None), found.other


def _bar(name: str, found: Measurement, summary: Summary, *, ours: bool, limit: float | None) -> Bar:
    return Bar(
        label=f"{name} in {_name(found.browser)}",
        value=summary.median,
        ours=ours,
        runs=summary.values,
        far=None if summary.values else summary.p95,
        limit=limit,
    )


def _limit(found: Measurement, claim: Claim | None) -> float | None:
    """Return the promise in the measurement's own unit: a share is one of the other's median."""
    if claim is None:
        return None
    return claim.limit * found.other.median if claim.of == "ratio" and found.other else claim.limit


def _row(bar: Bar, summary: Summary, unit: str) -> Row:
    return Row(
        label=bar.label,
        median=quantity(summary.median, unit, DIGITS),
        p95=quantity(summary.p95, unit, DIGITS),
        runs=", ".join(quantity(value, unit, DIGITS) for value in summary.values),
        count=summary.count,
        limit="—" if bar.limit is None else quantity(bar.limit, unit, DIGITS),
    )


def _ratios(found: Sequence[Measurement]) -> str:
    shares = [f"{_share(one.ratio)} in {_name(one.browser)}" for one in found if one.ratio is not None]
    return f"Of {_lowered(found[0].against or '')}: {', '.join(shares)}." if shares else ""


def _promises(results: Results, titles: dict[str, str]) -> list[Promise]:
    measured = {(found.id, found.browser): found for found in results.measurements}
    promised = {(claim.measurement, claim.of): claim for claim in results.claims}
    given = {(claim.measurement, claim.of, claim.browser): claim for claim in results.claims}
    return [
        Promise(
            id=id,
            title=titles[id],
            limit=_promised(claim, measured[id, claim.browser]),
            verdicts=tuple(
                _verdict(browser, given.get((id, of, browser)), measured[id, claim.browser].unit)
                for browser in _browsers(results)
            ),
        )
        for (id, of), claim in promised.items()
    ]


def _promised(claim: Claim, found: Measurement) -> str:
    if claim.of == "ratio":
        return f"{_share(claim.limit)} of {_lowered(found.against or '')}"
    return f"{quantity(claim.limit, found.unit, DIGITS)}, {NAMES_OF[claim.of]}"


def _verdict(browser: str, claim: Claim | None, unit: str) -> Verdict:
    if claim is None:
        return Verdict(browser=_name(browser), found="not measured", met=None)
    found = _share(claim.found) if claim.of == "ratio" else quantity(claim.found, unit, DIGITS)
    return Verdict(browser=_name(browser), found=found, met=claim.met)


def _weights(results: Results) -> list[tuple[str, Weight]]:
    """Return the parts, the heaviest first."""
    return sorted(results.sizes.parts.items(), key=lambda part: -part[1].sent)


def _part_bars(results: Results) -> list[Bar]:
    return [Bar(label=_part(name), value=weight.sent) for name, weight in _weights(results)]


def _parts(results: Results) -> list[tuple[str, str, str]]:
    sizes = results.sizes
    rows = [
        *((_part(name), weight) for name, weight in _weights(results)),
        ("The largest page of a card", sizes.page),
        ("The whole site", sizes.site),
    ]
    return [(label, quantity(w.raw, "byte", DIGITS), quantity(w.sent, "byte", DIGITS)) for label, w in rows]


def _samples() -> list[tuple[Markup, str]]:
    """Return the marks of the charts with what they mean."""
    middle = HEIGHT / 2 + 4
    drawn = (
        (ring(12, middle), "one run; the bar ends at the median of all"),
        (whisker(2, 22, middle), "from the median to the 95th percentile"),
        (limit(12, 4), "the promise that the bar must not pass"),
    )
    return [
        (Markup(f'<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">{mark}</svg>'), words)
        for mark, words in drawn
    ]


def _browsers(results: Results) -> list[str]:
    return list(dict.fromkeys(found.browser for found in results.measurements))


def _version(results: Results, browser: str) -> str:
    """Return a browser's version without the name that it has for itself."""
    return results.versions.get(browser, "").rpartition("/")[2]


def _name(browser: str) -> str:
    return browser.capitalize()


def _part(name: str) -> str:
    return PARTS.get(name, name)


def _share(ratio: float) -> str:
    return quantity(ratio, "1", DIGITS)


def _lowered(name: str) -> str:
    """Return a name as it stands within a sentence."""
    return f"{name[:1].lower()}{name[1:]}"
