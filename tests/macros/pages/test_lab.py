"""A lab's section as built: whole without scripts, with the first frame and what each preset comes to."""

import json
import re
from html import unescape
from html.parser import HTMLParser

import pytest

from labs.answer import answered_frame
from labs.catalog import LABS
from labs.lab import Preset
from labs.network import LAB
from macros.pages.lab import lab_view
from macros.pages.prepared import fill
from macros.pages.template import render
from macros.presets import preset_script

# No two void elements are alike to a parser that only counts tags.
VOID = {"input", "br", "hr", "img", "meta", "link"}


def html() -> str:
    lab = lab_view("network", None)
    return fill(render("lab.html.jinja", lab=lab, site_root="../"), {"frame:network": lab.frame.html}.__getitem__)


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


def test_the_first_frame_stands_there_whole_and_alone() -> None:
    expected = answered_frame(LABS["network"], LAB.defaults())
    (place,) = re.findall(r'(<div class="lab-frame"[^>]*>)' + re.escape(expected["html"]) + "</div>", html())
    assert read_inputs(place) == expected["inputs"]
    assert f'data-summary="{expected["summary"]}"' in place
    # 14 · 5 µs + 1.75 · 100 MB / 50 GB/s, and no other frame
    (time,) = re.findall(r'data-metric="time" data-value="([^"]+)"', html())
    assert float(time) == pytest.approx(3.57e-3, rel=1e-12)


def read_inputs(element: str) -> object:
    (inputs,) = re.findall(r'data-inputs="([^"]+)"', element)
    return json.loads(unescape(inputs))


@pytest.mark.parametrize("preset", LAB.presets, ids=lambda preset: preset.id)
def test_each_preset_says_what_it_comes_to(preset: Preset) -> None:
    (listed,) = re.findall(rf'<div data-preset="{preset.id}".*?</div>', html(), re.S)
    expected = answered_frame(LABS["network"], LAB.inputs(preset.inputs))
    assert read_inputs(listed) == expected["inputs"]
    told = [control for control in LAB.controls if not control.group]
    said = "; ".join(f"{control.label.lower()} {expected['inputs'][control.name]['text']}" for control in told)
    assert re.findall(r"<d[td][^>]*>([^<]*)</d[td]>", unescape(listed)) == [
        preset.label,
        preset.note,
        f"{said[0].upper()}{said[1:]}.",
        expected["summary"],
    ]


def test_the_section_names_the_script_of_its_presets_from_where_the_page_stands() -> None:
    assert f'data-presets="../{preset_script("network").path}"' in html()


def test_each_preset_has_a_button_that_waits_for_the_script() -> None:
    buttons = re.findall(
        r'<button type="button" data-choose="(\w+)" aria-pressed="false" disabled>([^<]+)</button>', html()
    )
    assert buttons == [(preset.id, preset.label) for preset in LAB.presets]
    assert len(re.findall(r"<(?:input|select|button)[^>]* name=", html())) == len(LAB.controls)


def test_everything_to_press_is_disabled_until_the_script_comes() -> None:
    outside = re.sub(r'<div class="lab-frame".*', "", html(), flags=re.S)
    for tag in re.findall(r"<(?:button|input)[^>]*>", outside):
        assert " disabled" in tag or " hidden" in tag, tag
