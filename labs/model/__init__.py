"""The numbers of the Parallelism Atlas: functions of values in base units (s, byte, byte/s, FLOP, FLOP/s).

This list of names is for readers and notebooks; code in this repository imports from the modules.
"""

from labs.model.bandwidth import algorithm_bandwidth, all_reduce_bus_bandwidth
from labs.model.batch import global_batch
from labs.model.coarse import coarse_communication_time
from labs.model.errors import ModelError
from labs.model.machine import Level, Machine
from labs.model.measured.read import read_nccl_log
from labs.model.measured.records import NcclLog, NcclRow, NcclRun, NcclSkipped
from labs.model.measured.regimes import Regime, RegimeFit, fit_regimes, time_in_regimes
from labs.model.measured.ring_fit import RingFit, fit_ring
from labs.model.measured.sample import AllReduceSample, all_reduce_sample
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
from labs.model.transformer import Experts, LatentAttention, Transformer
from labs.model.units import UNITS, convert, format_quantity, parse_quantity

__all__ = [
    "UNITS",
    "AllReduceSample",
    "Experts",
    "LatentAttention",
    "Level",
    "Machine",
    "ModelError",
    "NcclLog",
    "NcclRow",
    "NcclRun",
    "NcclSkipped",
    "Plan",
    "Regime",
    "RegimeFit",
    "RingAllReduce",
    "RingFit",
    "Transfer",
    "Transformer",
    "algorithm_bandwidth",
    "all_reduce_bus_bandwidth",
    "all_reduce_sample",
    "coarse_communication_time",
    "convert",
    "fit_regimes",
    "fit_ring",
    "format_quantity",
    "global_batch",
    "parse_quantity",
    "read_nccl_log",
    "ring_all_reduce",
    "ring_all_reduce_bandwidth_term",
    "ring_all_reduce_bytes_per_rank",
    "ring_all_reduce_crossover",
    "ring_all_reduce_latency_term",
    "ring_all_reduce_schedule",
    "ring_all_reduce_steps",
    "ring_all_reduce_time",
    "time_in_regimes",
]
