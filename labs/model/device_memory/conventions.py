"""What one parameter costs in training: conventions that people mean, by name, since all of them occur.

A total alone says too little: 10 and 20 bytes each have two meanings here, and ZeRO splits each kind at its own stage.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from labs.model.quantities.errors import ModelError, nearest, shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Convention:
    """Bytes of each parameter while a model is trained.

    Attributes:
        name: by which `convention` finds it
        meaning: in a few words
        parameters: as kept between steps [byte]
        working: as they enter a multiplication, which is what ZeRO-3 gathers [byte]
        gradients: as kept from the first microbatch of a step to the last [byte]
        reduced: a gradient as replicas sum it [byte]
        master_weights: a second, wider copy of the parameters for the update [byte]
        master_gradients: a copy of the gradients that exists in the update alone, split as the optimizer is [byte]
        moments: of the optimizer [byte]
        source: where it is written down
    """

    name: str
    meaning: str
    parameters: int
    working: int
    gradients: int
    reduced: int
    master_weights: int
    master_gradients: int
    moments: int
    source: str

    @property
    def optimizer(self) -> int:
        """Bytes that ZeRO-1 splits: master weights, master gradients and moments; K in the ZeRO paper."""
        return self.master_weights + self.master_gradients + self.moments

    @property
    def total(self) -> int:
        """Bytes with nothing split."""
        return self.parameters + self.gradients + self.optimizer


_GUIDE = "NVIDIA Megatron-LM, docs/user-guide/features/dist_optimizer.md, table of bytes per parameter"
_COOKBOOK = "EleutherAI cookbook, calc/calc_transformer_mem.py, note at the optimizer's bytes"

_ALL = (
    Convention(
        name="fp32",
        meaning="Adam, all in 32 bits; the distributed optimizer keeps 8 + 8/d",
        parameters=4,
        working=4,
        gradients=4,
        reduced=4,
        master_weights=0,
        master_gradients=0,
        moments=8,
        source=_GUIDE + ", fp32 parameters, fp32 gradients",
    ),
    Convention(
        name="mixed",
        meaning="16-bit parameters and gradients, 32-bit master weights and Adam",
        parameters=2,
        working=2,
        gradients=2,
        reduced=2,
        master_weights=4,
        master_gradients=0,
        moments=8,
        source="Rajbhandari et al., ZeRO (arXiv 1910.02054), section 3.1, K = 12",
    ),
    Convention(
        name="mixed-fsdp",
        meaning="32-bit parameters, gradients and Adam; parameters gathered in 16 bits",
        parameters=4,
        working=2,
        gradients=4,
        reduced=4,
        master_weights=0,
        master_gradients=0,
        moments=8,
        source="PyTorch, torch.distributed.fsdp, MixedPrecisionPolicy: param_dtype bf16, reduce_dtype fp32",
    ),
    Convention(
        name="megatron-fp16",
        meaning="fp16 parameters and gradients, 32-bit copies of both for Adam; distributed 4 + 16/d",
        parameters=2,
        working=2,
        gradients=2,
        reduced=2,
        master_weights=4,
        master_gradients=4,
        moments=8,
        source=_GUIDE + ", fp16 parameters, fp16 gradients",
    ),
    Convention(
        name="megatron-bf16",
        meaning="bf16 parameters, gradients summed in 32 bits, 32-bit master weights and Adam; distributed 6 + 12/d",
        parameters=2,
        working=2,
        gradients=4,
        reduced=4,
        master_weights=4,
        master_gradients=0,
        moments=8,
        source=_GUIDE + ", bf16 parameters, fp32 gradients; DistributedDataParallelConfig.grad_reduce_in_fp32",
    ),
    Convention(
        name="mixed-fp32-gradients",
        meaning="as mixed, and the gradients once more in 32 bits, where microbatches are summed",
        parameters=2,
        working=2,
        gradients=6,
        reduced=4,
        master_weights=4,
        master_gradients=0,
        moments=8,
        source='The Ultra-Scale Playbook, "Memory for weights/gradients/optimizer states", fp32 gradient accumulation; '
        "huggingface/nanotron, src/nanotron/optim/gradient_accumulator.py, for what is summed over replicas",
    ),
    Convention(
        name="mixed-adam-8bit",
        meaning="as mixed, with moments of 8 bits",
        parameters=2,
        working=2,
        gradients=2,
        reduced=2,
        master_weights=4,
        master_gradients=0,
        moments=2,
        source="Dettmers et al., 8-bit Optimizers via Block-wise Quantization (arXiv 2110.02861), section 2",
    ),
    Convention(
        name="mixed-sgd-momentum",
        meaning="as mixed, with one moment",
        parameters=2,
        working=2,
        gradients=2,
        reduced=2,
        master_weights=4,
        master_gradients=0,
        moments=4,
        source=_COOKBOOK + ", SGD",
    ),
    Convention(
        name="bf16-fp32-moments",
        meaning="bf16 parameters that Adam updates in place, moments in 32 bits; gradients not counted",
        parameters=2,
        working=2,
        gradients=0,
        reduced=2,
        master_weights=0,
        master_gradients=0,
        moments=8,
        source='How to Scale Your Model, "Training LLaMA 3 on TPUs": bf16 parameters, fp32 optimizer state',
    ),
    Convention(
        name="bf16",
        meaning="parameters, gradients and Adam in bf16, nothing wider",
        parameters=2,
        working=2,
        gradients=2,
        reduced=2,
        master_weights=0,
        master_gradients=0,
        moments=4,
        source="PyTorch, torch.optim.AdamW: moments take the parameters' type",
    ),
)
CONVENTIONS: Mapping[str, Convention] = MappingProxyType({one.name: one for one in _ALL})


def convention(*, name: str) -> Convention:
    """Return the convention of that name: how many bytes a parameter, its gradient and its optimizer state take.

        total = parameters + gradients + master weights + master gradients + moments

    Args:
        name: fp32, mixed, mixed-fsdp, megatron-fp16, megatron-bf16, mixed-fp32-gradients, mixed-adam-8bit, …

    Returns:
        the attributes of Convention, each with its unit

    Raises:
        ModelError: a name that is not known

    Source:
        the attribute source of each

    >>> convention(name="mixed").total, convention(name="megatron-bf16").total
    (16, 18)
    """
    if name not in CONVENTIONS:
        hint = (nearest(name, CONVENTIONS) if isinstance(name, str) else None) or f"known: {', '.join(CONVENTIONS)}"
        raise ModelError(f"expected a convention of bytes, found {shown(name)}", argument="convention", hint=hint)
    return CONVENTIONS[name]
