"""Why a plan is refused, and the buttons that mend it."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import islice
from math import gcd
from typing import Any

from labs.model.machines.machine import Machine
from labs.model.plans.feasibility import Mend, Refusal, reasons
from labs.model.plans.plan import Plan
from labs.model.quantities.divisors import divisors
from labs.model.quantities.errors import ModelError
from labs.model.transformers.transformer import Transformer
from labs.parts.execution import spoken

Sets = dict[str, str]
DEGREES = ("tensor", "pipeline", "expert", "interleave")
MOST = 64  # of a degree below which each is tried


@dataclass(frozen=True, kw_only=True)
class Refused:
    """One reason against a plan.

    Attributes:
        says: why, in sentences
        mends: what a press on a button says and fills in, the smallest changes first
    """

    says: str
    mends: tuple[tuple[str, Sets], ...]

    def sentences(self) -> Iterator[object]:
        """Yield the reason with its first remedy, then the others."""
        if not self.mends:
            yield self.says
        for index, (text, sets) in enumerate(self.mends):
            yield {"says": "or" if index else self.says, "text": text, "sets": sets}


def impossible(model: Transformer, plan: Plan) -> tuple[Refused, ...]:
    """Return why a plan is impossible for a model, with changes that bring up no other reason where there are such."""
    found = reasons(model=model, plan=plan)
    known = {reason.message for reason in found}
    return tuple(
        Refused(
            says=f"This plan is impossible: {spoken.reason(reason.message)}. {reason.why}",
            mends=tuple(map(_button, _clean(model, plan, reason, known) or reason.mends)),
        )
        for reason in found
    )


def _clean(model: Transformer, plan: Plan, reason: Refusal, known: set[str]) -> tuple[Mend, ...]:
    """Return changes that leave no reason, if need be of a smaller degree; or else those that bring up no new one."""
    tried = [(mend, _left(model, asdict(plan), mend)) for mend in reason.mends]
    if any(not left for _, left in tried):
        return tuple(mend for mend, left in tried if not left)
    name, nearest = reason.mends[0][0]
    if name in DEGREES and nearest <= MOST:
        smaller: Iterator[Mend] = (((name, value),) for value in range(nearest - 1, 0, -1))
        possible = (mend for mend in smaller if not _left(model, asdict(plan), mend))
        if found := tuple(islice(possible, 1)):
            return found
    return tuple(mend for mend, left in tried if left <= known - {reason.message})


def _left(model: Transformer, arguments: Mapping[str, Any], mend: Mend) -> set[str]:
    """Return the reasons against a plan's arguments after a change of them, or of the model's sequence."""
    changed = {**arguments, **dict(mend)}
    length = changed.pop("sequence", model.sequence)
    try:
        plan = Plan(**changed)
    except ModelError as error:
        return {error.message}
    return {reason.message for reason in reasons(model=replace(model, sequence=length), plan=plan)}


def unplanned(error: ModelError, arguments: Mapping[str, Any], model: Transformer) -> Refused:
    """Return why arguments make no plan for any model, with changes that make one for this model if there are such."""
    mends: tuple[Mend, ...]
    if error.argument == "expert":
        expert, ranks = arguments["expert"], arguments["data"] * arguments["context"]
        below = max(other for other in divisors(ranks) if other <= expert)
        step = expert // gcd(expert, arguments["context"])
        mends = ((("data", -(-arguments["data"] // step) * step),), (("expert", below),))
        why = "Expert ranks are data and context ranks used once more."
    else:
        mends = ((("interleave", 1),),)
        why = "A stage has several chunks of layers only within a pipeline of even stages."
    made = tuple(mend for mend in mends if not _left(model, arguments, mend))
    says = f"This plan is impossible: {spoken.reason(error.message)}. {why}"
    return Refused(says=says, mends=tuple(map(_button, made or mends)))


def too_few_devices(plan: Plan, machine: Machine) -> Refused:
    """Return why a plan is larger than its machine."""
    within = machine.levels[-2].devices if len(machine.levels) > 1 else 1
    needed = -(-plan.devices // within) * within
    there = f"are {machine.devices:,}" if machine.devices > 1 else "is 1"
    says = (
        f"This plan takes {plan.devices:,} devices, and there {there}. "
        "What follows is what it would come to on as many as it takes."
    )
    return Refused(says=says, mends=((f"take {needed:,} devices", {"devices": str(needed)}),))


def unfilled(error: ModelError, whole: int) -> Refused:
    """Return why so many devices are no machine."""
    mends = ((f"take {whole:,} devices", {"devices": str(whole)}), ("take the reference cluster", {"devices": "0"}))
    return Refused(says=_sentence(error.message), mends=mends)


def _sentence(message: str) -> str:
    return f"{message[:1].upper()}{message[1:]}."


def _button(mend: Mend) -> tuple[str, Sets]:
    return f"take {spoken.changes(dict(mend))}", {name: typed(value) for name, value in mend}


def typed(value: int | bool | str) -> str:
    """Return a value as a person would type it."""
    return ("on" if value else "off") if isinstance(value, bool) else str(value)
