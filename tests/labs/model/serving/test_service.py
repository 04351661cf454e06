"""Passes and serving: by hand, at limits, and a plan that trains well and serves badly."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.model.machines.machine import Level, Machine
from labs.model.plans.plan import Plan
from labs.model.quantities.errors import ModelError
from labs.model.serving.links import Links
from labs.model.serving.passes import decode, prefill, training_pass
from labs.model.serving.service import serve, training_beside_serving
from labs.model.transformers.transformer import gpt
from tests.labs.model.models import DEEPSEEK_V3, LLAMA_3_8B, MIXTRAL_8X7B

NODE = Level(name="node", devices=8, bandwidth=300e9, latency=2e-6)
NETWORK = Level(name="network", devices=1024, bandwidth=200e9, latency=5e-6)
MACHINE = Machine(name="M", peak=156e12, memory=80e9, memory_bandwidth=2e12, levels=(NODE, NETWORK))
FREE = Level(name="free", devices=1024, bandwidth=1e30, latency=0)
AT_NO_COST = Links(tensor=FREE, context=FREE, expert=FREE, pipeline=FREE)
OVER_NODE = Links(tensor=NODE, context=NODE, expert=NODE, pipeline=NODE)
MODELS = st.sampled_from([LLAMA_3_8B, MIXTRAL_8X7B, DEEPSEEK_V3])


def exchange(found, group):
    (one,) = (exchange for exchange in found.exchanges if exchange.group == group)
    return one


def prefilled(model=LLAMA_3_8B, *, tokens=1000, **degrees):
    return prefill(model=model, plan=Plan(**degrees), machine=MACHINE, links=OVER_NODE, tokens=tokens)


def decoded(model=LLAMA_3_8B, *, links=OVER_NODE, past=1000, sequences=1, **degrees):
    plan = Plan(**degrees)
    return decode(model=model, plan=plan, machine=MACHINE, links=links, context=past, sequences=sequences)


def test_one_device_exchanges_nothing():
    for found in (prefilled(), decoded(), prefilled(DEEPSEEK_V3), decoded(DEEPSEEK_V3)):
        assert (found.exchanges, found.communication, found.latency_share) == ((), 0, 0)
        assert found.time == found.stage_time == max(found.compute, found.reading)


def test_a_token_reads_all_weights_but_the_embedding_and_the_cache():
    found = decoded(past=8192, sequences=4)
    assert found.bytes_read == 2 * (8_030_261_248 - 128256 * 4096 - 4096) + 4 * 2**30
    assert found.reading == found.bytes_read / 2e12


def test_the_work_of_a_token_is_twice_the_matrices_and_four_times_keys_by_width():
    matrices = 32 * (2 * 4096**2 + 2 * 4096 * 1024 + 3 * 4096 * 14336) + 128256 * 4096
    assert decoded(past=1000, sequences=3).work == 3 * (2 * matrices + 32 * 4 * 4096 * 1000)


def test_a_prompt_attends_to_half_of_itself_and_asks_the_head_once():
    layers = 32 * (2 * 4096**2 + 2 * 4096 * 1024 + 3 * 4096 * 14336)
    attention = 32 * 4 * 4096 * sum(range(1, 1001))
    assert prefilled(tokens=1000).work == 1000 * 2 * layers + attention + 2 * 128256 * 4096


def test_training_has_three_times_the_work_of_the_published_forward_pass():
    """Narayanan et al., appendix: 96 B s L h² (1 + s / (6 h) + V / (16 L h)) with full recomputation, the head's 3/4.

    They count attention in full, the model its causal half.
    """
    h, layers, s, v = 4096, 8, 2048, 51200
    model = gpt(hidden=h, layers=layers, heads=32, vocabulary=v, sequence=s)

    def work(recompute):
        plan = Plan(microbatch=2, recompute=recompute)
        return training_pass(model=model, plan=plan, machine=MACHINE, links=AT_NO_COST).work

    forward = 2 * s * (24 * layers * h**2 + 4 * layers * h * (s + 1) / 2 + 2 * h * v)
    assert math.isclose(work("none"), 3 * forward)
    assert math.isclose(work("full"), 4 * forward)


def test_decoding_sends_as_often_as_prefill_and_a_token_at_a_time():
    reading, writing = (exchange(found, "tensor") for found in (prefilled(tensor=8), decoded(tensor=8)))
    assert reading.times == writing.times == 2 * 32
    assert (reading.payload, writing.payload) == (1000 * 2 * 4096, 2 * 4096)
    assert reading.latency_term == writing.latency_term
    assert math.isclose(writing.latency_term, 64 * 14 * 2e-6)
    assert math.isclose(writing.time - writing.latency_term, 64 * 14 / 8 * 8192 / 300e9)


def test_training_sends_each_twice_and_three_times_with_full_recomputation():
    for recompute, times in (("none", 4), ("full", 6)):
        plan = Plan(tensor=8, pipeline=2, recompute=recompute)
        found = training_pass(model=LLAMA_3_8B, plan=plan, machine=MACHINE, links=OVER_NODE)
        assert exchange(found, "tensor").times == times * 16
        assert exchange(found, "pipeline").times == 2


def test_a_pipeline_divides_a_stage_and_not_a_token():
    whole, staged = decoded(), decoded(pipeline=4, links=AT_NO_COST)
    assert math.isclose(staged.stage_time, whole.time / 4)
    assert math.isclose(staged.time, whole.time)
    hops = decoded(pipeline=4)
    assert math.isclose(hops.time - whole.time, 3 * (2e-6 + 2 * 4096 / 300e9))


def test_experts_send_tokens_there_and_back():
    found = exchange(decoded(MIXTRAL_8X7B, data=8, expert=8, sequences=16), "expert")
    assert (found.times, found.payload) == (2 * 32, 16 * 2 * 2 * 4096)
    assert math.isclose(found.latency_term, 64 * 7 * 2e-6)
    assert math.isclose(found.time - found.latency_term, 64 * found.payload * 7 / 8 / 300e9)
    assert exchange(prefilled(DEEPSEEK_V3, data=8, expert=8), "expert").times == 2 * 58


def test_few_tokens_read_few_experts():
    """One token reads two of eight; a thousand read all."""
    one, many = (decoded(MIXTRAL_8X7B, past=1, sequences=n) for n in (1, 1000))
    expert, cache = 2 * 32 * 3 * 4096 * 14336, 131072
    assert math.isclose(many.bytes_read - one.bytes_read - 999 * cache, 6 * expert)


def test_context_ranks_share_a_prompt_and_a_cache():
    ring = exchange(prefilled(context=4), "context")
    assert (ring.kind, ring.times, ring.payload) == ("send", 3 * 32, 250 * 2 * 2 * 1024)
    merged = exchange(decoded(context=4, tensor=2), "context")
    assert (merged.kind, merged.times, merged.payload) == ("all-reduce", 32, 2 * 4096 / 2)
    one, four = decoded(past=8192), decoded(past=8192, context=4)
    assert one.bytes_read - four.bytes_read == 0.75 * 2**30
    assert prefilled(context=4).tokens == 250


def test_latent_attention_reads_the_latent():
    short, long = (decoded(DEEPSEEK_V3, past=past) for past in (1, 1001))
    assert math.isclose(long.bytes_read - short.bytes_read, 1000 * 70_272)
    assert math.isclose(long.work - short.work, 1000 * 61 * 2 * 128 * (2 * 512 + 64))
    ring = exchange(prefilled(DEEPSEEK_V3, context=2), "context")
    assert ring.payload == 500 * 2 * 576


@given(MODELS, st.sampled_from([1, 2, 8]), st.sampled_from([1, 4]), st.integers(1, 64), st.integers(1, 10**5))
def test_a_token_takes_no_less_with_more_sequences_or_a_longer_past(model, tensor, pipeline, sequences, context):
    def time(n, tokens):
        return decoded(model, tensor=tensor, pipeline=pipeline, sequences=n, past=tokens).time

    least = time(sequences, context)
    assert least <= time(sequences + 1, context) * (1 + 1e-12)
    assert least <= time(sequences, context + 1) * (1 + 1e-12)


def test_serving_in_numbers():
    plan = Plan(tensor=2, pipeline=2, data=3)
    found = serve(model=LLAMA_3_8B, plan=plan, machine=MACHINE, prompt=1000, context=8192, sequences=5, links=OVER_NODE)
    assert found.time_to_first_token == prefilled(tensor=2, pipeline=2, data=3).time
    # Five sequences in two groups: three at a time.
    assert found.time_per_output_token == decoded(tensor=2, pipeline=2, data=3, past=8192, sequences=3).time
    assert math.isclose(found.throughput, 3 * 5 / found.time_per_output_token)
    assert found.cache == 5 * 2**30 / 4
    assert found.spare == 80e9 - found.weights - found.cache
    assert found.room == (80e9 - found.weights) // (2**30 / 4)
    assert found.fits


def test_a_model_that_is_too_large_does_not_fit():
    found = serve(model=DEEPSEEK_V3, plan=Plan(), machine=MACHINE, prompt=100, context=100)
    assert not found.fits
    assert found.room == 0
    assert found.spare < -1e12


def test_a_plan_that_trains_well_serves_badly():
    """Sixteen tensor ranks over two nodes beat eight within one at training, and lose at writing one sequence.

    A layer has 24 h² FLOP a token and 24 h² bytes, over t. At h = 16384, of 8192 tokens: 8 ranks compute 42 ms forward
    and add up 6 ms, 16 compute 21 ms and add up 5 ms. Of one token: 8 ranks read 0.40 ms and wait 2 · 14 · 2 µs,
    16 read 0.20 ms and wait 2 · 30 · 5 µs.
    """
    h = 16384
    model = gpt(hidden=h, layers=8, heads=128, vocabulary=1024, sequence=8192)
    eight, sixteen = (
        training_beside_serving(model=model, plan=Plan(tensor=t), machine=MACHINE, prompt=8192, context=1)
        for t in (8, 16)
    )
    assert sixteen.training.time < 0.6 * eight.training.time
    assert sixteen.training_share < 0.25
    assert sixteen.training.latency_share < 0.1
    assert sixteen.serving.time_per_output_token > eight.serving.time_per_output_token
    assert sixteen.decode_share > 0.5
    assert sixteen.serving.decode.latency_share > 0.95
    waiting = 8 * 2 * 30 * 5e-6
    assert math.isclose(exchange(sixteen.serving.decode, "tensor").latency_term, waiting)
    assert sixteen.serving.time_per_output_token > waiting


def test_a_better_network_does_not_help_a_token_and_a_shorter_wait_does():
    def time(**better):
        machine = replace(MACHINE, levels=(NODE, replace(NETWORK, **better)))
        return serve(
            model=LLAMA_3_8B, plan=Plan(tensor=16), machine=machine, prompt=1000, context=1000
        ).time_per_output_token

    assert time(bandwidth=2000e9) > 0.99 * time()
    assert time(latency=0) < 0.2 * time()


def test_what_cannot_be_is_refused():
    with pytest.raises(ModelError, match="expected tensor to divide heads"):
        decoded(tensor=5)
    with pytest.raises(ModelError, match="expected tokens >= 1, found 0"):
        prefilled(tokens=0)
    with pytest.raises(ModelError, match="expected efficiency > 0"):
        prefill(model=LLAMA_3_8B, plan=Plan(), machine=MACHINE, links=OVER_NODE, tokens=1, efficiency=0)
    with pytest.raises(ModelError, match="expected at most 1024 devices, found 2048"):
        serve(model=LLAMA_3_8B, plan=Plan(data=2048), machine=MACHINE, prompt=1, context=1)
