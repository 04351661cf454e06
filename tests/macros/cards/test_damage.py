"""Whatever is done to a card, the loader says what is wrong and where, and never fails itself."""

import json
import random
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from macros.cards.load import load_cards

FERRY = Path(__file__).parent / "ferry.json"
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(),
    st.just("TODO:"),
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)
)


def nodes(value, at=()):
    yield at
    for key, part in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from nodes(part, (*at, key))


def mutate(data, at, how, value):
    if not at:
        return value
    holder = data
    for key in at[:-1]:
        holder = holder[key]
    if how == "delete":
        del holder[at[-1]]
    elif how == "rename" and isinstance(holder, dict):
        holder[str(value)] = holder.pop(at[-1])
    elif how == "twice" and isinstance(holder, list):
        holder.append(holder[at[-1]])
    else:
        holder[at[-1]] = value
    return data


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_any_change_gives_problems_with_a_place_and_never_a_traceback(tmp_path_factory, data):
    card = json.loads((FERRY).read_text(encoding="utf-8"))
    card |= {"history": [{"year": 1, "title": "t", "description": "d"}], "checks": [card["check"]], "labId": "ring"}
    for _ in range(data.draw(st.integers(1, 3))):
        if isinstance(card, dict | list) and card:
            at = data.draw(st.sampled_from(list(nodes(card))))
            how = data.draw(st.sampled_from(["delete", "rename", "replace", "twice"]))
            card = mutate(card, at, how, data.draw(VALUES))
    text = json.dumps(card, ensure_ascii=data.draw(st.booleans()), indent=data.draw(st.sampled_from([None, 2])))
    folder = tmp_path_factory.mktemp("cards")
    file = folder / "ferry.json"
    file.write_text(text, encoding="utf-8", newline="")
    assert_placed(load_cards([folder], labs=["ring"], figures=[]), text)


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(), cuts=st.integers(1, 4))
def test_any_damage_to_the_text_gives_problems_with_a_place(tmp_path_factory, seed, cuts):
    source = (FERRY).read_text(encoding="utf-8")
    generator = random.Random(seed)
    text = source
    for _ in range(cuts):
        start = generator.randrange(len(text))
        text = (
            text[:start] + generator.choice(['"', ",", "}", "]", "\\", "\n", "//", "'", "NaN", ""]) + text[start + 1 :]
        )
    folder = tmp_path_factory.mktemp("cards")
    (folder / "ferry.json").write_text(text, encoding="utf-8", newline="")
    assert_placed(load_cards([folder], labs=[], figures=[]), text)


def assert_placed(library, text):
    lines = text.split("\n")
    for problem in library.problems:
        assert 1 <= problem.line <= len(lines)
        assert 1 <= problem.column <= len(lines[problem.line - 1]) + 1
        assert problem.message.startswith("expected ")
        assert ", found " in problem.message
        assert "\n" not in problem.text().partition("\n  hint: ")[0]
        assert "\n" not in problem.annotation()
    if not library.problems:
        assert list(library.cards) == ["ferry"]
