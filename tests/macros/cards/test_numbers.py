"""Expected values: T = n α + Q / B by hand. 3 × 10 µs + 200 MB / (25 GB/s) = 0.03 ms + 8 ms = 8.03 ms."""

from decimal import Decimal

import pytest

from macros.cards.numbers import checked, number_findings
from macros.cards.types import Card

SENTENCE = "Three trips of 10 µs each with 200 MB at 25 GB/s take 8.03 ms."
CALL = "coarse_communication_time(phases=3, latency=10 µs, payload=200 MB, bandwidth=25 GB/s)"


def findings(card):
    return [(finding.at[2:], finding.message) for finding in number_findings(Card.model_validate(card))]


def with_sentence(card, sentence, **states):
    card["engineeringExample"] = card["examples"][0]["sentence"] = sentence
    card["examples"][0]["states"] |= states
    return card


def test_a_number_that_the_model_gives_is_checked(ferry):
    (example,) = checked(Card.model_validate(ferry))
    assert (example.index, example.field, example.pointer) == (0, "engineering_example", "/engineeringExample")
    assert example.sentence == SENTENCE
    assert example.sentence[example.start : example.end] == "8.03 ms"
    assert example.call == CALL
    assert example.value == pytest.approx(8.03e-3)
    assert (example.unit, example.shown) == ("s", "8.03 ms")


@pytest.mark.parametrize(
    ("place", "field", "pointer"),
    [
        (("description",), "description", "/description"),
        (("whyAI",), "why_ai", "/whyAI"),
        (("mechanism", 1), "mechanism.1", "/mechanism/1"),
        (("science", 0, "explanation"), "science.0.explanation", "/science/0/explanation"),
        (("specs", 0, "context"), "specs.0.context", "/specs/0/context"),
        (("check", "explanation"), "check.explanation", "/check/explanation"),
    ],
)
def test_the_sentence_may_stand_in_any_prose(place, field, pointer, ferry):
    ferry["engineeringExample"] = "Elsewhere."
    ferry["mechanism"] = ["One.", "Two."]
    holder = ferry
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = f"Before. {SENTENCE}\n\nAfter."
    (example,) = checked(Card.model_validate(ferry))
    assert (example.field, example.pointer) == (field, pointer)


# 2.02 means from 2.015 to 2.025: the value is 8.03 ms.
@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        ("8", "ms", "8 ms"),
        ("8.0", "ms", "8.0 ms"),
        ("8.030", "ms", "8.030 ms"),
        ("8030", "µs", "8,030 µs"),
        ("0.00803", "s", "0.00803 s"),
        ("8.03", "ms", "8.03 milliseconds"),
        ("8.03", "milliseconds", "8.03 milliseconds"),
    ],
)
def test_a_value_is_right_to_its_last_digit(value, unit, text, ferry):
    with_sentence(ferry, SENTENCE.replace("8.03 ms", text), value=Decimal(value), unit=unit)
    assert findings(ferry) == []


@pytest.mark.parametrize(
    ("value", "rounded"),
    [("8.02", "8.03"), ("8.04", "8.03"), ("7", "8"), ("9", "8"), ("8.1", "8.0"), ("8.031", "8.030"), ("0", "8")],
)
def test_a_wrong_value_is_told_with_both_numbers(value, rounded, ferry):
    with_sentence(ferry, SENTENCE.replace("8.03", value), value=Decimal(value))
    message = f"expected {rounded} ms as the model gives (8.03 ms from {CALL}), found {value} ms"
    assert findings(ferry) == [(("states", "value"), message)]


def test_equal_values_in_other_units_are_equal(ferry):
    with_sentence(ferry, "Three trips of 0.01 ms with 0.2 GB at 25000 MB/s take 8030 \u03bcs.")
    assert findings(ferry) == []


def test_both_micro_signs_are_one_in_sentence_and_prose(ferry):
    ferry["engineeringExample"] = SENTENCE.replace("\u00b5", "\u03bc")
    ferry["examples"][0]["inputs"]["latency"] = "10 \u03bcs"
    (example,) = checked(Card.model_validate(ferry))
    assert example.sentence == ferry["engineeringExample"]


def test_a_count_has_no_unit(ferry):
    # 8 × 16 × 64 = 8192
    ferry["examples"][0] |= {
        "call": "global_batch",
        "inputs": {"microbatch": 8, "accumulation": 16, "data_parallel": 64},
        "states": {"value": 8192},
    }
    with_sentence(ferry, "A microbatch of 8, 16 steps and 64 replicas make 8,192 samples.")
    assert findings(ferry) == []
    (example,) = checked(Card.model_validate(ferry))
    assert example.call == "global_batch(microbatch=8, accumulation=16, data_parallel=64)"
    assert (example.value, example.shown) == (8192, "8192")
    ferry["examples"][0]["states"]["value"] = 8193
    assert (
        ("states", "value"),
        f"expected 8192 as the model gives (8192 from {example.call}), found 8193",
    ) in findings(ferry)


def test_a_field_of_a_record_can_be_stated(ferry):
    # A ring of 2: 2 (2 − 1) (α + M / (2 B)) = 2 (10 µs + 200 MB / (50 GB/s)) = 8.02 ms
    ferry["examples"][0] |= {
        "call": "ring_all_reduce",
        "inputs": {"ranks": 2, "latency": 10e-6, "payload": 200_000_000, "bandwidth": "25 GB/s"},
        "states": {"value": 8.02, "unit": "ms", "field": "time"},
    }
    ferry["examples"][0]["inputs"]["latency"] = Decimal("10e-6")
    ferry["examples"][0]["states"]["value"] = Decimal("8.02")
    with_sentence(ferry, "Two ranks need 8.02 ms.")
    assert findings(ferry) == []
    (example,) = checked(Card.model_validate(ferry))
    assert example.call == "ring_all_reduce(ranks=2, latency=10 µs, payload=200 MB, bandwidth=25 GB/s).time"


def test_where_no_number_comes_out_it_is_told(ferry):
    # One rank sends nothing in no time: there is no bandwidth.
    ferry["examples"][0] |= {
        "call": "ring_all_reduce",
        "inputs": {"ranks": 1, "latency": "1 s", "payload": "1 GB", "bandwidth": "1 GB/s"},
        "states": {"value": Decimal("0"), "unit": "GB/s", "field": "bus_bandwidth"},
    }
    with_sentence(ferry, "No bandwidth: 0 GB/s.")
    message = "expected a call that gives a number, found that ring_all_reduce.bus_bandwidth gives none here"
    assert findings(ferry) == [(("call",), message)]


def test_two_wrong_inputs_are_told_at_once(ferry):
    ferry["examples"][0]["inputs"] |= {"latency": "10 GB", "payload": "5 s"}
    assert [at for at, _ in findings(ferry)] == [("inputs", "latency"), ("inputs", "payload")]


def test_prose_that_changes_by_a_number_shows_both(ferry):
    ferry["engineeringExample"] = SENTENCE.replace("8.03", "8.30")
    ((at, message),) = findings(ferry)
    assert at == ("sentence",)
    assert "8.03 ms" in message.partition(", found ")[0]
    assert "8.30 ms" in message.partition(", found ")[2]
    (finding,) = number_findings(Card.model_validate(ferry))
    assert finding.hint == f"the model gives 8.03 ms from {CALL}"
    assert SENTENCE[finding.character :].startswith("8.03 ms")


def test_a_card_that_is_not_whole_is_not_told_of_prose_it_lacks(ferry):
    ferry["engineeringExample"] = "?"
    assert number_findings(Card.model_validate(ferry), whole=False) == ()


@pytest.mark.parametrize(
    ("prose", "found"),
    [
        (
            f"Before it: {SENTENCE[0].lower()}{SENTENCE[1:-1]}, and more behind it.",
            "three trips of 10 µs each with 2…",
        ),
        (f"Some words. {SENTENCE.replace('Three', 'Four')} More.", "Four trips of 10 µs each with 20…"),
        (SENTENCE.replace(" each", ""), "Three trips of 10 µs with 200 MB at 25 GB/s take 8.03…"),
    ],
)
def test_the_piece_of_the_prose_that_comes_nearest_is_shown(prose, found, ferry):
    ferry["engineeringExample"] = prose
    ((_, message),) = findings(ferry)
    assert message.endswith(f', found "{found}"')


@pytest.mark.parametrize(
    ("latency", "text"), [("10e-6", "10 µs"), ("0.00001", "10 µs"), ("1e-5 s", "1e-5 s"), (Decimal("1e-5"), "10 µs")]
)
def test_an_input_without_a_unit_is_shown_with_one(latency, text, ferry):
    ferry["examples"][0]["inputs"]["latency"] = latency
    (example,) = checked(Card.model_validate(ferry))
    assert f"latency={text}," in example.call


# (p - 1) / (m + p - 1) = 7 / 39 = 17.949 %
@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("17.9 %", "17.9", "%"),
        ("17.95%", "17.95", "%"),
        ("18 percent", "18", "percent"),
        ("18 per cent", "0.18", "1"),
        ("18 %", "0.18", "1"),
        ("0.179", "17.9", "%"),
    ],
)
def test_a_share_is_stated_as_such_or_in_percent(text, value, unit, ferry):
    ferry["examples"][0] |= {"call": "bubble_share", "inputs": {"stages": 8, "microbatches": 32}}
    with_sentence(ferry, f"With 8 stages and 32 microbatches, {text} of the step is a bubble.", value=Decimal(value))
    ferry["examples"][0]["states"]["unit"] = unit
    assert findings(ferry) == []
    (example,) = checked(Card.model_validate(ferry))
    assert example.value == pytest.approx(7 / 39)
    assert example.sentence[example.start : example.end] == text


def test_a_wrong_percentage_is_told_in_percent(ferry):
    ferry["examples"][0] |= {"call": "bubble_share", "inputs": {"stages": 8, "microbatches": 32}}
    with_sentence(ferry, "With 8 stages and 32 microbatches, 20 % is a bubble.", value=Decimal(20), unit="%")
    call = "bubble_share(stages=8, microbatches=32)"
    message = f"expected 18 % as the model gives (0.17949 from {call}), found 20 %"
    assert findings(ferry) == [(("states", "value"), message)]


def test_a_decimal_comma_is_named(ferry):
    sentence = SENTENCE.replace("8.03 ms", "8,03 ms")
    ferry["engineeringExample"] = ferry["examples"][0]["sentence"] = sentence
    (finding,) = number_findings(Card.model_validate(ferry))
    assert finding.message == "expected the stated value, 8.03 ms, found 8,03"
    assert finding.hint == 'is "8,03" 8.03? A number is written with a point'
    assert finding.character == sentence.index("8,03")


def test_what_is_counted_may_stand_behind_a_stated_count(ferry):
    # 8 × 16 × 64 = 8192
    ferry["examples"][0] |= {
        "call": "global_batch",
        "inputs": {"microbatch": 8, "accumulation": 16, "data_parallel": 64},
        "states": {"value": 8192, "unit": "samples"},
    }
    with_sentence(ferry, "A microbatch of 8, 16 steps and 64 replicas make 8,192 samples.")
    assert findings(ferry) == []
    (example,) = checked(Card.model_validate(ferry))
    assert (example.value, example.shown) == (8192, "8192 samples")
    ferry["examples"][0]["states"]["value"] = 8193
    assert any("expected 8192 samples as the model gives" in message for _, message in findings(ferry))


def test_a_value_a_thousand_times_off_is_told_with_digits(ferry):
    with_sentence(ferry, SENTENCE.replace("8.03 ms", "8 s"), value=Decimal(8), unit="s")
    message = f"expected 0.00803 s as the model gives (8.03 ms from {CALL}), found 8 s"
    assert (("states", "value"), message) in findings(ferry)


def test_an_intensity_is_stated_in_its_unit(ferry):
    # 989e12 / 3.35e12 = 295.2
    ferry["examples"][0] |= {
        "call": "critical_intensity",
        "inputs": {"compute": "989 TFLOP/s", "bandwidth": "3.35 TB/s"},
    }
    sentence = "At 989 TFLOP/s and 3.35 TB/s the critical intensity is 295 FLOP/byte."
    assert findings(with_sentence(ferry, sentence, value=295, unit="FLOP/byte")) == []
