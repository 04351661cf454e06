"""The numbers of the Parallelism Atlas: functions of values in base units (s, byte, byte/s, FLOP, FLOP/s).

This list of names is for readers and notebooks; code in this repository imports from the modules. A module is loaded
when one of its names is first asked for: a lab in a page waits for what it uses, and for nothing else.
"""

from importlib import import_module

_HOMES = {
    "boundaries.crossing": ("Crossing",),
    "boundaries.training_step": ("crossings",),
    "collectives.algorithm": ("algorithms",),
    "collectives.bandwidth": ("algorithm_bandwidth", "all_reduce_bus_bandwidth", "bus_bandwidth"),
    "collectives.coarse": ("coarse_communication_time",),
    "collectives.cost": ("Collective", "collective", "fastest_first"),
    "collectives.nccl": ("nccl_latency",),
    "collectives.ring": (
        "RingAllReduce",
        "ring_all_reduce",
        "ring_all_reduce_bandwidth_term",
        "ring_all_reduce_bytes_per_rank",
        "ring_all_reduce_crossover",
        "ring_all_reduce_latency_term",
        "ring_all_reduce_steps",
        "ring_all_reduce_time",
    ),
    "collectives.ring_execution": ("RingExecution", "RingStep", "execute_ring_all_reduce"),
    "collectives.ring_schedule": ("Transfer", "ring_all_reduce_schedule"),
    "collectives.torus": ("torus_collective_time",),
    "configs.huggingface": ("read_config",),
    "device_memory.activations": ("KeptTensor", "gpt_layer_activations", "kept_tensors", "layer_activations"),
    "device_memory.budget": ("Memory", "device_states", "memory"),
    "device_memory.buffers": ("Buffers", "communication_buffers"),
    "device_memory.conventions": ("Convention", "convention"),
    "device_memory.deepspeed": (
        "deepspeed_zero2_device_memory",
        "deepspeed_zero2_documented_device_memory",
        "deepspeed_zero2_host_memory",
        "deepspeed_zero3_device_memory",
        "deepspeed_zero3_host_memory",
    ),
    "device_memory.peak_activations": ("Activations", "device_activations"),
    "device_memory.states": ("States", "zero_states"),
    "machines.hierarchy": ("HierarchicalCollective", "Phase", "hierarchical_collective"),
    "machines.machine": ("Level", "Machine"),
    "machines.named": ("MACHINES", "named_machine"),
    "machines.placement": ("Group", "axis_group", "exchange_time", "group_levels", "group_members", "send_time"),
    "machines.roofline": (
        "best_data_ranks",
        "critical_contraction",
        "critical_intensity",
        "data_parallel_critical_batch",
        "data_parallel_limit",
        "mixed_critical_batch",
        "roofline_time",
        "tensor_parallel_limit",
    ),
    "measured.read": ("read_nccl_log",),
    "measured.records": ("NcclLog", "NcclRow", "NcclRun", "NcclSkipped"),
    "measured.regimes": ("Regime", "RegimeFit", "fit_regimes", "time_in_regimes"),
    "measured.ring_fit": ("RingFit", "fit_ring"),
    "measured.sample": ("AllReduceSample", "all_reduce_sample"),
    "pipelines.bubble": ("bubble_overhead", "bubble_share", "bubble_time", "dual_pipe_bubble_time", "zero_bubble_time"),
    "pipelines.forms": (
        "interleaving_factor",
        "layers_per_virtual_stage",
        "microbatches_in_flight",
        "pipeline_step_time",
    ),
    "pipelines.orders": ("Operation", "pipeline_order"),
    "pipelines.run": ("PipelineRun", "TimedOperation", "simulate_pipeline"),
    "plans.batch": ("global_batch",),
    "plans.feasibility": ("Refusal", "padded_vocabulary", "reasons", "refusals"),
    "plans.plan": ("Plan", "data_parallel_ranks"),
    "plans.sharding": ("Coordinates", "Shard", "coordinates", "shards"),
    "plans.stages": ("stage_layers",),
    "quantities.errors": ("ModelError",),
    "quantities.units": ("UNITS", "convert", "format_quantity", "parse_quantity"),
    "serving.cache": ("cache_per_token", "device_cache", "sequences_that_fit", "serving_weights"),
    "serving.exchanges": ("Exchange",),
    "serving.links": ("Links", "plan_links"),
    "serving.passes": ("Pass", "decode", "prefill", "training_pass"),
    "serving.service": ("Serving", "TrainingBesideServing", "serve", "training_beside_serving"),
    "steps.crossing_times": ("TimedCrossing", "timed_crossings"),
    "steps.least": ("least_step_time",),
    "steps.published": ("PUBLISHED_RUNS", "Prediction", "PublishedRun", "predicted"),
    "steps.search": ("Candidate", "Refused", "Search", "search_plans"),
    "steps.step": ("Step", "step_time"),
    "steps.work": (
        "Work",
        "achieved_flops",
        "megatron_step_flops",
        "model_flops_utilization",
        "training_flops",
        "training_time",
        "training_work",
    ),
    "timelines.buckets": ("bucket_count", "gradient_buckets"),
    "timelines.overlap": (
        "OverlapBounds",
        "exposed_communication",
        "exposed_gradient_reduction",
        "exposed_prefetch",
        "overlap_bounds",
    ),
    "timelines.run": ("TimedTask", "Timeline", "simulate_timeline"),
    "timelines.step_tasks": (
        "gradient_reduction_tasks",
        "pipeline_send_tasks",
        "sharded_parameter_tasks",
        "tensor_parallel_tasks",
    ),
    "timelines.tasks": ("Read", "Task"),
    "transformers.named": ("MODELS", "named_model"),
    "transformers.parameter_count": ("Parameters", "parameters"),
    "transformers.transformer": ("Experts", "LatentAttention", "Transformer"),
    "transformers.weights": ("Tensor", "tensors"),
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
