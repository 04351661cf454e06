"""The numbers of the Parallelism Atlas: functions of values in base units (s, byte, byte/s, FLOP, FLOP/s).

This list of names is for readers and notebooks; code in this repository imports from the modules.
"""

from labs.model.activations import KeptTensor, gpt_layer_activations, kept_tensors, layer_activations
from labs.model.algorithm import algorithms
from labs.model.bandwidth import algorithm_bandwidth, all_reduce_bus_bandwidth, bus_bandwidth
from labs.model.batch import global_batch
from labs.model.bubble import bubble_overhead, bubble_share, bubble_time, dual_pipe_bubble_time, zero_bubble_time
from labs.model.buckets import bucket_count, gradient_buckets
from labs.model.buffers import Buffers, communication_buffers
from labs.model.cache import cache_per_token, device_cache, sequences_that_fit, serving_weights
from labs.model.coarse import coarse_communication_time
from labs.model.collectives import Collective, collective, fastest_first
from labs.model.conventions import Convention, convention
from labs.model.crossing import Crossing
from labs.model.crossings import crossings
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
from labs.model.hierarchy import HierarchicalCollective, Phase, hierarchical_collective
from labs.model.huggingface import read_config
from labs.model.links import Links, plan_links
from labs.model.machine import Level, Machine
from labs.model.machines import MACHINES, named_machine
from labs.model.nccl import nccl_latency
from labs.model.overlap import (
    OverlapBounds,
    exposed_communication,
    exposed_gradient_reduction,
    exposed_prefetch,
    overlap_bounds,
)
from labs.model.parameters import Parameters, parameters
from labs.model.passes import Pass, decode, prefill, training_pass
from labs.model.pipeline import (
    interleaving_factor,
    layers_per_virtual_stage,
    microbatches_in_flight,
    pipeline_step_time,
)
from labs.model.pipeline_orders import Operation, pipeline_order
from labs.model.pipeline_run import PipelineRun, TimedOperation, simulate_pipeline
from labs.model.placement import Group, axis_group, exchange_time, group_levels, group_members
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
from labs.model.ring_execution import RingExecution, RingStep, execute_ring_all_reduce
from labs.model.roofline import (
    best_data_ranks,
    critical_contraction,
    critical_intensity,
    data_parallel_critical_batch,
    data_parallel_limit,
    mixed_critical_batch,
    roofline_time,
    tensor_parallel_limit,
)
from labs.model.schedule import Transfer, ring_all_reduce_schedule
from labs.model.serving import Serving, TrainingBesideServing, serve, training_beside_serving
from labs.model.shards import Coordinates, Shard, coordinates, shards
from labs.model.stages import stage_layers
from labs.model.states import States, zero_states
from labs.model.step_tasks import (
    gradient_reduction_tasks,
    pipeline_send_tasks,
    sharded_parameter_tasks,
    tensor_parallel_tasks,
)
from labs.model.tasks import Read, Task
from labs.model.tensors import Tensor, tensors
from labs.model.timeline import TimedTask, Timeline, simulate_timeline
from labs.model.torus import torus_collective_time
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
    "MACHINES",
    "UNITS",
    "Activations",
    "Buffers",
    "Collective",
    "Convention",
    "Coordinates",
    "Crossing",
    "Exchange",
    "Experts",
    "Group",
    "HierarchicalCollective",
    "KeptTensor",
    "LatentAttention",
    "Level",
    "Links",
    "Machine",
    "Memory",
    "ModelError",
    "Operation",
    "OverlapBounds",
    "Parameters",
    "Pass",
    "Phase",
    "PipelineRun",
    "Plan",
    "Read",
    "RingAllReduce",
    "RingExecution",
    "RingStep",
    "Serving",
    "Shard",
    "States",
    "Task",
    "Tensor",
    "TimedOperation",
    "TimedTask",
    "Timeline",
    "TrainingBesideServing",
    "Transfer",
    "Transformer",
    "Work",
    "achieved_flops",
    "algorithm_bandwidth",
    "algorithms",
    "all_reduce_bus_bandwidth",
    "axis_group",
    "best_data_ranks",
    "bubble_overhead",
    "bubble_share",
    "bubble_time",
    "bucket_count",
    "bus_bandwidth",
    "cache_per_token",
    "coarse_communication_time",
    "collective",
    "communication_buffers",
    "convention",
    "convert",
    "coordinates",
    "critical_contraction",
    "critical_intensity",
    "crossings",
    "data_parallel_critical_batch",
    "data_parallel_limit",
    "data_parallel_ranks",
    "decode",
    "deepspeed_zero2_device_memory",
    "deepspeed_zero2_documented_device_memory",
    "deepspeed_zero2_host_memory",
    "deepspeed_zero3_device_memory",
    "deepspeed_zero3_host_memory",
    "device_activations",
    "device_cache",
    "device_states",
    "dual_pipe_bubble_time",
    "exchange_time",
    "execute_ring_all_reduce",
    "exposed_communication",
    "exposed_gradient_reduction",
    "exposed_prefetch",
    "fastest_first",
    "format_quantity",
    "global_batch",
    "gpt_layer_activations",
    "gradient_buckets",
    "gradient_reduction_tasks",
    "group_levels",
    "group_members",
    "hierarchical_collective",
    "interleaving_factor",
    "kept_tensors",
    "layer_activations",
    "layers_per_virtual_stage",
    "megatron_step_flops",
    "memory",
    "microbatches_in_flight",
    "mixed_critical_batch",
    "model_flops_utilization",
    "named_machine",
    "nccl_latency",
    "overlap_bounds",
    "padded_vocabulary",
    "parameters",
    "parse_quantity",
    "pipeline_order",
    "pipeline_send_tasks",
    "pipeline_step_time",
    "plan_links",
    "prefill",
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
    "roofline_time",
    "sequences_that_fit",
    "serve",
    "serving_weights",
    "sharded_parameter_tasks",
    "shards",
    "simulate_pipeline",
    "simulate_timeline",
    "stage_layers",
    "tensor_parallel_limit",
    "tensor_parallel_tasks",
    "tensors",
    "torus_collective_time",
    "training_beside_serving",
    "training_flops",
    "training_pass",
    "training_time",
    "training_work",
    "zero_bubble_time",
    "zero_states",
]
