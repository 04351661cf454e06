"""The plans of a model on a machine: those that are possible, by predicted step time, and why the others are not."""

from bisect import insort
from dataclasses import dataclass, replace
from math import inf

from labs.model.boundaries.layer_exchanges import Passes, layer_exchanges
from labs.model.device_memory.budget import Memory, memory
from labs.model.device_memory.conventions import CONVENTIONS, Convention
from labs.model.machines.machine import Machine
from labs.model.machines.placement import exchange_time
from labs.model.plans.feasibility import refusals
from labs.model.plans.plan import Plan
from labs.model.quantities.inputs import count
from labs.model.quantities.units import format_quantity
from labs.model.steps.compute import EFFICIENCY
from labs.model.steps.least import least_step_time
from labs.model.steps.splits import lopsided, splits
from labs.model.steps.step import Step, step_time
from labs.model.steps.work import training_work
from labs.model.transformers.transformer import Transformer

ROUNDING = 1e-9  # times that differ by less are the same


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A plan that is possible.

    Attributes:
        plan: the split, with the least of ZeRO and recomputation that fits, or what is faster
        step: its predicted time, part by part
        memory: of its fullest device
    """

    plan: Plan
    step: Step
    memory: Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A plan that is not possible.

    Attributes:
        plan: the split
        reason: why, in a sentence
    """

    plan: Plan
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """All plans that were tried.

    Attributes:
        feasible: the fastest first
        refused: impossible, or too large for the memory, in the order in which they were tried
        slower: no faster than any of the feasible ones, whether they fit or not
    """

    feasible: tuple[Candidate, ...]
    refused: tuple[Refused, ...]
    slower: tuple[Plan, ...] = ()


def search_plans(
    *,
    model: Transformer,
    machine: Machine,
    global_batch: int,
    convention: Convention = CONVENTIONS["mixed"],
    efficiency: float = EFFICIENCY,
    most: int | None = None,
) -> Search:
    """Return the plans of a model on all devices of a machine, ranked by predicted step time.

    Gone through are tensor degrees up to 64, with copies of key and value heads where those are fewer; context degrees
    that leave each rank 4,096 tokens; pipeline and expert degrees; microbatches of 1, 2, 4, 8 and 16 sequences; even
    stages in up to 8 chunks, and stages that differ by a layer, the fullest at most 10 % above the average. Tensor
    ranks split the sequence too; attention keeps no scores, so selective recomputation would spare nothing; there is no
    dropout. For each split the fastest way to make it fit is taken: ZeRO stages 1 to 3, and full recomputation. Where
    only the fastest are wanted, a plan that takes longer in any case is not looked at further.

        devices = t c d p;  b m d = global batch

    Args:
        model: the transformer
        machine: whose devices all take part
        global_batch: sequences of a step [1]
        convention: bytes of each parameter, its gradient and its optimizer state
        efficiency: share of the peak that arithmetic reaches where it waits for nothing [1]
        most: plans to find, the fastest; all where None [1]

    Returns:
        the plans that are possible, and those that are not with the reason

    Raises:
        ModelError: an input out of range

    Source:
        step_time and memory, each with its own

    >>> from labs.model.machines.named import named_machine
    >>> from labs.model.transformers.transformer import gpt
    >>> model, machine = gpt(hidden=4096, layers=32, heads=32), named_machine(name="DGX H100", devices=8)
    >>> found = search_plans(model=model, machine=machine, global_batch=64)
    >>> found.feasible[0].step.time <= found.feasible[-1].step.time
    True
    """
    sequences = count("global_batch", global_batch)
    wanted = None if most is None else count("most", most)
    possible: list[Plan] = []
    refused: list[Refused] = []
    for plan in splits(model, machine.devices, sequences):
        reason = _impossible(model, plan, sequences)
        if reason:
            refused.append(Refused(plan=plan, reason=reason))
        else:
            possible.append(plan)
    least = _Least(model, machine, efficiency)
    # The most promising first, so that the others need only their least time; as they are where all are wanted.
    bounds = [(least.of(plan) if wanted else 0.0, plan) for plan in possible]
    feasible: list[Candidate] = []
    slower: list[Plan] = []
    times: list[float] = []
    for bound, plan in sorted(bounds, key=lambda bound: bound[0]):
        limit = times[wanted - 1] if wanted and len(times) >= wanted else inf
        if bound > limit:
            slower.append(plan)
            continue
        found = _fastest(plan, least, convention, limit)
        if isinstance(found, Refused):
            refused.append(found)
        elif isinstance(found, Plan):
            slower.append(found)
        else:
            feasible.append(found)
            insort(times, found.step.time)
    feasible.sort(key=lambda candidate: candidate.step.time)
    slower += [candidate.plan for candidate in feasible[wanted:]] if wanted else []
    return Search(feasible=tuple(feasible[:wanted]), refused=tuple(refused), slower=tuple(slower))


def _impossible(model: Transformer, plan: Plan, sequences: int) -> str:
    if plan.global_batch != sequences:
        return _uneven_batch(plan, sequences)
    # What the model refuses comes first: it cannot be mended by other rules of the search.
    return next(iter(refusals(model=model, plan=plan)), "") or lopsided(model, plan)


class _Least:
    """What steps take at least: least_step_time, what is computed again, and the exchanges that nothing can hide."""

    def __init__(self, model: Transformer, machine: Machine, efficiency: float) -> None:
        self.model, self.machine, self.efficiency = model, machine, efficiency
        self._exchanges: dict[tuple[int, int, int, int], float] = {}

    def of(self, plan: Plan) -> float:
        """Return a time that a step of a plan does not fall below [s]."""
        bare = least_step_time(model=self.model, plan=plan, machine=self.machine, efficiency=self.efficiency)
        m, p = plan.accumulation, plan.pipeline
        along = (m + (p - 1) / plan.interleave) / p  # layers of the whole model, for each of its microbatches
        more = self._unhidden(plan)
        if plan.recompute == "full":
            again = training_work(model=self.model, sequences=plan.global_batch, recompute="full").recompute
            more += again * p / (m * plan.devices * self.machine.peak * self.efficiency)
        return bare + along * more

    def _unhidden(self, plan: Plan) -> float:
        """Return the exchanges of one microbatch in all layers that nothing can hide; it is the same for many plans."""
        key = (plan.tensor, plan.context, plan.expert, plan.microbatch)
        if key not in self._exchanges:
            layers, dense = self.model.layers, self.model.dense_layers
            once = replace(plan, recompute="none")
            passes = Passes(self.model, once, 2, layers=layers, dense=dense, experts=layers - dense)
            unhidden = 0.0
            for one in layer_exchanges(passes):
                if one.hidden_by is None and one.operation != "send":
                    unhidden += one.times * exchange_time(
                        machine=self.machine,
                        operation=one.operation,
                        payload=one.payload,
                        ranks=one.ranks,
                        stride=one.stride,
                    )
            self._exchanges[key] = unhidden
        return self._exchanges[key]


def _fastest(plan: Plan, least: _Least, convention: Convention, limit: float) -> Candidate | Refused | Plan:
    """Return the fastest way that fits, or why none does; the plan alone where all that fit are slower than a limit."""
    kept, smallest = _fitting(plan, least, convention)
    ways = [kept] if kept else []
    if not kept or kept.plan.zero > 1:  # up to stage 1 nothing is exchanged for want of memory
        again = replace(plan, recompute="full")
        if least.of(again) > limit:
            return kept or plan
        spared, other = _fitting(again, least, convention)
        ways += [spared] if spared else []
        smallest = min(smallest, other, key=lambda held: held.total)
    if not ways:
        return Refused(plan=plan, reason=_too_large(smallest, least.machine))
    return min(ways, key=lambda candidate: candidate.step.time)


def _fitting(plan: Plan, least: _Least, convention: Convention) -> tuple[Candidate | None, Memory]:
    """Return a plan with the fastest stage of ZeRO that fits, if one does, and the least memory of those tried."""
    model, machine = least.model, least.machine

    def candidate(made: Plan, held: Memory) -> Candidate:
        step = step_time(model=model, plan=made, machine=machine, convention=convention, efficiency=least.efficiency)
        return Candidate(plan=made, step=step, memory=held)

    def held_by(made: Plan) -> Memory:
        return memory(
            model=model, plan=made, convention=convention, machine_memory=machine.memory, flash=True, dropout=False
        )

    tried: list[Memory] = []
    for zero in (1, 2, 3) if plan.data * plan.context > 1 else (0,):
        made = replace(plan, zero=zero)
        held = held_by(made)
        if held.fits:
            found = candidate(made, held)
            if zero in (1, 2) and found.step.data:
                # Stage 2 exchanges no less than 1; stage 3 exchanges more, but may hide more of it.
                last = replace(plan, zero=3)
                other = candidate(last, held_by(last))
                if other.step.time < found.step.time * (1 - ROUNDING):
                    found = other
            return found, held
        tried.append(held)
        if plan.recompute == "none" and held.activations + held.optimizer > machine.memory:
            break  # a higher stage leaves these as they are
    return None, min(tried, key=lambda held: held.total)


def _uneven_batch(plan: Plan, sequences: int) -> str:
    each = plan.microbatch * plan.data
    return f"expected a global batch in multiples of microbatch × data = {each}, found {sequences}"


def _too_large(least: Memory, machine: Machine) -> str:
    needed, there = format_quantity(least.total, "byte", 3), format_quantity(machine.memory, "byte", 3)
    least_of_all = "the least that ZeRO and recomputation leave"
    return f"expected at most {there} on a device, found {needed} on stage {least.stage}, {least_of_all}"
