"""A card's page: every field visible, in the order of the sections, and text always text."""

import re
from collections.abc import Callable
from html import unescape
from html.parser import HTMLParser

import pytest

from macros.cards.load import Library
from macros.pages.card import HEADINGS, card_page
from macros.pages.prepared import fill
from tests.macros.pages.sample import HOSTILE, full_card, word

Load = Callable[..., Library]


def page(load: Load, **changes: object) -> str:
    library = load(full_card(**changes))
    return str(card_page(library.cards["full"], library, {}).html)


def places(html: str) -> list[str]:
    names: list[str] = []
    fill(html, lambda name: names.append(name) or "")  # type: ignore[func-returns-value]
    return names


def text_of(html: str) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", html)))


def test_every_field_is_visible(library: Load) -> None:
    text = text_of(page(library))
    words = set(re.findall(r"word-[\w-]+", repr(full_card())))
    assert len(words) > 35
    assert {name for name in words if name not in text} == set()
    assert "elsewhere-related" in text and "elsewhere-first" in text and "elsewhere-lab" in text
    assert "1999" in text


def test_the_sections_stand_in_order(library: Load) -> None:
    html = page(library)
    found = re.findall(r'<h2 id="([^"]+)"', html)
    assert found == list(HEADINGS)
    before = html[: html.index("<h2")]
    assert all(word(field) in before for field in ("role", "learningObjective", "level", "branch", "kind"))


def test_sections_without_content_are_left_out(library: Load) -> None:
    loaded = library(full_card(history=[], labId=None, deepLabId=None, related=[]))
    prepared = card_page(loaded.cards["full"], loaded, {})
    ids = [id for id, _ in prepared.sections]
    assert ids == [id for id in HEADINGS if id not in ("history", "lab", "related")]
    assert re.findall(r'<h2 id="([^"]+)"', str(prepared.html)) == ids


class Collector(HTMLParser):
    """Tags that a text could have made, and all text."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize(
    "field",
    [
        *("name", "shortName", "role", "branch", "scale", "description", "misconception", "tradeoff", "whyAI"),
        *("learningObjective", "evidenceNotes", "scope", "labScope"),
    ],
)
def test_text_stays_text(library: Load, field: str) -> None:
    collector = Collector()
    collector.feed(page(library, **{field: HOSTILE}))
    assert HOSTILE in collector.text
    assert "script" not in collector.tags and "b" not in collector.tags


def test_a_checked_number_leads_to_its_call(library: Load) -> None:
    html = page(library)
    assert re.search(r'on 64 replicas makes <a class="checked" href="#checked-1" [^>]*>8192</a> examples\.', html)
    call = text_of(html[html.index('id="checked-1"') :])
    assert "global_batch(microbatch=8, accumulation=16, data_parallel=64) gives 8192" in call


def test_equations_are_typeset_and_symbols_have_units(library: Load) -> None:
    html = page(library)
    assert html.count("<math") >= 2
    assert 'href="../model.html#coarse_communication_time"' in html


def test_the_lab_stands_with_the_place_of_its_first_frame_and_the_cards_scope(library: Load) -> None:
    html = page(library)
    assert 'data-lab="network" data-name="network" data-state="static"' in html
    assert places(html) == ["frame:network"]
    assert f'<p class="lab-scope">{word("labScope")}</p>' in html


def test_questions_count_their_options_and_hide_the_answer_without_scripts(library: Load) -> None:
    html = page(library)
    assert html.count('<form class="quiz"') == 2
    assert 'id="question-1" data-answer="1"' in html
    assert re.search(rf"<details[^>]*>.*?<strong>{word('other')}</strong>", html, re.DOTALL)


def test_links_between_cards(library: Load) -> None:
    second = full_card(id="second", name="The <second>")
    loaded = library(full_card(related=["second"], prerequisites=["second"]), second)
    html = str(card_page(loaded.cards["full"], loaded, {}).html)
    assert html.count('<a href="second.html">The &lt;second&gt;</a>') == 2


def test_sections_without_content_have_no_heading(library):
    loaded = library(full_card(science=[], figures=[], specs=[], interfaces=[]))
    prepared = card_page(loaded.cards["full"], loaded, {})
    assert {"science", "specifications"} & dict(prepared.sections).keys() == set()
    assert 'id="science"' not in prepared.html
    assert 'id="specifications"' not in prepared.html
    assert "<caption>" not in prepared.html


def test_one_table_alone_has_its_heading(library):
    loaded = library(full_card(specs=[]))
    prepared = card_page(loaded.cards["full"], loaded, {})
    assert "specifications" in dict(prepared.sections)
    assert "<caption>Specifications" not in prepared.html
    assert "<caption>Interfaces" in prepared.html
