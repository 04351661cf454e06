"""What of a step's exchanges hides behind arithmetic, and what is exposed."""

from collections import defaultdict

from labs.model.boundaries.crossing import Crossing
from labs.model.boundaries.layer_exchanges import INPUT, MATRICES, NEXT_BLOCK
from labs.model.boundaries.weight_exchanges import BEFORE, LAST_BACKWARD, NEXT_FORWARD
from labs.model.steps.work import Work


def within_layers(
    found: list[tuple[Crossing, float]], work: Work, speed: float, overlap: bool
) -> tuple[dict[str, dict[str, float]], float, dict[tuple[str, str, str | None], float]]:
    """Return what the exchanges within layers cost, by phase and axis, what arithmetic hides of them, and which share.

    Of the first and the last stage the one that exchanges more sets the pace.
    """
    # Of the backward pass one half is for the inputs' gradients, the other for the weights'.
    half, attention = work.backward / speed / 2, work.attention / speed
    room = {
        ("backward", MATRICES): half,
        ("backward", INPUT): half,
        ("forward", NEXT_BLOCK): attention,
        ("backward", NEXT_BLOCK): 2 * attention,
    }
    by: dict[tuple[str, str, str | None], dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for crossing, time in found:
        if crossing.phase != "step" and crossing.axis in ("tensor", "context", "expert"):
            by[crossing.phase, crossing.axis, crossing.hidden_by][crossing.where] += time
    exposed: dict[str, dict[str, float]] = {"forward": defaultdict(float), "backward": defaultdict(float)}
    hidden, shares = 0.0, {}
    for (phase, axis, behind), at in by.items():
        time = at["every stage"] + max(at["the first stage"], at["the last stage"])
        covered = min(time, room.get((phase, behind or ""), 0.0)) if overlap else 0.0
        exposed[phase][axis] += time - covered
        hidden += covered
        shares[phase, axis, behind] = covered / time if time else 0.0
    return exposed, hidden, shares


def between_replicas(
    found: list[tuple[Crossing, float]], forward: float, backward: float, m: int, overlap: bool
) -> tuple[float, float, dict[str, float]]:
    """Return what gradients and weights cost beside everything else, what of them is hidden, and which share."""
    room = {LAST_BACKWARD: backward / m, NEXT_FORWARD: forward / m, BEFORE: forward + backward} if overlap else {}
    needed: dict[str, float] = defaultdict(float)
    for crossing, time in found:
        if is_of_weights(crossing):
            needed[crossing.hidden_by or ""] += time
    covered = {behind: min(time, room.get(behind, 0.0)) for behind, time in needed.items()}
    hidden = sum(covered.values())
    shares = {behind: covered[behind] / time if time else 0.0 for behind, time in needed.items()}
    return sum(needed.values()) - hidden, hidden, shares


def is_of_weights(crossing: Crossing) -> bool:
    """Tell whether weights or their gradients cross."""
    return crossing.axis == "data" or crossing.phase == "step"
