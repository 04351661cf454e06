"""The activations of one device at its peak: its layers, its microbatches in flight, and what the two ends add."""

from dataclasses import dataclass

from labs.model.device_memory.activations import layer_activations
from labs.model.device_memory.counting import layers_on_stage
from labs.model.pipelines.forms import microbatches_in_flight
from labs.model.pipelines.orders import Schedule
from labs.model.plans.plan import Plan
from labs.model.quantities.inputs import outcome
from labs.model.transformers.transformer import Transformer


@dataclass(frozen=True, slots=True, kw_only=True)
class Activations:
    """What one device keeps of forward passes at its peak.

    Attributes:
        in_flight: microbatches whose activations are held, m' [1]
        layers: what all layers of the stage keep of them [byte]
        recomputed: what comes back of one layer while its backward pass runs [byte]
        embedding: tokens and the mask of dropout, on the first stage [byte]
        head: input of the last norm and of the head, and 32-bit logits, on the last stage [byte]
        total: all four terms [byte]
    """

    in_flight: float
    layers: float
    recomputed: float
    embedding: float
    head: float
    total: float


def device_activations(
    *,
    model: Transformer,
    plan: Plan,
    stage: int = 0,
    schedule: Schedule = "1f1b",
    flash: bool = False,
    dropout: bool = True,
) -> Activations:
    """Return the activations of one device of a stage at its peak.

        bytes = m' · Σ layers + recomputed + m' s b (8 + h) / c + s b (4 h + 4 V / t) / c

    Where sequence parallelism is on, h in the last two terms is divided by t. The third is of the first stage, the
    fourth of the last one, which has one microbatch in its head at a time (all of them under GPipe).

    Args:
        model: the transformer
        plan: degrees, microbatch, accumulation, interleave, recomputation
        stage: counted from 0 [1]
        schedule: 1f1b, which is interleaved where the plan is; gpipe or zb-h1
        flash: whether attention keeps no scores in any case
        dropout: whether masks of dropout are kept

    Returns:
        the attributes of Activations, each with its unit

    Raises:
        ModelError: a plan that the model makes impossible

    Source:
        Korthikanti et al. (arXiv 2205.05198), section 4; NVIDIA Megatron-LM, theoretical_memory_usage.py

    >>> from labs.model.transformers.transformer import gpt
    >>> model = gpt(hidden=1000, layers=8, heads=10, sequence=1000, vocabulary=50000)
    >>> plan = Plan(pipeline=4, accumulation=8, recompute="full")
    >>> device_activations(model=model, plan=plan).layers
    16000000.0
    """
    dense, expert = layers_on_stage(model, plan, stage)
    held = microbatches_in_flight(
        schedule="interleaved" if schedule == "1f1b" and plan.interleave > 1 else schedule,
        stages=plan.pipeline,
        microbatches=plan.accumulation,
        chunks=plan.interleave,
        stage=stage,
    )
    kept = whole = 0.0
    for layers, experts in ((dense, False), (expert, True)):
        if layers:
            one = layer_activations(model=model, plan=plan, experts=experts, flash=flash, dropout=dropout)
            kept += layers * one
            if plan.recompute != "none":
                everything = layer_activations(
                    model=model, plan=plan, recompute="none", experts=experts, flash=flash, dropout=dropout
                )
                whole = max(whole, everything - one)
    tokens = model.sequence * plan.microbatch / plan.context
    width = model.hidden / (plan.tensor if plan.sequence_parallel else 1)
    embedding = held * tokens * (8 + width * dropout) if stage == 0 else 0.0
    head = 0.0
    if stage == plan.pipeline - 1:
        at_once = plan.accumulation if schedule == "gpipe" else 1
        head = at_once * tokens * (2 * width * (1 + model.final_norm) + 4 * model.vocabulary / plan.tensor)
    return Activations(
        in_flight=held,
        layers=held * kept,
        recomputed=whole,
        embedding=embedding,
        head=head,
        total=outcome("number of bytes", held * kept + whole + embedding + head, "byte"),
    )
