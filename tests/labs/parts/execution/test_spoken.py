"""The model's reasons against a plan, in the words of the controls, in each lab that shows them."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from labs.catalog import LABS
from labs.lab import Frame

ASKED: list[dict[str, Any]] = [
    {"tensor": 16},
    {"tensor": 7, "sequence_parallel": "on"},
    {"context": 3},
    {"pipeline": 5, "interleave": 3, "accumulation": 8},
    {"pipeline": 64},
    {"interleave": 2},
    {"expert": 3, "data": 3},
    {"expert": 3, "data": 4},
    {"expert": 3, "data": 3, "model": "Mixtral 8x7B"},
    {"tensor": 5, "model": "Mixtral 8x7B"},
    {"model": "Llama 3 405B", "data": 1},
    {"use": "serving", "model": "Llama 3 405B", "data": 1},
    {"devices": 8, "batch": 8, "model": "GPT 1.3B"},
    {"devices": 16, "batch": 8, "model": "Mixtral 8x7B"},
]
# Names of arguments that are no words: with an underscore, before their number, or as what divides.
RAW = re.compile(r"\w_\w|\b(tensor|context|data|pipeline|expert|interleave|accumulation|zero|width) \d|\bffn\b")
BARE = re.compile(r"expected (2 · )?(tensor|context|pipeline|expert)( ×| to )|\b(interleave|accumulation)\b")


def texts(shown: Frame) -> Iterator[str]:
    for said in shown["verdict"]:
        yield from [said] if isinstance(said, str) else [said.get("says", ""), said["text"]]
    for table in shown["tables"]:
        if table["id"] == "refused":
            for row in table["rows"]:
                yield from (row[0], row[3])


@pytest.mark.parametrize("lab", ["memory", "execution", "plans"])
@pytest.mark.parametrize("asked", ASKED, ids=str)
def test_no_argument_of_the_model_is_named_where_a_reader_knows_a_control(lab: str, asked: dict[str, Any]) -> None:
    module = LABS[lab]
    taken = {"model": "Llama 3 8B"} | asked
    names = set(module.LAB.defaults())
    shown = module.frame(**module.LAB.inputs({name: value for name, value in taken.items() if name in names}))
    for text in texts(shown):
        assert not RAW.search(text) and not BARE.search(text), text


def test_a_reason_is_told_in_the_same_words_by_both_labs() -> None:
    asked = {"model": "Llama 3 8B", "tensor": 16, "sequence_parallel": "on"}
    memory, explorer = (LABS[lab].frame(**LABS[lab].LAB.inputs(asked))["verdict"] for lab in ("memory", "execution"))
    assert memory[1] == "Expected tensor ranks to divide key and value heads, found 16 and 8."
    assert explorer[0]["says"].partition(": ")[2].startswith(memory[1][1:-1].replace("xpected", "expected", 1))
    assert memory[2]["text"] == "Take 8 tensor ranks" and explorer[0]["text"] == "take 8 tensor ranks"


def test_controls_of_one_argument_have_one_name_in_both_labs() -> None:
    memory, explorer = ({one.name: one.label for one in LABS[lab].LAB.controls} for lab in ("memory", "execution"))
    for name in ("tensor", "context", "data", "pipeline", "expert", "interleave", "accumulation", "sequence_parallel"):
        assert memory[name] == explorer[name]
