"""The global batch is a product, and only of the three factors that multiply examples."""

from hypothesis import given
from hypothesis import strategies as st

from labs.model.plans.batch import global_batch

COUNTS = st.integers(1, 10**6)


def test_8_by_16_by_64_is_8192():
    assert global_batch(microbatch=8, accumulation=16, data_parallel=64) == 8192


def test_one_of_each_is_one_example():
    assert global_batch(microbatch=1, accumulation=1, data_parallel=1) == 1


@given(microbatch=COUNTS, accumulation=COUNTS, data_parallel=COUNTS)
def test_each_factor_divides_it_and_leaves_the_other_two(microbatch, accumulation, data_parallel):
    batch = global_batch(microbatch=microbatch, accumulation=accumulation, data_parallel=data_parallel)
    assert divmod(batch, microbatch) == (accumulation * data_parallel, 0)
    assert divmod(batch, accumulation) == (microbatch * data_parallel, 0)
    assert divmod(batch, data_parallel) == (microbatch * accumulation, 0)


@given(microbatch=COUNTS, accumulation=COUNTS, data_parallel=COUNTS)
def test_replicas_can_be_traded_for_accumulation(microbatch, accumulation, data_parallel):
    one = global_batch(microbatch=microbatch, accumulation=accumulation, data_parallel=data_parallel)
    assert one == global_batch(microbatch=microbatch, accumulation=data_parallel, data_parallel=accumulation)
