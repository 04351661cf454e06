"""The inputs of the lab, in groups."""

from labs.lab import Choice, Control, TextControl, doublings, switch
from labs.model.device_memory.conventions import CONVENTIONS
from labs.model.machines.named import MACHINES
from labs.model.plans.plan import RECOMPUTES
from labs.parts.execution.models import NAMES, SMALL


def _degree(name: str, label: str, symbol: str, most: int, *, default: int = 1, note: str = "", group: str) -> Control:
    return Control(
        name=name,
        label=label,
        symbol=symbol,
        unit="1",
        whole=True,
        default=default,
        stops=doublings(1, most),
        note=note,
        group=group,
    )


def _count_or_none(name: str, label: str, symbol: str, first: int, most: int, note: str, group: str) -> Control:
    return Control(
        name=name,
        label=label,
        symbol=symbol,
        unit="1",
        whole=True,
        default=0,
        stops=(0, *doublings(first, most)),
        note=note,
        group=group,
    )


def _choice(name: str, label: str, values: tuple[str, ...], default: str, note: str, group: str) -> Choice:
    options = tuple((value, value) for value in values)
    return Choice(name=name, label=label, options=options, default=default, note=note, group=group)


ZERO = Choice(
    name="zero",
    label="ZeRO stage",
    options=(
        ("0", "0: nothing is split"),
        ("1", "1: optimizer state"),
        ("2", "2: gradients too"),
        ("3", "3: parameters too"),
    ),
    default="0",
    note="over data and context ranks",
    group="Split",
)
MODEL = (
    _choice("model", "Model", NAMES, SMALL.name, "a config below takes its place", "Model"),
    _count_or_none("sequence", "Sequence", "s", 1024, 2**20, "tokens in training; 0: the model's own", "Model"),
    _choice("machine", "Machine", MACHINES, "DGX H100", "", "Model"),
    _count_or_none("devices", "Devices there", "N", 1, 65536, "0: as many as the reference cluster has", "Model"),
)
SPLIT = (
    _degree("tensor", "Tensor ranks", "t", 64, default=2, note="share each matrix", group="Split"),
    switch(
        name="sequence_parallel",
        label="Sequence parallelism",
        default=False,
        note="tensor ranks split the tokens outside of the matrices",
        group="Split",
    ),
    _degree("context", "Context ranks", "c", 64, note="share each sequence", group="Split"),
    _degree("data", "Data ranks", "d", 1024, note="replicas", group="Split"),
    ZERO,
    _degree("pipeline", "Pipeline stages", "p", 64, note="share the layers", group="Split"),
    _degree("expert", "Expert ranks", "e", 64, note="data and context ranks that share the experts", group="Split"),
    switch(
        name="replicate_kv",
        label="Copy key and value heads",
        default=False,
        note="where tensor ranks are more than they",
        group="Split",
    ),
    switch(
        name="uneven",
        label="Uneven stages",
        default=False,
        note="stages may differ by one layer",
        group="Split",
    ),
)
STEP = (
    _degree("microbatch", "Microbatch", "b", 64, note="sequences", group="Step"),
    _degree("accumulation", "Microbatches in a step", "m", 1024, note="of each replica", group="Step"),
    _degree("interleave", "Chunks of a stage", "v", 16, note="more than one: interleaved schedule", group="Step"),
    _choice("recompute", "Recomputation", RECOMPUTES, "none", "in the backward pass", "Step"),
    _choice("convention", "Optimizer", tuple(CONVENTIONS), "mixed", "bytes of each parameter", "Step"),
    switch(name="overlap", label="Overlap", default=True, note="exchanges run behind compute", group="Step"),
    switch(name="flash", label="Flash attention", default=True, note="scores stay out of memory", group="Step"),
)
LOOK_AT = (
    _count_or_none("device", "Device", "", 1, 16384, "whose shards are marked, from 0", "Look at"),
    _degree("prompt", "Prompt", "", 131072, default=1024, note="tokens, in serving", group="Look at"),
    _degree("served", "Sequences served", "n", 1024, default=8, note="together, by one replica", group="Look at"),
)
CONTROLS = (*MODEL, *SPLIT, *STEP, *LOOK_AT)
TEXTS = (
    TextControl(
        name="config", label="config.json", rows=4, note="of a model, as Hugging Face keeps it", group="Another model"
    ),
    TextControl(
        name="selected",
        label="Selected",
        rows=1,
        note="a tensor that crosses, or a weight, by its name",
        group="Look at",
    ),
)
FOLDED = ("Another model", "Step", "Look at")
MOST_RANKS = 2**20  # of a degree: more than any cluster has, and few enough for an answer at once
DEGREES = ("tensor", "context", "data", "pipeline", "expert", "microbatch", "accumulation", "interleave")
SWITCHES = ("sequence_parallel", "uneven", "replicate_kv")
