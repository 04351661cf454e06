"""What crosses device boundaries, worked out by hand for one small transformer.

L = 4 layers, h = 8, a = 4 heads of 2, 2 key and value heads, f = 16, V = 32, s = 4 tokens, b = 2 sequences, 2 byte an
element. Parameters: a table 32 · 8 = 256, twice; of a layer attention 64 + 32 + 32 + 64 = 192, MLP 128 + 128 = 256, two
norms 16, together 464; the final norm 8; in all 256 + 256 + 4 · 464 + 8 = 2376.
"""

import math
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from labs.model.boundaries.training_step import crossings
from labs.model.plans.feasibility import refusals
from labs.model.plans.plan import Plan
from labs.model.plans.sharding import shards
from labs.model.quantities.errors import ModelError
from labs.model.transformers.parameter_count import parameters
from labs.model.transformers.transformer import Experts, LatentAttention, Transformer
from labs.model.transformers.weights import tensors
from tests.labs.model.plans.test_sharding import plans, transformers

SMALL = Transformer(
    hidden=8,
    layers=4,
    heads=4,
    kv_heads=2,
    head_width=2,
    ffn=16,
    gated=False,
    vocabulary=32,
    sequence=4,
)
# Of a layer with 4 experts: a router of 4 · 8 = 32, experts of 256 each.
MIXTURE = replace(SMALL, experts=Experts(count=4, chosen=2, ffn=16))

# An activation b s h is 2 · 4 · 8 · 2 byte = 128 byte.
ACTIVATION = 128
TABLES = {
    "data 2": (
        SMALL,
        Plan(data=2, microbatch=2),
        [("gradients", "all-reduce", "data", 2376 * 2, 1, "step")],
    ),
    "ZeRO 1 over 2": (
        SMALL,
        Plan(data=2, microbatch=2, zero=1, accumulation=3),
        [
            ("gradients", "reduce-scatter", "data", 2376 * 2, 1, "step"),
            ("updated weights", "all-gather", "data", 2376 * 2, 1, "step"),
        ],
    ),
    "ZeRO 2 over 2": (
        SMALL,
        Plan(data=2, microbatch=2, zero=2, accumulation=3),
        [
            ("gradients", "reduce-scatter", "data", 2376 * 2, 3, "backward"),
            ("updated weights", "all-gather", "data", 2376 * 2, 1, "step"),
        ],
    ),
    "ZeRO 3 over 2": (
        SMALL,
        Plan(data=2, microbatch=2, zero=3, accumulation=3),
        [
            ("weights of the embedding", "all-gather", "data", 256 * 2, 3, "forward"),
            ("weights of the embedding, gathered again", "all-gather", "data", 256 * 2, 3, "backward"),
            ("gradients of the embedding", "reduce-scatter", "data", 256 * 2, 3, "backward"),
            ("weights of a layer", "all-gather", "data", 464 * 2, 12, "forward"),
            ("weights of a layer, gathered again", "all-gather", "data", 464 * 2, 12, "backward"),
            ("gradients of a layer", "reduce-scatter", "data", 464 * 2, 12, "backward"),
            ("weights of head and final norm", "all-gather", "data", 264 * 2, 3, "forward"),
            ("weights of head and final norm, gathered again", "all-gather", "data", 264 * 2, 3, "backward"),
            ("gradients of head and final norm", "reduce-scatter", "data", 264 * 2, 3, "backward"),
        ],
    ),
    "tensor 2": (
        SMALL,
        Plan(tensor=2, microbatch=2),
        [
            ("gradient of the attention input (partial sums)", "all-reduce", "tensor", ACTIVATION, 4, "backward"),
            ("gradient of the MLP input (partial sums)", "all-reduce", "tensor", ACTIVATION, 4, "backward"),
            ("attention output (partial sums)", "all-reduce", "tensor", ACTIVATION, 4, "forward"),
            ("MLP output (partial sums)", "all-reduce", "tensor", ACTIVATION, 4, "forward"),
            ("embedding output (partial sums)", "all-reduce", "tensor", ACTIVATION, 1, "forward"),
            # Three numbers of 4 byte for each of 8 tokens.
            (
                "loss (largest logit, logit of the target, sum of exponentials)",
                "all-reduce",
                "tensor",
                32,
                3,
                "forward",
            ),
            ("gradient of the head input (partial sums)", "all-reduce", "tensor", ACTIVATION, 1, "backward"),
        ],
    ),
    "tensor 2 with sequence parallelism": (
        SMALL,
        Plan(tensor=2, microbatch=2, sequence_parallel=True),
        [
            ("attention input", "all-gather", "tensor", ACTIVATION, 4, "forward"),
            ("attention input, gathered again", "all-gather", "tensor", ACTIVATION, 4, "backward"),
            ("gradient of the attention input (partial sums)", "reduce-scatter", "tensor", ACTIVATION, 4, "backward"),
            ("MLP input", "all-gather", "tensor", ACTIVATION, 4, "forward"),
            ("MLP input, gathered again", "all-gather", "tensor", ACTIVATION, 4, "backward"),
            ("gradient of the MLP input (partial sums)", "reduce-scatter", "tensor", ACTIVATION, 4, "backward"),
            ("attention output (partial sums)", "reduce-scatter", "tensor", ACTIVATION, 4, "forward"),
            ("gradient of the attention output", "all-gather", "tensor", ACTIVATION, 4, "backward"),
            ("MLP output (partial sums)", "reduce-scatter", "tensor", ACTIVATION, 4, "forward"),
            ("gradient of the MLP output", "all-gather", "tensor", ACTIVATION, 4, "backward"),
            ("embedding output (partial sums)", "reduce-scatter", "tensor", ACTIVATION, 1, "forward"),
            ("gradient of the embedding output", "all-gather", "tensor", ACTIVATION, 1, "backward"),
            ("head input", "all-gather", "tensor", ACTIVATION, 1, "forward"),
            ("head input, gathered again", "all-gather", "tensor", ACTIVATION, 1, "backward"),
            (
                "loss (largest logit, logit of the target, sum of exponentials)",
                "all-reduce",
                "tensor",
                32,
                3,
                "forward",
            ),
            ("gradient of the head input (partial sums)", "reduce-scatter", "tensor", ACTIVATION, 1, "backward"),
            # Two norms of 8 in each of 4 layers, and the final one.
            ("gradients of replicated weights (norms)", "all-reduce", "tensor", 72 * 2, 1, "step"),
        ],
    ),
    "pipeline 2": (
        SMALL,
        Plan(pipeline=2, microbatch=2, accumulation=3),
        [
            ("output of a stage", "send", "pipeline", ACTIVATION, 3, "forward"),
            ("gradient of the output of a stage", "send", "pipeline", ACTIVATION, 3, "backward"),
        ],
    ),
    "pipeline 2 with a tied embedding": (
        replace(SMALL, tied=True),
        Plan(pipeline=2, microbatch=2),
        [
            ("output of a stage", "send", "pipeline", ACTIVATION, 1, "forward"),
            ("gradient of the output of a stage", "send", "pipeline", ACTIVATION, 1, "backward"),
            ("gradient of the tied embedding", "all-reduce", "pipeline", 256 * 2, 1, "step"),
        ],
    ),
    # 2 tokens of each sequence; keys and values of 2 heads of 2: 2 · 2 · (2 · 2 · 2) · 2 byte = 64 byte.
    "context 2": (
        SMALL,
        Plan(context=2, microbatch=2),
        [
            ("keys and values of a block", "send", "context", 64, 4, "forward"),
            ("keys and values of a block, for gradients", "send", "context", 64, 4, "backward"),
            ("gradients of keys and values of a block", "send", "context", 64, 4, "backward"),
            ("gradients", "all-reduce", "data", 2376 * 2, 1, "step"),
        ],
    ),
    # Each of 8 tokens goes to 2 experts: 8 · 2 · 8 · 2 byte. Both hold 256 + 256 + 8 + 4 (192 + 16 + 32) = 1480.
    "experts over 2": (
        MIXTURE,
        Plan(data=2, expert=2, microbatch=2),
        [
            ("tokens to their experts", "all-to-all", "expert", 256, 4, "forward"),
            ("outputs of the experts", "all-to-all", "expert", 256, 4, "forward"),
            ("gradients of the experts' outputs", "all-to-all", "expert", 256, 4, "backward"),
            ("gradients of the tokens from their experts", "all-to-all", "expert", 256, 4, "backward"),
            ("gradients", "all-reduce", "data", 1480 * 2, 1, "step"),
        ],
    ),
}


def table(model, plan):
    return [
        (one.name, one.operation, one.axis, one.payload, one.times, one.phase)
        for one in crossings(model=model, plan=plan)
    ]


def by_name(model, plan, **more):
    return {one.name: one for one in crossings(model=model, plan=plan, **more)}


@pytest.mark.parametrize("name", TABLES)
def test_the_whole_table_by_hand(name):
    model, plan, expected = TABLES[name]
    assert table(model, plan) == expected
    assert {one.ranks for one in crossings(model=model, plan=plan)} == {2}


@given(model=transformers())
def test_one_device_sends_nothing(model):
    assert crossings(model=model, plan=Plan()) == ()


@given(model=transformers(), plan=plans(), split=st.booleans())
def test_every_crossing_is_between_devices_that_the_plan_has(model, plan, split):
    plan = replace(plan, sequence_parallel=split)
    assume(not refusals(model=model, plan=plan))
    found = crossings(model=model, plan=plan)
    assert len({one.name for one in found}) == len(found)
    for one in found:
        assert one.ranks >= 2
        assert (one.ranks - 1) * one.stride < plan.devices
        assert one.payload == math.prod(one.shape) * one.width
        assert 0 < one.sent <= 2 * one.payload
        assert one.times >= 1
        assert one.bytes_per_step == one.sent * one.times
        assert one.cause.endswith(".")
        left, right = one.formula.split(" = ")
        assert math.prod(int(part) for part in right.split(" byte")[0].split(" · ")) == one.payload
        assert left.endswith(f"· {one.width:g} byte")


@given(model=transformers(), plan=plans())
def test_zero_3_moves_one_and_a_half_times_what_zero_1_moves(model, plan):
    """Gathered twice and reduced once, not once each; without a pipeline, where all stages are one."""
    plan = replace(plan, pipeline=1, interleave=1, accumulation=1, tensor=1)
    assume(not refusals(model=model, plan=plan))
    sums = {
        zero: sum(
            one.bytes_per_step for one in crossings(model=model, plan=replace(plan, zero=zero)) if one.axis == "data"
        )
        for zero in range(4)
    }
    assert sums[0] == sums[1] == sums[2]
    assert math.isclose(sums[3], 1.5 * sums[0])


@given(model=transformers(), ranks=st.sampled_from([2, 4, 8]))
def test_the_gradients_are_all_parameters(model, ranks):
    (one,) = crossings(model=model, plan=Plan(data=ranks))[:1]
    routed = [other.payload for other in crossings(model=model, plan=Plan(data=ranks))[1:]]
    assert one.payload + sum(routed) == 2 * parameters(model=model).total


@given(model=transformers(), t=st.sampled_from([2, 4]), b=st.integers(1, 3))
def test_sequence_parallelism_moves_the_same_but_for_what_is_gathered_again_and_the_norms(model, t, b):
    plan = Plan(tensor=t, microbatch=b, replicate_kv=True)
    assume(not refusals(model=model, plan=plan))

    def moved(plan):
        found = crossings(model=model, plan=plan)
        return sum(
            one.bytes_per_step
            for one in found
            if "again" not in one.name and one.phase != "step" and one.where == "every stage"
        )

    assert math.isclose(moved(replace(plan, sequence_parallel=True)), moved(plan))


def test_full_recomputation_repeats_the_forward_exchanges_of_layers():
    found = by_name(SMALL, Plan(tensor=2, microbatch=2, recompute="full"))
    assert found["attention output (partial sums), computed again"].phase == "backward"
    assert found["MLP output (partial sums), computed again"].times == 4
    assert "embedding output (partial sums), computed again" not in found
    assert "attention output (partial sums), computed again" not in by_name(
        SMALL, Plan(tensor=2, recompute="selective")
    )


def test_selective_recomputation_repeats_the_ring_of_keys_and_values():
    names = by_name(SMALL, Plan(context=2, recompute="selective"))
    assert "keys and values of a block, computed again" in names


def test_attention_and_mlp_side_by_side_share_an_exchange():
    one_norm = table(replace(SMALL, parallel=True, norms=1), Plan(tensor=2))
    assert [name for name, *_, phase in one_norm if "layer" in name] == [
        "gradient of the layer input (partial sums)",
        "layer output (partial sums)",
    ]
    two_norms = by_name(replace(SMALL, parallel=True), Plan(tensor=2))
    assert "layer output (partial sums)" in two_norms
    assert "gradient of the MLP input (partial sums)" in two_norms


def test_latent_attention_gathers_latents_not_the_residual_stream():
    latent = LatentAttention(query_rank=3, kv_rank=2, rope_width=1, nope_width=2, value_width=2)
    model = replace(SMALL, kv_heads=4, latent=latent)
    found = by_name(model, Plan(tensor=2, microbatch=2))
    assert found["gradient of the attention latents (partial sums)"].payload == 2 * 4 * (3 + 2 + 1) * 2
    found = by_name(replace(model, latent=replace(latent, query_rank=0)), Plan(tensor=2, microbatch=2))
    assert found["gradient of the attention latents (partial sums)"].payload == 2 * 4 * (8 + 2 + 1) * 2
    found = by_name(model, Plan(context=2, microbatch=2))
    # Keys of 2 + 1 and values of 2 for each of 4 heads.
    assert found["keys and values of a block"].payload == 2 * 2 * 4 * 5 * 2


def test_sequence_parallel_tokens_meet_all_tensor_ranks_after_the_way_to_their_experts():
    model = replace(MIXTURE, experts=replace(MIXTURE.experts, shared=1, dense_layers=1))
    found = by_name(model, Plan(tensor=2, data=2, expert=2, microbatch=2, sequence_parallel=True))
    # 4 tokens on each tensor rank, 2 copies of each; then all 8.
    assert (found["tokens to their experts"].payload, found["tokens to their experts"].times) == (4 * 2 * 8 * 2, 3)
    assert (found["experts input"].payload, found["experts input"].shape) == (8 * 2 * 8 * 2, (2, 4, 2, 8))
    assert found["shared experts input"].payload == ACTIVATION
    assert found["MLP input"].times == 1
    assert found["tokens to their experts"].symbols == "b s / t k h"


def test_a_pipeline_sends_slices_under_sequence_parallelism_and_each_chunk_with_interleaving():
    plan = Plan(tensor=2, context=2, pipeline=2, interleave=2, accumulation=4, microbatch=2, sequence_parallel=True)
    one = by_name(replace(SMALL, sequence=8), plan)["output of a stage"]
    assert (one.shape, one.payload, one.times, one.stride) == ((2, 2, 8), 64, 8, 4)
    assert one.symbols == "b s / (c t) h"


def test_copied_key_heads_share_their_gradients():
    plan = Plan(tensor=4, replicate_kv=True)
    one = by_name(SMALL, plan)["gradients of copied key and value heads"]
    # A key and a value head of 2 · 8 in each of 4 layers.
    assert (one.payload, one.ranks, one.stride) == (4 * 2 * 16 * 2, 2, 1)
    one = by_name(replace(SMALL, qkv_biases=True), plan)["gradients of copied key and value heads"]
    assert one.payload == 4 * 2 * 18 * 2


def test_strides_say_which_devices_take_part():
    """Tensor ranks are neighbours, then context, then data ranks, then stages."""
    plan = Plan(tensor=2, context=2, data=4, pipeline=2, expert=4, microbatch=2)
    found = by_name(replace(MIXTURE, tied=True, sequence=8), plan)
    where = {name: (one.axis, one.ranks, one.stride) for name, one in found.items()}
    assert where["attention output (partial sums)"] == ("tensor", 2, 1)
    assert where["keys and values of a block"] == ("context", 2, 2)
    assert where["tokens to their experts"] == ("expert", 4, 2)
    assert where["gradients"] == ("data", 8, 2)
    assert where["gradients of routed experts"] == ("data", 2, 8)
    assert where["output of a stage"] == ("pipeline", 2, 16)
    found = by_name(replace(SMALL, tied=True), Plan(data=2, pipeline=4))
    assert (found["gradient of the tied embedding"].ranks, found["gradient of the tied embedding"].stride) == (2, 6)


def test_the_heaviest_stage_decides():
    # Stages of 2 layers: the first has 256 + 928, the last 928 + 8 + 256.
    assert by_name(SMALL, Plan(pipeline=2, data=2))["gradients"].shape == (1192,)


def test_what_may_hide_behind_compute():
    found = by_name(SMALL, Plan(tensor=2, data=2, pipeline=2, accumulation=2))
    assert found["attention output (partial sums)"].hidden_by is None
    assert found["gradients"].hidden_by == "the backward pass of the last microbatch"
    assert found["output of a stage"].hidden_by == "the compute of another microbatch"
    assert by_name(SMALL, Plan(pipeline=2))["output of a stage"].hidden_by is None


def test_widths_of_elements():
    found = by_name(SMALL, Plan(tensor=2, data=2, zero=1), activation_bytes=1, parameter_bytes=2, gradient_bytes=4)
    assert found["attention output (partial sums)"].payload == 4 * 8
    assert found["gradients"].payload == 2 * found["updated weights"].payload
    with pytest.raises(ModelError, match="expected gradient_bytes > 0 byte, found 0 byte"):
        crossings(model=SMALL, plan=Plan(), gradient_bytes=0)


@given(model=transformers(), plan=plans())
def test_the_gradients_of_the_heaviest_device_are_the_weights_that_it_holds(model, plan):
    plan = replace(plan, data=2 * plan.data, zero=0)
    assume(not refusals(model=model, plan=plan))
    routed = {tensor.name for tensor in tensors(model=model) if tensor.routed}
    apart, together = 0, 0
    for device in range(0, plan.devices, plan.devices // plan.pipeline):
        held = shards(model=model, plan=plan, device=device, parameter_bytes=2)
        together = max(together, sum(shard.bytes for shard in held if shard.tensor not in routed))
        apart = max(apart, sum(shard.bytes for shard in held if shard.tensor in routed))
    found = by_name(model, plan)
    assert found["gradients"].payload == together
    assert not apart or found["gradients of routed experts"].payload == apart
