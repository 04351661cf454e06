"""How many examples one update of the weights has seen."""

from labs.model.quantities.inputs import count


def global_batch(*, microbatch: int, accumulation: int, data_parallel: int) -> int:
    """Return the global batch: the examples of one optimizer update.

    Tensor, pipeline, context and expert ranks work on the same examples: they are no factor here.

        B_global = B_micro · N_accumulation · N_data-parallel

    Args:
        microbatch: examples of one microbatch on one replica [1]
        accumulation: microbatches that a replica adds up for one update [1]
        data_parallel: replicas, each with examples of its own [1]

    Returns:
        examples for each update [1]

    Raises:
        ModelError: an input out of range

    Source:
        DeepSpeed, "DeepSpeed Configuration JSON", section "Batch Size Related Parameters"

    >>> global_batch(microbatch=8, accumulation=16, data_parallel=64)
    8192
    """
    return (
        count("microbatch", microbatch)
        * count("accumulation", accumulation)
        * count("data_parallel", data_parallel)
    )
