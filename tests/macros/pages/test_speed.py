"""The page of measurements, from a small file of made-up results with round numbers."""

import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest

from macros.pages.speed import speed_page
from macros.results import Results, read_results

SAMPLE = Path(__file__).parent / "results.json"


@pytest.fixture
def results() -> Results:
    read = read_results(SAMPLE)
    assert read is not None
    return read


def html_of(results: Results | None) -> str:
    return str(speed_page(results).html)


def text_of(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def section(html: str, id: str) -> str:
    (found,) = re.findall(rf'<h2 id="{id}">.*?(?=<h2|\Z)', html, re.S)
    return str(found)


def cells(html: str) -> list[list[str]]:
    (body,) = re.findall(r"<tbody>(.*?)</tbody>", html, re.S)
    rows = re.findall(r"<tr>(.*?)</tr>", body, re.S)
    return [[text_of(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S)] for row in rows]


def test_when_where_and_how_often(results: Results) -> None:
    html = html_of(results)
    assert (
        "Measured on 4 March 2025, in 3 runs, in Chromium 150.1 and Firefox 160.2, on a machine with 2 cores"
        in text_of(html)
    )
    machine = dict(cells(section(html, "machine")))
    assert machine["Processor"] == "Abacus <9>, 2 cores"
    assert machine["Memory"] == "8 GB"
    assert machine["Load average, one minute"] == "0.25 before, 1.5 after"
    assert machine["Pyodide"] == "1.2.3"
    assert "BENCH_RUNS=3 make bench" in text_of(section(html, "repeat"))


def test_a_machine_that_was_busy_is_told(results: Results) -> None:
    busy = replace(results, machine=replace(results.machine, load=(1.75, 2.5)))
    assert "its load was 1.75, with 2 cores" in text_of(html_of(busy))
    assert "busy" not in html_of(results)


def test_each_promise_says_met_or_not_in_each_browser(results: Results) -> None:
    promises = section(html_of(results), "promises")
    assert "1 of 3 are kept" in text_of(promises)
    assert cells(promises) == [
        ["First visit", "0.25 of plain Pyodide", "0.2 ✓ met", "0.5 ✗ not met"],
        ["Control change to new frame", "16 ms, the 95th percentile", "20 ms ✗ not met", "not measured"],
    ]


def test_the_table_holds_the_medians_the_runs_and_the_limit(results: Results) -> None:
    first = section(html_of(results), "http-first")
    assert "From here to there. Of plain Pyodide: 0.2 in Chromium, 0.5 in Firefox." in text_of(first)
    # a quarter of 2 s is 500 ms
    assert cells(first) == [
        ["This site in Chromium", "400 ms", "600 ms, 400 ms, 300 ms", "500 ms"],
        ["Plain Pyodide in Chromium", "2 s", "2 s, 1.5 s, 2.5 s", "—"],
        ["This site in Firefox", "1 s", "1 s, 750 ms, 1.25 s", "500 ms"],
        ["Plain Pyodide in Firefox", "2 s", "2 s, 1 s, 3 s", "—"],
    ]


def test_what_is_measured_hundreds_of_times_has_its_percentile_instead_of_runs(results: Results) -> None:
    assert cells(section(html_of(results), "frame")) == [["This site in Chromium", "5 ms", "20 ms", "200", "16 ms"]]


def pictures(html: str) -> list[ElementTree.Element]:
    return [ElementTree.fromstring(svg) for svg in re.findall(r'<div class="speed-chart">(<svg.*?</svg>)', html, re.S)]


def local(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]


def test_lengths_are_to_scale_from_zero(results: Results) -> None:
    picture, *_ = pictures(html_of(results))
    bars = [element for element in picture.iter() if local(element) == "rect"]
    widths = [float(bar.get("width", "")) + 1 for bar in bars]  # a rectangle stands half a unit inside its outline
    # 0.4, 2, 1 and 2 s
    assert [width / widths[1] for width in widths] == pytest.approx([0.2, 1, 0.5, 1], abs=1e-3)
    assert {bar.get("x") for bar in bars} == {bars[0].get("x")}


def test_each_run_and_each_limit_is_drawn(results: Results) -> None:
    picture, *_ = pictures(html_of(results))
    left = float(next(e for e in picture.iter() if local(e) == "rect").get("x", "")) - 0.5
    second = (float([e for e in picture.iter() if local(e) == "rect"][1].get("width", "")) + 1) / 2
    rings = [float(e.get("cx", "")) for e in picture.iter() if local(e) == "circle"]
    runs = [0.6, 0.4, 0.3, 2, 1.5, 2.5, 1, 0.75, 1.25, 2, 1, 3]
    assert [(x - left) / second for x in rings] == pytest.approx(runs, abs=2e-3)
    limits = [e.get("d", "") for e in picture.iter() if e.get("stroke-dasharray")]
    assert [(float(re.split("[M ]", d)[1]) - left) / second for d in limits] == pytest.approx([0.5, 0.5], abs=2e-3)


def test_pictures_are_named_with_their_values(results: Results) -> None:
    names = [picture.get("aria-label") for picture in pictures(html_of(results))]
    assert names[0] == (
        "First visit. This site in Chromium 400 ms; Plain Pyodide in Chromium 2 s; "
        "This site in Firefox 1 s; Plain Pyodide in Firefox 2 s."
    )
    assert len(names) == 3
    assert all(picture.get("role") == "img" for picture in pictures(html_of(results)))


def test_parts_by_size_and_build_times(results: Results) -> None:
    html = html_of(results)
    assert cells(section(html, "sizes")) == [
        ["Picture of memory", "3 MB", "2.5 MB"],
        ["Script of the worker", "4 kB", "2 kB"],
        ["novelty", "10 byte", "10 byte"],
        ["The largest page of a card", "200 kB", "50 kB"],
        ["The whole site", "5 MB", "4 MB"],
    ]
    assert cells(section(html, "builds")) == [["4", "2.5 s"], ["100", "10 s"]]


def test_the_contents_list_every_section_once(results: Results) -> None:
    page = speed_page(results)
    ids = re.findall(r'<h2 id="([^"]+)">', str(page.html))
    assert [id for id, _ in page.sections] == ids
    assert len(set(ids)) == len(ids)


def test_words_of_the_file_are_text(results: Results) -> None:
    hostile = '<b>"&{{ 1 }}'
    measurements = tuple(replace(found, title=hostile, how=hostile, against=hostile) for found in results.measurements)
    versions = {hostile: hostile}
    html = html_of(replace(results, measurements=measurements, versions=versions))
    assert "<b>" not in html
    assert len(pictures(html)) == 3


def test_without_results_nothing_is_shown_but_how_to_get_them() -> None:
    page = speed_page(None)
    text = text_of(str(page.html))
    assert "No measurements" in text
    assert "make bench" in text
    assert not re.search(r"\d", text)
    assert "<svg" not in page.html
    assert page.sections == (("repeat", "How to repeat it"),)


def test_no_number_is_typed_by_hand() -> None:
    root = Path(__file__).parents[3]
    words = (root / "docs/speed.md").read_text(encoding="utf-8")
    words += re.sub(
        r"{%.*?%}|{{.*?}}|</?h2|95th", "", (root / "macros/templates/speed.html.jinja").read_text(encoding="utf-8")
    )
    assert not re.search(r"\d", words)
