"""The presets' frames: one script a lab, shared by all pages that show the lab, loaded when a reader wants a preset.

A script, since a page that was opened from disk can read nothing else.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from labs.answer import answered_frame
from labs.catalog import LABS
from macros.browser import FOLDER


@dataclass(frozen=True)
class PresetScript:
    """A script that hands a lab's frames to the page: `atlasPresets(lab, {preset: html})`."""

    path: str  # in the site; its name holds a hash of the content
    content: bytes


@cache  # a thousand cards may show the lab
def preset_answers(lab_id: str) -> Mapping[str, Mapping[str, Any]]:
    """Return for each preset of a lab its whole answer, as live Python gives it."""
    module = LABS[lab_id]
    return {preset.id: answered_frame(module, module.LAB.inputs(preset.inputs)) for preset in module.LAB.presets}


@cache
def preset_script(lab_id: str) -> PresetScript:
    """Return the script with a lab's frames: ASCII, so that it reads the same whatever encoding a host declares."""
    frames = {id: answer["html"] for id, answer in preset_answers(lab_id).items()}
    content = f"atlasPresets({json.dumps(lab_id)},{json.dumps(frames)})\n".encode("ascii")
    digest = hashlib.sha256(content).hexdigest()[:12]
    return PresetScript(f"{FOLDER}/presets-{lab_id}.{digest}.js", content)


def preset_files() -> dict[str, bytes]:
    """Return site path -> content for every lab that has presets."""
    scripts = (preset_script(lab_id) for lab_id, module in LABS.items() if module.LAB.presets)
    return {script.path: script.content for script in scripts}
