"""Every tensor that crosses a device boundary in a training step."""

from labs.model.boundaries.crossing import Crossing
from labs.model.boundaries.held_weights import weights
from labs.model.boundaries.layer_exchanges import Passes, layer_exchanges
from labs.model.boundaries.stage_exchanges import stage_exchanges
from labs.model.boundaries.weight_exchanges import weight_exchanges
from labs.model.plans.feasibility import require_possible
from labs.model.plans.plan import Plan
from labs.model.quantities.inputs import positive
from labs.model.transformers.transformer import Transformer


def crossings(
    *,
    model: Transformer,
    plan: Plan,
    activation_bytes: float = 2,
    parameter_bytes: float = 2,
    gradient_bytes: float = 2,
) -> tuple[Crossing, ...]:
    """Return every tensor that crosses a device boundary in a training step.

    Left out: single numbers, such as the loss and the norm of all gradients. Context ranks send keys and values round a
    ring. Experts get equal shares and drop no token; with sequence parallelism a token's copies meet all tensor ranks
    after they have reached the expert's devices.

        tensor parallel: payload = b s h · 2 byte; twice forward, twice backward in each layer and microbatch

    Args:
        model: the transformer
        plan: how it is split
        activation_bytes: of one element of an activation [byte]
        parameter_bytes: of one parameter as it is gathered [byte]
        gradient_bytes: of one element of a weight's gradient as it is reduced [byte]

    Returns:
        one record for each tensor, those of layers first

    Raises:
        ModelError: a plan that is impossible for the model, or bytes that are not positive

    Source:
        Korthikanti et al. 2022 (arXiv 2205.05198), section 4.2, for tensor and sequence parallelism; Narayanan et al.
        2021 (arXiv 2104.04473), section 3, for pipelines; Rajbhandari et al. 2020 (arXiv 1910.02054), section 7, for
        ZeRO; Liu et al. 2023 (arXiv 2310.01889), for ring attention; Lepikhin et al. 2020 (arXiv 2006.16668), for
        experts; NVIDIA/Megatron-LM, megatron/core/tensor_parallel/layers.py, for what is gathered again

    >>> from labs.model.transformers.transformer import gpt
    >>> found = crossings(model=gpt(hidden=1024, layers=24, heads=16, sequence=1024), plan=Plan(data=8))
    >>> [(crossing.name, crossing.operation, crossing.ranks, crossing.times) for crossing in found]
    [('gradients', 'all-reduce', 8, 1)]
    """
    require_possible(model, plan)
    width = positive("activation_bytes", activation_bytes, "byte")
    positive("parameter_bytes", parameter_bytes, "byte")
    positive("gradient_bytes", gradient_bytes, "byte")
    found = weights(model, plan)
    m = plan.accumulation
    passes = Passes(model, plan, width, layers=found.layers * m, dense=found.dense * m, experts=found.experts * m)
    return (
        *layer_exchanges(passes),
        *stage_exchanges(passes),
        *weight_exchanges(model, plan, found, parameter_bytes, gradient_bytes),
    )
