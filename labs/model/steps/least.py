"""What a step takes at least, without its exchanges."""

from dataclasses import replace

from labs.model.machines.machine import Machine
from labs.model.pipelines.bubble import bubble_overhead
from labs.model.plans.plan import Plan
from labs.model.quantities.inputs import share
from labs.model.steps.compute import EFFICIENCY, traffic
from labs.model.steps.work import training_work
from labs.model.transformers.transformer import Transformer


def least_step_time(*, model: Transformer, plan: Plan, machine: Machine, efficiency: float = EFFICIENCY) -> float:
    """Return what a step takes at least: no exchange, and nothing recomputed.

    It costs a fraction of step_time, so a search can leave out what is slow in any case.

        least = (arithmetic + traffic) (1 + (p − 1) / (v m))

    Args:
        model: the transformer
        plan: how it is split, and how a step is run
        machine: the devices and their memory
        efficiency: share of the peak that arithmetic reaches [1]

    Returns:
        a time that step_time does not fall below, with attention's scores out of memory [s]

    Raises:
        ModelError: an impossible plan, or an efficiency that is no share

    Source:
        step_time, with its exchanges left out

    >>> from labs.model.machines.named import named_machine
    >>> from labs.model.steps.step import step_time
    >>> from labs.model.transformers.transformer import gpt
    >>> model, machine = gpt(hidden=4096, layers=32, heads=32), named_machine(name="DGX H100", devices=8)
    >>> plan = Plan(tensor=2, data=4, accumulation=16)
    >>> whole = step_time(model=model, plan=plan, machine=machine)
    >>> least_step_time(model=model, plan=plan, machine=machine) < whole.time
    True
    """
    work = training_work(model=model, sequences=plan.global_batch, recompute="none")
    arithmetic = work.total / (plan.devices * machine.peak * share("efficiency", efficiency))
    unspared = plan if plan.recompute == "none" else replace(plan, recompute="none")
    moved = sum(traffic(model, unspared, machine, flash=True))
    bubble = bubble_overhead(stages=plan.pipeline, microbatches=plan.accumulation, chunks=plan.interleave)
    return (arithmetic + moved) * (1 + bubble)
