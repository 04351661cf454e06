"""The calculator: any symbol of an equation from the others."""

import copy
import json

import pytest

from labs.answer import answer, answered_frame
from labs.engineering import LAB, RING, calculator, code, frame
from labs.model.collectives.ring import ring_all_reduce_time
from tests.labs.reader import Ran

# T = 2 (p − 1) (α + M / (p B)) = 62 · (5 µs + 1 GB / (32 · 100 GB/s)) = 62 · 317.5 µs
VALUES = {"T": 0.019685, "p": 32.0, "alpha": 5e-6, "M": 1e9, "B": 1e11}


def framed(solve_for="T", **inputs):
    return frame(**LAB.defaults() | {"solve_for": solve_for} | inputs)


def metrics(found):
    return {metric["name"]: metric["value"] for metric in found["metrics"]}


def definition(sides, **units):
    symbols = [
        {"name": name, "symbol": name, "meaning": f"Meaning of {name}", "unit": "1" if unit == "count" else unit,
         "written": unit, "default": 8.0}
        for name, unit in units.items()
    ]  # fmt: skip
    return dict(copy.deepcopy(RING)) | {"sides": sides, "symbols": symbols, "solve_for": next(iter(units))}


@pytest.mark.parametrize("name", VALUES)
def test_each_symbol_comes_from_the_others(name):
    found = framed(name, **VALUES | {name: 7.0})  # what its own field holds is not read
    assert found["metrics"][0]["name"] == name
    assert metrics(found)[name] == pytest.approx(VALUES[name], rel=1e-12)
    assert metrics(found)["side_2"] == pytest.approx(0.019685, rel=1e-12)
    assert found["verdict"] == []


def test_the_defaults_agree_with_the_model():
    assert metrics(framed())["T"] == ring_all_reduce_time(ranks=32, payload=1e9, bandwidth=1e11, latency=5e-6)
    assert LAB.defaults() == {"solve_for": "T", **VALUES}


def test_controls_come_from_the_symbols():
    choice, *controls = LAB.controls
    assert choice.options[0] == ("T", "T, time")
    assert [(one.name, one.symbol, one.unit) for one in controls] == [
        ("T", "T", "s"), ("p", "p", "1"), ("alpha", "α", "s"), ("M", "M", "byte"), ("B", "B", "byte/s")
    ]  # fmt: skip
    assert [one.label for one in controls] == [
        "Time", "Ranks in the ring", "Startup time of one step", "Payload", "Effective bandwidth of a link"
    ]  # fmt: skip
    assert controls[3].note == "Payload, the buffer on each rank"


def test_a_label_that_is_nowhere_short_is_the_symbol():
    given = definition(["x", "y"], x="s", y="s")
    given["symbols"][0]["meaning"] = "Supercalifragilisticexpialidocious"
    assert calculator(given).LAB.controls[1].label == "x"


@pytest.mark.parametrize(("meanings", "labels"), [
    (("Part of a step that computes, alone", "Part of a step that exchanges, alone"),
     ["Part of a step that computes", "Part of a step that exchanges"]),
    (("Seconds of the step that compute takes up", "Seconds of the step that exchanges take up"),
     ["Seconds of the step that compute takes up", "Seconds of the step that exchanges take up"]),
    (("Width, of a matrix", "Width, of a head"), ["Width, x", "Width, y"]),
])  # fmt: skip
def test_a_label_says_more_where_two_would_be_the_same(meanings, labels):
    given = definition(["x", "y"], x="s", y="s")
    for symbol, meaning in zip(given["symbols"], meanings, strict=True):
        symbol["meaning"] = meaning
    assert [one.label for one in calculator(given).LAB.controls[1:]] == labels


def test_halving_and_doubling():
    rows = {row[0]: row[1:] for row in framed()["tables"][0]["rows"]}
    # 62 · (5 µs + 156.25 µs) and 62 · (5 µs + 625 µs)
    as_set, half, twice, ratio = rows["M, payload"]
    assert (as_set, half, twice) == ("1 GB", pytest.approx(62 * 161.25e-6), pytest.approx(62 * 630e-6))
    assert ratio == pytest.approx(630 / 317.5)
    assert rows["p, ranks in the ring"][1] == pytest.approx(30 * (5e-6 + 1e9 / (16 * 1e11)))


def test_the_curve_follows_the_input_that_moves_the_result_most():
    (curve,) = framed()["series"]
    assert (curve["title"], curve["x"]["symbol"]) == ("T against M", "M")
    points = dict(curve["lines"][0]["points"])
    assert (min(points), max(points)) == (pytest.approx(1e7), pytest.approx(1e11))
    for payload, time in points.items():
        assert time == pytest.approx(62 * (5e-6 + payload / (32 * 1e11)), rel=1e-12)
    (latency,) = framed(M=1e6)["series"]  # 62 · (5 µs + 0.3 µs)
    assert latency["x"]["symbol"] == "p"


def test_a_curve_needs_no_result_on_both_sides():
    # busbw = algbw · 2 (n − 1)/n stays below 2 algbw: at twice the bus bandwidth there is no n
    bus = calculator(definition(["busbw", ["*", "algbw", ["/", ["*", 2, ["-", "n", 1]], "n"]]], busbw="byte/s",
                                algbw="byte/s", n="count"))  # fmt: skip
    found = bus.frame(solve_for="n", busbw=15e9, algbw=8e9, n=1.0)
    assert metrics(found)["n"] == 16
    assert found["tables"][0]["rows"][0][3] is None
    (curve,) = found["series"]
    assert all(x < 16e9 for x, _ in curve["lines"][0]["points"])
    assert curve["x"]["symbol"] == "busbw"


def test_a_curve_of_what_is_searched_for_has_the_same_points():
    (curve,) = framed("p")["series"]
    assert curve["title"] == "p against T"
    for time, ranks in curve["lines"][0]["points"]:
        assert time == pytest.approx(2 * (ranks - 1) * (5e-6 + 1e9 / (ranks * 1e11)), rel=1e-12)


@pytest.mark.parametrize("asked", ["alpha", "M", "B"])
def test_a_curve_shows_no_result_that_cannot_be(asked):
    # 31 steps of 0.3125 ms each way: with less time than 19.375 ms the startup time would be negative.
    (curve,) = framed(asked)["series"]
    assert all(y > 0 for _, y in curve["lines"][0]["points"])
    assert curve["y"]["scale"] == "log"
    assert [curve["point"]["x"], curve["point"]["y"]] in [list(point) for point in curve["lines"][0]["points"]]


def test_values_at_the_end_of_floats_are_answered():
    # p - 1 = 5 ms / 2e308 s is nothing beside 1
    found = framed("p", T=0.005, alpha=1e308)
    assert metrics(found)["p"] == 1


def test_a_curve_of_what_may_be_negative_is_whole():
    # The gap of a budget: gap = have − need, a plain number
    gap = calculator(definition(["gap", ["-", "have", "need"]], gap="1", have="1", need="1"))
    (curve,) = gap.frame(solve_for="gap", gap=1.0, have=3.0, need=2.0)["series"]
    assert min(y for _, y in curve["lines"][0]["points"]) < 0
    assert curve["y"]["scale"] == "linear"


def test_notes_say_the_equation_its_dimension_and_what_it_rests_on():
    notes = framed("M")["notes"]
    assert notes == [
        "T = 2 · (p − 1) · (α + M / (p · B)).",
        "Both sides are a time in s.",
        "Solved for M: M = (T / (2 · (p − 1)) − α) · p · B.",
        "M is computed; what its field holds is not read.",
        RING["assumptions"],
    ]
    assert "searched for" in framed("p")["notes"][2]


def test_one_rank_takes_no_time_whatever_the_payload():
    assert metrics(framed(p=1.0))["T"] == 0
    found = framed("M", p=1.0)
    assert found["verdict"] == [
        {"says": "M can't be told from these inputs: it would be divided by 0.",
         "text": "Solve for T instead", "sets": {"solve_for": "T"}}
    ]  # fmt: skip
    assert metrics(found) == {"M": None, "side_2": None}


def test_a_result_below_zero_is_called_one():
    found = framed("alpha", T=1e-3)  # the payload alone takes 19.375 ms
    assert metrics(found)["alpha"] == pytest.approx(1e-3 / 62 - 312.5e-6)
    assert found["verdict"] == ["α comes out negative; if it can't be, these inputs contradict each other."]


def test_a_count_between_whole_numbers_is_told_with_its_neighbours():
    (sentence,) = framed("p", T=0.0197)["verdict"]
    # p = 32 takes 19.685 ms, p = 33 takes 64 · (5 µs + 1 GB / (33 · 100 GB/s)) = 19.714 ms
    assert sentence == (
        "p is a count, and no whole number fits: p = 32 gives T = 19.685 ms, p = 33 gives T = 19.714 ms."
    )


def test_whole_numbers_that_give_almost_the_same_are_told_apart():
    # 2 (p − 1) (5 µs + 10 ms / p) is 10 s − 20 ns at p = 998,001 and 10 µs more at 998,002
    (sentence,) = framed("p", T=10.0)["verdict"]
    assert sentence == (
        "p is a count, and no whole number fits: p = 998001 gives T = 9.99999998 s, p = 998002 gives T = 10.00001 s."
    )


def test_a_count_from_rounded_inputs_is_whole():
    steps = calculator(definition(["T", ["*", ["-", "p", 1], "a"]], T="s", p="count", a="s"))
    found = steps.frame(solve_for="p", T=3.1 + 1e-12, p=1.0, a=0.1)
    assert (metrics(found)["p"], found["verdict"]) == (32, [])
    least = steps.frame(solve_for="p", T=-0.05, p=1.0, a=0.1)["verdict"]
    assert least[1] == "p is a count, and no whole number fits: p = 1 gives T = 0 s."
    n = calculator(definition(["n", ["/", "M", "S"]], n="count", M="byte", S="byte"))
    assert n.frame(solve_for="n", n=1.0, M=5.0, S=2.0)["verdict"] == [
        "n is a count, and no whole number fits: it comes out as 2.5."
    ]


@pytest.mark.parametrize("name", ["T", "M", "p"])
@pytest.mark.parametrize(
    ("input", "value", "sentence"),
    [
        ("p", -5.0, "p = −5 can't be: it is a count, so a whole number from 1 on."),
        ("p", 2.5, "p = 2.5 can't be: it is a count, so a whole number from 1 on."),
        ("p", 0.0, "p = 0 can't be: it is a count, so a whole number from 1 on."),
        ("M", -1e9, "M = −1 GB can't be: a size is not negative."),
        ("alpha", -5e-6, "α = −5 µs can't be: a time is not negative."),
        ("B", -1e11, "B = −100 GB/s can't be: a bandwidth is not negative."),
    ],
)
def test_inputs_that_can_not_be_are_told(name, input, value, sentence):
    verdict = framed(name, **{input: value})["verdict"]
    assert (sentence in verdict) == (name != input)  # what its own field holds is not read


def test_what_is_counted_in_things_is_not_negative_and_a_ratio_may_be():
    given = definition(["y", ["*", "n", "r"]], y="1", n="count", r="1")
    given["symbols"][1]["written"], given["symbols"][2]["written"] = "parameters", "ratio"
    numbers = {"y": 1.0, "n": -7.5, "r": -0.5}
    assert calculator(given).frame(solve_for="y", **numbers)["verdict"] == [
        "n = −7.5 can't be: a number of parameters is not negative."
    ]


def test_a_value_that_rounding_hides_and_one_that_may_not_be_alone_are_told():
    (sentence,) = framed("alpha", T=62 * 312.5e-6)["verdict"]  # the payload alone takes as long
    assert sentence == "α comes out as 0; beside the other terms, up to 1e-13 s makes no difference."
    lost = calculator(definition(["y", ["sqrt", ["/", "x", ["-", ["exp", "x"], 1]]]], y="1", x="1"))
    (sentence,) = lost.frame(solve_for="x", x=1.0, y=0.5**0.5)["verdict"]
    assert sentence == "x = 1.2564 fits; whether another value does as well is not certain."


def test_sides_without_a_unit_of_their_own_are_left_out():
    squares = calculator(definition([["*", "x", "x"], ["*", "y", "y"]], x="s", y="s"))
    found = squares.frame(solve_for="x", x=1.0, y=3.0)
    assert metrics(found) == {"x": 3.0}
    assert "Both sides are a quantity in s^2." in found["notes"]


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("control", LAB.controls[1:], ids=lambda control: control.name)
def test_every_end_of_every_slider_has_an_answer_for_every_symbol(name, control):
    for end in (control.stops[0], control.stops[-1], 0.0, -1.0, 1e290):
        given = LAB.defaults() | {"solve_for": name, control.name: end}
        html = answered_frame(calculator(RING), given)["html"]  # json.dumps would refuse nan
        assert len(html) < 60_000


@pytest.mark.parametrize("name", VALUES)
def test_the_code_gives_the_value(name):
    ran = Ran(code(**LAB.defaults() | {"solve_for": name}))
    assert ran.reply["ok"]
    if name == "p":
        assert eval(ran.value) == pytest.approx((0.019685, 0.019685), rel=1e-12)
    else:
        assert float(ran.value) == pytest.approx(VALUES[name], rel=1e-12)


def test_code_without_an_answer_says_so():
    text = code(**LAB.defaults() | {"solve_for": "M", "p": 1.0})
    assert text.startswith("# M can't be told from these.\n")
    assert Ran(text).reply["ok"]


def test_functions_of_mathematics_are_imported():
    root = calculator(definition(["x", ["sqrt", ["ln", "n"]]], x="1", n="count"))
    assert Ran(root.code(solve_for="x", x=1.0, n=8.0)).value.startswith("1.442")  # ln 8 = 2.0794, its root 1.4420


def asked(**more):
    inputs = {"M": "2 GB", "solve_for": "T"}
    return json.loads(answer(json.dumps({"id": 1, "lab": "engineering", "inputs": inputs, "numbers": True} | more)))


def test_a_request_may_bring_its_equation():
    given = definition(["t", ["/", "M", "B"]], t="s", M="byte", B="byte/s")
    reply = asked(equation=given, inputs={"M": "2 GB", "B": "4 GB/s"})
    assert metrics(reply["frame"])["t"] == 0.5
    assert "t = M / B" in reply["html"]
    assert metrics(asked()["frame"])["T"] == pytest.approx(62 * (5e-6 + 2e9 / (32 * 1e11)))


def test_an_equation_that_is_none_is_a_refusal():
    for wrong in (None, [], "T = __import__('os')", definition(["t", ["eval", "M"]], t="s", M="byte")):
        reply = asked(equation=wrong)
        assert (reply["ok"], reply["control"]) == (False, None)
        assert reply["message"].startswith("expected ")


def test_other_labs_take_no_equation():
    assert json.loads(answer(json.dumps({"lab": "network", "inputs": {}, "equation": None})))["ok"]

