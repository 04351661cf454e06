"""The plans of a model on a machine: those that are possible, by predicted step time, and why the others are not."""

from bisect import insort
from collections.abc import Iterator
from dataclasses import dataclass, replace

from labs.model.device_memory.budget import Memory, memory
from labs.model.device_memory.conventions import CONVENTIONS, Convention
from labs.model.machines.machine import Machine
from labs.model.plans.feasibility import refusals
from labs.model.plans.plan import Plan
from labs.model.quantities.inputs import count
from labs.model.quantities.units import format_quantity
from labs.model.steps.compute import EFFICIENCY
from labs.model.steps.least import least_step_time
from labs.model.steps.step import Step, step_time
from labs.model.transformers.transformer import Transformer

MICROBATCHES = (1, 2, 4, 8)
LARGEST_TENSOR = 64
LARGEST_INTERLEAVE = 8
TOKENS_OF_A_CONTEXT_RANK = 4096  # fewer, and attention is too little work to send keys and values for


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
    """All plans that were looked at.

    Attributes:
        feasible: the fastest first
        refused: impossible, or too large for the memory, in the order in which they were tried
        slower: possible, but slower than all feasible ones; whether they fit was not looked at
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
    """Return every plan of a model on all devices of a machine, ranked by predicted step time.

    Tensor, context, pipeline and expert degrees, microbatches and interleaving are gone through; tensor ranks split
    the sequence too; attention keeps no scores, and there is no dropout. For each split the fastest way to make it fit
    is taken: ZeRO stages 1 to 3, and full recomputation where nothing else helps. Where only the fastest are wanted, a
    plan whose least_step_time is longer than theirs is not looked at further.

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
    for plan in _splits(model, machine.devices, sequences):
        reasons = (
            (_uneven_batch(plan, sequences),)
            if plan.global_batch != sequences
            else refusals(model=model, plan=plan)
        )
        if reasons:
            refused.append(Refused(plan=plan, reason=reasons[0]))
        else:
            possible.append(plan)
    feasible: list[Candidate] = []
    slower: list[Plan] = []
    times: list[float] = []
    for least, plan in _most_promising_first(model, machine, possible, efficiency, wanted):
        if wanted and len(times) >= wanted and least > times[wanted - 1]:
            slower.append(plan)
            continue
        found = _fastest(model, plan, machine, convention, efficiency)
        if isinstance(found, Refused):
            refused.append(found)
        else:
            feasible.append(found)
            insort(times, found.step.time)
    feasible.sort(key=lambda candidate: candidate.step.time)
    slower += [candidate.plan for candidate in feasible[wanted:]] if wanted else []
    return Search(feasible=tuple(feasible[:wanted]), refused=tuple(refused), slower=tuple(slower))


def _most_promising_first(
    model: Transformer, machine: Machine, plans: list[Plan], efficiency: float, wanted: int | None
) -> list[tuple[float, Plan]]:
    """Return plans with the least time of each, in its order; as they are where all are wanted."""
    if wanted is None:
        return [(0.0, plan) for plan in plans]
    bounds = [
        (least_step_time(model=model, plan=plan, machine=machine, efficiency=efficiency), plan) for plan in plans
    ]
    return sorted(bounds, key=lambda bound: bound[0])


def _fastest(
    model: Transformer, plan: Plan, machine: Machine, convention: Convention, efficiency: float
) -> Candidate | Refused:
    fitting, least = _fitting(model, plan, machine, convention)
    timed = []
    for made, held in fitting:
        step = step_time(model=model, plan=made, machine=machine, convention=convention, efficiency=efficiency)
        timed.append(Candidate(plan=made, step=step, memory=held))
    if not timed:
        return Refused(plan=plan, reason=_too_large(least, machine))
    return min(timed, key=lambda candidate: candidate.step.time)


def _splits(model: Transformer, devices: int, sequences: int) -> Iterator[Plan]:
    for t in _divisors(devices, LARGEST_TENSOR):
        for c in _contexts(model, devices // t):
            for p in _divisors(devices // (t * c), model.layers):
                d = devices // (t * c * p)
                for e in _divisors(model.experts.count, d * c) if model.experts else (1,):
                    if (d * c) % e == 0:
                        yield from _runs(Plan(tensor=t, context=c, pipeline=p, data=d, expert=e), model, sequences)


def _runs(split: Plan, model: Transformer, sequences: int) -> Iterator[Plan]:
    """Yield the ways to run a step of a split."""
    each = max(1, sequences // split.data)  # sequences of a replica
    for b in MICROBATCHES:
        if b > each:
            return
        layers = model.layers // split.pipeline if model.layers % split.pipeline == 0 else 1
        chunks = _divisors(layers, LARGEST_INTERLEAVE) if split.pipeline > 1 else (1,)
        for v in chunks:
            yield replace(
                split,
                microbatch=b,
                accumulation=each // b,
                interleave=v,
                sequence_parallel=split.tensor > 1,
            )


def _fitting(
    model: Transformer, plan: Plan, machine: Machine, convention: Convention
) -> tuple[list[tuple[Plan, Memory]], Memory]:
    """Return the ways that fit and may be the fastest, and the least memory of any way."""
    stages = (1, 2, 3) if plan.data * plan.context > 1 else (0,)
    fitting: list[tuple[Plan, Memory]] = []
    least = None
    for again in (False, True):
        for zero in stages:
            made = replace(plan, zero=zero, recompute="full" if again else "none")
            held = memory(
                model=model,
                plan=made,
                convention=convention,
                machine_memory=machine.memory,
                flash=True,
                dropout=False,
            )
            if least is None or held.total < least.total:
                least = held
            if held.fits:
                fitting.append((made, held))
                break  # a higher stage exchanges no less
        if fitting and fitting[0][0].zero < 2:
            break  # nothing is slower only by what it saves
    assert least is not None
    return fitting, least


def _uneven_batch(plan: Plan, sequences: int) -> str:
    each = plan.microbatch * plan.data
    return f"expected a global batch in multiples of microbatch × data = {each}, found {sequences}"


def _too_large(least: Memory, machine: Machine) -> str:
    needed, there = format_quantity(least.total, "byte", 3), format_quantity(machine.memory, "byte", 3)
    least_of_all = "the least that ZeRO and recomputation leave"
    return f"expected at most {there} on a device, found {needed} on stage {least.stage}, {least_of_all}"


def _contexts(model: Transformer, devices: int) -> tuple[int, ...]:
    most = max(1, model.sequence // TOKENS_OF_A_CONTEXT_RANK)
    return tuple(c for c in _divisors(devices, most) if c & (c - 1) == 0)


def _divisors(number: int, most: int) -> tuple[int, ...]:
    return tuple(divisor for divisor in range(1, min(number, most) + 1) if number % divisor == 0)
