"""Groups on a machine: against every rank laid out one by one, and against the collectives that they stand for."""

import itertools
import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from labs.model.collectives.cost import collective
from labs.model.collectives.operation import OPERATIONS
from labs.model.machines.hierarchy import hierarchical_collective
from labs.model.machines.machine import Level, Machine
from labs.model.machines.placement import AXES, axis_group, exchange_time, group_levels, group_members
from labs.model.plans.plan import Plan
from labs.model.quantities.errors import ModelError


def machine_of(*levels):
    """Return a machine whose levels are devices, bandwidth and latency."""
    return Machine(
        name="machine",
        peak=1e15,
        memory=80e9,
        memory_bandwidth=3e12,
        levels=tuple(
            Level(name=f"level {number}", devices=devices, bandwidth=bandwidth, latency=latency)
            for number, (devices, bandwidth, latency) in enumerate(levels)
        ),
    )


TWO = machine_of((8, 400e9, 2e-6), (64, 50e9, 5e-6))


@st.composite
def plans(draw):
    small = st.integers(1, 3)
    context, data = draw(small), draw(small)
    expert = draw(st.sampled_from([e for e in range(1, context * data + 1) if context * data % e == 0]))
    return Plan(tensor=draw(small), context=context, data=data, pipeline=draw(small), expert=expert)


@st.composite
def machines(draw):
    factors = draw(st.lists(st.integers(1, 6), min_size=1, max_size=4))
    sizes = itertools.accumulate(factors, lambda a, b: a * b)
    return machine_of(*((devices, 1e12 / 2**number, 1e-6 * 2**number) for number, devices in enumerate(sizes)))


def coordinates(plan, rank):
    """Return the place of a rank along tensor, context, data and pipeline, counted off one by one."""
    places = itertools.product(range(plan.pipeline), range(plan.data), range(plan.context), range(plan.tensor))
    return dict(zip(("pipeline", "data", "context", "tensor"), list(places)[rank], strict=True))


@given(plan=plans())
def test_members_differ_along_their_axis_alone(plan):
    together = {"state": {"context", "data"}} | {axis: {axis} for axis in ("tensor", "context", "data", "pipeline")}
    places = [coordinates(plan, rank) for rank in range(plan.devices)]
    for axis, free in together.items():
        for rank, place in enumerate(places):
            alike = [
                other for other, there in enumerate(places) if all(place[a] == there[a] for a in place if a not in free)
            ]
            assert list(group_members(plan=plan, axis=axis, rank=rank)) == alike


@pytest.mark.parametrize("axis", AXES)
@given(plan=plans())
def test_the_groups_of_an_axis_tile_the_ranks(axis, plan):
    groups = {group_members(plan=plan, axis=axis, rank=rank) for rank in range(plan.devices)}
    assert sorted(itertools.chain.from_iterable(groups)) == list(range(plan.devices))
    assert {len(group) for group in groups} == {axis_group(plan=plan, axis=axis).ranks}


@given(plan=plans())
def test_expert_ranks_are_state_ranks_once_more(plan):
    for rank in range(plan.devices):
        state = set(group_members(plan=plan, axis="state", rank=rank))
        expert = set(group_members(plan=plan, axis="expert", rank=rank))
        same = set(group_members(plan=plan, axis="expert state", rank=rank))
        assert expert | same <= state
        assert expert & same == {rank}
        assert len(expert) * len(same) == len(state)


def test_the_axes_of_a_plan_by_hand():
    plan = Plan(tensor=8, context=2, data=4, pipeline=2, expert=4)
    groups = {axis: axis_group(plan=plan, axis=axis) for axis in AXES}
    assert {axis: (group.ranks, group.stride) for axis, group in groups.items()} == {
        "tensor": (8, 1),
        "context": (2, 8),
        "data": (4, 16),
        "pipeline": (2, 64),
        "state": (8, 8),
        "expert": (4, 8),
        "expert state": (2, 32),
    }


@given(machine=machines(), ranks=st.integers(1, 24), stride=st.integers(1, 24))
def test_members_said_to_be_together_are_in_one_such_level_wherever_the_group_lies(machine, ranks, stride):
    assume(ranks * stride <= machine.devices)
    found = {level.name: level.devices for level in group_levels(machine=machine, ranks=ranks, stride=stride)}
    assert list(found.values())[-1] == ranks
    for level in machine.levels[:-1]:
        together = found.get(level.name)
        for block, start in itertools.product(range(machine.devices // (ranks * stride)), range(stride)):
            members = [block * ranks * stride + start + i * stride for i in range(ranks)]
            for first in range(0, ranks, together or ranks):
                inside = {member // level.devices for member in members[first : first + (together or 1)]}
                assert len(inside) == 1


@given(machine=machines(), ranks=st.integers(1, 24), stride=st.integers(1, 24))
def test_a_group_that_fits_in_a_level_side_by_side_goes_no_further(machine, ranks, stride):
    assume(ranks * stride <= machine.devices)
    levels = group_levels(machine=machine, ranks=ranks, stride=stride)
    fitting = [level.name for level in machine.levels if level.devices % (ranks * stride) == 0]
    if fitting and ranks > 1:
        assert levels[-1].name == fitting[0]


@pytest.mark.parametrize(
    ("ranks", "stride", "expected"),
    [
        (8, 1, [("level 0", 8)]),
        (8, 8, [("level 1", 8)]),
        (64, 1, [("level 0", 8), ("level 1", 64)]),
        (16, 2, [("level 0", 4), ("level 1", 16)]),
        (3, 1, [("level 1", 3)]),
        (12, 1, [("level 0", 4), ("level 1", 12)]),
        (4, 3, [("level 1", 4)]),
        (1, 64, [("level 0", 1)]),
    ],
)
def test_levels_by_hand(ranks, stride, expected):
    found = group_levels(machine=TWO, ranks=ranks, stride=stride)
    assert [(level.name, level.devices) for level in found] == expected


def test_levels_of_equal_links_are_one():
    rack = machine_of((2, 900e9, 2e-6), (4, 900e9, 2e-6), (72, 900e9, 2e-6), (576, 50e9, 4e-6))
    found = group_levels(machine=rack, ranks=144, stride=1)
    assert [(level.name, level.devices) for level in found] == [("level 2", 72), ("level 3", 144)]


@pytest.mark.parametrize("operation", OPERATIONS)
@given(machine=machines(), ranks=st.integers(1, 24), stride=st.integers(1, 24), payload=st.floats(0, 1e12))
def test_an_exchange_costs_what_the_collective_over_its_levels_costs(operation, machine, ranks, stride, payload):
    assume(ranks * stride <= machine.devices)
    levels = group_levels(machine=machine, ranks=ranks, stride=stride)
    expected = hierarchical_collective(operation=operation, payload=payload, levels=levels).time
    found = exchange_time(machine=machine, operation=operation, payload=payload, ranks=ranks, stride=stride)
    assert math.isclose(found, expected, rel_tol=1e-12)
    assert ranks > 1 or found == 0


def test_a_group_within_a_node_is_a_ring_on_its_links():
    found = exchange_time(machine=TWO, operation="all-gather", payload=1e9, ranks=4, stride=2)
    ring = collective(operation="all-gather", algorithm="ring", payload=1e9, ranks=4, latency=2e-6, bandwidth=400e9)
    assert math.isclose(found, ring.time)


def test_a_frequent_exchange_on_a_slow_level_costs_what_it_costs():
    """Eight tensor ranks within a node, or one in each of eight nodes: eight times slower links, as much slower."""
    inputs = {"machine": TWO, "operation": "all-reduce", "payload": 1e9, "ranks": 8}
    assert exchange_time(**inputs, stride=8) / exchange_time(**inputs, stride=1) == pytest.approx(8, rel=1e-2)


@given(payload=st.floats(1, 1e12), factor=st.floats(1, 1e6))
def test_an_exchange_never_gets_cheaper_with_more_bytes(payload, factor):
    less, more = (
        exchange_time(machine=TWO, operation="all-reduce", payload=size, ranks=64)
        for size in (payload, payload * factor)
    )
    assert less <= more


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: exchange_time(machine=TWO, operation="all-reduce", payload=1, ranks=16, stride=8),
            "expected a group within 64 devices, found 16 ranks that are 8 apart",
        ),
        (
            lambda: exchange_time(machine=TWO, operation="all-reduce", payload=-1, ranks=8),
            "expected payload >= 0 byte, found -1 byte",
        ),
        (lambda: group_levels(machine=TWO, ranks=8, stride=0), "expected stride >= 1, found 0"),
        (
            lambda: axis_group(plan=Plan(), axis="tensors"),
            "expected axis to be one of tensor, context, data, pipeline, state, expert, expert state, "
            'found "tensors" (did you mean "tensor"?)',
        ),
        (lambda: group_members(plan=Plan(data=2), axis="data", rank=2), "expected rank <= 1, found 2"),
    ],
)
def test_refusals(call, message):
    with pytest.raises(ModelError) as refusal:
        call()
    assert str(refusal.value) == message
