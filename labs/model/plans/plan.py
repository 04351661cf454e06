"""A plan: how one model is split over devices, and how a step is run."""

from dataclasses import dataclass
from typing import Literal

from labs.model.quantities.errors import ModelError
from labs.model.quantities.inputs import count

Recompute = Literal["none", "selective", "full"]
RECOMPUTES: tuple[Recompute, ...] = ("none", "selective", "full")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Degrees of each kind of parallelism, and the batch.

    Expert ranks are data (and context) ranks used once more: they add no devices. What a model makes impossible is
    refused by the functions that see both.

    Attributes:
        tensor: ranks that share each matrix, t [1]
        context: ranks that share each sequence, c [1]
        data: replicas, d [1]
        pipeline: stages, p [1]
        expert: ranks that share the experts of a layer, e; divides d · c [1]
        zero: ZeRO stage over data and context ranks; splits 0 nothing, 1 optimizer state, 2 gradients too, 3 all [1]
        sequence_parallel: whether tensor ranks split the sequence outside the matrices
        microbatch: sequences of one microbatch, b [1]
        accumulation: microbatches of one replica in a step, m [1]
        interleave: chunks of layers on each stage, v [1]
        recompute: what the backward pass computes again: nothing, the attention scores, or whole layers
        uneven: whether stages may differ by one layer; the outer ones, with embedding and head, then hold fewer
        replicate_kv: whether tensor ranks beyond the key and value heads hold copies of them, instead of a refusal
    """

    tensor: int = 1
    context: int = 1
    data: int = 1
    pipeline: int = 1
    expert: int = 1
    zero: int = 0
    sequence_parallel: bool = False
    microbatch: int = 1
    accumulation: int = 1
    interleave: int = 1
    recompute: Recompute = "none"
    uneven: bool = False
    replicate_kv: bool = False

    def __post_init__(self) -> None:
        for name in ("tensor", "context", "data", "pipeline", "expert", "microbatch", "accumulation", "interleave"):
            object.__setattr__(self, name, count(name, getattr(self, name)))
        object.__setattr__(self, "zero", count("zero", self.zero, at_least=0, at_most=3))
        require_recompute(self.recompute)
        if (self.data * self.context) % self.expert:
            raise ModelError(
                f"expected expert to divide data × context, found {self.expert} and {self.data} × {self.context}",
                argument="expert",
            )
        if self.uneven and self.interleave > 1:
            raise ModelError(
                f"expected interleave 1 where stages are uneven, found {self.interleave}", argument="interleave"
            )
        if self.interleave > 1 and self.pipeline == 1:
            raise ModelError(
                f"expected interleave 1 without a pipeline, found {self.interleave}", argument="interleave"
            )

    @property
    def devices(self) -> int:
        """Devices in all: t · c · d · p."""
        return self.tensor * self.context * self.data * self.pipeline

    @property
    def global_batch(self) -> int:
        """Sequences of one step: b · m · d. Only replicas multiply it."""
        return self.microbatch * self.accumulation * self.data


def require_recompute(recompute: str) -> None:
    """Refuse what is no choice of recomputation."""
    if recompute not in RECOMPUTES:
        known = ", ".join(RECOMPUTES)
        raise ModelError(f"expected recompute to be one of {known}, found {recompute}", argument="recompute")


def data_parallel_ranks(*, devices: int, tensor: int = 1, pipeline: int = 1, context: int = 1) -> int:
    """Return the replicas that devices make: what tensor, pipeline and context ranks leave.

    Expert ranks are none of the factors: they are data and context ranks used once more.

        d = N / (t · p · c)

    Args:
        devices: in all, N [1]
        tensor: ranks that share each matrix, t [1]
        pipeline: stages, p [1]
        context: ranks that share each sequence, c [1]

    Returns:
        replicas [1]

    Raises:
        ModelError: an input out of range, or devices that do not make whole replicas

    Source:
        Narayanan et al. 2021 (arXiv 2104.04473), section 3.1, "p · t · d = n"

    >>> data_parallel_ranks(devices=1536, tensor=8, pipeline=8)
    24
    """
    replica = count("tensor", tensor) * count("pipeline", pipeline) * count("context", context)
    if count("devices", devices) % replica:
        raise ModelError(
            f"expected devices in whole replicas of {replica}, found {devices}",
            argument="devices",
            hint=f"take {max(replica, devices // replica * replica)} devices",
        )
    return devices // replica
