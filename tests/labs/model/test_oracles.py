"""Published values, and values that published formulas give, against the model: each within its own tolerance.

oracles.json says where each comes from. The last part is what public tools get wrong: the model must not.
"""

import json
import math
from pathlib import Path

import pytest

from labs.model.bandwidth import algorithm_bandwidth, all_reduce_bus_bandwidth
from labs.model.batch import global_batch
from labs.model.coarse import coarse_communication_time
from labs.model.ring import (
    ring_all_reduce,
    ring_all_reduce_bandwidth_term,
    ring_all_reduce_bytes_per_rank,
    ring_all_reduce_crossover,
    ring_all_reduce_steps,
    ring_all_reduce_time,
)
from labs.model.units import convert, format_quantity, parse_quantity

FILE = json.loads((Path(__file__).parent / "oracles.json").read_text(encoding="utf-8"))
ORACLES = {oracle["id"]: oracle for oracle in FILE["oracles"]}


def bus_factor(n):
    return all_reduce_bus_bandwidth(payload=1, time=1, ranks=n)


def algorithm_row(S, t):
    return convert(algorithm_bandwidth(payload=S, time=convert(t, "us", "s")), "byte/s", "GB/s")


def bus_row(S, n, t):
    return convert(all_reduce_bus_bandwidth(payload=S, time=convert(t, "us", "s"), ranks=n), "byte/s", "GB/s")


def inverse_time(S, B, n):
    term = ring_all_reduce_bandwidth_term(payload=S, ranks=n, bandwidth=convert(B, "GB/s", "byte/s"))
    return convert(term, "s", "us")


def ring_time(p, alpha, M, B):
    return ring_all_reduce_time(payload=M, ranks=p, latency=alpha, bandwidth=B)


def one_message_crossover(alpha, B):
    """Return the payload whose transfer takes as long as one phase."""
    waiting = coarse_communication_time(phases=1, latency=alpha, payload=0, bandwidth=B)
    each_byte = coarse_communication_time(phases=0, latency=alpha, payload=1, bandwidth=B)
    return waiting / each_byte


def batching(n1, n2, alpha):
    apart, together = (
        coarse_communication_time(phases=n, latency=alpha, payload=1e6, bandwidth=1e12) for n in (n1, n2)
    )
    return apart - together


def transfer_us(V, W):
    return convert(coarse_communication_time(phases=0, latency=0, payload=V, bandwidth=W), "s", "us")


def large_ring_us(B, D, W):
    return convert(ring_all_reduce_bandwidth_term(payload=2 * B * D, ranks=10**6, bandwidth=W), "s", "us")


def training_batch(mb, ac, dp):
    return global_batch(microbatch=mb, accumulation=ac, data_parallel=dp)


def microbatches(g, mb, d):
    return g / global_batch(microbatch=mb, accumulation=1, data_parallel=d)


CALLS = {
    "busbw-allreduce-n2": bus_factor,
    "busbw-allreduce-n3": bus_factor,
    "busbw-allreduce-n4": bus_factor,
    "busbw-allreduce-n16": bus_factor,
    "busbw-allreduce-n24": bus_factor,
    "busbw-allreduce-n32": bus_factor,
    "busbw-allreduce-n1024": bus_factor,
    "busbw-allreduce-n1": bus_factor,
    "row-algbw-a100x8": algorithm_row,
    "row-algbw-h100x16": algorithm_row,
    "row-busbw-h100x16": bus_row,
    "row-algbw-gb200x72": algorithm_row,
    "row-algbw-mi300x8": algorithm_row,
    "row-busbw-mi300x8": bus_row,
    "row-algbw-a100x8-mscclpp": algorithm_row,
    "row-algbw-h100x40": algorithm_row,
    "row-busbw-h100x40": bus_row,
    "ring-steps": lambda n: ring_all_reduce_steps(ranks=n),
    "ring-inverse-time": inverse_time,
    "ring-T-book-256": ring_time,
    "ring-T-p1": ring_time,
    "ring-T-limit": lambda p, M, B: ring_time(p, 0, M, B),
    "crossover-p2p": one_message_crossover,
    "crossover-ring": lambda p, alpha, B: ring_all_reduce_crossover(ranks=p, latency=alpha, bandwidth=B),
    "batching-saves": batching,
    "ring-1000x1MB": lambda k, p, alpha, m, B: k * ring_time(p, alpha, m, B),
    "algo-compare-ring": ring_time,
    "sb-latency-bound-buffer": lambda W, t: one_message_crossover(t, W),
    "sb-ag-v5e": transfer_us,
    "sb-ar-v4": large_ring_us,
    "size-suffix-8G": lambda x: parse_quantity(f"{x} GiB", "byte"),
    "70b-bf16-gb": lambda P: convert(2 * P, "byte", "GB"),
    "70b-bf16-gib": lambda P: convert(2 * P, "byte", "GiB"),
    "tp-bytes-layer-gpt3": lambda b, s, h, t: 4 * ring_all_reduce_bytes_per_rank(payload=2 * b * s * h, ranks=t),
    "dp-grad-bytes-7.5B": lambda P, d: ring_all_reduce_bytes_per_rank(payload=2 * P, ranks=d),
    "gbs-playbook-128": training_batch,
    "gbs-playbook-512": training_batch,
    "gbs-torchtitan-405b": training_batch,
    "gbs-torchtitan-8b-8": training_batch,
    "gbs-llm-analysis-175b": training_batch,
    "microbatches-530B": microbatches,
    "microbatches-1T": microbatches,
    "microbatches-310B": microbatches,
}


def test_every_value_has_its_call_and_its_source():
    assert CALLS.keys() == ORACLES.keys()
    assert len(ORACLES) == len(FILE["oracles"])
    assert all(oracle["source"]["title"] and oracle["source"]["locator"] for oracle in FILE["oracles"])


@pytest.mark.parametrize("name", ORACLES)
def test_the_model_gives_the_value(name):
    oracle = ORACLES[name]
    value = CALLS[name](**{symbol: given["value"] for symbol, given in oracle["inputs"].items()})
    expected, tolerance = oracle["expected"]["value"], oracle["tolerance"]
    allowed = {tolerance["kind"]: tolerance["value"]}
    assert math.isclose(value, expected, rel_tol=allowed.get("rel", 0), abs_tol=allowed.get("abs", 0))


def label_of_a_gib():
    """A value in GiB with the label GB: off by 7 %."""
    assert format_quantity(2.0**30, "byte") == "1.0737 GB"
    assert parse_quantity("1 GB", "byte") != parse_quantity("1 GiB", "byte") == 2**30


def playbook_133_gib():
    assert abs(convert(140, "GB", "GiB") - 133) > 2


def doubled_algorithm_bandwidth():
    algorithm = algorithm_bandwidth(payload=8e9, time=0.05)
    assert not math.isclose(algorithm, 2 * 8e9 / 0.05)
    assert all(algorithm <= all_reduce_bus_bandwidth(payload=8e9, time=0.05, ranks=p) for p in (2, 8, 1024))


def crossover_of_one_message():
    assert ring_all_reduce_crossover(ranks=256, latency=2e-6, bandwidth=50e9) / one_message_crossover(2e-6, 50e9) > 255


def one_latency_for_all_steps():
    ring = ring_all_reduce(payload=1, ranks=256, latency=2e-6, bandwidth=50e9)
    assert ring.latency_term > 500 * 2e-6
    assert ring.time > 500 * 2e-6


def average_bus_bandwidth_as_the_link():
    """The mean over sizes from 8 byte to 8 GiB is far below the link; the row of the largest size is near it."""
    sizes = [8 * 2**k for k in range(31)]
    rows = [ring_all_reduce(payload=size, ranks=16, latency=5e-6, bandwidth=300e9).bus_bandwidth for size in sizes]
    assert sum(rows) / len(rows) < 0.5 * 300e9
    assert 0.99 * 300e9 < rows[-1] < 300e9


NOT_GIVEN = {
    "bad-playbook-133gib": playbook_133_gib,
    "bad-ds-unit": label_of_a_gib,
    "bad-playbook-unit": label_of_a_gib,
    "bad-ds-algbw": doubled_algorithm_bandwidth,
    "bad-dtbook-crossover": crossover_of_one_message,
    "bad-calculon-alpha": one_latency_for_all_steps,
    "bad-avg-busbw": average_bus_bandwidth_as_the_link,
}


@pytest.mark.parametrize("bad", FILE["known_bad"], ids=lambda bad: bad["id"])
def test_the_model_does_not_give_what_is_known_to_be_wrong(bad):
    NOT_GIVEN[bad["id"]]()
