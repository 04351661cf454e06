"""Memory that communication takes beside what it moves."""

from dataclasses import dataclass

from labs.model.device_memory.conventions import Convention
from labs.model.device_memory.counting import held
from labs.model.plans.plan import Plan
from labs.model.transformers.transformer import Transformer


@dataclass(frozen=True, slots=True, kw_only=True)
class Buffers:
    """What one device keeps free for communication.

    Attributes:
        gathered_parameters: of others, under ZeRO-3: the layer in use and the next [byte]
        unreduced_gradients: for others, from ZeRO-2 on: the layer in use and the one on its way [byte]
        exchanged: activations of a microbatch on their way to and from tensor, pipeline, context, expert ranks [byte]
        total: all three [byte]
    """

    gathered_parameters: float
    unreduced_gradients: float
    exchanged: float
    total: float


def communication_buffers(*, model: Transformer, plan: Plan, convention: Convention, stage: int = 0) -> Buffers:
    """Return the buffers of communication on one device of a stage.

    Two units of the stage (its layers, the embedding, the head) are gathered at a time, and the gradients of two wait;
    of both, a device's own share is counted with its states. With ZeRO 0 and 1 buckets are views of the gradients.
    Exchanged are: with sequence parallelism the gathered input of a matrix and the gradient to scatter; for a
    neighbouring stage one activation each way; of a neighbour on the context ring keys and values and their
    gradients; for experts the tokens sent to them.

        bytes = (1 − 1/r) (w + g) 2 units + s b / c · (4 h [t > 1] + 4 h / t [p > 1] + 4 kv [c > 1] + 2 k h [e > 1])

    Args:
        model: the transformer
        plan: degrees, ZeRO stage, microbatch
        convention: bytes w of a parameter as gathered, g of a gradient
        stage: counted from 0 [1]

    Returns:
        the attributes of Buffers, each with its unit

    Raises:
        ModelError: a plan that the model makes impossible

    Source:
        Rajbhandari et al. (arXiv 1910.02054), section 7; PyTorch, DistributedDataParallel, gradient_as_bucket_view

    >>> from labs.model.device_memory.conventions import CONVENTIONS
    >>> from labs.model.transformers.transformer import gpt
    >>> model = gpt(hidden=1000, layers=8, heads=10, sequence=1000)
    >>> communication_buffers(model=model, plan=Plan(pipeline=2), convention=CONVENTIONS["mixed"]).exchanged
    4000000.0
    """
    here = held(model, plan, stage)
    ranks = plan.data * plan.context
    of_experts = 2 if here.expert_layers > 1 else here.expert_layers
    others = (1 - 1 / ranks) * sum(here.largest_two)
    others += (1 - plan.expert / ranks) * of_experts * here.experts
    gathered = convention.working * others if plan.zero == 3 else 0.0
    unreduced = convention.gradients * others if plan.zero >= 2 else 0.0

    tokens = model.sequence * plan.microbatch / plan.context
    along = plan.tensor if plan.sequence_parallel else 1
    each = 0.0
    if plan.sequence_parallel and plan.tensor > 1:
        each += 2 * 2 * model.hidden
    if plan.pipeline > 1:
        each += 2 * 2 * model.hidden / along
    if plan.context > 1:
        each += 2 * 2 * _keys_and_values(model, plan)
    if plan.expert > 1 and model.experts and here.expert_layers:
        each += 2 * model.experts.chosen * model.hidden
    exchanged = tokens * each
    return Buffers(
        gathered_parameters=gathered,
        unreduced_gradients=unreduced,
        exchanged=exchanged,
        total=gathered + unreduced + exchanged,
    )


def _keys_and_values(model: Transformer, plan: Plan) -> float:
    """Return elements of one token's keys and values on one tensor rank."""
    if latent := model.latent:
        return model.heads * (latent.nope_width + latent.rope_width + latent.value_width) / plan.tensor
    return 2 * model.kv_heads * model.head_width / min(plan.tensor, model.kv_heads)
