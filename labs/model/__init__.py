"""The numbers of the Parallelism Atlas: functions of values in base units (s, byte, byte/s, FLOP, FLOP/s).

This list of names is for readers and notebooks; code in this repository imports from the modules.
"""

from labs.model.bandwidth import algorithm_bandwidth, all_reduce_bus_bandwidth
from labs.model.batch import global_batch
from labs.model.bubble import bubble_overhead, bubble_share, bubble_time, dual_pipe_bubble_time, zero_bubble_time
from labs.model.buckets import bucket_count, gradient_buckets
from labs.model.coarse import coarse_communication_time
from labs.model.errors import ModelError
from labs.model.machine import Level, Machine
from labs.model.overlap import (
    OverlapBounds,
    exposed_communication,
    exposed_gradient_reduction,
    exposed_prefetch,
    overlap_bounds,
)
from labs.model.pipeline import layers_per_virtual_stage, microbatches_in_flight, pipeline_step_time
from labs.model.pipeline_orders import Operation, pipeline_order
from labs.model.pipeline_run import PipelineRun, TimedOperation, simulate_pipeline
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
from labs.model.step_tasks import (
    gradient_reduction_tasks,
    pipeline_send_tasks,
    sharded_parameter_tasks,
    tensor_parallel_tasks,
)
from labs.model.tasks import Read, Task
from labs.model.timeline import TimedTask, Timeline, simulate_timeline
from labs.model.transformer import Experts, LatentAttention, Transformer
from labs.model.units import UNITS, convert, format_quantity, parse_quantity

__all__ = [
    "UNITS",
    "Experts",
    "LatentAttention",
    "Level",
    "Machine",
    "ModelError",
    "Operation",
    "OverlapBounds",
    "PipelineRun",
    "Plan",
    "Read",
    "RingAllReduce",
    "Task",
    "TimedOperation",
    "TimedTask",
    "Timeline",
    "Transfer",
    "Transformer",
    "algorithm_bandwidth",
    "all_reduce_bus_bandwidth",
    "bubble_overhead",
    "bubble_share",
    "bubble_time",
    "bucket_count",
    "coarse_communication_time",
    "convert",
    "dual_pipe_bubble_time",
    "exposed_communication",
    "exposed_gradient_reduction",
    "exposed_prefetch",
    "format_quantity",
    "global_batch",
    "gradient_buckets",
    "gradient_reduction_tasks",
    "layers_per_virtual_stage",
    "microbatches_in_flight",
    "overlap_bounds",
    "parse_quantity",
    "pipeline_order",
    "pipeline_send_tasks",
    "pipeline_step_time",
    "ring_all_reduce",
    "ring_all_reduce_bandwidth_term",
    "ring_all_reduce_bytes_per_rank",
    "ring_all_reduce_crossover",
    "ring_all_reduce_latency_term",
    "ring_all_reduce_schedule",
    "ring_all_reduce_steps",
    "ring_all_reduce_time",
    "sharded_parameter_tasks",
    "simulate_pipeline",
    "simulate_timeline",
    "tensor_parallel_tasks",
    "zero_bubble_time",
]
