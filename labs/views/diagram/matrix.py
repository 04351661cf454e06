"""One weight in the diagram of a transformer: its outline, what it is cut into, and the piece of the picked device."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from labs.views.drawing import COLOURS, KINDS, area, rule

MOST_EXPERTS = 512  # more are drawn as one square a rank
MOST_CUTS = 16  # lines between more parts than this would be a grey area


class Place(NamedTuple):
    """A rectangle of the drawing."""

    left: float
    top: float
    width: float
    height: float


def matrix(box: Mapping[str, Any], place: Place, *, torn: bool = False) -> str:
    """Return a matrix: as high as it has outputs, as wide as it has inputs. What is torn is higher than drawn."""
    mine, parts, slices = box["mine"], box["parts"], box["slices"]
    upright = box["axis"] != 1  # parts lie below each other
    drawn = [_stack(place)] if box["experts"] else []
    drawn.append(_outline(place, box))
    if mine is not None:
        tile = _part(place, mine[0], parts, upright=upright)
        if slices > 1:
            drawn.append(_sliced(tile, mine[2], slices, "tensor" if parts > 1 else "muted"))
        elif parts > 1:
            drawn.append(area(*tile, KINDS["tensor"]))
    if 1 < parts <= MOST_CUTS and (place.height if upright else place.width) >= 2 * parts:
        drawn.append(_cuts(place, parts, "tensor", 1, upright=upright))
    if torn:
        drawn.append(_tear(place))
    return "".join(drawn)


def _outline(place: Place, box: Mapping[str, Any]) -> str:
    """Return the whole: tinted where the picked device holds all of it, dotted where it holds nothing."""
    whole = box["mine"] is not None and box["parts"] == 1 and box["slices"] == 1
    ground = COLOURS["grid" if whole else "surface"]
    colour, extra = "muted", "" if box["mine"] is not None else ' stroke-dasharray="2 3"'
    if box["selected"]:
        colour, extra = "accent", f'{extra} stroke-width="2.5"'
    left, top, wide, high = place
    return (
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{wide:.1f}" height="{high:.1f}" fill="{ground}" '
        f'stroke="{COLOURS[colour]}"{extra}/>'
    )


def _stack(place: Place) -> str:
    """Return the edges of two more behind it: one of many."""
    left, top, wide, high = place
    return rule(
        "".join(f"M{left + d:.1f} {top - d + 3:.1f}v-3h{wide:.1f}v{high:.1f}h-3" for d in (3, 6)), "muted"
    )


def _part(place: Place, part: int, parts: int, *, upright: bool) -> Place:
    left, top, wide, high = place
    if upright:
        return Place(left, top + high * part / parts, wide, max(high / parts, 2))
    return Place(left + wide * part / parts, top, max(wide / parts, 2), high)


def _sliced(tile: Place, number: int, slices: int, colour: str) -> str:
    """Return the device's part in stripes: the one that stays on it between uses is dark, the others are fetched."""
    upright = tile.height >= tile.width
    shown = min(slices, MOST_CUTS)
    held = _filled(_part(tile, number, slices, upright=upright), "state", 1)
    stripes = _cuts(tile, shown, "state", 0.6, upright=upright) if max(tile[2:]) >= 2 * shown else ""
    return _filled(tile, colour, 0.25) + stripes + held


def _filled(place: Place, colour: str, tint: float) -> str:
    left, top, wide, high = place
    ground = f' fill-opacity="{tint:g}"' if tint < 1 else ""
    return (
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{wide:.1f}" height="{high:.1f}" fill="{COLOURS[colour]}"{ground}/>'
    )


def _cuts(place: Place, parts: int, colour: str, thick: float, *, upright: bool) -> str:
    """Return the lines between parts, as one thick line with that many dashes: far less text than a line for each."""
    left, top, wide, high = place
    along, across = (high, wide) if upright else (wide, high)
    each = along / parts
    begin = each - thick / 2
    start = f"M{left + wide / 2:.1f} {top + begin:.2f}v" if upright else f"M{left + begin:.2f} {top + high / 2:.1f}h"
    dashes = f' stroke-width="{across:.1f}" stroke-dasharray="{thick:g} {each - thick:.3f}"'
    return rule(f"{start}{along - 2 * each + thick:.2f}", colour, dashes)


def _tear(place: Place) -> str:
    """Return a gap across the middle: the rest of the rows is left out."""
    left, top, wide, high = place
    middle, teeth = top + high / 2, 6
    step = (wide + 4) / teeth
    line = f"M{left - 2:.1f} {{y:.1f}}" + "".join(f"l{step:.1f} {-3 if i % 2 else 3}" for i in range(teeth))
    return (
        rule(line.format(y=middle), "surface", ' stroke-width="5"')
        + rule(line.format(y=middle - 2.5), "muted", ' stroke-width="0.8"')
        + rule(line.format(y=middle + 2.5), "muted", ' stroke-width="0.8"')
    )


def cells(experts: int, ranks: int, mine: int | None, left: float, top: float, room: float) -> tuple[str, float]:
    """Return one small square for each expert, grouped by the rank that holds it, and how high they stand together.

    A run of squares is one thick dashed line: hundreds of them would weigh more than the rest of the diagram.
    """
    count = experts if experts <= MOST_EXPERTS else ranks
    each = count // ranks
    pitch = min(max(room // count, 6.0 if count <= 192 else 5.0), 14.0)
    size, gap = pitch - 1.5, 3.0 if ranks > 1 else 0.0
    across = int((room + 1.5) // pitch)
    x, y = left, top
    runs: dict[bool, list[str]] = {True: [], False: []}
    for rank in range(ranks):
        if x > left and x + each * pitch - 1.5 > left + room:
            x, y = left, y + pitch + 1
        for start in range(0, each, across):
            y += pitch if start else 0
            run = min(across, each - start)
            runs[rank == mine and ranks > 1].append(f"M{x:g} {y + size / 2:g}h{run * pitch - 1.5:g}")
        x += each * pitch + gap
    drawn = "".join(
        rule("".join(runs[own]), colour, f' stroke-width="{size:g}" stroke-dasharray="{size:g} 1.5"{faint}')
        for own, colour, faint in ((False, "muted", ' stroke-opacity="0.35"'), (True, "expert", ""))
        if runs[own]
    )
    return drawn, y + size - top
