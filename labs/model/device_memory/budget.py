"""The memory of one device in training: states, activations, buffers, against what it has."""

from dataclasses import dataclass

from labs.model.device_memory.buffers import communication_buffers
from labs.model.device_memory.conventions import Convention
from labs.model.device_memory.counting import fullest_stages, held
from labs.model.device_memory.peak_activations import device_activations
from labs.model.device_memory.states import States, zero_states
from labs.model.pipelines.orders import Schedule
from labs.model.plans.plan import Plan
from labs.model.quantities.inputs import outcome, positive
from labs.model.transformers.transformer import Transformer


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """What one device of a pipeline stage needs at its peak.

    Attributes:
        stage: counted from 0 [1]
        parameters: as kept between steps [byte]
        gradients: as they wait for the update [byte]
        optimizer: master copies and moments [byte]
        activations: of the microbatches in flight, and of a layer that is recomputed [byte]
        buffers: of communication [byte]
        total: all five [byte]
        spare: what the device has beyond it, negative where it lacks; None where no capacity was given [byte]
    """

    stage: int
    parameters: float
    gradients: float
    optimizer: float
    activations: float
    buffers: float
    total: float
    spare: float | None

    @property
    def fits(self) -> bool | None:
        """Whether the device has as much; None where no capacity was given."""
        return None if self.spare is None else self.spare >= 0


def device_states(*, model: Transformer, plan: Plan, convention: Convention, stage: int = 0) -> States:
    """Return parameters, gradients and optimizer state on one device of a stage.

    Tensor ranks divide matrices by heads and widths; norms, routers and positions each of them holds. Experts are
    divided by expert ranks as well, so their ZeRO group is smaller by as much.

        bytes = ZeRO(P_stage, d c) + ZeRO(P_experts, d c / e), each as zero_states gives it

    Args:
        model: the transformer
        plan: degrees and ZeRO stage
        convention: bytes of each parameter, its gradient and its optimizer state
        stage: counted from 0 [1]

    Returns:
        the attributes of States, each with its unit

    Raises:
        ModelError: a plan that the model makes impossible

    Source:
        Rajbhandari et al., ZeRO (arXiv 1910.02054), section 5; NVIDIA Megatron-LM, theoretical_memory_usage.py

    >>> from labs.model.device_memory.conventions import CONVENTIONS
    >>> from labs.model.transformers.transformer import gpt
    >>> model = gpt(hidden=1024, layers=2, heads=16, vocabulary=1024, sequence=1024)
    >>> device_states(model=model, plan=Plan(), convention=CONVENTIONS["mixed"]).parameters
    54583296.0
    """
    here = held(model, plan, stage)
    ranks = plan.data * plan.context
    shared = zero_states(parameters=here.shared, ranks=ranks, zero=plan.zero, convention=convention)
    if not here.expert_layers:
        return shared
    experts = zero_states(parameters=here.expert, ranks=ranks // plan.expert, zero=plan.zero, convention=convention)
    return States(
        parameters=shared.parameters + experts.parameters,
        gradients=shared.gradients + experts.gradients,
        optimizer=shared.optimizer + experts.optimizer,
        total=shared.total + experts.total,
    )


def memory(
    *,
    model: Transformer,
    plan: Plan,
    convention: Convention,
    machine_memory: float | None = None,
    stage: int | None = None,
    schedule: Schedule = "1f1b",
    flash: bool = False,
    dropout: bool = True,
) -> Memory:
    """Return the memory of one device in training: of a stage, or of the stage that needs most.

    What the framework, the kernels and fragmentation take is not in it: of 80 GB, expect a few to be gone.

        total = parameters + gradients + optimizer + activations + buffers

    Args:
        model: the transformer
        plan: how it is split, and how a step is run
        convention: bytes of each parameter, its gradient and its optimizer state
        machine_memory: of one device, or None [byte]
        stage: counted from 0, or None for the fullest [1]
        schedule: 1f1b, which is interleaved where the plan is; gpipe or zb-h1
        flash: whether attention keeps no scores in any case
        dropout: whether masks of dropout are kept

    Returns:
        the attributes of Memory, each with its unit

    Raises:
        ModelError: tensor or expert ranks that would cut a head or an expert, or a stage without a layer; every other
            reason against a plan is refusals' business

    Source:
        zero_states, device_activations and communication_buffers, each with its own

    >>> from labs.model.device_memory.conventions import CONVENTIONS
    >>> from labs.model.transformers.transformer import gpt
    >>> model = gpt(hidden=4096, layers=36, heads=32)
    >>> plan = Plan(data=64, zero=3, recompute="full")
    >>> memory(model=model, plan=plan, convention=CONVENTIONS["mixed"], machine_memory=80e9).fits
    True
    """
    capacity = None if machine_memory is None else positive("machine_memory", machine_memory, "byte")

    def of(place: int) -> Memory:
        states = device_states(model=model, plan=plan, convention=convention, stage=place)
        kept = device_activations(
            model=model, plan=plan, stage=place, schedule=schedule, flash=flash, dropout=dropout
        ).total
        buffers = communication_buffers(model=model, plan=plan, convention=convention, stage=place).total
        total = outcome("number of bytes", states.total + kept + buffers, "byte")
        return Memory(
            stage=place,
            parameters=states.parameters,
            gradients=states.gradients,
            optimizer=states.optimizer,
            activations=kept,
            buffers=buffers,
            total=total,
            spare=None if capacity is None else capacity - total,
        )

    if stage is not None:
        return of(stage)
    return max(map(of, fullest_stages(model, plan.pipeline, plan.interleave)), key=lambda found: found.total)
