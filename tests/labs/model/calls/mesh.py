"""Device meshes and batches: the call that gives each published value."""

from labs.model.plans.batch import global_batch
from labs.model.plans.plan import Plan, data_parallel_ranks
from labs.model.plans.sharding import shards
from labs.model.steps.work import training_work
from labs.model.transformers.transformer import gpt


def training_batch(mb, ac, dp):
    plan = Plan(microbatch=mb, accumulation=ac, data=dp)
    assert plan.global_batch == global_batch(microbatch=mb, accumulation=ac, data_parallel=dp)
    return plan.global_batch


def microbatches(g, mb, d):
    return g / global_batch(microbatch=mb, accumulation=1, data_parallel=d)


def replicas(n, t, p):
    return data_parallel_ranks(devices=n, tensor=t, pipeline=p)


def devices(t, p, d):
    return Plan(tensor=t, pipeline=p, data=d).devices


def tokens(n, s):
    return training_work(model=gpt(hidden=64, layers=1, heads=1, sequence=s), sequences=n).tokens


def copies(x):
    """A norm is replicated over tensor ranks: what all of them store, by what one does."""
    model, plan = gpt(hidden=64, layers=1, heads=16), Plan(tensor=x)
    stored = [
        shard.bytes
        for device in range(plan.devices)
        for shard in shards(model=model, plan=plan, device=device)
        if shard.tensor == "norms.final"
    ]
    return sum(stored) / stored[0]


def embedding_bytes(x, y):
    model = gpt(hidden=2048, layers=1, heads=16, vocabulary=128)
    held = shards(model=model, plan=Plan(tensor=x * y), parameter_bytes=1)
    return next(shard.bytes for shard in held if shard.tensor == "embedding.tokens")


def experts_add_no_devices():
    """TP 2 and PP 16 on 1,024 devices leave 32 replicas; experts over them are more ranks, not more devices."""
    assert {Plan(tensor=2, pipeline=16, data=32, expert=e).devices for e in (1, 8, 32)} == {1024}


CALLS = {
    "gbs-playbook-128": training_batch,
    "gbs-playbook-512": training_batch,
    "gbs-torchtitan-405b": training_batch,
    "gbs-torchtitan-8b-8": training_batch,
    "gbs-llm-analysis-175b": training_batch,
    "gbs-tokens-4M": tokens,
    "dp-1.7B": replicas,
    "dp-7.5B": replicas,
    "dp-39B": replicas,
    "dp-145B": replicas,
    "dp-310B": replicas,
    "dp-530B": replicas,
    "microbatches-530B": microbatches,
    "microbatches-1T": microbatches,
    "microbatches-310B": microbatches,
    "mesh-177b": devices,
    "mesh-462b": devices,
    "tok-per-gpu-16b": lambda b, s, n: tokens(b, s) / Plan(data=n).devices,
    "mesh-replication": copies,
    "shard-bytes": embedding_bytes,
}
NOT_GIVEN = {"bad-megatron-gpus-ep": experts_add_no_devices}
