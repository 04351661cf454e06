"""Device meshes and batches: the call that gives each published value."""

from labs.model.batch import global_batch


def training_batch(mb, ac, dp):
    return global_batch(microbatch=mb, accumulation=ac, data_parallel=dp)


def microbatches(g, mb, d):
    return g / global_batch(microbatch=mb, accumulation=1, data_parallel=d)


CALLS = {
    "gbs-playbook-128": training_batch,
    "gbs-playbook-512": training_batch,
    "gbs-torchtitan-405b": training_batch,
    "gbs-torchtitan-8b-8": training_batch,
    "gbs-llm-analysis-175b": training_batch,
    "microbatches-530B": microbatches,
    "microbatches-1T": microbatches,
    "microbatches-310B": microbatches,
}
