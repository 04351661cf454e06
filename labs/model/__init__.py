"""The numbers of the Parallelism Atlas: functions of values in base units (s, byte, byte/s, FLOP, FLOP/s).

This list of names is for readers and notebooks; code in this repository imports from the modules.
"""

from labs.model.algorithm import algorithms
from labs.model.bandwidth import algorithm_bandwidth, all_reduce_bus_bandwidth, bus_bandwidth
from labs.model.batch import global_batch
from labs.model.coarse import coarse_communication_time
from labs.model.collectives import Collective, collective, fastest_first
from labs.model.errors import ModelError
from labs.model.hierarchy import HierarchicalCollective, Phase, hierarchical_collective
from labs.model.machine import Level, Machine
from labs.model.machines import MACHINES, named_machine
from labs.model.nccl import nccl_latency
from labs.model.placement import Group, axis_group, exchange_time, group_levels, group_members
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
from labs.model.torus import torus_collective_time
from labs.model.transformer import Experts, LatentAttention, Transformer
from labs.model.units import UNITS, convert, format_quantity, parse_quantity

__all__ = [
    "MACHINES",
    "UNITS",
    "Collective",
    "Experts",
    "Group",
    "HierarchicalCollective",
    "LatentAttention",
    "Level",
    "Machine",
    "ModelError",
    "Phase",
    "Plan",
    "RingAllReduce",
    "RingExecution",
    "RingStep",
    "Transfer",
    "Transformer",
    "algorithm_bandwidth",
    "algorithms",
    "all_reduce_bus_bandwidth",
    "axis_group",
    "best_data_ranks",
    "bus_bandwidth",
    "coarse_communication_time",
    "collective",
    "convert",
    "critical_contraction",
    "critical_intensity",
    "data_parallel_critical_batch",
    "data_parallel_limit",
    "exchange_time",
    "execute_ring_all_reduce",
    "fastest_first",
    "format_quantity",
    "global_batch",
    "group_levels",
    "group_members",
    "hierarchical_collective",
    "mixed_critical_batch",
    "named_machine",
    "nccl_latency",
    "parse_quantity",
    "ring_all_reduce",
    "ring_all_reduce_bandwidth_term",
    "ring_all_reduce_bytes_per_rank",
    "ring_all_reduce_crossover",
    "ring_all_reduce_latency_term",
    "ring_all_reduce_schedule",
    "ring_all_reduce_steps",
    "ring_all_reduce_time",
    "roofline_time",
    "tensor_parallel_limit",
    "torus_collective_time",
]
