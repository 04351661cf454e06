"""What the groups of a plan exchange over: for each kind the bandwidth and latency of the level that it spans."""

from dataclasses import dataclass

from labs.model.machines.machine import Level, Machine
from labs.model.plans.plan import Plan
from labs.model.quantities.errors import ModelError


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """The level that each kind of group exchanges over.

    Attributes:
        tensor: of tensor ranks
        context: of context ranks
        expert: of expert ranks
        pipeline: of neighbouring stages
    """

    tensor: Level
    context: Level
    expert: Level
    pipeline: Level


def plan_links(*, machine: Machine, plan: Plan) -> Links:
    """Return the levels that a plan's groups span where tensor ranks are placed innermost, and stages outermost.

    A group is on the first level that holds it whole; where groups would straddle that level, on the next.

        span = t of tensor, t c of context, t e of expert ranks, t c d p of stages

    Args:
        machine: its levels
        plan: degrees

    Returns:
        the attributes of Links

    Raises:
        ModelError: a plan of more devices than the machine has

    Source:
        Narayanan et al. (arXiv 2104.04473), section 3.2, takeaways 1 and 2

    >>> node = Level(name="node", devices=8, bandwidth=450e9, latency=1e-6)
    >>> rack = Level(name="rack", devices=64, bandwidth=50e9, latency=5e-6)
    >>> machine = Machine(name="M", peak=1e15, memory=80e9, memory_bandwidth=3e12, levels=(node, rack))
    >>> found = plan_links(machine=machine, plan=Plan(tensor=8, pipeline=2))
    >>> found.tensor.name, found.pipeline.name
    ('node', 'rack')
    """
    if plan.devices > machine.devices:
        raise ModelError(f"expected at most {machine.devices} devices, found {plan.devices}", argument="plan")

    def level(span: int) -> Level:
        whole = (one for one in machine.levels if one.devices % span == 0)
        return next(whole, machine.levels[-1])

    return Links(
        tensor=level(plan.tensor),
        context=level(plan.tensor * plan.context),
        expert=level(plan.tensor * plan.expert),
        pipeline=level(plan.devices),
    )
