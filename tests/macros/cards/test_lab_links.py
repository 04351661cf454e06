"""Links to states of labs, where the lab's own code has a mistake."""

from types import SimpleNamespace

import pytest

from labs.lab import Control, Lab
from macros.cards import lab_links
from macros.cards.lab_links import lab_link_findings
from macros.cards.types import Card

LAB = Lab(id="network", title="T", scope="S", controls=(
    Control(name="ranks", label="Ranks", symbol="p", unit="1", default=2, stops=(2, 4)),
))  # fmt: skip


class Broken(dict):
    def __getitem__(self, name):
        raise ImportError("cannot import name 'x'")


@pytest.mark.parametrize(
    ("labs", "found"),
    [
        (Broken(network=None), "labs/network.py: ImportError: cannot import name 'x'"),
        ({"network": SimpleNamespace(LAB=LAB, frame=lambda ranks: 1 / 0)}, "ZeroDivisionError: division by zero"),
    ],
)
def test_a_mistake_in_a_labs_code_is_a_sentence_at_the_link(labs, found, ferry, monkeypatch):
    monkeypatch.setattr(lab_links, "LABS", labs)
    ferry["labLinks"] = [{"label": "Try", "lab": "network", "inputs": {"ranks": 2}}]
    (finding,) = lab_link_findings(Card.model_validate(ferry))
    assert finding.at == ("labLinks", 0, "lab")
    assert finding.message.startswith("expected a lab that answers, found one with a mistake in its code: ")
    assert finding.message.endswith(found)
