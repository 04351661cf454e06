"""A frame's numbers as CSV: read back by the standard library's reader, in base units, with units in the header."""

import csv
from io import StringIO

import pytest

from labs.answer import answered_frame
from labs.catalog import LABS
from labs.lab import Choice, Lab, LabModule
from labs.model.collectives.ring import ring_all_reduce_time
from labs.network import LAB, frame
from labs.views.csv import csv_text
from tests.labs.views.heads import repeated

Rows = list[list[str]]


def blocks(text: str) -> dict[str, Rows]:
    """Return title -> rows of each block."""
    found: dict[str, Rows] = {}
    rows = None
    for row in csv.reader(StringIO(text)):
        if not row:
            rows = None
        elif rows is None:
            rows = found.setdefault(row[0], [])
        else:
            rows.append(row)
    return found


def ring(**inputs: float) -> dict[str, Rows]:
    values = LAB.defaults() | inputs
    return blocks(csv_text(LAB, values, frame(**values)))  # type: ignore[arg-type]


def test_the_first_block_holds_inputs_and_results_in_base_units() -> None:
    names, values = ring()["Ring all-reduce"]
    assert names[:4] == ["Ranks [1]", "Payload [byte]", "Effective bandwidth [byte/s]", "Startup [s]"]
    assert names[4:7] == ["Step [1]", "Other algorithms", "Time [s]"]
    assert [float(value) for value in values[:5]] == [8, 1e8, 5e10, 5e-6, 0]
    # 14 · 5 µs + 1.75 · 100 MB / 50 GB/s
    assert values[5] == "off" and float(values[6]) == pytest.approx(3.57e-3, rel=1e-14)


def test_series_and_tables_follow_each_with_its_title() -> None:
    found = ring()
    assert list(found) == [
        "Ring all-reduce",
        "Buffers of the ring drawn",
        "What the time is made of",
        "Time against payload",
        "Time against ranks",
        "What a change would do",
    ]
    head, *rows = found["Time against payload"]
    assert head == ["Payload [byte]", "time [s]", "latency term [s]", "bandwidth term [s]"]
    for payload, time, *_ in rows:
        expected = ring_all_reduce_time(payload=float(payload), ranks=8, latency=5e-6, bandwidth=5e10)
        assert float(time) == pytest.approx(expected, rel=1e-14)
    assert found["What a change would do"][1] == ["none, as set", "7e-05", "0.0035"]
    assert found["What the time is made of"][0][-1] == "Share [1]"


def test_an_input_beyond_its_last_value_is_the_one_that_is_shown() -> None:
    names, values = ring(ranks=4, step=50)["Ring all-reduce"]
    assert values[names.index("Step [1]")] == "6"


def test_what_is_not_defined_is_empty() -> None:
    names, values = ring(ranks=1)["Ring all-reduce"]
    assert values[names.index("Bus bandwidth [byte/s]")] == ""


def test_text_with_commas_quotes_and_line_breaks_reads_back() -> None:
    odd = 'a "name", with\nall of it'
    lab = Lab(id="l", title="L", scope="", controls=())
    table = {"id": "t", "caption": "T", "columns": [{"label": odd}, {"label": "v", "unit": "s"}], "rows": [[odd, 0.1]]}
    found = blocks(csv_text(lab, {}, {"metrics": [], "tables": [table], "series": []}))
    assert found["T"] == [[odd, "v [s]"], [odd, "0.1"]]


@pytest.mark.parametrize("module", LABS.values(), ids=LABS)
def test_no_two_heads_of_a_table_are_the_same(module: LabModule) -> None:
    lab = module.LAB
    options = [{one.name: value} for one in lab.controls if isinstance(one, Choice) for value in one.values]
    for inputs in [lab.defaults(), *(lab.inputs(given) for given in (*(one.inputs for one in lab.presets), *options))]:
        assert repeated(lab, inputs, module.frame(**inputs)) == []


@pytest.mark.parametrize("lab", [module.LAB for module in LABS.values()], ids=LABS)
def test_no_two_controls_of_a_lab_are_called_the_same(lab: Lab) -> None:
    labels = [one.label for one in (*lab.texts, *lab.controls)]
    assert len(set(labels)) == len(labels)


def test_an_input_that_is_not_read_is_left_out() -> None:
    lab = LABS["engineering"].LAB
    inputs = lab.inputs({"solve_for": "B", "B": 3.0})
    names, values = blocks(csv_text(lab, inputs, LABS["engineering"].frame(**inputs)))[lab.title]
    assert names.count("Effective bandwidth of a link [byte/s]") == 1
    assert "3" not in values and "Time [s]" in names


@pytest.mark.parametrize("module", LABS.values(), ids=LABS)
def test_it_stands_in_every_frame_as_text(module: object) -> None:
    html = answered_frame(module, module.LAB.defaults())["html"]  # type: ignore[arg-type,attr-defined]
    assert '<details class="lab-csv"><summary>All numbers as CSV</summary><pre' in html
    assert "[1]" in html
