"""A lab's section as built: whole without scripts, each preset with its frame, the first frame first."""

import json
import re
from html import unescape
from html.parser import HTMLParser

import pytest

from labs.answer import answered_frame
from labs.catalog import LABS
from labs.network import LAB
from macros.pages.lab import lab_view
from macros.pages.template import render

# No two void elements are alike to a parser that only counts tags.
VOID = {"input", "br", "hr", "img", "meta", "link"}


def html() -> str:
    return str(render("lab.html.jinja", lab=lab_view("network", None), wheel_href="../model.html"))


class Tags(HTMLParser):
    """Notes the open tags, and that each is closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids += [value or "" for name, value in attrs if name == "id"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_tags_close_and_ids_are_single() -> None:
    tags = Tags()
    tags.feed(html())
    assert tags.open == []
    assert len(set(tags.ids)) == len(tags.ids)


def test_the_first_frame_comes_before_those_of_presets() -> None:
    (first, *others) = re.findall(r'data-metric="time" data-value="([^"]+)"', html())
    assert float(first) == pytest.approx(3.57e-3, rel=1e-12)
    assert len(others) == len(LAB.presets)


@pytest.mark.parametrize("preset", LAB.presets, ids=lambda preset: preset.id)
def test_each_preset_holds_the_very_answer_of_python(preset: object) -> None:
    (fold,) = re.findall(rf'<details class="lab-preset" data-preset="{preset.id}".*?\n    </details>', html(), re.S)  # type: ignore[attr-defined]
    expected = answered_frame(LABS["network"], LAB.inputs(preset.inputs))  # type: ignore[attr-defined]
    assert expected["html"] in fold
    (inputs,) = re.findall(r'data-inputs="([^"]+)"', fold)
    assert json.loads(unescape(inputs)) == expected["inputs"]
    assert f'data-summary="{expected["summary"]}"' in fold
    assert f"<summary>{preset.label}</summary>" in fold  # type: ignore[attr-defined]
    said = "; ".join(f"{control.label.lower()} {expected['inputs'][control.name]['text']}" for control in LAB.controls)
    assert f'<p class="lab-preset-inputs">{said[0].upper()}{said[1:]}.</p>' in fold


def test_each_preset_has_a_button_that_waits_for_the_script() -> None:
    buttons = re.findall(
        r'<button type="button" data-choose="(\w+)" aria-pressed="false" disabled>([^<]+)</button>', html()
    )
    assert buttons == [(preset.id, preset.label) for preset in LAB.presets]
    assert len(re.findall(r"<(?:input|button)[^>]*name=", html())) == len(LAB.controls)


def test_everything_to_press_is_disabled_until_the_script_comes() -> None:
    outside = re.sub(r'<div class="lab-frame".*', "", html(), flags=re.S)
    for tag in re.findall(r"<(?:button|input)[^>]*>", outside):
        assert " disabled" in tag or " hidden" in tag, tag
