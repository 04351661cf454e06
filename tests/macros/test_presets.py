"""The script with a lab's presets: whole, named by its content, and small enough for a page to wait for."""

import hashlib
import json
import re
from pathlib import Path

import pytest

from labs.answer import answered_frame
from labs.catalog import LABS
from macros.presets import preset_files, preset_script

WITH_PRESETS = [id for id, module in LABS.items() if module.LAB.presets]


def handed_over(content: bytes) -> tuple[str, dict[str, str]]:
    (arguments,) = re.findall(r"\AatlasPresets\((.*)\)\n\Z", content.decode("ascii"), re.S)
    lab, frames = json.loads(f"[{arguments}]")
    return lab, frames


@pytest.mark.parametrize("lab_id", WITH_PRESETS)
def test_it_hands_over_the_very_frames_of_python(lab_id: str) -> None:
    module = LABS[lab_id]
    lab, frames = handed_over(preset_script(lab_id).content)
    assert lab == lab_id
    assert frames == {
        preset.id: answered_frame(module, module.LAB.inputs(preset.inputs))["html"] for preset in module.LAB.presets
    }


@pytest.mark.parametrize("lab_id", WITH_PRESETS)
def test_another_content_would_have_another_name(lab_id: str) -> None:
    script = preset_script(lab_id)
    digest = hashlib.sha256(script.content).hexdigest()
    assert script.path == f"assets/lab/presets-{lab_id}.{digest[:12]}.js"


def test_the_site_has_one_for_each_lab_and_its_pages_ask_for_it(site: Path) -> None:
    files = preset_files()
    assert len(files) == len(WITH_PRESETS) > 0
    assert {path: (site / path).read_bytes() for path in files} == files
    asked = 0
    for page in site.rglob("*.html"):
        for href in re.findall(r'data-presets="([^"]+)"', page.read_text(encoding="utf-8")):
            assert (page.parent / href).resolve().relative_to(site.resolve()).as_posix() in files, page
            asked += 1
    assert asked >= 2  # from the first page and from a card's, which is a folder deeper
