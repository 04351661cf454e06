import json
from decimal import Decimal
from pathlib import Path

import pytest

from macros.cards.load import load_cards

FERRY = Path(__file__).parent / "ferry.json"
HOSTILE = [
    "<script>alert(1)</script>",
    "a < b | c * d_e [[1,2],[3,4]]",
    "{{ 7 * 7 }} {% raw %} {# comment #} ${x} $x$",
    r"back\slash \frac{1}{2} C:\new",
    "x_<t, |V|, V*, mₜ, m̂ₜ",
    "5 µs and 5 μs, – — ‐, “quoted” ‘single’",
    "e\u0301 is not \u00e9",
    "# heading\n\n- list\n\n    code",
]


def messages(library):
    return [problem.message for problem in library.problems]


def test_a_card_that_is_right_has_no_problem(ferry, load):
    library = load(ferry=ferry)
    assert library.problems == ()
    assert library.cards["ferry"].why_ai == ferry["whyAI"]
    assert library.files["ferry"].name == "ferry.json"


def test_text_stays_as_typed(ferry, load):
    ferry["evidenceNotes"] = "\n\n".join(HOSTILE)
    ferry["mechanism"] = HOSTILE
    card = load(ferry=ferry).cards["ferry"]
    assert card.evidence_notes == ferry["evidenceNotes"]
    assert list(card.mechanism) == HOSTILE


def test_every_optional_field_is_read(ferry, load):
    optional = {
        "$schema": "./card.schema.json",
        "workstream": "W1",
        "branch": "B",
        "subbranch": "S",
        "visualFamily": "V",
        "labId": "ring",
        "deepLabId": "ring",
        "investigationId": "ring",
        "labScope": "L",
        "scope": "O",
        "history": [
            {
                "year": "1990s",
                "title": "t",
                "description": "d",
                "source": {"title": "s", "url": "http://example.org/#a"},
            },
            {"year": 2021, "title": "t", "description": "d"},
        ],
        "checks": [],
        "figures": ["ring-time"],
    }
    ferry |= optional
    ferry["science"][0] |= {
        "latex": "T = n",
        "symbols": [{"symbol": "x_<t", "meaning": "m", "unit": "1"}],
        "model": "coarse_communication_time",
    }
    library = load(ferry=ferry)
    assert library.problems == ()
    card = library.cards["ferry"]
    assert [event.year for event in card.history] == ["1990s", 2021]
    assert card.history[0].source is not None
    assert (card.visual_family, card.investigation_id, card.lab_scope) == ("V", "ring", "L")
    assert card.science[0].symbols[0].symbol == "x_<t"


def test_sections_without_content_may_be_empty(ferry, load):
    ferry |= {key: [] for key in ("specs", "interfaces", "related", "science", "prerequisites", "history", "checks")}
    assert load(ferry=ferry).problems == ()


def test_null_is_as_good_as_no_key_where_a_field_may_be_missing(ferry, load):
    ferry |= {"labId": None, "branch": None, "scope": None}
    ferry["science"][0]["latex"] = None
    library = load(ferry=ferry)
    assert library.problems == ()
    assert library.cards["ferry"].lab_id is None


def test_two_interfaces_may_share_a_name(ferry, load):
    ferry["interfaces"] = [{**ferry["interfaces"][0], "direction": way} for way in ("in", "out", "both")]
    assert load(ferry=ferry).problems == ()


def test_stated_values_keep_their_digits(ferry, load):
    text = (
        json.dumps(ferry, ensure_ascii=False, default=float)
        .replace("8.03}", "8.030}")
        .replace('"value": 8.03', '"value": 8.030')
    )
    card = load(ferry=text).cards["ferry"]
    assert str(card.examples[0].states.value) == "8.030"


def test_cards_are_frozen(ferry, load):
    card = load(ferry=ferry).cards["ferry"]
    with pytest.raises(ValueError, match="frozen"):
        card.name = "other"
    with pytest.raises(TypeError):
        card.examples[0].inputs["phases"] = Decimal(1)


def test_cards_are_sorted_and_files_that_are_no_cards_are_left_alone(ferry, load, tmp_path):
    for name in (".hidden.json", "card.schema.json", "notes.txt", "ferry.json~"):
        (tmp_path / name).write_text("not JSON", encoding="utf-8")
    library = load(punt={**ferry, "id": "punt"}, ferry=ferry)
    assert list(library.cards) == ["ferry", "punt"]
    assert library.problems == ()


def test_a_file_named_twice_is_read_once(ferry, load, tmp_path):
    load(ferry=ferry)
    assert load_cards([tmp_path, tmp_path / "ferry.json", tmp_path]).problems == ()


def test_a_byte_order_mark_is_skipped(ferry, load):
    ferry["name"] = 7
    text = json.dumps(ferry, default=float).encode()
    library = load(ferry=b"\xef\xbb\xbf" + text)
    assert [problem.column for problem in library.problems] == [text.decode().index("7") + 1]


def test_line_ends_of_windows_count_as_one(ferry, load):
    ferry["name"] = 7
    text = json.dumps(ferry, indent=2, default=float).replace("\n", "\r\n")
    assert [(problem.line, problem.column) for problem in load(ferry=text).problems] == [(4, 11)]


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("nowhere", "expected card files, named <id>.json, found no such file"),
        ("empty", "expected card files, named <id>.json, found none"),
        ("notes.txt", "expected card files, named <id>.json, found another name"),
        ("with-folder", "expected a file, found a folder"),
        ("with-broken-link", "expected a file, found none"),
    ],
)
def test_what_is_no_card_file_is_told(path, message, tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").touch()
    (tmp_path / "with-folder" / "x.json").mkdir(parents=True)
    (tmp_path / "with-broken-link").mkdir()
    (tmp_path / "with-broken-link" / "x.json").symlink_to(tmp_path / "gone")
    library = load_cards([tmp_path / path])
    assert messages(library) == [message]
    assert library.errors


def test_a_file_that_cannot_be_read_is_told(ferry, load, monkeypatch, tmp_path):
    load(ferry=ferry)

    def refuse(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("pathlib.Path.read_bytes", refuse)
    assert messages(load_cards([tmp_path])) == [
        "expected a file that can be read, found one that gives: Permission denied"
    ]


def test_strict_makes_errors_of_warnings(ferry, load):
    ferry["related"] = ["nobody"]
    assert [problem.severity for problem in load(ferry=ferry).problems] == ["warning"]
    assert not load(ferry=ferry).errors
    assert [problem.severity for problem in load(ferry=ferry, strict=True).problems] == ["error"]


def test_a_card_with_problems_is_known_by_its_file_name(ferry, load):
    library = load(ferry={**ferry, "related": ["punt", "raft"]}, punt="{", raft={**ferry, "id": "raft", "name": 1})
    assert [problem.file.stem for problem in library.problems] == ["punt", "raft"]
    assert list(library.cards) == ["ferry"]


def test_wrong_fields_do_not_hide_wrong_numbers_and_names(ferry, load):
    ferry["name"] = 7
    ferry["related"] = ["nobody"]
    ferry["examples"][0]["states"]["value"] = 9
    assert [problem.pointer for problem in load(ferry=ferry).problems] == [
        "/name",
        "/related/0",
        "/examples/0/states/value",
    ]


def test_a_wrong_field_is_not_told_twice(ferry, load):
    ferry["engineeringExample"] = 7  # the example's sentence cannot stand in it now
    ferry["related"] = "nobody"
    assert [problem.pointer for problem in load(ferry=ferry).problems] == ["/related", "/engineeringExample"]


@pytest.mark.parametrize("name", ["punt.jsonc", "punt.json5", "punt.JSN", "punt.json.txt", "punt.yaml"])
def test_a_file_with_almost_the_name_of_a_card_is_told(name, ferry, load, tmp_path):
    (tmp_path / name).write_text("{}", encoding="utf-8")
    (problem,) = load(ferry=ferry).problems
    assert (problem.severity, problem.file.name) == ("warning", name)
    assert problem.message == f'expected cards in files named <id>.json, found "{name}": it is not read'


@pytest.mark.parametrize("name", ["README.md", "punt.json~", "punt.bak", ".punt.jsonc"])
def test_other_files_beside_cards_are_let_be(name, ferry, load, tmp_path):
    (tmp_path / name).write_text("{}", encoding="utf-8")
    assert load(ferry=ferry).problems == ()


def test_a_card_that_is_checked_alone_may_name_its_neighbours(ferry, load, tmp_path):
    load(ferry=ferry, punt={**ferry, "id": "punt", "related": ["ferry"]})
    assert load_cards([tmp_path / "punt.json"], labs=["ring"], figures=["ring-time"]).problems == ()
