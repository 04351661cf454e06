"""The numbers of the Parallelism Atlas: functions of values in base units (s, byte, byte/s, FLOP, FLOP/s).

This list of names is for readers and notebooks; code in this repository imports from the modules.
"""

from labs.model.bandwidth import algorithm_bandwidth, all_reduce_bus_bandwidth
from labs.model.batch import global_batch
from labs.model.coarse import coarse_communication_time
from labs.model.crossing import Crossing
from labs.model.crossings import crossings
from labs.model.errors import ModelError
from labs.model.huggingface import read_config
from labs.model.machine import Level, Machine
from labs.model.parameters import Parameters, parameters
from labs.model.plan import Plan, data_parallel_ranks
from labs.model.refusals import padded_vocabulary, refusals
from labs.model.ring import (
    RingAllReduce,
    ring_all_reduce,
    ring_all_reduce_bandwidth_term,
    ring_all_reduce_bytes_per_rank,
    ring_all_reduce_crossover,
    ring_all_reduce_latency_term,
    ring_all_reduce_steps,
    ring_all_reduce_time,
)
from labs.model.schedule import Transfer, ring_all_reduce_schedule
from labs.model.shards import Coordinates, Shard, coordinates, shards
from labs.model.stages import stage_layers
from labs.model.tensors import Tensor, tensors
from labs.model.transformer import Experts, LatentAttention, Transformer
from labs.model.units import UNITS, convert, format_quantity, parse_quantity
from labs.model.work import (
    Work,
    achieved_flops,
    megatron_step_flops,
    model_flops_utilization,
    training_flops,
    training_time,
    training_work,
)

__all__ = [
    "UNITS",
    "Coordinates",
    "Crossing",
    "Experts",
    "LatentAttention",
    "Level",
    "Machine",
    "ModelError",
    "Parameters",
    "Plan",
    "RingAllReduce",
    "Shard",
    "Tensor",
    "Transfer",
    "Transformer",
    "Work",
    "achieved_flops",
    "algorithm_bandwidth",
    "all_reduce_bus_bandwidth",
    "coarse_communication_time",
    "convert",
    "coordinates",
    "crossings",
    "data_parallel_ranks",
    "format_quantity",
    "global_batch",
    "megatron_step_flops",
    "model_flops_utilization",
    "padded_vocabulary",
    "parameters",
    "parse_quantity",
    "read_config",
    "refusals",
    "ring_all_reduce",
    "ring_all_reduce_bandwidth_term",
    "ring_all_reduce_bytes_per_rank",
    "ring_all_reduce_crossover",
    "ring_all_reduce_latency_term",
    "ring_all_reduce_schedule",
    "ring_all_reduce_steps",
    "ring_all_reduce_time",
    "shards",
    "stage_layers",
    "tensors",
    "training_flops",
    "training_time",
    "training_work",
]
