"""Which level the groups of a plan exchange over."""

import pytest

from labs.model.machines.machine import Level, Machine
from labs.model.plans.plan import Plan
from labs.model.quantities.errors import ModelError
from labs.model.serving.links import plan_links

MACHINE = Machine(
    name="M",
    peak=1e15,
    memory=80e9,
    memory_bandwidth=2e12,
    levels=(
        Level(name="node", devices=8, bandwidth=400e9, latency=1e-6),
        Level(name="rack", devices=64, bandwidth=50e9, latency=5e-6),
        Level(name="cluster", devices=1024, bandwidth=25e9, latency=1e-5),
    ),
)


@pytest.mark.parametrize(
    ("plan", "names"),
    [
        (Plan(), ("node", "node", "node", "node")),
        (Plan(tensor=8, pipeline=2), ("node", "node", "node", "rack")),
        (Plan(tensor=4, context=4, data=8, expert=32), ("node", "rack", "cluster", "cluster")),
        (Plan(tensor=2, data=64, expert=4, pipeline=8), ("node", "node", "node", "cluster")),
        (Plan(tensor=16), ("rack", "rack", "rack", "rack")),
        (Plan(tensor=6), ("cluster", "cluster", "cluster", "cluster")),  # would straddle nodes and racks
    ],
)
def test_a_group_is_on_the_first_level_that_holds_it_whole(plan, names):
    found = plan_links(machine=MACHINE, plan=plan)
    assert (found.tensor.name, found.context.name, found.expert.name, found.pipeline.name) == names


def test_a_plan_of_more_devices_is_refused():
    with pytest.raises(ModelError, match="expected at most 1024 devices, found 2048"):
        plan_links(machine=MACHINE, plan=Plan(data=2048))
