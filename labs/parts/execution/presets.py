"""Scenarios: one for each kind of split, and configurations that were published."""

from collections.abc import Mapping

from labs.lab import Preset, Value
from labs.model.plans.plan import Plan
from labs.model.steps.published import KORTHIKANTI, MEGATRON, PUBLISHED_RUNS
from labs.parts.execution.models import MIXTURE

LLAMA_3 = "Grattafiori et al. 2024, The Llama 3 Herd of Models (arXiv 2407.21783), section 3.3.2 and table 4"
MEGATRON_MOE = (
    'NVIDIA/Megatron-LM, megatron/core/transformer/moe/README.md, "Reference Best Parallel Mapping" of MCore v0.8'
)
DEEPSEEK_V3 = "DeepSeek-AI 2024, DeepSeek-V3 Technical Report (arXiv 2412.19437), sections 1, 3.1, 3.2 and 4.2"
ZERO = "Rajbhandari et al. 2020, ZeRO (arXiv 1910.02054), figure 1"

SPLITS = (
    Preset(
        id="sequence",
        label="Sequence parallelism",
        inputs={"sequence_parallel": "on"},
        note="Each all-reduce is a reduce-scatter and an all-gather: as many bytes, and inputs are gathered once more.",
    ),
    Preset(
        id="data",
        label="Data 8",
        inputs={"tensor": 1, "data": 8},
        note="Replicas hold the whole model each, and all that crosses is their gradients, once in a step.",
    ),
    Preset(
        id="zero3",
        label="ZeRO-3 over 8",
        inputs={"tensor": 1, "data": 8, "zero": "3"},
        note="A device keeps an eighth of all weights; what ZeRO-1 sends, and half as much again, is the price.",
    ),
    Preset(
        id="pipeline",
        label="Pipeline 4",
        inputs={"tensor": 1, "pipeline": 4, "accumulation": 16},
        note="Only activations at the boundaries of stages cross, and stages wait while the pipeline fills and drains.",
    ),
    Preset(
        id="context",
        label="Context 4",
        inputs={"tensor": 1, "context": 4, "sequence": 16384},
        note="Ranks share each sequence; keys and values go round a ring, behind the attention over the block at hand.",
    ),
    Preset(
        id="experts",
        label="Experts over 4",
        inputs={"model": MIXTURE.name, "tensor": 1, "data": 4, "expert": 4},
        note="Each device holds a quarter of the experts; tokens go to the devices of their experts, and come back.",
    ),
    Preset(
        id="refused",
        label="Tensor 16 of 8 kv heads",
        inputs={"tensor": 16},
        note="The plan is refused: 16 ranks can't hold whole heads of 8, unless pairs of them hold copies.",
    ),
)


def _megatron(name: str, source: str) -> Mapping[str, Value]:
    """Return the inputs of a published run: without overlap and flash attention, as they were then."""
    plan = _run(name, source)
    return {
        "model": f"GPT {name}" if name != "175B" else "GPT-3 175B",
        "machine": "DGX A100 80GB",
        "devices": plan.devices,
        "tensor": plan.tensor,
        "pipeline": plan.pipeline,
        "data": plan.data,
        "microbatch": plan.microbatch,
        "accumulation": plan.accumulation,
        "interleave": plan.interleave,
        "recompute": plan.recompute,
        "convention": "megatron-fp16",
        "overlap": "off",
        "flash": "off",
    }


def _run(name: str, source: str) -> Plan:
    return next(run.plan for run in PUBLISHED_RUNS if (run.name, run.source) == (name, source))


_LLAMA: Mapping[str, Value] = {
    "model": "Llama 3 405B",
    "devices": 16384,
    "tensor": 8,
    "sequence_parallel": "on",
    "pipeline": 16,
    "zero": "2",
    "uneven": "on",
    "accumulation": 16,
    "convention": "megatron-bf16",
}

PUBLISHED = (
    Preset(
        id="gpt-3",
        label="GPT-3 175B, 64 GPUs",
        inputs=_megatron("175B", KORTHIKANTI),
        note="Tensor ranks within a node, stages between nodes. Exchanges hide behind nothing, as was usual then.",
        source=KORTHIKANTI,
    ),
    Preset(
        id="gpt-1t",
        label="GPT 1T, 3,072 GPUs",
        inputs=_megatron("1T", MEGATRON),
        note="64 stages of two layers, and 6 replicas.",
        source=MEGATRON,
    ),
    Preset(
        id="zero-7b",
        label="7.5B, ZeRO-3 over 64",
        inputs={
            "model": "GPT 7.5B",
            "tensor": 1,
            "data": 64,
            "zero": "3",
            "recompute": "full",
        },
        note="Parameters, gradients and optimizer state are 120 GB, 16 byte each; a device keeps 1.9 GB of them.",
        source=ZERO,
    ),
    Preset(
        id="llama-3",
        label="Llama 3 405B, 16,384 GPUs",
        inputs={**_LLAMA, "data": 128},
        note=(
            "126 layers on 16 stages: the first and the last one have a layer fewer. The paper splits optimizer state "
            "and gradients; microbatches of one sequence and one chunk a stage are put here, since it has its own "
            "schedule."
        ),
        source=LLAMA_3,
    ),
    Preset(
        id="llama-3-long",
        label="Llama 3 405B, 131,072 tokens",
        inputs={**_LLAMA, "sequence": 131072, "context": 16, "data": 8, "zero": "2"},
        note=(
            "The same GPUs and tokens in a step: 16 context ranks take the place of replicas. Here keys and values go "
            "round a ring; the paper gathers them, which moves as many bytes."
        ),
        source=LLAMA_3,
    ),
    Preset(
        id="mixtral",
        label="Mixtral 8x7B, 64 GPUs",
        inputs={
            "model": "Mixtral 8x7B",
            "sequence": 4096,
            "devices": 64,
            "tensor": 1,
            "data": 16,
            "pipeline": 4,
            "expert": 8,
            "zero": "1",
            "accumulation": 16,
            "interleave": 8,
            "convention": "megatron-bf16",
        },
        note="One expert on a device, the eight of a layer within a node; a chunk of a stage is a single layer.",
        source=MEGATRON_MOE,
    ),
    Preset(
        id="deepseek-v3",
        label="DeepSeek-V3, 2,048 GPUs",
        inputs={
            "model": "DeepSeek-V3",
            "devices": 2048,
            "tensor": 1,
            "data": 128,
            "pipeline": 16,
            "expert": 64,
            "zero": "1",
            "uneven": "on",
            "accumulation": 120,
            "recompute": "full",
            "convention": "megatron-bf16",
        },
        note=(
            "No tensor ranks: experts are spread over 8 nodes, and tokens cross between nodes. The report's H800 has "
            "slower links within a node than the H100 here; it computes less again, keeps activations in 8 bits, and "
            "hides the exchange of tokens behind compute, which is not put here. Its batch grew to 15,360."
        ),
        source=DEEPSEEK_V3,
    ),
)
PRESETS = (*SPLITS, *PUBLISHED)
