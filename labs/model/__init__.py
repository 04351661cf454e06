"""The numbers of the Parallelism Atlas: functions of values in base units (s, byte, byte/s, FLOP, FLOP/s).

This list of names is for readers and notebooks; code in this repository imports from the modules.
"""

from labs.model.activations import KeptTensor, gpt_layer_activations, kept_tensors, layer_activations
from labs.model.bandwidth import algorithm_bandwidth, all_reduce_bus_bandwidth
from labs.model.batch import global_batch
from labs.model.buffers import Buffers, communication_buffers
from labs.model.cache import cache_per_token, device_cache, sequences_that_fit, serving_weights
from labs.model.coarse import coarse_communication_time
from labs.model.conventions import Convention, convention
from labs.model.deepspeed import (
    deepspeed_zero2_device_memory,
    deepspeed_zero2_documented_device_memory,
    deepspeed_zero2_host_memory,
    deepspeed_zero3_device_memory,
    deepspeed_zero3_host_memory,
)
from labs.model.device_activations import Activations, device_activations
from labs.model.device_memory import Memory, device_states, memory
from labs.model.errors import ModelError
from labs.model.exchanges import Exchange
from labs.model.inflight import interleaving_factor
from labs.model.links import Links, plan_links
from labs.model.machine import Level, Machine
from labs.model.passes import Pass, decode, prefill, training_pass
from labs.model.plan import Plan
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
from labs.model.serving import Serving, TrainingBesideServing, serve, training_beside_serving
from labs.model.states import States, zero_states
from labs.model.transformer import Experts, LatentAttention, Transformer
from labs.model.units import UNITS, convert, format_quantity, parse_quantity

__all__ = [
    "UNITS",
    "Activations",
    "Buffers",
    "Convention",
    "Exchange",
    "Experts",
    "KeptTensor",
    "LatentAttention",
    "Level",
    "Links",
    "Machine",
    "Memory",
    "ModelError",
    "Pass",
    "Plan",
    "RingAllReduce",
    "Serving",
    "States",
    "TrainingBesideServing",
    "Transfer",
    "Transformer",
    "algorithm_bandwidth",
    "all_reduce_bus_bandwidth",
    "cache_per_token",
    "coarse_communication_time",
    "communication_buffers",
    "convention",
    "convert",
    "decode",
    "deepspeed_zero2_device_memory",
    "deepspeed_zero2_documented_device_memory",
    "deepspeed_zero2_host_memory",
    "deepspeed_zero3_device_memory",
    "deepspeed_zero3_host_memory",
    "device_activations",
    "device_cache",
    "device_states",
    "format_quantity",
    "global_batch",
    "gpt_layer_activations",
    "interleaving_factor",
    "kept_tensors",
    "layer_activations",
    "memory",
    "parse_quantity",
    "plan_links",
    "prefill",
    "ring_all_reduce",
    "ring_all_reduce_bandwidth_term",
    "ring_all_reduce_bytes_per_rank",
    "ring_all_reduce_crossover",
    "ring_all_reduce_latency_term",
    "ring_all_reduce_schedule",
    "ring_all_reduce_steps",
    "ring_all_reduce_time",
    "sequences_that_fit",
    "serve",
    "serving_weights",
    "training_beside_serving",
    "training_pass",
    "zero_states",
]
