"""What of a step's exchanges hides behind compute, and what is exposed.

A second of compute hides one second of communication at the most, whatever links that takes. Exchanges within layers
come first, since the layer waits for them; those of weights and gradients run behind what is left.
"""

from collections import defaultdict
from dataclasses import dataclass

from labs.model.boundaries.crossing import Crossing
from labs.model.boundaries.layer_exchanges import INPUT, MATRICES, NEXT_BLOCK
from labs.model.boundaries.weight_exchanges import BEFORE, LAST_BACKWARD, NEXT_FORWARD
from labs.model.steps.compute import Compute

LAYER_AXES = ("tensor", "context", "expert")
Room = tuple[str, str | None]  # a pass, and the compute of it behind which something may run
_PASSES: dict[str | None, str] = {LAST_BACKWARD: "backward", NEXT_FORWARD: "forward"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Exposure:
    """What of a step's communication compute hides.

    Attributes:
        forward: exposed within layers on the way forward, of each axis [s]
        backward: the same on the way back [s]
        weights: exposed exchanges of weights and gradients [s]
        hidden: of all exchanges [s]
        shares: hidden of what has some compute to run behind, by that compute [1]
    """

    forward: dict[str, float]
    backward: dict[str, float]
    weights: float
    hidden: float
    shares: dict[Room, float]

    def hidden_of(self, crossing: Crossing, time: float) -> float:
        """Return what is hidden of a tensor's exchanges, which take so long one after another."""
        return _able(crossing, time) * self.shares.get(_room(crossing), 0.0)


def exposure(found: list[tuple[Crossing, float]], own: Compute, microbatches: int, overlap: bool) -> Exposure:
    """Return what the exchanges of a step cost beside its compute.

    Of the first and the last stage the one that exchanges more within layers sets the pace.
    """
    within: dict[Room, dict[str, dict[str, float]]] = {}
    able: dict[Room, float] = defaultdict(float)
    weights = 0.0
    for crossing, time in found:
        if crossing.axis == "data" or crossing.phase == "step":
            weights += time
            if crossing.hidden_by:
                able[_room(crossing)] += _able(crossing, time)
        elif crossing.axis in LAYER_AXES:
            axes = within.setdefault(_room(crossing), {})
            axes.setdefault(crossing.axis, defaultdict(float))[crossing.where] += time
    exposed: dict[str, dict[str, float]] = {phase: dict.fromkeys(LAYER_AXES, 0.0) for phase in ("forward", "backward")}
    left = {"forward": own.forward, "backward": own.backward}
    hidden, shares = 0.0, {}
    room = _room_in_layers(own) if overlap else {}
    for key, axes in within.items():
        waits = {
            axis: at["every stage"] + max(at["the first stage"], at["the last stage"]) for axis, at in axes.items()
        }
        needed, phase = sum(waits.values()), key[0]
        covered = min(needed, room.get(key, 0.0))
        shares[key] = covered / needed if needed else 0.0
        for axis, time in waits.items():
            exposed[phase][axis] += time * (1 - shares[key])
        hidden += covered
        left[phase] -= covered
    room = _room_beside_layers(left, microbatches) if overlap else {}
    for key, needed in able.items():
        covered = min(needed, room.get(key, 0.0))
        shares[key] = covered / needed if needed else 0.0
        weights -= covered
        hidden += covered
    return Exposure(
        forward=exposed["forward"], backward=exposed["backward"], weights=weights, hidden=hidden, shares=shares
    )


def _room_in_layers(own: Compute) -> dict[Room, float]:
    """Return the compute behind which exchanges within layers run; no two kinds share any."""
    # A matrix takes as long for its input's gradient as for its own; attention has no weights of its own.
    matrices = (own.work.layers + own.work.head) / own.speed
    attention = own.work.attention / own.speed
    return {
        ("backward", MATRICES): matrices,
        ("backward", INPUT): matrices,
        ("forward", NEXT_BLOCK): attention,
        ("backward", NEXT_BLOCK): 2 * attention,
    }


def _room_beside_layers(left: dict[str, float], m: int) -> dict[Room, float]:
    """Return the compute that is left for exchanges of weights; a plan has only one of them in each pass."""
    return {
        ("backward", LAST_BACKWARD): left["backward"] / m,
        ("forward", NEXT_FORWARD): left["forward"] / m,
        ("forward", BEFORE): left["forward"],
        ("backward", BEFORE): left["backward"],
    }


def _room(crossing: Crossing) -> Room:
    return _PASSES.get(crossing.hidden_by, crossing.phase), crossing.hidden_by


def _able(crossing: Crossing, time: float) -> float:
    """Return what of a time has any compute to run behind."""
    return max(0.0, time * (1 - crossing.alone / crossing.times))
