"""A page of Markdown: every field of the card, in the order of the HTML page, and data in all of them."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from macros.cards.load import Library, load_cards
from macros.export.blocks import page
from macros.export.pages import exported
from tests.macros.export.reading import body, rendered
from tests.macros.export.test_escape import HOSTILE, typed
from tests.macros.pages.sample import full_card, word

ROOT = Path(__file__).parents[3]
PROSE = "A microbatch of 8, 16 times, on 64 replicas makes 8192 examples."  # bound to a call: stays as it is
KEPT = {"id", "related", "prerequisites", "labId", "deepLabId", "url", "model", "equation", "examples"}


def load(folder: Path, *cards: dict[str, Any]) -> Library:
    folder.mkdir(exist_ok=True)
    for card in cards:
        (folder / f"{card['id']}.json").write_text(json.dumps(card, ensure_ascii=False), encoding="utf-8")
    library = load_cards([folder])
    assert not library.errors, [problem.text() for problem in library.errors]
    return library


@pytest.fixture
def export(tmp_path):
    return lambda *cards, site=None: exported(load(tmp_path / "cards", *cards), site)


def filled(value: Any, text: str) -> Any:
    """Return a card's data with a text before and behind each text of it that nothing else depends on."""
    if isinstance(value, dict):
        return {key: item if key in KEPT else filled(item, text) for key, item in value.items()}
    if isinstance(value, list):
        return [filled(item, text) for item in value]
    return f"{text}-{value}-{text}" if isinstance(value, str) and PROSE not in value else value


def test_every_field_stands_in_the_order_of_the_page(export):
    text = rendered(body(export(full_card(figures=["ring-all-reduce-time"]))["full.md"])).text
    order = [
        word("name"), word("level"), word("branch"), word("subbranch"), word("shortName"), word("role"), word("kind"),
        word("scale"), word("workstream"), word("visualFamily"), word("learningObjective"), "elsewhere-first",
        "The mechanism", word("description"), word("second-paragraph"), word("step"),
        "Science and assumptions", word("science"), "Tcomm ≈ n α + Q / Beff", word("reading"), word("meaning"),
        word("assumptions"), "coarse_communication_time", "Figure.",
        "Engineering example", word("example"), PROSE, "global_batch(", "gives 8192",
        "Lab", "elsewhere-lab", "Ring all-reduce", word("labScope"), "python -m labs run network",
        "Distinctions and tradeoffs", word("misconception"), word("tradeoff"), word("whyAI"),
        "Specifications and interfaces", word("label"), word("value"), word("context"), word("interface"), "in",
        word("signal"),
        "Check your understanding", word("question"), word("option"), word("other"), word("question2"), "Answers",
        "option 2.", word("other"), word("explanation"), "why",
        "Historical context", "1999", word("event"), word("told"), word("told-by"),
        "Evidence and scope", word("evidence"), word("scope"), word("source"),
        "Related cards", "elsewhere-related",
    ]  # fmt: skip
    at = 0
    for expected in order:
        found = text.find(expected, at)
        assert found >= 0, f"{expected} does not stand behind {text[:at][-60:]!r}"
        at = found + len(expected)


@pytest.mark.parametrize("text", [" ".join(map(typed, HOSTILE)), *dict.fromkeys(map(typed, HOSTILE))])
def test_a_card_of_hostile_texts_is_a_plain_one_with_other_words(text, export):
    plain, hostile = (rendered(body(export(filled(full_card(), one))["full.md"])) for one in ("zzz", text))
    assert hostile.tags == plain.tags
    assert hostile.links == plain.links
    assert hostile.text == plain.text.replace("zzz", text)


def test_templates_find_nothing_in_a_card(export):
    page = export(filled(full_card(), "{{ 7*7 }} {% raw %} {# gone #}"))["full.md"]
    assert not re.search(r"\{[{%#]", page)


@given(st.text(st.characters(exclude_categories=("Cs",))).filter(str.strip))
@example('a: "b" # c\\d')
@example("{{ 7*7 }} {% x %}")
@example("--- | > * & ! % @ ` '")
@example("no")
@example("\u0085\u2028\ufeff\x7f\ufffe\U0001f600")
def test_front_matter_is_yaml_that_gives_the_text_back(text):
    front = page(text, text, []).removeprefix("---\n").removesuffix("\n---\n")
    assert yaml.safe_load(front) == {"title": typed(text), "description": typed(text)}
    assert not re.search(r"\{[{%#]", front)


def science(export, equation, latex=None):
    entry = {"title": "t", "equation": equation, "explanation": "e", "assumptions": "a"}
    card = full_card(science=[entry | ({"latex": latex} if latex else {})])
    return body(export(card)["full.md"]).split("### t\n\n")[1].split("\n\ne\n\n")[0]


@pytest.mark.parametrize(
    ("equation", "latex", "written"),
    [
        ("T = n α", r"T = n\,\alpha", "$$\nT = n\\,\\alpha\n$$"),
        ("Time is money.", "T = M", "$$\nT = M\n$$\n\nIn words: Time is money."),
        ("Tcomm ≈ n α + Q / B_eff", None, "> Tcomm ≈ n α + Q / B\\_eff"),
        ("a = b; c = d", None, "> a = b\n\n> c = d"),
        (r"\frac{a}{b}", None, "$$\n\\frac{a}{b}\n$$"),
        (r"$$\frac{a}{b}$$", None, "$$\n\\frac{a}{b}\n$$"),
        ("Memory is shared * by all.", None, "> Memory is shared \\* by all."),
        (r"the command \alpha is a letter of many words", None, r"> the command \\alpha is a letter of many words"),
    ],
)
def test_equations_are_latex_where_the_card_has_it_and_else_text(equation, latex, written, export):
    assert science(export, equation, latex) == written


def test_links_lead_to_pages_that_are_there(export):
    second = full_card(id="second", name="The [second]", prerequisites=["full"], related=["full", "nobody"])
    pages = export(full_card(related=["second"], figures=["ring-all-reduce-time"]), second)
    assert sorted(pages) == ["figures/ring-all-reduce-time.svg", "full.md", "index.md", "second.md"]
    for name in ("full.md", "second.md", "index.md"):
        local = [link for link in rendered(body(pages[name])).links if "://" not in link]
        assert local and set(local) <= pages.keys()
    assert "- nobody (no card on this site)" in pages["second.md"]


def test_a_figure_is_a_picture_with_words_and_a_caption(export):
    pages = export(full_card(figures=["ring-all-reduce-time"]))
    assert pages["figures/ring-all-reduce-time.svg"].startswith("<svg xmlns=")
    shown = rendered(body(pages["full.md"]))
    assert len(shown.alts[0]) > 20
    assert "figures/ring-all-reduce-time.svg" in shown.links


def test_labs_lead_to_the_site_where_it_is_known(export):
    link = {"label": "Try 64", "lab": "network", "inputs": {"ranks": 64, "payload": "1 GB"}}
    here = export(full_card(labLinks=[link]))["full.md"]
    assert "- Try 64 (Ring all-reduce): `python -m labs run network ranks=64 'payload=1 GB'`" in here
    assert "example.org/atlas" not in here
    there = rendered(body(export(full_card(labLinks=[link]), site="https://example.org/atlas/")["full.md"]))
    assert "https://example.org/atlas/labs/network.html" in there.links
    assert "https://example.org/atlas/labs/network.html#network.ranks=64&network.payload=1+GB" in there.links
    assert "https://example.org/atlas/model.html#coarse_communication_time" in there.links


def test_a_lab_shows_what_its_defaults_come_to(export):
    page = export(full_card())["full.md"]
    # An ideal ring of 8 ranks: 14 steps of 5 µs, and 14/8 of 100 MB at 50 GB/s.
    assert "Ranks 8; payload 100 MB; effective bandwidth 50 GB/s; startup 5 µs." in page
    assert "| Latency term | 2(p−1)α | 70 µs |" in page
    assert "| Time | T | 3.57 ms |" in page


def test_code_cells_are_fenced_whatever_they_hold(export):
    code = 'print("""\n```\n{{ x }}\n""")'
    page = export(full_card(cells=[{"title": "Try # it", "code": code, "note": "Change x."}]))["full.md"]
    assert f"### Try \\# it\n\nChange x.\n\n````python\n{code}\n````" in page


def test_the_index_lists_cards_by_level_and_branch(export):
    cards = [
        full_card(id=name.lower(), name=name, level=level, branch=branch, role="Does it.")
        for name, level, branch in [("A", "silicon", "x"), ("B", "fabric", "y"), ("C", "fabric", "x")]
    ]
    cards[1].pop("branch")
    assert body(export(*cards)["index.md"]).split("\n\n")[1:] == [
        "## Fabric", "### Other", "- [B](b.md): Does it.", "### x", "- [C](c.md): Does it.",
        "## Silicon", "### x", "- [A](a.md): Does it.\n",
    ]  # fmt: skip


def test_sections_without_content_are_left_out(export):
    bare = {"checks": [], "history": [], "related": [], "prerequisites": [], "specs": [], "interfaces": []}
    card = full_card(**bare)
    for key in ("labId", "deepLabId", "labScope", "scope", "branch", "workstream", "examples"):
        card.pop(key)
    page = export(card)["full.md"]
    assert "None: start here." in page
    headings = [line for line in page.splitlines() if line.startswith("## ")]
    for absent in ("Lab", "Try it", "Historical context", "Related cards", "Specifications and interfaces"):
        assert f"## {absent}" not in headings


def test_our_own_cards_come_out_the_same_each_time():
    library = load_cards([ROOT / "cards"], strict=True)
    first = exported(library)
    assert first == exported(library)
    assert {f"{id}.md" for id in library.cards} < first.keys()
    for name, text in first.items():
        if name.endswith(".md"):
            assert "details" not in rendered(body(text)).tags
