"""Shards: together they are each tensor, once, or as often as it is replicated."""

import re
from collections import defaultdict
from itertools import product
from math import prod

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from labs.model.plans.feasibility import refusals
from labs.model.plans.plan import Plan, data_parallel_ranks
from labs.model.plans.sharding import Coordinates, coordinates, shards
from labs.model.plans.stages import stage_layers
from labs.model.quantities.errors import ModelError
from labs.model.transformers.transformer import Experts, LatentAttention, Transformer
from labs.model.transformers.weights import tensors

DEGREE = st.sampled_from([1, 2, 4])


@st.composite
def transformers(draw):
    heads = draw(st.sampled_from([4, 8]))
    experts = draw(st.booleans())
    return Transformer(
        hidden=8,
        layers=draw(st.sampled_from([4, 5, 8])),
        heads=heads,
        kv_heads=draw(st.sampled_from([1, 2, heads])),
        head_width=2,
        ffn=8,
        gated=draw(st.booleans()),
        vocabulary=draw(st.integers(1, 20)),
        sequence=32,
        tied=draw(st.booleans()),
        positions=draw(st.sampled_from([0, 32])),
        biases=draw(st.booleans()),
        qk_norms=draw(st.booleans()),
        norms=draw(st.sampled_from([1, 2])),
        experts=Experts(
            count=4,
            chosen=2,
            ffn=4,
            shared=draw(st.sampled_from([0, 1])),
            dense_layers=draw(st.sampled_from([0, 1])),
            shared_gate=draw(st.booleans()),
        )
        if experts
        else None,
        latent=draw(
            st.sampled_from([None, LatentAttention(query_rank=3, kv_rank=2, rope_width=1, nope_width=2, value_width=2)])
        ),
    )


@st.composite
def plans(draw):
    context, data = draw(DEGREE), draw(DEGREE)
    pipeline = draw(DEGREE)
    uneven = draw(st.booleans())
    return Plan(
        tensor=draw(DEGREE),
        context=context,
        data=data,
        pipeline=pipeline,
        expert=draw(st.sampled_from([e for e in (1, 2, 4) if context * data % e == 0])),
        zero=draw(st.integers(0, 3)),
        interleave=1 if uneven or pipeline == 1 else draw(st.sampled_from([1, 2])),
        accumulation=4,
        uneven=uneven,
        replicate_kv=True,
    )


@given(model=transformers(), plan=plans())
def test_shards_tile_each_tensor_exactly(model, plan):
    assume(not refusals(model=model, plan=plan))
    covered = defaultdict(lambda: defaultdict(int))
    wholes = {}
    for device in range(plan.devices):
        for shard in shards(model=model, plan=plan, device=device, parameter_bytes=1):
            wholes[shard.tensor] = (shard.whole, shard.holders)
            inside = product(*(range(start, stop) for start, stop in shard.tile))
            for layer in shard.layers or (None,):
                for number, entry in enumerate(product(*(range(start, stop) for start, stop in shard.tile))):
                    if shard.piece[0] <= number < shard.piece[1]:
                        covered[shard.tensor, layer][entry] += 1
            assert sum(1 for _ in inside) == prod(shard.shape)
            assert shard.elements == shard.piece[1] - shard.piece[0]
            assert shard.bytes == shard.elements * max(1, len(shard.layers))
    for tensor in tensors(model=model):
        whole, holders = wholes[tensor.name]
        layers = range(tensor.first_layer, tensor.first_layer + tensor.layers) if tensor.place == "layers" else [None]
        for layer in layers:
            count = covered[tensor.name, layer]
            assert set(count) == set(product(*map(range, whole)))
            assert set(count.values()) == {holders}
        padding = [more - less for more, less in zip(whole, tensor.shape, strict=True)]
        assert not any(padding[1:])
        assert 0 <= padding[0] < plan.tensor
        assert tensor.split == "vocabulary" or not padding[0]


@given(plan=plans())
def test_every_device_has_coordinates_of_its_own(plan):
    found = [coordinates(plan=plan, device=device) for device in range(plan.devices)]
    assert len({(at.tensor, at.context, at.data, at.pipeline) for at in found}) == plan.devices
    assert plan.devices == plan.tensor * plan.context * plan.data * plan.pipeline
    sizes = [sum(at.expert == rank for at in found) for rank in range(plan.expert)]
    assert set(sizes) == {plan.devices // plan.expert}


def test_tensor_ranks_are_neighbours_then_context_then_data_then_stages():
    plan = Plan(tensor=2, context=2, data=2, pipeline=2, expert=4)
    at = [coordinates(plan=plan, device=device) for device in (1, 2, 4, 8)]
    assert at[0] == Coordinates(tensor=1, context=0, data=0, pipeline=0, expert=0)
    assert at[1] == Coordinates(tensor=0, context=1, data=0, pipeline=0, expert=1)
    assert at[2] == Coordinates(tensor=0, context=0, data=1, pipeline=0, expert=2)
    assert at[3] == Coordinates(tensor=0, context=0, data=0, pipeline=1, expert=0)


def model(**more):
    sizes = {"hidden": 8, "layers": 4, "heads": 4, "kv_heads": 2, "head_width": 2, "ffn": 16, "gated": False}
    return Transformer(**sizes | {"vocabulary": 30, "sequence": 4} | more)


def held(plan, device, name, **more):
    return next(s for s in shards(model=model(**more), plan=plan, device=device) if s.tensor == name)


def test_by_hand_columns_rows_and_vocabulary():
    plan = Plan(tensor=2)
    up, down = held(plan, 1, "mlp.up"), held(plan, 1, "mlp.down")
    assert (up.tile, up.shape, up.layers, up.bytes) == (((8, 16), (0, 8)), (8, 8), (0, 1, 2, 3), 512)
    assert down.tile == ((0, 8), (8, 16))
    assert held(plan, 1, "norms.mlp").holders == 2
    words = held(Plan(tensor=4), 3, "embedding.tokens", kv_heads=4)
    assert (words.whole, words.tile, words.padding) == ((32, 8), ((24, 32), (0, 8)), 2)


def test_a_tied_embedding_is_on_both_ends_and_a_head_on_the_last_stage():
    plan = Plan(pipeline=2)
    assert held(plan, 1, "embedding.tokens", tied=True).holders == 2
    first = {shard.tensor for shard in shards(model=model(), plan=plan, device=0)}
    last = {shard.tensor for shard in shards(model=model(), plan=plan, device=1)}
    assert first - last == {"embedding.tokens"}
    assert last - first == {"head.output", "norms.final"}


def test_tensor_ranks_beyond_the_key_heads_hold_copies_where_that_is_asked_for():
    plan = Plan(tensor=4, replicate_kv=True)
    tiles = [held(plan, device, "attention.key").tile[0] for device in range(4)]
    assert tiles == [(0, 2), (0, 2), (2, 4), (2, 4)]
    assert held(plan, 0, "attention.key").holders == 2
    with pytest.raises(ModelError, match=re.escape("(take tensor 2, or replicate_kv)")):
        shards(model=model(), plan=Plan(tensor=4))


def test_zero_3_slices_over_data_and_context_ranks_and_experts_over_those_that_hold_them():
    norm = [held(Plan(data=2, context=2, zero=3), device, "norms.mlp", sequence=8) for device in range(4)]
    assert [shard.piece for shard in norm] == [(0, 2), (2, 4), (4, 6), (6, 8)]
    experts = Experts(count=4, chosen=2, ffn=16)
    up = [held(Plan(data=4, expert=2, zero=3), device, "experts.up", experts=experts) for device in range(4)]
    assert [shard.tile[0] for shard in up] == [(0, 2), (2, 4), (0, 2), (2, 4)]
    assert [shard.piece for shard in up] == [(0, 128), (0, 128), (128, 256), (128, 256)]
    few = [held(Plan(data=16, zero=3), device, "norms.mlp").elements for device in range(16)]
    assert few == [1] * 8 + [0] * 8


def test_layers_are_spread_in_chunks_and_uneven_stages_have_fewer_at_the_ends():
    eight = model(layers=8)
    plan = Plan(pipeline=2, interleave=2, accumulation=2)
    assert [stage_layers(model=eight, plan=plan, stage=s) for s in (0, 1)] == [(0, 1, 4, 5), (2, 3, 6, 7)]
    sizes = [len(stage_layers(model=model(layers=61), plan=Plan(pipeline=16, uneven=True), stage=s)) for s in range(16)]
    assert sum(sizes) == 61
    assert sizes == [3] + [4] * 13 + [3] * 2
    with pytest.raises(ModelError, match="expected stage <= 1, found 2"):
        stage_layers(model=eight, plan=plan, stage=2)


def test_a_device_that_is_not_there_is_refused():
    with pytest.raises(ModelError, match="expected device <= 7, found 8"):
        coordinates(plan=Plan(data=8), device=8)


def test_devices_that_make_no_whole_replicas_are_refused():
    with pytest.raises(ModelError, match=re.escape("expected devices in whole replicas of 64, found 100 (take 64 dev")):
        data_parallel_ranks(devices=100, tensor=8, pipeline=8)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Plan(recompute="some"), "expected recompute to be one of none, selective, full, found some"),
        (lambda: Plan(expert=3, data=4), "expected expert to divide data × context, found 3 and 4 × 1"),
        (lambda: Plan(interleave=2), "expected interleave 1 without a pipeline, found 2"),
        (lambda: Plan(interleave=2, pipeline=2, uneven=True), "expected interleave 1 where stages are uneven, found 2"),
        (lambda: Plan(zero=4), "expected zero <= 3, found 4"),
    ],
)
def test_what_is_no_plan_is_refused(make, message):
    with pytest.raises(ModelError) as refused:
        make()
    assert str(refused.value) == message
