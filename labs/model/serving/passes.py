"""One pass of some tokens through a model: prefill, decode, or a training microbatch, with what each costs a device.

All three have the same matrices and the same exchanges; they differ in tokens, hence in what bounds them.
"""

from dataclasses import dataclass

from labs.model.device_memory.counting import check_ranks
from labs.model.machines.machine import Machine
from labs.model.plans.plan import Plan
from labs.model.quantities.inputs import count, outcome, positive, share
from labs.model.serving.exchanges import Exchange, exchanges
from labs.model.serving.links import Links
from labs.model.serving.token_work import Tokens, bytes_read, forward_work
from labs.model.transformers.transformer import Transformer


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass:
    """One pass, as the mean device takes part in it.

    Attributes:
        tokens: on the device [1]
        work: of the device [FLOP]
        bytes_read: from the device's memory, weights and cache [byte]
        compute: time of the work [s]
        reading: time to read them [s]
        exchanges: with other devices
        communication: time of all exchanges but sends between stages [s]
        latency_share: of the time of all exchanges, what does not depend on payloads [1]
        stage_time: the longer of compute and reading, and communication [s]
        time: through all stages, one after another, sends between them included [s]
    """

    tokens: float
    work: float
    bytes_read: float
    compute: float
    reading: float
    exchanges: tuple[Exchange, ...]
    communication: float
    latency_share: float
    stage_time: float
    time: float


def prefill(
    *,
    model: Transformer,
    plan: Plan,
    machine: Machine,
    links: Links,
    tokens: int,
    sequences: int = 1,
    efficiency: float = 1.0,
    width: float = 2,
) -> Pass:
    """Return the pass that reads prompts: all their tokens at once, attention causal.

        stage time = max(FLOP / peak, bytes / memory bandwidth) + communication; 2 all-reduces of 2 n s h a layer

    Args:
        model: the transformer
        plan: degrees
        machine: peak and memory bandwidth of one device
        links: the level that each group exchanges over
        tokens: of one prompt, s [1]
        sequences: prompts together, n [1]
        efficiency: share of the peak that matrices reach [1]
        width: of one element of weights and cache [byte]

    Returns:
        the attributes of Pass, each with its unit

    Raises:
        ModelError: a plan that the model makes impossible

    Source:
        Pope et al., Efficiently Scaling Transformer Inference (arXiv 2211.05102), section 2

    >>> from labs.model.transformers.transformer import gpt
    >>> from labs.model.machines.machine import Level
    >>> link = Level(name="node", devices=8, bandwidth=100e9, latency=1e-6)
    >>> machine = Machine(name="M", peak=1e15, memory=80e9, memory_bandwidth=2e12, levels=(link,))
    >>> four = Links(tensor=link, context=link, expert=link, pipeline=link)
    >>> model = gpt(hidden=1000, layers=10, heads=10)
    >>> found = prefill(model=model, plan=Plan(tensor=2), machine=machine, links=four, tokens=1000)
    >>> found.exchanges[0].payload, found.exchanges[0].times
    (2000000.0, 20.0)
    """
    length, prompts = count("tokens", tokens), count("sequences", sequences)
    asked = Tokens(sequences=prompts, new=length, keys=(length + 1) / 2, headed=prompts, decoding=False)
    return _pass(model, plan, machine, links, asked, efficiency=efficiency, width=width)


def decode(
    *,
    model: Transformer,
    plan: Plan,
    machine: Machine,
    links: Links,
    context: int,
    sequences: int = 1,
    efficiency: float = 1.0,
    width: float = 2,
) -> Pass:
    """Return the pass that writes one token of each sequence: all weights and the cache are read for it.

        stage time = max(FLOP / peak, bytes / memory bandwidth) + communication; 2 all-reduces of 2 n h a layer

    Args:
        model: the transformer
        plan: degrees
        machine: peak and memory bandwidth of one device
        links: the level that each group exchanges over
        context: tokens of each sequence so far [1]
        sequences: together, n [1]
        efficiency: share of the peak that matrices reach [1]
        width: of one element of weights and cache [byte]

    Returns:
        the attributes of Pass, each with its unit

    Raises:
        ModelError: a plan that the model makes impossible

    Source:
        Pope et al., Efficiently Scaling Transformer Inference (arXiv 2211.05102), section 2

    >>> from labs.model.transformers.transformer import gpt
    >>> from labs.model.machines.machine import Level
    >>> link = Level(name="node", devices=8, bandwidth=100e9, latency=1e-6)
    >>> machine = Machine(name="M", peak=1e15, memory=80e9, memory_bandwidth=2e12, levels=(link,))
    >>> four = Links(tensor=link, context=link, expert=link, pipeline=link)
    >>> model = gpt(hidden=1000, layers=10, heads=10)
    >>> found = decode(model=model, plan=Plan(tensor=2), machine=machine, links=four, context=1000)
    >>> found.exchanges[0].payload, found.exchanges[0].times
    (2000.0, 20.0)
    """
    length, together = count("context", context), count("sequences", sequences)
    asked = Tokens(sequences=together, new=1, keys=length, headed=together, decoding=True)
    return _pass(model, plan, machine, links, asked, efficiency=efficiency, width=width)


def training_pass(*, model: Transformer, plan: Plan, machine: Machine, links: Links, efficiency: float = 1.0) -> Pass:
    """Return one microbatch of training, forward and backward: what a plan is usually chosen for.

    A backward pass has twice the work of a forward pass and as many exchanges; full recomputation adds a forward pass.
    Attention is causal, as in prefill; step_time counts twice as much of it, as published utilizations do.

        work = 3 × forward, and exchanges = 2 × forward; with full recomputation 4 × and 3 ×

    Args:
        model: the transformer, and its training sequence
        plan: degrees, microbatch, recomputation
        machine: peak and memory bandwidth of one device
        links: the level that each group exchanges over
        efficiency: share of the peak that matrices reach [1]

    Returns:
        the attributes of Pass, each with its unit

    Raises:
        ModelError: a plan that the model makes impossible

    Source:
        Shoeybi et al., Megatron-LM (arXiv 1909.08053), section 3; Narayanan et al. (arXiv 2104.04473), appendix

    >>> from labs.model.transformers.transformer import gpt
    >>> from labs.model.machines.machine import Level
    >>> link = Level(name="node", devices=8, bandwidth=100e9, latency=1e-6)
    >>> machine = Machine(name="M", peak=1e15, memory=80e9, memory_bandwidth=2e12, levels=(link,))
    >>> four = Links(tensor=link, context=link, expert=link, pipeline=link)
    >>> model = gpt(hidden=1000, layers=10, heads=10, sequence=1000)
    >>> training_pass(model=model, plan=Plan(tensor=2), machine=machine, links=four).exchanges[0].times
    40.0
    """
    work, times = (4, 3) if plan.recompute == "full" else (3, 2)
    batch, length = plan.microbatch, model.sequence
    asked = Tokens(sequences=batch, new=length, keys=(length + 1) / 2, headed=batch * length, decoding=False)
    return _pass(model, plan, machine, links, asked, efficiency=efficiency, width=2, work=work, times=times)


def _pass(
    model: Transformer,
    plan: Plan,
    machine: Machine,
    links: Links,
    asked: Tokens,
    *,
    efficiency: float,
    width: float,
    work: int = 1,
    times: int = 1,
) -> Pass:
    """Return a pass with so many times the work, and the exchanges, of a forward pass."""
    check_ranks(model, plan)
    done = work * forward_work(model, plan, asked)
    read = work * bytes_read(model, plan, asked, positive("width", width, "byte"))
    found = exchanges(model, plan, links, asked, times)
    hop = sum(one.time for one in found if one.group == "pipeline")
    inner = sum(one.time for one in found if one.group != "pipeline")
    compute = done / (machine.peak * share("efficiency", efficiency))
    reading = read / machine.memory_bandwidth
    stage_time = max(compute, reading) + inner
    return Pass(
        tokens=asked.on_device(plan),
        work=done,
        bytes_read=read,
        compute=compute,
        reading=reading,
        exchanges=found,
        communication=inner,
        latency_share=sum(one.latency_term for one in found) / (inner + hop) if inner + hop else 0.0,
        stage_time=stage_time,
        time=outcome("time", plan.pipeline * stage_time + (plan.pipeline - 1) * hop, "s"),
    )
