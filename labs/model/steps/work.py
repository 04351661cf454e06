"""The arithmetic of a training step. A multiplication with its addition is 2 FLOP."""

from dataclasses import dataclass
from functools import cache

from labs.model.plans.plan import Recompute, require_recompute
from labs.model.quantities.inputs import amount, count, outcome, positive
from labs.model.transformers.transformer import Transformer
from labs.model.transformers.weights import tensors


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """The arithmetic on some sequences: matrices and attention; norms, activations and updates are left out.

    Attributes:
        tokens: of all sequences [1]
        layers: forward through the matrices of all layers [FLOP]
        attention: forward, scores and their sums of values [FLOP]
        head: forward through the output head [FLOP]
        forward: layers, attention and head [FLOP]
        backward: twice the forward pass [FLOP]
        recompute: what the backward pass computes again [FLOP]
        model: forward and backward: what utilisation counts [FLOP]
        total: what the devices do, recomputation included [FLOP]
    """

    tokens: int
    layers: float
    attention: float
    head: float
    forward: float
    backward: float
    recompute: float
    model: float
    total: float


def training_work(
    *, model: Transformer, sequences: int = 1, recompute: Recompute = "none", causal: bool = False
) -> Work:
    """Return the arithmetic of a training step on some sequences.

    Recomputation is none, selective (attention over all tokens once more) or full (all layers once more). Megatron-LM,
    PaLM and most published utilisations count attention as if every token saw all others: causal = False.

        forward = 2 · tokens · (parameters of the matrices that a token meets) + L · 2 s² a (d_k + d_v) · sequences

    Args:
        model: the transformer
        sequences: of the step: the global batch; 1 for the work of one sequence [1]
        recompute: what the backward pass computes again
        causal: whether attention is counted only to earlier tokens: half

    Returns:
        the attributes of Work, each with its unit

    Raises:
        ModelError: an input out of range

    Source:
        Narayanan et al. 2021 (arXiv 2104.04473), appendix "Floating-point operations"; Korthikanti et al. 2022
        (arXiv 2205.05198), appendix A, for model and hardware FLOPs

    >>> from labs.model.transformers.transformer import gpt
    >>> step = training_work(model=gpt(hidden=1024, layers=24, heads=16), recompute="full")
    >>> step.total / step.layers > 4
    True
    """
    number = count("sequences", sequences)
    require_recompute(recompute)
    met, head, each, width = _met(model)
    tokens = number * model.sequence
    layers = 2.0 * tokens * met
    attention = 2.0 * tokens * model.sequence * each * width * (0.5 if causal else 1)
    last = 2.0 * tokens * head
    forward = layers + attention + last
    again = {"none": 0.0, "selective": attention, "full": layers + attention}[recompute]
    return Work(
        tokens=tokens,
        layers=layers,
        attention=attention,
        head=last,
        forward=forward,
        backward=2 * forward,
        recompute=again,
        model=3 * forward,
        total=3 * forward + again,
    )


@cache
def _met(model: Transformer) -> tuple[float, int, int, int]:
    """Return the parameters of matrices that a token meets in layers and in the head; layers; a (d_k + d_v)."""
    met = 0.0
    for tensor in tensors(model=model):
        if tensor.place == "layers" and len(tensor.shape) > 1:
            share = model.experts.chosen / model.experts.count if tensor.routed and model.experts else 1
            met += tensor.layers * tensor.elements * share
    latent = model.latent
    both = latent.nope_width + latent.rope_width + latent.value_width if latent else 2 * model.head_width
    return met, model.vocabulary * model.hidden, model.layers, model.heads * both


def training_flops(*, parameters: float, tokens: float, recompute: Recompute = "none") -> float:
    """Return the usual estimate of a training's arithmetic: attention is not in it.

        C = 6 N T; 8 N T if all layers are computed again

    Args:
        parameters: that a token meets, N [1]
        tokens: of the whole training, T [1]
        recompute: what the backward pass computes again; attention alone has no parameters

    Returns:
        for the whole training [FLOP]

    Raises:
        ModelError: an input out of range

    Source:
        Kaplan et al. 2020 (arXiv 2001.08361), section 2.1; Narayanan et al. 2021 (arXiv 2104.04473), section 5.1

    >>> training_flops(parameters=70e9, tokens=1e12)
    4.2e+23
    """
    require_recompute(recompute)
    factor = 8 if recompute == "full" else 6
    return outcome("work", factor * amount("parameters", parameters, "1") * amount("tokens", tokens, "1"), "FLOP")


def megatron_step_flops(*, batch: int, sequence: int, layers: int, hidden: int, vocabulary: int) -> float:
    """Return the arithmetic of one step of a GPT as the Megatron papers count it: with full recomputation.

        F = 96 B s L h² (1 + s / (6 h) + V / (16 L h))

    Args:
        batch: sequences of a step, B [1]
        sequence: tokens of each, s [1]
        layers: L [1]
        hidden: width, h [1]
        vocabulary: tokens, V [1]

    Returns:
        for one step [FLOP]

    Raises:
        ModelError: an input out of range

    Source:
        Narayanan et al. 2021 (arXiv 2104.04473), section 5.1, equation 3

    >>> megatron_step_flops(batch=1, sequence=6000, layers=10, hidden=1000, vocabulary=160000)
    17280000000000.0
    """
    b, s, n = count("batch", batch), count("sequence", sequence), count("layers", layers)
    h, words = count("hidden", hidden), count("vocabulary", vocabulary)
    return outcome("work", 96.0 * b * s * n * h * h * (1 + s / (6 * h) + words / (16 * n * h)), "FLOP")


def achieved_flops(*, work: float, time: float, devices: int) -> float:
    """Return the arithmetic that each device did in a second.

        X = F / (n T)

    Args:
        work: done in that time, F [FLOP]
        time: T [s]
        devices: that did it, n [1]

    Returns:
        of one device [FLOP/s]

    Raises:
        ModelError: an input out of range

    Source:
        Narayanan et al. 2021 (arXiv 2104.04473), section 5.1

    >>> achieved_flops(work=1e18, time=10, devices=1000)
    100000000000000.0
    """
    spent = positive("time", time, "s") * count("devices", devices)
    return outcome("rate", amount("work", work, "FLOP") / spent, "FLOP/s")


def model_flops_utilization(*, work: float, time: float, devices: int, peak: float) -> float:
    """Return the share of the peak that the model's arithmetic reached; recomputation is no part of that work.

        MFU = F / (n T P)

    Args:
        work: forward and backward of one step, F [FLOP]
        time: of the step, T [s]
        devices: n [1]
        peak: of one device, P [FLOP/s]

    Returns:
        share; above 1 where an input is wrong [1]

    Raises:
        ModelError: an input out of range

    Source:
        Chowdhery et al. 2022 (arXiv 2204.02311), section 4.1 and appendix B

    >>> model_flops_utilization(work=1e18, time=10, devices=1000, peak=250e12)
    0.4
    """
    return outcome(
        "share", achieved_flops(work=work, time=time, devices=devices) / positive("peak", peak, "FLOP/s"), "1"
    )


def training_time(*, work: float, devices: int, rate: float) -> float:
    """Return how long a training takes at a given rate of each device.

        T = C / (n X)

    Args:
        work: of the whole training, C [FLOP]
        devices: n [1]
        rate: what each device achieves, X [FLOP/s]

    Returns:
        time [s]

    Raises:
        ModelError: an input out of range

    Source:
        Narayanan et al. 2021 (arXiv 2104.04473), section 5.1, equation 4

    >>> training_time(work=8.64e22, devices=1000, rate=100e12)
    864000.0
    """
    return outcome(
        "time", amount("work", work, "FLOP") / (count("devices", devices) * positive("rate", rate, "FLOP/s")), "s"
    )
