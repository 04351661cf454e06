"""The equations of cards as calculators, and the reasons of those that stay text."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from labs.answer import answer, answered_frame
from labs.parts.engineering.definition import Definition
from macros.cards.load import load_cards
from macros.cards.types import Card
from macros.pages.equations import AsText, card_equations, equation_labs
from tests.labs.views.heads import repeated
from tests.macros.pages.sample import full_card

OURS = load_cards([Path(__file__).parents[3] / "cards"]).cards
UNITS = {
    "T": "s", "M": "byte", "B": "byte/s", "p": "count", "α": "s/step", "F": "FLOP", "R": "FLOP/s", "N": "parameters",
    "η": "ratio", "u": "%", "E": "J", "I": "FLOP²", "λ": "s", "b": "bit/s", "in": "s", "n": "count",
    "T_x": "s", "T_comm": "ms", "T_comp": "ms", "6": "FLOP",
}  # fmt: skip


def card(equation, *symbols, explanation="In words.", latex=None, values=None):
    rows = [
        {"symbol": one, "meaning": f"What {one} is", "unit": UNITS[one], "value": (values or {}).get(one)}
        for one in symbols
    ]
    entry = {"title": "Title", "equation": equation, "explanation": explanation, "assumptions": "As it is.",
             "latex": latex, "symbols": rows}  # fmt: skip
    return Card.model_validate(full_card(science=[entry]))


def only(*given, **more):
    (found,) = card_equations(card(*given, **more))
    return found


def solved(data, lab, name, **inputs):
    frame = lab.frame(**lab.LAB.defaults() | {"solve_for": name} | inputs)
    return frame["metrics"][0]["value"]


@pytest.mark.parametrize("id", OURS)
def test_every_equation_of_our_cards_is_computed(id):
    found = card_equations(OURS[id])
    assert {one.title: one.reason for one in found if isinstance(one, AsText)} == {}
    assert len(found) >= len(OURS[id].science) - 1  # what two entries state is computed once


def test_how_many_there_are():
    assert {id: len(equation_labs(one)) for id, one in OURS.items()} == {
        "nccl": 3, "parallelism": 4, "parallelism-communication-budget": 3, "training-memory-state": 6
    }  # fmt: skip


@pytest.mark.parametrize("id", OURS)
def test_each_is_solved_for_each_symbol_and_comes_back(id):
    for data, lab in equation_labs(OURS[id]):
        defaults = lab.LAB.defaults()
        for symbol in data["symbols"]:
            assert solved(data, lab, symbol["name"]) == pytest.approx(defaults[symbol["name"]], rel=1e-9), data["title"]


@pytest.mark.parametrize("id", OURS)
def test_the_ends_of_every_slider_are_answered(id):
    for _, lab in equation_labs(OURS[id]):
        choice, *controls = lab.LAB.controls
        for name in choice.values:
            for control in controls:
                for end in (control.stops[0], control.stops[-1]):
                    given = lab.LAB.defaults() | {"solve_for": name, control.name: end}
                    assert len(answered_frame(lab, given)["html"]) < 60_000
        assert all(len(control.label) <= 45 for control in lab.LAB.controls)


@pytest.mark.parametrize("id", OURS)
def test_no_two_fields_of_a_calculator_are_called_the_same(id):
    for data, lab in equation_labs(OURS[id]):
        labels = [control.label for control in lab.LAB.controls]
        assert len(set(labels)) == len(labels), data["title"]


@pytest.mark.parametrize("id", OURS)
def test_no_two_heads_of_a_calculators_numbers_are_the_same(id):
    for data, lab in equation_labs(OURS[id]):
        for name in lab.LAB.controls[0].values:
            given = lab.LAB.defaults() | {"solve_for": name}
            assert repeated(lab.LAB, given, lab.frame(**given)) == [], data["title"]


def by_title(id):
    return {data["title"]: (data, lab) for data, lab in equation_labs(OURS[id])}


def test_the_ring_starts_at_the_cards_example():
    data, lab = by_title("parallelism-communication-budget")["Ideal ring all-reduce"]
    assert lab.LAB.defaults() == {
        "solve_for": "T", "T": 0.019685, "p": 32, "alpha": 5e-6, "M": 1e9, "B": 1e11
    }  # fmt: skip
    assert solved(data, lab, "M", T=62 * 161.25e-6) == pytest.approx(0.5e9)  # half of the payload's 312.5 µs


def test_states_of_the_zero_paper():
    # Rajbhandari et al., figure 1: 7.5 billion parameters, 64 ranks, K = 12: 120 GB, 31.4 GB, 16.6 GB, 1.9 GB
    stages = by_title("training-memory-state")
    found = [
        solved(*stages[f"Model state per device, by ZeRO stage: M{stage}"], f"M{number}") / 1e9
        for number, stage in enumerate("₀₁₂₃")
    ]
    assert [round(one, 1) for one in found] == [120, 31.4, 16.6, 1.9]


def test_activations_of_a_layer_of_gpt_3():
    # Korthikanti et al., 34 s b h + 5 a b s²: numbers that carry bytes have rows of their own
    data, lab = by_title("training-memory-state")["Activations of one transformer layer"]
    assert solved(data, lab, "A") == 34 * 2048 * 12288 + 5 * 96 * 2048**2


def test_the_bubble_of_both_ratios_is_one():
    found = by_title("parallelism")
    for number in (1, 2):
        data, lab = found[f"The pipeline bubble, two ratios: {number} of 2"]
        assert solved(data, lab, "t_bubble") == pytest.approx(7 / 32)  # (8 − 1) / 32 of a second
        assert solved(data, lab, "m", t_bubble=7 / 16) == pytest.approx(16)


def test_the_page_can_send_a_definition_and_gets_the_same_frame():
    for data, lab in equation_labs(OURS["training-memory-state"]):
        request = {"id": 1, "lab": "engineering", "equation": json.loads(json.dumps(data)), "inputs": {}}
        assert json.loads(answer(json.dumps(request)))["html"] == answered_frame(lab, lab.LAB.defaults())["html"]


def test_units_that_the_explanation_tells_and_one_that_follows():
    found = only(
        "Tcomm ≈ n α + Q / Beff",
        explanation="n is latency-bearing phases, α seconds/phase, Q transferred bytes and Beff useful bytes/s for the "
        "chosen algorithm and topology.",
    )
    assert isinstance(found, Definition)
    assert {one.symbol: one.unit for one in found.symbols} == {
        "Tcomm": "s", "n": "1", "α": "s", "Q": "byte", "Beff": "byte/s"
    }  # fmt: skip
    assert (found.solve_for, found.approximate, found.kind()) == ("Tcomm", True, "a time in s")
    assert found.assumptions == (
        "As it is. The units are those of the explanation; that of Tcomm follows from the equation."
    )
    values = {"n": 4.0, "alpha": 5e-6, "Q": 100e6, "Beff": 50e9}
    ((data, lab),) = equation_labs(card(found.equation.replace("·", " "), explanation="n phases, α seconds/phase, Q "
                                        "bytes and Beff bytes/s."))  # fmt: skip
    assert solved(data, lab, "Tcomm", **values) == pytest.approx(2.02e-3)  # 4 · 5 µs + 100 MB / 50 GB/s


@pytest.mark.parametrize(
    ("equation", "symbols", "reason"),
    [
        ("The time is the payload over the bandwidth.", "TMB", "it is a sentence"),
        ("T = M/B(1 + p)", "TMBp", "it can be read in two ways"),
        ("T = α(p)", "Tαp", "α(p) may be a function or a product"),
        ("T ≥ M / B", "TMB", "≥ is no equals sign"),
        ("T ∝ M / B", "TMB", "∝ is no equals sign"),
        ("M / B + α", "MBα", "it has no equals sign"),
        ("T = M / V*", "TM", "V has no row with its unit"),
        ("T = M / B", "TM", "B has no row with its unit"),
        ("T = M / B", "", "T has no row with its unit"),
        ("T = E", "TE", "the unit J of E is not known"),
        ("u = T / α", "uTα", "u in % may be meant as a share or as hundredths"),
        ("I = F F", "IF", "no field takes FLOP², the unit of I"),
        ("T = 8 M / b", "TMb", "b is in bit/s, and a number in the equation may convert it"),
        ("M = 16 N", "MN",
         "its units do not fit: expected sides of one kind, found a size in byte and a plain number; if 16 is in byte, "
         'give it a row {"symbol": "16", "unit": "byte", …} among the symbols'),
        ("F = 6 N p", "FNp",
         "its units do not fit: expected sides of one kind, found an amount of work in FLOP and a plain number; if 6 "
         'is in FLOP, give it a row {"symbol": "6", "unit": "FLOP", …} among the symbols'),
        ("η = 6·N·p/(T·n·R)", "ηNpTnR",
         "its units do not fit: expected sides of one kind, found a plain number and a quantity in FLOP^-1; if 6 is in "
         'FLOP, give it a row {"symbol": "6", "unit": "FLOP", …} among the symbols'),
        ("T = 2 M", "TM", "its units do not fit: expected sides of one kind, found a time in s and a size in byte"),
        ("T = α + M", "TαM",
         "its units do not fit: expected quantities of one kind around +, found a time in s and a size in byte"),
        ("2 = 1 + 1", "", "it has no symbols"),
        ("T = α · (1/(1 − 1))", "Tα", "it would be divided by 0"),
    ],
)  # fmt: skip
def test_what_is_not_computed_has_its_reason(equation, symbols, reason):
    found = only(equation, *symbols)
    assert found == AsText("Title", equation, reason)
    assert equation_labs(card(equation, *symbols)) == ()


@pytest.mark.parametrize(
    ("latex", "equation"),
    [
        (r"T = \frac{M}{pB}", "T = M / (p · B)"),
        (r"T = \lceil \log_2 p \rceil \left(\alpha + \frac{M}{B}\right)", "T = ceil(log₂(p)) · (α + M / B)"),
        (r"T = \sqrt{\alpha \frac{M}{B}}", "T = √(α · (M / B))"),
        (r"T = \max\left(\frac{F}{R}, \frac{M}{B}\right)", "T = max(F / R, M / B)"),
        (r"\eta = 2^{-p}", "η = 2^(−p)"),
        (r"T \approx \tfrac{1}{2}\,\alpha\cdot p^{2}", "T ≈ (1 / 2) · α · p^2"),
    ],
)
def test_tex_is_read(latex, equation):
    found = only("In words.", "T", "M", "p", "B", "α", "F", "R", "η", latex=latex)
    assert isinstance(found, Definition) and found.equation == equation


def test_0_is_of_every_kind():
    ((data, lab),) = equation_labs(card("T_x = max(0, T_comm − T_comp)", "T_x", "T_comm", "T_comp"))
    assert solved(data, lab, "T_x", T_comm=5e-3, T_comp=3e-3) == pytest.approx(2e-3)
    assert solved(data, lab, "T_x", T_comm=3e-3, T_comp=5e-3) == 0
    assert isinstance(only("0 = T − M / B", "T", "M", "B"), Definition)


def test_the_row_that_a_reason_asks_for_mends_it():
    # PaLM (Chowdhery et al. 2022, appendix B) without its attention: 6 FLOP for each parameter and token
    ((data, lab),) = equation_labs(card("F = 6 N p", "F", "N", "p", "6"))
    assert solved(data, lab, "F", N=1e9, p=1e6) == 6e15
    ((data, lab),) = equation_labs(card("η = 6·N·p/(T·n·R)", *"ηNpTnR", "6"))
    assert solved(data, lab, "eta", N=1e9, p=1e6, T=10.0, n=2.0, R=1e15) == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("equation", "read"),
    [
        ("η = α/T/p", "η = (α / T) / p"),
        ("η = α / T / p / N", "η = ((α / T) / p) / N"),
        ("η = 2(p − 1)/p/N", "η = (2 · (p − 1) / p) / N"),
        ("η = p · α / T / N", "η = p · (α / T) / N"),
        ("η = N^p^2", "η = N^(p^2)"),
        ("η = N^(p^2)^N", "η = N^((p^2)^N)"),
    ],
)
def test_chains_have_the_one_reading_that_everybody_gives_them(equation, read):
    found = only(equation, "η", "α", "T", "p", "N")
    assert isinstance(found, Definition), found
    assert found.equation == read


def test_chains_that_have_two_readings_stay_text():
    for equation in ("η = α/T/p N", "η = α/T/p(1 + N)", "η = √α/T/p", "η = log p/N/N", "η = 2^-p/N/N", "η = ln p/N/N"):
        assert only(equation, "η", "α", "T", "p", "N").reason == "it can be read in two ways"


def test_where_tex_can_not_be_computed_the_text_may():
    found = only("T = p α", "T", "p", "α", latex=r"T = \sum_{i=1}^{p} \alpha")
    assert isinstance(found, Definition) and found.equation == "T = p · α"
    assert only("Added up.", "T", "p", "α", latex=r"T = \sum_{i=1}^{p} \alpha").reason == r"\sum is not computed"


def test_a_roofline_has_its_intensity():
    units = {"R": "FLOP/s", "R_peak": "FLOP/s", "I": "FLOP/byte", "B": "byte/s"}
    rows = [{"symbol": symbol, "meaning": "Meaning", "unit": unit} for symbol, unit in units.items()]
    entry = {"title": "Title", "equation": "R = min(R_peak, I · B)", "explanation": "x", "assumptions": "x",
             "symbols": rows}  # fmt: skip
    ((data, lab),) = equation_labs(Card.model_validate(full_card(science=[entry])))
    values = {"R_peak": 1e15, "B": 3e12}
    assert solved(data, lab, "R", I=100.0, **values) == 300e12
    assert solved(data, lab, "R", I=1000.0, **values) == 1e15
    assert solved(data, lab, "I", R=300e12, **values) == pytest.approx(100)
    assert solved(data, lab, "I", R=1e15, **values) is None  # every intensity above the ridge gives the peak


@pytest.mark.parametrize(
    "equation",
    ["T = 1e999 α", f"T = {' + '.join(['α'] * 300)}", f"T = {'2 (' * 30}α{')' * 30}", "T = 10^10^10 α",
     f"T = α^{'9' * 400}"],
)  # fmt: skip
def test_what_is_too_large_stays_text(equation):
    found = only(equation, "T", "α")
    assert isinstance(found, AsText) and found.reason


marks = st.text("TαMBpη=≈≤+−-·*×/÷^()[]{}_\\\\,;.|√⌈⌉⌊⌋²⁻₀0123456789 eE…±%\n", max_size=40)


@given(st.builds("{} = {}".format, marks, marks), marks)
@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_is_written_is_computed_or_has_a_reason(equation, explanation):
    try:
        given_card = card(equation, *"TαMBpη", explanation=f"x {explanation}")
    except ValueError:  # no line of a card
        return
    for one in card_equations(given_card):
        assert isinstance(one, Definition) or one.reason
    for _, lab in equation_labs(given_card):
        answered_frame(lab, lab.LAB.defaults())


def test_several_equations_of_one_entry_are_told_apart():
    found = card_equations(card("η = T / α; T = M / B", "T", "α", "M", "B", "η"))
    assert [one.title for one in found] == ["Title: η", "Title: T"]
    twice = card_equations(card("T = p α; T = M / B", "T", "α", "M", "B", "p"))
    assert [one.title for one in twice] == ["Title: 1 of 2", "Title: 2 of 2"]


def test_names_are_python_and_unlike():
    found = only("x", "λ", "in", latex=r"\lambda = in")
    assert [one.name for one in found.symbols] == ["lambda_", "in_"]


def test_a_field_starts_at_its_value_or_at_a_round_one():
    found = only("T = p α + M / B", "T", "p", "α", "M", "B", values={"M": "2 GB", "p": 3})
    assert {one.name: one.default for one in found.symbols} == {
        "T": pytest.approx(3 * 5e-6 + 2e9 / 1e11), "p": 3, "alpha": 5e-6, "M": 2e9, "B": 1e11
    }  # fmt: skip
