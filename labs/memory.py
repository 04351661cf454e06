"""The memory lab: what one device holds in training or in serving, against what it has."""

from typing import Any

from labs.lab import Choice, Control, Frame, Lab, Preset, doublings, switch
from labs.model.device_memory.conventions import CONVENTIONS
from labs.model.machines.named import MACHINES, named_machine
from labs.model.transformers.named import MODELS, named_model
from labs.parts.memory import serving, training
from labs.parts.memory.plan import mends, plan_of

_DEGREES = doublings(1, 1024)

LAB = Lab(
    id="memory",
    title="Memory of a device",
    scope=(
        "Parameters, gradients, optimizer state, activations and buffers of the fullest device in training, or its "
        "parameters and cache in serving. What the framework, the kernels and fragmentation take is not in it."
    ),
    controls=(
        Choice(name="use", label="Use", options=(("training", "training"), ("serving", "serving")), default="training"),
        Choice(name="model", label="Model", options=tuple((name, name) for name in MODELS), default="Llama 3 8B"),
        Choice(name="machine", label="Machine", options=tuple((name, name) for name in MACHINES), default="DGX H100"),
        Control(name="tensor", label="Tensor ranks", symbol="t", unit="1", whole=True, default=1,
                stops=doublings(1, 64), group="Split"),
        switch(name="sequence_parallel", label="Sequence parallelism", default=True, group="Split",
               note="tensor ranks split the sequence too"),
        Control(name="context", label="Context ranks", symbol="c", unit="1", whole=True, default=1,
                stops=doublings(1, 64), group="Split"),
        Control(name="data", label="Data ranks", symbol="d", unit="1", whole=True, default=8, stops=_DEGREES,
                group="Split"),
        Control(name="pipeline", label="Pipeline stages", symbol="p", unit="1", whole=True, default=1,
                stops=doublings(1, 64), group="Split"),
        Control(name="expert", label="Expert ranks", symbol="e", unit="1", whole=True, default=1,
                stops=doublings(1, 256), group="Split", note="of the data and context ranks"),
        Choice(name="zero", label="ZeRO stage", default="0", group="Training",
               options=(("0", "0: nothing is split"), ("1", "1: optimizer state"), ("2", "2: gradients too"),
                        ("3", "3: parameters too"))),
        Control(name="microbatch", label="Microbatch", symbol="b", unit="1", whole=True, default=1,
                stops=doublings(1, 64), group="Training", note="sequences"),
        Control(name="accumulation", label="Microbatches in a step", symbol="m", unit="1", whole=True, default=8,
                stops=doublings(1, 1024), group="Training", note="of one replica"),
        Control(name="interleave", label="Chunks of a stage", symbol="v", unit="1", whole=True, default=1,
                stops=(1, 2, 3, 4, 5, 6, 7, 8), group="Training"),
        Choice(name="recompute", label="Recomputed", default="none", group="Training",
               options=(("none", "nothing"), ("selective", "attention scores"), ("full", "whole layers"))),
        Choice(name="convention", label="Bytes of a parameter", default="mixed", group="Training",
               options=tuple((name, f"{name}: {found.total} bytes") for name, found in CONVENTIONS.items())),
        switch(name="flash", label="Flash attention", default=True, group="Training",
               note="attention keeps no scores"),
        switch(name="dropout", label="Dropout", default=False, group="Training", note="its masks are kept"),
        Control(name="tokens", label="Tokens of a sequence", symbol="s", unit="1", whole=True, default=8192,
                stops=doublings(1024, 2**20), group="Serving", note="prompt and answer"),
        Control(name="sequences", label="Sequences at once", symbol="n", unit="1", whole=True, default=16,
                stops=doublings(1, 4096), group="Serving", note="of one replica"),
        Choice(name="width", label="Element", options=(("2", "16 bits"), ("1", "8 bits")), default="2",
               group="Serving", note="of weights and cache"),
    ),
    presets=(
        Preset(id="zero", label="ZeRO: 7.5B on 64 devices",
               inputs={"model": "GPT 7.5B", "machine": "DGX A100 80GB", "data": 64, "zero": "3", "recompute": "full"},
               note="Published for states alone: 120 GB, 31.4 GB, 16.6 GB and 1.9 GB in stages 0 to 3 for 7.5 billion "
                    "parameters; this model has 0.4 % fewer.",
               source="Rajbhandari et al. 2020, ZeRO (arXiv 1910.02054), figure 1"),
        Preset(id="megatron", label="GPT-3 175B on 64 devices",
               inputs={"model": "GPT-3 175B", "machine": "DGX A100 80GB", "tensor": 8, "data": 1, "pipeline": 8,
                       "accumulation": 64, "interleave": 3, "recompute": "selective", "flash": "off",
                       "dropout": "on"},
               note="Only the attention scores are computed again: sequence parallelism and this let the run fit, "
                    "which took full recomputation before.",
               source="Korthikanti et al. 2022 (arXiv 2205.05198), tables 3 and 5"),
        Preset(id="llama", label="Llama 3 405B, 16,384 devices",
               inputs={"model": "Llama 3 405B", "tensor": 8, "pipeline": 16, "data": 128, "zero": "2",
                       "accumulation": 16, "convention": "megatron-bf16"},
               note="The split of its pre-training: 16 sequences for each replica and step. States are small; the 16 "
                    "microbatches in flight are what fills a device.",
               source="Grattafiori et al. 2024, The Llama 3 Herd of Models (arXiv 2407.21783), table 4"),
        Preset(id="cache", label="DeepSeek-V3, served",
               inputs={"use": "serving", "model": "DeepSeek-V3", "machine": "GB200 NVL72", "tensor": 16, "data": 1,
                       "tokens": 131072, "sequences": 4},
               note="A token's latents take 70 kB, where the keys and values of Llama 3 405B take 516 kB; tensor ranks "
                    "hold copies of a latent, they do not share it.",
               source="Zhao et al. 2025, Insights into DeepSeek-V3 (arXiv 2505.09343), table 1"),
    ),
)


def frame(**inputs: Any) -> Frame:
    """Return what the fullest device holds, what would change it, and what would make it fit."""
    inputs = _read(inputs)
    model = named_model(name=inputs["model"])
    capacity = named_machine(name=inputs["machine"]).memory
    plan, reasons = plan_of(inputs, model)
    if plan is None:
        return {
            "verdict": ["This plan is impossible.", *reasons, *mends(inputs, model)],
            "metrics": [{"name": "total", "label": "Needed", "symbol": "", "value": None, "unit": "byte"}],
            "series": [],
            "tables": [],
        }
    if inputs["use"] == "training":
        return training.frame_of(inputs, model, plan, capacity)
    return serving.frame_of(inputs, model, plan, capacity)


def _read(inputs: dict[str, Any]) -> dict[str, Any]:
    """Return the inputs that are read: serving has neither chunks nor microbatches of a step."""
    return {**inputs, "interleave": 1, "accumulation": 1} if inputs["use"] == "serving" else inputs


def code(**inputs: Any) -> str:
    """Return the Python text that gives these numbers."""
    inputs = _read(inputs)
    model = named_model(name=inputs["model"])
    if inputs["use"] == "training":
        return training.code_of(inputs, model)
    return serving.code_of(inputs, model)
