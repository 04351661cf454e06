"""Plain shapes in the units of the canvas, many of one look in one path."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.patches import PathPatch
from matplotlib.path import Path

type Point = tuple[float, float]


def fill(
    axes: Axes,
    paths: Sequence[Path],
    *,
    face: str | tuple[str, float] = "none",
    edge: str = "none",
    width: float = 0.8,
    gid: str | None = None,
) -> None:
    """Draw the paths as one patch, if there are any; `face` is a colour or a colour and its opacity."""
    if paths:
        path = Path.make_compound_path(*paths)
        axes.add_patch(PathPatch(path, facecolor=face, edgecolor=edge, linewidth=width, gid=gid, clip_on=False))


def line(*points: Point) -> Path:
    """Return straight lines from point to point."""
    return Path(points)


def curve(start: Point, leave: Point, arrive: Point, end: Point) -> Path:
    """Return a cubic curve with its two control points in the middle."""
    return Path([start, leave, arrive, end], [Path.MOVETO, *[Path.CURVE4] * 3])


def polygon(*points: Point) -> Path:
    """Return straight lines from point to point and back to the first."""
    return Path([*points, points[0]], closed=True)


def box(left: float, top: float, width: float, height: float, radius: float = 4) -> Path:
    """Return a rectangle with rounded corners."""
    right, bottom = left + width, top + height
    if not radius:
        return polygon((left, top), (right, top), (right, bottom), (left, bottom))
    corners = [
        [(right - radius, top), (right, top), (right, top + radius)],
        [(right, bottom - radius), (right, bottom), (right - radius, bottom)],
        [(left + radius, bottom), (left, bottom), (left, bottom - radius)],
        [(left, top + radius), (left, top), (left + radius, top)],
    ]
    points = [(left + radius, top), *(point for corner in corners for point in corner), (left + radius, top)]
    return Path(points, [Path.MOVETO, *[Path.LINETO, Path.CURVE3, Path.CURVE3] * 4, Path.CLOSEPOLY])
