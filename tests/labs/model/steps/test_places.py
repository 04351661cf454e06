"""What a message costs where it is sent: rings within a node, rows of stages that leave it, plans that do not fit."""

from dataclasses import replace

import pytest

from labs.model.configs.huggingface import read_config
from labs.model.device_memory.budget import memory
from labs.model.device_memory.conventions import CONVENTIONS
from labs.model.machines.machine import Level, Machine
from labs.model.machines.named import named_machine
from labs.model.machines.placement import send_time
from labs.model.plans.plan import Plan
from labs.model.quantities.errors import ModelError
from labs.model.steps.step import step_time
from labs.model.transformers.parameter_count import parameters
from labs.model.transformers.transformer import Transformer, gpt

H100 = named_machine(name="DGX H100", devices=16)
NODE, CLUSTER = H100.levels
GROUPED = Transformer(
    hidden=4096,
    layers=32,
    heads=32,
    kv_heads=8,
    head_width=128,
    ffn=14336,
    gated=True,
    vocabulary=128256,
    sequence=131072,
)


@pytest.mark.parametrize(("ranks", "stride", "level"), [(4, 1, NODE), (8, 1, NODE), (4, 2, NODE), (16, 1, CLUSTER)])
def test_a_ring_within_a_node_never_waits_for_the_network_and_one_beyond_it_does(ranks, stride, level):
    found = send_time(machine=H100, payload=1e9, ranks=ranks, stride=stride)
    assert found == pytest.approx(level.latency + 1e9 / level.bandwidth)


def test_nothing_is_sent_to_oneself():
    assert send_time(machine=H100, payload=1e9, ranks=1) == 0


def test_context_ranks_within_a_node_exchange_over_its_links():
    """Blocks of keys and values: s/c · 2 kv d · 2 byte; c − 1 a layer and pass, forward once and backward twice."""
    plan = Plan(context=4, data=4)
    step = step_time(model=GROUPED, plan=plan, machine=H100, overlap=False)
    block = 131072 / 4 * 2 * 8 * 128 * 2
    assert step.context == pytest.approx(3 * 3 * 32 * (NODE.latency + block / NODE.bandwidth), rel=1e-6)


def test_a_row_of_stages_that_leaves_its_node_waits_for_the_network():
    inside = step_time(model=GROUPED, plan=Plan(pipeline=8, data=2, accumulation=32), machine=H100)
    across = step_time(model=GROUPED, plan=Plan(pipeline=16, accumulation=32), machine=H100)
    # 1F1B waits for 2 (p − 1) (⌊(m − 1)/p⌋ + 1) + 2 ((m − 1) mod p − 1) hops of b s h · 2 byte.
    hop = CLUSTER.latency + 131072 * 4096 * 2 / CLUSTER.bandwidth
    alone = step_time(
        model=GROUPED,
        plan=Plan(pipeline=16, accumulation=32),
        machine=replace(H100, levels=tuple(replace(level, bandwidth=1e30, latency=0.0) for level in H100.levels)),
    )
    assert across.time - alone.time == pytest.approx((30 * 2 + 2 * 14) * hop, rel=0.02)
    assert inside.bubble < across.bubble


@pytest.mark.parametrize("plan", [Plan(tensor=4, pipeline=8), Plan(pipeline=32, accumulation=4), Plan(data=64)])
def test_a_plan_larger_than_the_machine_is_refused(plan):
    with pytest.raises(ModelError, match="expected a plan of at most 16 devices, found"):
        step_time(model=GROUPED, plan=plan, machine=H100)


def test_whole_floats_count_as_counts_everywhere():
    plan = Plan(tensor=2.0, pipeline=2.0, accumulation=4.0)
    assert plan == Plan(tensor=2, pipeline=2, accumulation=4) and isinstance(plan.tensor, int)
    model = gpt(hidden=1024.0, layers=8.0, heads=16.0)
    assert step_time(model=model, plan=plan, machine=H100).time > 0
    held = memory(model=model, plan=plan, convention=CONVENTIONS["mixed"], stage=1.0)
    assert held == memory(model=model, plan=plan, convention=CONVENTIONS["mixed"], stage=1)
    assert isinstance(parameters(model=model).total, int)


def test_levels_may_be_a_list_and_are_checked():
    machine = Machine(name="two", peak=1e15, memory=80e9, memory_bandwidth=3e12, levels=[NODE, CLUSTER])
    assert step_time(model=gpt(hidden=1024, layers=8, heads=16), plan=Plan(data=16), machine=machine).time > 0
    with pytest.raises(ModelError, match="bandwidth of level node"):
        Level(name="node", devices=8, bandwidth=0, latency=0)


def test_a_number_of_thousands_of_digits_is_refused():
    with pytest.raises(ModelError, match="numbers of a few digits"):
        read_config(config='{"model_type":"llama","hidden_size":' + "1" * 5000 + "}")
