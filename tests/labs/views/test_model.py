"""The diagram of a transformer: matrices to proportion, cut as they are split, crossings at their places."""

import re
from typing import Any
from xml.etree import ElementTree

import pytest

from labs.views.chart import KINDS, chart_html
from labs.views.drawing import COLOURS, FONT
from labs.views.model import model_picture
from labs.views.words import TYPE
from tests.labs.views.diagrams import DENSE, GATED, LATENT, MIXTURE, MODELS, PLACES, TIED, arrow, busy, diagram
from tests.labs.views.drawn import SVG, clashes, figure, finite, picture

BUSY = busy()


def group(series: dict[str, Any], name: str) -> ElementTree.Element:
    (found,) = [g for g in picture(series).iter(f"{SVG}g") if g.get("data-box") == name]
    return found


def outline(series: dict[str, Any], name: str) -> tuple[float, float]:
    """Return how wide and how high a matrix is drawn."""
    rect = group(series, name).find(f"{SVG}rect")
    assert rect is not None
    return float(rect.attrib["width"]), float(rect.attrib["height"])


def hatched(series: dict[str, Any], name: str, colour: str) -> list[dict[str, str]]:
    rects = group(series, name).findall(f"{SVG}rect")
    return [rect.attrib for rect in rects if rect.get("stroke") == COLOURS[colour]]


def lines(series: dict[str, Any], name: str, colour: str) -> int:
    """Return how many lines stand between parts: they are the dashes of one thick line."""
    paths = [path.attrib for path in group(series, name).findall(f"{SVG}path")]
    return sum(dashes(path) for path in paths if path.get("stroke") == COLOURS[colour])


def dashes(path: dict[str, str]) -> int:
    """Return how many dashes a path of level or upright lines has."""
    if "stroke-dasharray" not in path:
        return 0
    dash, gap = map(float, path["stroke-dasharray"].split())
    lengths = [float(run) for run in re.findall(r"[vh]([\d.]+)", path["d"])]
    return sum(round((length + gap) / (dash + gap)) for length in lengths)


def arrows(series: dict[str, Any]) -> list[str]:
    return [g.attrib["data-arrow"] for g in picture(series).iter(f"{SVG}g") if g.get("data-arrow")]


@pytest.mark.parametrize("model", [DENSE, GATED, TIED, MIXTURE], ids=lambda model: model.name)
def test_matrices_of_the_layer_are_as_high_as_their_outputs_and_as_wide_as_their_inputs(model: Any) -> None:
    series = diagram(model)
    shapes = {box["name"]: box["shape"] for box in series["boxes"] if box["block"] in ("attention", "mlp")}
    if model.experts:
        shapes |= {box["name"]: box["shape"] for box in series["boxes"] if box["experts"]}
    scales = set()
    for name, (outputs, inputs) in shapes.items():
        wide, high = outline(series, name)
        assert wide / high == pytest.approx(inputs / outputs, rel=0.05)  # lengths are written to a tenth
        scales.add(round(wide / inputs * model.hidden))
    assert len(scales) == 1


def test_the_vocabulary_is_cut_short_and_says_so_by_its_tear() -> None:
    series = diagram(GATED)
    wide, high = outline(series, "embedding.tokens")
    assert high < wide * 128256 / 16384
    assert len(group(series, "embedding.tokens").findall(f"{SVG}path")) == 3
    assert group(series, "attention.output").findall(f"{SVG}path") == []


def test_columns_are_cut_across_rows_are_cut_along_and_one_part_is_the_devices() -> None:
    series = diagram(GATED, tensor=4)
    for name, side, place in (("mlp.up", "height", "y"), ("mlp.down", "width", "x")):
        wide, high = outline(series, name)
        (own,) = hatched(series, name, "tensor")
        whole = {"height": high, "width": wide}[side]
        assert float(own[side]) + 1 == pytest.approx(whole / 4, abs=0.11)
        rect = group(series, name).find(f"{SVG}rect")
        assert rect is not None
        # the third of four: a device of tensor rank 2
        assert float(own[place]) - 0.5 - float(rect.attrib[place]) == pytest.approx(whole / 2, abs=0.11)
        assert lines(series, name, "tensor") == 3


def test_a_norm_that_no_rank_cuts_has_no_line_of_tensor_ranks() -> None:
    assert hatched(diagram(GATED, tensor=4), "norms.attention", "tensor") == []
    assert lines(diagram(GATED, tensor=4), "norms.attention", "tensor") == 0


def test_more_parts_than_can_be_told_apart_are_a_number() -> None:
    words = [text.text for text in picture(diagram(GATED, tensor=64)).iter(f"{SVG}text")]
    assert sum("64\N{NO-BREAK SPACE}parts" in (word or "") for word in words) > 3
    assert lines(diagram(GATED, tensor=64), "mlp.up", "tensor") == 0
    assert len(hatched(diagram(GATED, tensor=64), "mlp.up", "tensor")) == 1


def test_slices_are_cut_from_the_devices_own_part() -> None:
    series = diagram(GATED, tensor=2, slices=8)
    rects = {rect.attrib["fill"]: rect.attrib for rect in group(series, "mlp.up").findall(f"{SVG}rect")}
    own, held = rects[COLOURS["tensor"]], rects[COLOURS["state"]]
    assert float(own["height"]) == pytest.approx(outline(series, "mlp.up")[1] / 2, abs=0.11)
    assert float(held["height"]) == pytest.approx(float(own["height"]) / 8, abs=0.11)
    # the fifth of eight
    assert float(held["y"]) - float(own["y"]) == pytest.approx(float(own["height"]) / 2, abs=0.11)
    assert lines(series, "mlp.up", "state") == 7


def test_what_the_device_does_not_hold_is_dotted_and_has_no_part_of_its_own() -> None:
    series = diagram(GATED, tensor=4, mine=False)
    rect = group(series, "mlp.up").find(f"{SVG}rect")
    assert rect is not None and rect.get("stroke-dasharray")
    assert hatched(series, "mlp.up", "tensor") == []


def test_every_expert_is_a_square_and_those_of_the_devices_rank_are_filled() -> None:
    paths = [path.attrib for path in picture(diagram(LATENT, expert=32)).findall(f"{SVG}path")]
    squares = {path["stroke"]: dashes(path) for path in paths if path.get("stroke-dasharray", "").endswith(" 1.5")}
    assert squares == {COLOURS["expert"]: 256 / 32, COLOURS["muted"]: 256 - 256 / 32}
    assert not hatched(diagram(LATENT), "experts.up", "tensor")


def test_experts_that_no_rank_divides_are_none_of_a_rank() -> None:
    paths = [path.attrib for path in picture(diagram(MIXTURE)).findall(f"{SVG}path")]
    squares = {path["stroke"]: dashes(path) for path in paths if path.get("stroke-dasharray", "").endswith(" 1.5")}
    assert squares == {COLOURS["muted"]: 8}


def test_copies_are_counted_beside_each_matrix_or_once_for_all_that_stand_side_by_side() -> None:
    series = diagram(GATED, copies=2048)
    said = [text.text or "" for text in picture(series).iter(f"{SVG}text") if "×" in (text.text or "")]
    # embedding, query with key and value, output, gate with up, down, head
    assert len(said) == 6 and all("×\N{NO-BREAK SPACE}2,048" in words for words in said)
    for box in series["boxes"]:
        if box["name"] == "mlp.up":
            box["copies"] = 1024
    words = [text.text or "" for text in picture(series).iter(f"{SVG}text")]
    assert "×\N{NO-BREAK SPACE}1,024" in words and sum("2,048" in word for word in words) == 6


def test_boxes_stay_where_they_are_whatever_is_split() -> None:
    def places(series: dict[str, Any]) -> list[tuple[float | None, ...]]:
        return [row.at for row in model_picture(series).rows[: len(series["boxes"])]]

    whole = places(diagram(MIXTURE, copies=2))
    split = places(diagram(MIXTURE, copies=2, tensor=8, slices=4, stages=8, arrows=BUSY))
    assert [place[2:] for place in whole] == [place[2:] for place in split]
    assert [place[0] for place in whole] == [place[0] for place in split]
    moved = [abs(float(one[1] or 0) - float(other[1] or 0)) for one, other in zip(whole, split, strict=True)]
    assert max(moved) <= 10


def test_arrows_and_boxes_can_be_read_from_the_page() -> None:
    series = diagram(GATED, arrows=BUSY)
    assert arrows(series) == [one["key"] for one in BUSY]
    boxes = [g.attrib["data-box"] for g in picture(series).iter(f"{SVG}g") if g.get("data-box")]
    assert sorted(boxes) == sorted(box["name"] for box in series["boxes"])
    assert arrows(diagram(GATED)) == []


@pytest.mark.parametrize("place", [*PLACES, "experts"])
def test_an_arrow_at_every_place_is_drawn(place: str) -> None:
    models = [MIXTURE, LATENT] if place == "experts" else [GATED, TIED]
    for model in models:
        assert arrows(diagram(model, arrows=(arrow("one", place, "data"),))) == ["one"]


def test_an_arrow_has_the_colour_and_the_dash_of_its_axis_and_the_accent_once_it_is_selected() -> None:
    def looks(**changes: Any) -> tuple[str | None, str | None]:
        selected = "one" if changes.pop("selected", False) else ""
        series = diagram(GATED, arrows=(arrow("one", "mlp input", **changes),), selected=selected)
        (g,) = [g for g in picture(series).iter(f"{SVG}g") if g.get("data-arrow")]
        (drawn,) = g.findall(f"{SVG}g")
        (mark,) = [path for path in drawn if float(path.attrib["stroke-width"]) >= 2]
        return drawn.get("stroke"), mark.get("stroke-dasharray")

    assert looks(axis="tensor") == (COLOURS["tensor"], "8 4")
    assert looks(axis="context") == (COLOURS["sequence"], "2 3")
    assert looks(axis="data") == (COLOURS["data"], None)
    assert looks(axis="data", zero=True) == (COLOURS["state"], "8 3 2 3 2 3")
    assert looks(axis="pipeline") == (COLOURS["pipeline"], "12 3 2 3")
    assert looks(axis="expert") == (COLOURS["expert"], "5 3")
    assert looks(axis="tensor", selected=True) == (COLOURS["accent"], "8 4")


def test_rows_say_what_is_drawn_and_fill_the_selection() -> None:
    series = diagram(GATED, tensor=8, stages=2, arrows=(arrow("a", "mlp input", "tensor"),), selected="a")
    drawn = model_picture(series)
    by_key = {row.key: row for row in drawn.rows if row.key}
    assert by_key["mlp.up"].texts == ("Up", "53,248 × 16,384", "part 4 of 8")
    assert by_key["mlp.up"].sets == {"selected": "mlp.up"}
    assert by_key["a"].texts == ("mlp input of tensor ranks", "all-reduce 512 MiB × 96", "forward")
    assert drawn.current is not None and drawn.rows[drawn.current].key == "a"
    assert [row.texts for row in drawn.rows[-2:]] == [
        ("stage 0", "63 layers", "layers 0–62"), ("stage 1", "63 layers", "layers 63–125"),
    ]
    assert model_picture(diagram(MIXTURE)).rows[6].texts[1] == "8 of 14,336 × 4,096"


def test_stages_are_as_high_as_their_layers() -> None:
    rows = model_picture(diagram(GATED, stages=4, chunks=2)).rows[-8:]
    heights = [float(row.at[3] or 0) for row in rows]
    assert sum(heights[1:3]) / sum(heights) == pytest.approx((47 - 15) / 126, abs=0.01)
    tops = [float(row.at[1] or 0) for row in rows]
    assert tops[1:] == pytest.approx([top + high for top, high in zip(tops, heights, strict=True)][:-1])


def test_of_many_stages_the_devices_own_can_be_read() -> None:
    rows = model_picture(diagram(GATED, stages=16, chunks=4)).rows
    assert [row.texts[0] for row in rows if row.texts[0].startswith("stage")] == ["stage 8"] * 4


def test_the_ladder_has_a_rung_between_any_two_layers() -> None:
    rungs = [path.attrib for path in picture(diagram(GATED)).findall(f"{SVG}path") if path.get("stroke-width") == "14"]
    assert [dashes(path | {"d": level(path["d"])}) for path in rungs] == [125]


def level(d: str) -> str:
    """Return a line from one height to another as one of that length."""
    start, end = map(float, re.findall(r"M[\d.]+ ([\d.]+)V([\d.]+)", d)[0])
    return f"v{end - start}"


EXTREMES: dict[str, dict[str, Any]] = {
    "nothing split": {},
    "a few parts": {"tensor": 8, "copies": 16, "stages": 16},
    "all": {"tensor": 64, "expert": 8, "slices": 64, "copies": 16384, "stages": 16, "chunks": 4, "arrows": BUSY},
    "stages of one layer": {"stages": 16, "copies": 2},
    "not held": {"tensor": 2, "expert": 2, "slices": 2, "mine": False},
}


@pytest.mark.parametrize("size", [FONT, TYPE], ids=["wide", "phone"])
@pytest.mark.parametrize("cut", EXTREMES)
@pytest.mark.parametrize("model", MODELS)
def test_no_words_touch_others_or_leave_the_picture_in_either_type(model: str, cut: str, size: int) -> None:
    series = diagram(MODELS[model], **EXTREMES[cut])
    assert finite(series)
    assert clashes(picture(series), size) == []
    sizes = [float(text.get("font-size", "1em").removesuffix("em")) for text in picture(series).iter(f"{SVG}text")]
    assert min(sizes) >= 0.8  # large enough to read on a phone


def test_the_figure_is_a_model_of_that_kind_and_not_large() -> None:
    series = diagram(LATENT, tensor=8, expert=32, slices=8, copies=4, stages=16, arrows=BUSY[:22])
    found = figure(series)
    assert found.get("data-kind") == "model" and "model" in KINDS
    assert len(chart_html(series)) < 48_000


def test_texts_are_text() -> None:
    series = diagram(GATED, arrows=(arrow('<b>&"', "mlp input", "tensor", label="<i>"),))
    assert arrows(series) == ['<b>&"']
