"""The numbers of the Parallelism Atlas: functions of values in base units (s, byte, byte/s, FLOP, FLOP/s).

This list of names is for readers and notebooks; code in this repository imports from the modules. A module is loaded
when one of its names is first asked for: a lab in a page waits for what it uses, and for nothing else.
"""

from importlib import import_module

_HOMES = {
    "activations": ("KeptTensor", "gpt_layer_activations", "kept_tensors", "layer_activations"),
    "algorithm": ("algorithms",),
    "bandwidth": ("algorithm_bandwidth", "all_reduce_bus_bandwidth", "bus_bandwidth"),
    "batch": ("global_batch",),
    "boundaries": ("crossings",),
    "bubble": ("bubble_overhead", "bubble_share", "bubble_time", "dual_pipe_bubble_time", "zero_bubble_time"),
    "buckets": ("bucket_count", "gradient_buckets"),
    "buffers": ("Buffers", "communication_buffers"),
    "cache": ("cache_per_token", "device_cache", "sequences_that_fit", "serving_weights"),
    "coarse": ("coarse_communication_time",),
    "collectives": ("Collective", "collective", "fastest_first"),
    "conventions": ("Convention", "convention"),
    "crossing": ("Crossing",),
    "deepspeed": (
        "deepspeed_zero2_device_memory",
        "deepspeed_zero2_documented_device_memory",
        "deepspeed_zero2_host_memory",
        "deepspeed_zero3_device_memory",
        "deepspeed_zero3_host_memory",
    ),
    "device_memory": ("Memory", "device_states", "memory"),
    "errors": ("ModelError",),
    "exchanges": ("Exchange",),
    "feasibility": ("Refusal", "padded_vocabulary", "reasons", "refusals"),
    "hierarchy": ("HierarchicalCollective", "Phase", "hierarchical_collective"),
    "huggingface": ("read_config",),
    "links": ("Links", "plan_links"),
    "machine": ("Level", "Machine"),
    "machines": ("MACHINES", "named_machine"),
    "measured.read": ("read_nccl_log",),
    "measured.records": ("NcclLog", "NcclRow", "NcclRun", "NcclSkipped"),
    "measured.regimes": ("Regime", "RegimeFit", "fit_regimes", "time_in_regimes"),
    "measured.ring_fit": ("RingFit", "fit_ring"),
    "measured.sample": ("AllReduceSample", "all_reduce_sample"),
    "named": ("MODELS", "named_model"),
    "nccl": ("nccl_latency",),
    "overlap": (
        "OverlapBounds",
        "exposed_communication",
        "exposed_gradient_reduction",
        "exposed_prefetch",
        "overlap_bounds",
    ),
    "parameter_count": ("Parameters", "parameters"),
    "passes": ("Pass", "decode", "prefill", "training_pass"),
    "peak_activations": ("Activations", "device_activations"),
    "pipeline": ("interleaving_factor", "layers_per_virtual_stage", "microbatches_in_flight", "pipeline_step_time"),
    "pipeline_orders": ("Operation", "pipeline_order"),
    "pipeline_run": ("PipelineRun", "TimedOperation", "simulate_pipeline"),
    "placement": ("Group", "axis_group", "exchange_time", "group_levels", "group_members", "send_time"),
    "plan": ("Plan", "data_parallel_ranks"),
    "published": ("PUBLISHED_RUNS", "Prediction", "PublishedRun", "predicted"),
    "ring": (
        "RingAllReduce",
        "ring_all_reduce",
        "ring_all_reduce_bandwidth_term",
        "ring_all_reduce_bytes_per_rank",
        "ring_all_reduce_crossover",
        "ring_all_reduce_latency_term",
        "ring_all_reduce_steps",
        "ring_all_reduce_time",
    ),
    "ring_execution": ("RingExecution", "RingStep", "execute_ring_all_reduce"),
    "roofline": (
        "best_data_ranks",
        "critical_contraction",
        "critical_intensity",
        "data_parallel_critical_batch",
        "data_parallel_limit",
        "mixed_critical_batch",
        "roofline_time",
        "tensor_parallel_limit",
    ),
    "schedule": ("Transfer", "ring_all_reduce_schedule"),
    "search": ("Candidate", "Refused", "Search", "search_plans"),
    "serving": ("Serving", "TrainingBesideServing", "serve", "training_beside_serving"),
    "sharding": ("Coordinates", "Shard", "coordinates", "shards"),
    "stages": ("stage_layers",),
    "states": ("States", "zero_states"),
    "step": ("Step", "TimedCrossing", "least_step_time", "step_time", "timed_crossings"),
    "step_tasks": (
        "gradient_reduction_tasks",
        "pipeline_send_tasks",
        "sharded_parameter_tasks",
        "tensor_parallel_tasks",
    ),
    "tasks": ("Read", "Task"),
    "timeline": ("TimedTask", "Timeline", "simulate_timeline"),
    "torus": ("torus_collective_time",),
    "transformer": ("Experts", "LatentAttention", "Transformer"),
    "units": ("UNITS", "convert", "format_quantity", "parse_quantity"),
    "weights": ("Tensor", "tensors"),
    "work": (
        "Work",
        "achieved_flops",
        "megatron_step_flops",
        "model_flops_utilization",
        "training_flops",
        "training_time",
        "training_work",
    ),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME, key=lambda name: (not name.isupper(), not name[0].isupper(), name))


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
