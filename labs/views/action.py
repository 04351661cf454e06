"""Words in a frame that do something: fill some of the lab's inputs, or lead to a state of another lab.

    {"text": …, "sets": {input: text, …}}                 a button
    {"text": …, "lab": id, "inputs": {input: text, …}}    a link; with no inputs to the lab as built
"""

import json
from collections.abc import Mapping
from typing import Any

from labs.views.text import escape

Action = Mapping[str, Any]


def action_html(action: Action) -> str:
    """Return the button or the link."""
    text = escape(action["text"])
    if "lab" in action:
        return f'<a class="lab-link" href="{escape(lab_address(action["lab"], action["inputs"]))}">{text}</a>'
    return f'<button type="button" class="lab-set" data-sets="{sets_attribute(action["sets"])}">{text}</button>'


def sets_attribute(sets: Mapping[str, str]) -> str:
    """Return inputs and their texts as an attribute's value: what the page's script puts into the fields."""
    return escape(json.dumps(sets, ensure_ascii=False))


def lab_address(lab: str, inputs: Mapping[str, str]) -> str:
    """Return the address of a lab's state, from any page in a folder of the site.

    >>> lab_address("network", {"ranks": "32", "payload": "1 GB"})
    '../labs/network.html#network.ranks=32&network.payload=1+GB'
    """
    fragment = "&".join(f"{lab}.{name}={_encoded(text)}" for name, text in inputs.items())
    return f"../labs/{lab}.html#{fragment or f'lab-{lab}'}"


def _encoded(text: str) -> str:
    """Return a text as URLs hold it. The standard library's own would bring a tenth of a megabyte into the browser."""
    return "".join(_SIGNS.get(byte, f"%{byte:02X}") for byte in text.encode())


_SIGNS = {byte: chr(byte) for byte in range(128) if chr(byte).isalnum() or chr(byte) in "-._"} | {ord(" "): "+"}
