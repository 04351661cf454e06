"""Serving: how long a reader waits, how many are served, and how the same plan trains."""

from dataclasses import dataclass

from labs.model.device_memory.counting import fullest_stages
from labs.model.machines.machine import Machine
from labs.model.plans.plan import Plan
from labs.model.quantities.inputs import count
from labs.model.serving.cache import device_cache, sequences_that_fit, serving_weights
from labs.model.serving.links import Links, plan_links
from labs.model.serving.passes import Pass, decode, prefill, training_pass
from labs.model.transformers.transformer import Transformer


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """A model as it is served by a plan.

    Attributes:
        prefill: of one prompt
        decode: of one token of each sequence of a group; a pipeline holds as many groups as stages
        time_to_first_token: of a prompt that waits for nothing [s]
        time_per_output_token: of each sequence [s]
        throughput: tokens that all replicas write in a second [1]
        weights: of the fullest device [byte]
        cache: of the fullest device [byte]
        spare: memory of the fullest device beyond both, negative where it lacks [byte]
        room: sequences of one replica that would fit [1]
    """

    prefill: Pass
    decode: Pass
    time_to_first_token: float
    time_per_output_token: float
    throughput: float
    weights: float
    cache: float
    spare: float
    room: int

    @property
    def fits(self) -> bool:
        """Whether each device holds its weights and its cache."""
        return self.spare >= 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingBesideServing:
    """One plan at both kinds of work.

    Attributes:
        training: one microbatch, forward and backward
        serving: the same plan with a prompt and a cache
        training_share: of a stage's time in training, what exchanges take where nothing hides them [1]
        decode_share: the same of a token's time in serving [1]
    """

    training: Pass
    serving: Serving
    training_share: float
    decode_share: float


def serve(
    *,
    model: Transformer,
    plan: Plan,
    machine: Machine,
    prompt: int,
    context: int,
    sequences: int = 1,
    links: Links | None = None,
    efficiency: float = 1.0,
    width: float = 2,
) -> Serving:
    """Return how a plan serves: the wait for the first token, the time of each further one, and the throughput.

    Sequences of a replica are decoded in as many groups as there are stages, each stage at work on one of them. The
    exchanges hide behind nothing. What kernels and the framework lose is not in it: times are bounds from below.

        time per output token = p · stage time + (p − 1) · hop; throughput = n d / time per output token

    Args:
        model: the transformer
        plan: degrees; ZeRO, microbatch and recomputation do not count
        machine: peak, memory and memory bandwidth of one device, and levels
        prompt: tokens of a prompt [1]
        context: tokens of a sequence while its token is written, for which the cache has room [1]
        sequences: of one replica at once, n [1]
        links: the level that each group exchanges over, or None for tensor ranks innermost, stages outermost
        efficiency: share of the peak that matrices reach [1]
        width: of one element of weights and cache [byte]

    Returns:
        the attributes of Serving, each with its unit

    Raises:
        ModelError: a plan that the model or the machine makes impossible

    Source:
        Pope et al., Efficiently Scaling Transformer Inference (arXiv 2211.05102), section 2

    >>> from labs.model.machines.machine import Level
    >>> from labs.model.transformers.transformer import gpt
    >>> node = Level(name="node", devices=8, bandwidth=100e9, latency=0)
    >>> machine = Machine(name="M", peak=1e15, memory=80e9, memory_bandwidth=2e12, levels=(node,))
    >>> model = gpt(hidden=1000, layers=10, heads=10)
    >>> serve(model=model, plan=Plan(tensor=2), machine=machine, prompt=1000, context=1000).fits
    True
    """
    between = links or plan_links(machine=machine, plan=plan)
    groups = min(plan.pipeline, count("sequences", sequences))
    reading = prefill(
        model=model, plan=plan, machine=machine, links=between, tokens=prompt, efficiency=efficiency, width=width
    )
    writing = decode(
        model=model,
        plan=plan,
        machine=machine,
        links=between,
        context=context,
        sequences=-(-sequences // groups),
        efficiency=efficiency,
        width=width,
    )
    weights, cache = max(
        (
            (
                serving_weights(model=model, plan=plan, stage=stage, width=width),
                device_cache(model=model, plan=plan, tokens=context, sequences=sequences, stage=stage, width=width),
            )
            for stage in fullest_stages(model, plan.pipeline, plan.interleave)
        ),
        key=sum,
    )
    return Serving(
        prefill=reading,
        decode=writing,
        time_to_first_token=reading.time,
        time_per_output_token=writing.time,
        throughput=sequences * plan.data / writing.time,
        weights=weights,
        cache=cache,
        spare=machine.memory - weights - cache,
        room=sequences_that_fit(model=model, plan=plan, machine_memory=machine.memory, tokens=context, width=width),
    )


def training_beside_serving(
    *,
    model: Transformer,
    plan: Plan,
    machine: Machine,
    prompt: int,
    context: int,
    sequences: int = 1,
    links: Links | None = None,
    efficiency: float = 1.0,
    width: float = 2,
) -> TrainingBesideServing:
    """Return one plan at training and at serving: its groups exchange the same tensors as often, of other sizes.

    A token that is written has 2 n h bytes to add up twice in each layer, where a microbatch has 2 s b h: what hides
    the latency of a slow level in training is gone.

        share = communication / stage time

    Args:
        model: the transformer, and its training sequence
        plan: degrees, microbatch, recomputation
        machine: peak, memory and memory bandwidth of one device, and levels
        prompt: tokens of a prompt [1]
        context: tokens of a sequence while its token is written [1]
        sequences: of one replica at once, n [1]
        links: the level that each group exchanges over, or None for tensor ranks innermost, stages outermost
        efficiency: share of the peak that matrices reach [1]
        width: of one element of served weights and cache [byte]

    Returns:
        the attributes of TrainingBesideServing, each with its unit

    Raises:
        ModelError: a plan that the model or the machine makes impossible

    Source:
        training_pass and serve, each with its own

    >>> from labs.model.machines.machine import Level
    >>> from labs.model.transformers.transformer import gpt
    >>> node = Level(name="node", devices=8, bandwidth=100e9, latency=5e-6)
    >>> machine = Machine(name="M", peak=1e14, memory=80e9, memory_bandwidth=2e12, levels=(node,))
    >>> model = gpt(hidden=8000, layers=8, heads=8)
    >>> both = training_beside_serving(model=model, plan=Plan(tensor=8), machine=machine, prompt=1000, context=1000)
    >>> both.training_share < both.decode_share
    True
    """
    between = links or plan_links(machine=machine, plan=plan)
    training = training_pass(model=model, plan=plan, machine=machine, links=between, efficiency=efficiency)
    serving = serve(
        model=model,
        plan=plan,
        machine=machine,
        prompt=prompt,
        context=context,
        sequences=sequences,
        links=between,
        efficiency=efficiency,
        width=width,
    )
    return TrainingBesideServing(
        training=training,
        serving=serving,
        training_share=training.communication / training.stage_time,
        decode_share=serving.decode.communication / serving.decode.stage_time,
    )
