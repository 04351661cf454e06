import pytest

from macros.cards.amounts import amounts


def read(sentence):
    return [(amount.text, {reading.base: reading.value for reading in amount.readings}) for amount in amounts(sentence)]


# Values from the SI brochure (k 1e3, M 1e6, G 1e9, µ 1e-6, m 1e-3), IEC 80000-13 (Mi 2**20) and 8 bits a byte.
@pytest.mark.parametrize(
    ("sentence", "text", "readings"),
    [
        ("It takes 2.02 ms.", "2.02 ms", {"s": 2.02e-3}),
        ("It takes 2.02ms.", "2.02ms", {"s": 2.02e-3}),
        ("at 5 \u00b5s", "5 µs", {"s": 5e-6}),
        ("at 5 \u03bcs", "5 µs", {"s": 5e-6}),
        ("at 5\u00a0us", "5\u00a0us", {"s": 5e-6}),
        ("with 100 MB", "100 MB", {"byte": 1e8}),
        ("with 64 MiB/rank", "64 MiB", {"byte": 64 * 2**20}),
        ("at 50 GB/s", "50 GB/s", {"byte/s": 5e10}),
        ("at 400 Gb/s", "400 Gb/s", {"byte/s": 5e10}),
        ("of 8,192 samples", "8,192", {"1": 8192}),
        ("of 8\u202f192 samples", "8\u202f192", {"1": 8192}),
        ("10^9 bytes", "10^9 bytes", {"byte": 1e9}),
        ("10⁻³ s", "10⁻³ s", {"s": 1e-3}),
        ("2^30 byte", "2^30 byte", {"byte": 2**30}),
        ("3.5 × 10^8 FLOP/s", "3.5 × 10^8 FLOP/s", {"FLOP/s": 3.5e8}),
        ("1.5e-6 s", "1.5e-6 s", {"s": 1.5e-6}),
        (".5 s", ".5 s", {"s": 0.5}),
        ("between -3 and it", "-3", {"1": -3}),
        ("(−4)", "−4", {"1": -4}),
        ("a share of 12.5 %", "12.5 %", {"1": 0.125}),
        ("a 4-way split", "4", {"1": 4}),
        ("16× faster", "16", {"1": 16}),
        ("32k tokens", "32k", {"1": 32_000}),
        ("70B parameters", "70B", {"byte": 70, "1": 70e9}),
        ("p=5.", "5", {"1": 5}),
    ],
)
def test_a_number_is_read_with_its_unit(sentence, text, readings):
    found = read(sentence)
    assert [entry for entry, _ in found] == [text]
    assert found[0][1] == pytest.approx(readings, rel=1e-12)


@pytest.mark.parametrize(
    "sentence", ["", "four phases", "H100, A100s", "ZeRO-3", "v4", "FP16", "Llama-3.1", "3D", "x2"]
)
def test_digits_of_a_name_are_no_number(sentence):
    assert amounts(sentence) == ()


def test_every_number_of_a_sentence_is_found():
    sentence = "Four phases of 5 μs, 100 MB at 50 GB/s: 2.02 ms; 8×16×64, 1/2 and 1,2,3."
    texts = ["5 µs", "100 MB", "50 GB/s", "2.02 ms", "8", "16", "64", "1", "2", "1", "2", "3"]
    assert [amount.text for amount in amounts(sentence)] == texts


@pytest.mark.parametrize("sentence", ["5 and 10 ms", "5 to 10 ms", "5–10 ms", "5, 10 ms"])
def test_two_numbers_may_share_a_unit(sentence):
    assert [entry["s"] for _, entry in read(sentence)] == pytest.approx([5e-3, 10e-3])


def test_places_count_characters_of_the_sentence():
    sentence = "µ: 2.02 ms"
    (amount,) = amounts(sentence)
    assert sentence[amount.start : amount.end] == "2.02 ms"


# Half of the last digit that is written.
@pytest.mark.parametrize(
    ("text", "half"), [("8192", 0.5), ("2.02", 0.005), ("2.0e3", 50), ("1e9", 5e8), ("10^9", 0.5), ("2 ms", 5e-4)]
)
def test_the_last_digit_tells_the_precision(text, half):
    assert amounts(text)[0].readings[0].half == pytest.approx(half)


@pytest.mark.parametrize("text", ["9" * 5000, "1e999999999", "0^-1", "9^99999", "1e-999999999 s"])
def test_numbers_beyond_floats_are_no_error(text):
    assert len(amounts(text)) == 1
