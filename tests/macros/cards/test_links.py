import random
from itertools import pairwise

import pytest

from macros.cards.links import Known, cycle_findings, link_findings
from macros.cards.types import Card

KNOWN = Known(cards=frozenset({"ferry", "punt"}), labs=frozenset({"network"}), figures=frozenset({"ring-time"}))


def found(card):
    return [
        (finding.at, finding.severity, finding.message) for finding in link_findings(Card.model_validate(card), KNOWN)
    ]


def circles(prerequisites, ferry):
    cards = {
        name: Card.model_validate({**ferry, "id": name, "prerequisites": needs})
        for name, needs in prerequisites.items()
    }
    result = []
    for name, finding in cycle_findings(cards):
        assert finding.at[0] == "prerequisites"
        way = finding.message.removeprefix("expected prerequisites without a circle, found ").split(" → ")
        assert way[0] == way[-1] == name
        assert prerequisites[name][finding.at[1]] == way[1]
        assert all(after in prerequisites[before] for before, after in pairwise(way))
        result.append(way)
    return result


def test_names_that_are_here_are_right(ferry):
    ferry |= {"related": ["punt"], "prerequisites": ["punt"], "labId": "network", "figures": ["ring-time"]}
    assert found(ferry) == []


@pytest.mark.parametrize("key", ["labId", "deepLabId", "investigationId"])
def test_a_lab_that_is_not_here_is_a_warning(key, ferry):
    message = 'expected the id of a lab of this site, found "steering"'
    assert found({**ferry, key: "steering"}) == [((key,), "warning", message)]


@pytest.mark.parametrize("key", ["related", "prerequisites"])
def test_a_card_that_is_not_here_is_a_warning(key, ferry):
    message = 'expected the id of a card of this site, found "raft"'
    assert found({**ferry, key: ["punt", "raft"]}) == [((key, 1), "warning", message)]


@pytest.mark.parametrize("key", ["related", "prerequisites"])
def test_a_card_does_not_name_itself(key, ferry):
    message = """expected the id of another card, found this card's own, "ferry\""""
    assert found({**ferry, key: ["ferry"]}) == [((key, 0), "error", message)]


def test_a_figure_that_is_not_here_is_an_error(ferry):
    message = 'expected the id of a figure of this site, found "ring-tme"'
    assert found({**ferry, "figures": ["ring-tme"]}) == [(("figures", 0), "error", message)]


@pytest.mark.parametrize(
    ("prerequisites", "expected"),
    [
        ({}, []),
        ({"a": []}, []),
        ({"a": ["b", "gone"], "b": []}, []),
        ({"a": ["a"]}, []),  # told where the card names itself
        ({"a": ["b"], "b": ["a"]}, [["a", "b", "a"]]),
        ({"a": ["b"], "b": ["c"], "c": ["a"]}, [["a", "b", "c", "a"]]),
        ({"x": ["a"], "a": ["b"], "b": ["a", "y"], "y": []}, [["a", "b", "a"]]),
        ({"a": ["b"], "b": ["a"], "m": ["a", "x"], "x": ["y"], "y": ["x"]}, [["a", "b", "a"], ["x", "y", "x"]]),
        ({"a": ["c", "b"], "b": ["a"], "c": ["d"], "d": ["a"]}, [["a", "b", "a"], ["a", "c", "d", "a"]]),
    ],
)
def test_circles_of_prerequisites_are_named(prerequisites, expected, ferry):
    assert circles(prerequisites, ferry) == expected


@pytest.mark.parametrize("seed", range(20))
def test_an_order_has_no_circle_and_one_edge_back_makes_one(seed, ferry):
    generator = random.Random(seed)
    names = [f"c{index}" for index in range(12)]
    generator.shuffle(names)
    order = {name: sorted(generator.sample(names[:place], min(place, 3))) for place, name in enumerate(names)}
    assert circles(order, ferry) == []
    last = next(name for name in reversed(names) if order[name])
    order[order[last][0]] = [*order[order[last][0]], last]
    assert len(circles(order, ferry)) == 1


def test_a_long_row_of_prerequisites_is_no_problem(ferry):
    row = {f"c{index}": [f"c{index + 1}"] for index in range(3000)}
    assert circles({**row, "c3000": []}, ferry) == []
    assert len(circles({**row, "c3000": ["c0"]}, ferry)[0]) == 3002
