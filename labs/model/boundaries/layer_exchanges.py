"""Activations that cross within a layer: between tensor, context and expert ranks."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from labs.model.boundaries.crossing import Crossing, Place, context_group, crossing, expert_group, tensor_group
from labs.model.plans.plan import Plan
from labs.model.transformers.transformer import Transformer

MATRICES = "the weight gradients of the same matrices"
INPUT = "the gradient of the input"
NEXT_BLOCK = "attention over the block at hand"


@dataclass(frozen=True, slots=True)
class Passes:
    """A step as the layers of one device see it.

    Attributes:
        model: the transformer
        plan: how it is split
        width: bytes of one element of an activation
        layers: passes through a layer in a step: layers × microbatches
        dense: of these, through a layer with an ordinary MLP
        experts: of these, through a layer with experts
    """

    model: Transformer
    plan: Plan
    width: float
    layers: int
    dense: int
    experts: int

    @property
    def rows(self) -> int:
        """Tokens of each sequence on one device, before tensor ranks split them."""
        return self.model.sequence // self.plan.context


def layer_exchanges(passes: Passes) -> Iterator[Crossing]:
    """Yield what crosses in the layers of one device in a step."""
    for found in _once(passes):
        yield found
        again = passes.plan.recompute == "full" or (passes.plan.recompute == "selective" and found.axis == "context")
        if again and found.phase == "forward":
            cause = f"The backward pass computes it again: recompute is {passes.plan.recompute}."
            yield replace(found, name=f"{found.name}, computed again", phase="backward", cause=cause)


def rows_symbol(plan: Plan) -> str:
    """Return tokens of a sequence on one device, in symbols."""
    return "s / c" if plan.context > 1 else "s"


def _once(passes: Passes) -> Iterator[Crossing]:
    if passes.plan.context > 1:
        yield from _context(passes)
    if passes.plan.tensor > 1:
        yield from _tensor(passes)
    if passes.plan.expert > 1 and passes.model.experts:
        yield from _expert(passes, passes.model.experts.chosen)


def _tensor(passes: Passes) -> Iterator[Crossing]:
    model, plan = passes.model, passes.plan
    latent = model.latent
    # Name, what a token has there, the same in symbols, and times.
    blocks: list[tuple[str, tuple[int, ...], str, int]]
    outputs: list[tuple[str, tuple[int, ...], str, int]]
    inputs: list[tuple[str, tuple[int, ...], str, int]]
    into: tuple[str, tuple[int, ...], str, int]
    if latent:
        width = latent.kv_rank + latent.rope_width + (latent.query_rank or model.hidden)
        into = ("attention latents", (width,), "w", passes.layers)
    else:
        into = ("attention input", (model.hidden,), "h", passes.layers)
    dispatched = plan.sequence_parallel and plan.expert > 1
    blocks = [("MLP", (model.hidden,), "h", passes.dense)]
    if model.experts and dispatched:
        blocks.append(("experts", (model.experts.chosen, model.hidden), "k h", passes.experts))
        if model.experts.shared:
            blocks.append(("shared experts", (model.hidden,), "h", passes.experts))
    else:
        blocks.append(("experts", (model.hidden,), "h", passes.experts))
    blocks = [block for block in blocks if block[3]]
    if model.parallel and model.norms == 1 and not latent and not dispatched:
        inputs = [("layer input", (model.hidden,), "h", passes.layers)]
    else:
        inputs = [into, *((f"{name} input", tail, symbols, times) for name, tail, symbols, times in blocks)]
    if model.parallel and not dispatched:
        outputs = [("layer", (model.hidden,), "h", passes.layers)]
    else:
        outputs = [("attention", (model.hidden,), "h", passes.layers), *blocks]
    for index, (name, tail, symbols, times) in enumerate(inputs):
        place: Place = "mlp input" if index else "attention input"
        yield from _into_columns(passes, place, name, tail, symbols, times)
    for name, tail, symbols, times in outputs:
        place = "attention output" if name == "attention" else "mlp output"
        yield from _out_of_rows(passes, place, f"{name} output", tail, symbols, times)


def _into_columns(
    passes: Passes, place: Place, name: str, tail: tuple[int, ...], symbols: str, times: int
) -> Iterator[Crossing]:
    group, shape = tensor_group(passes.plan), (passes.plan.microbatch, passes.rows, *tail)
    said = f"b {rows_symbol(passes.plan)} {symbols}"
    sums = "Each tensor rank has the gradient that comes through its own columns; the input's is their sum"
    if not passes.plan.sequence_parallel:
        yield crossing(
            f"gradient of the {name} (partial sums)",
            "all-reduce",
            group,
            shape=shape,
            symbols=said,
            width=passes.width,
            times=times,
            phase="backward",
            place=place,
            cause=f"{sums}.",
            hidden_by=MATRICES,
        )
        return
    yield crossing(
        name,
        "all-gather",
        group,
        shape=shape,
        symbols=said,
        width=passes.width,
        times=times,
        phase="forward",
        place=place,
        cause="Each tensor rank has some tokens and needs all of them for its columns.",
    )
    yield crossing(
        f"{name}, gathered again",
        "all-gather",
        group,
        shape=shape,
        symbols=said,
        width=passes.width,
        times=times,
        phase="backward",
        place=place,
        cause="Only a rank's own tokens were kept; the weight gradients need all of them.",
        hidden_by=INPUT,
    )
    yield crossing(
        f"gradient of the {name} (partial sums)",
        "reduce-scatter",
        group,
        shape=shape,
        symbols=said,
        width=passes.width,
        times=times,
        phase="backward",
        place=place,
        cause=f"{sums}, of which a rank keeps its own tokens.",
        hidden_by=MATRICES,
    )


def _out_of_rows(
    passes: Passes, place: Place, name: str, tail: tuple[int, ...], symbols: str, times: int
) -> Iterator[Crossing]:
    group, shape = tensor_group(passes.plan), (passes.plan.microbatch, passes.rows, *tail)
    said = f"b {rows_symbol(passes.plan)} {symbols}"
    split = passes.plan.sequence_parallel
    yield crossing(
        f"{name} (partial sums)",
        "reduce-scatter" if split else "all-reduce",
        group,
        shape=shape,
        symbols=said,
        width=passes.width,
        times=times,
        phase="forward",
        place=place,
        cause="Each tensor rank multiplies its own rows; the output is the sum of all ranks'"
        + (", of which a rank keeps its own tokens." if split else "."),
    )
    if split:
        yield crossing(
            f"gradient of the {name}",
            "all-gather",
            group,
            shape=shape,
            symbols=said,
            width=passes.width,
            times=times,
            phase="backward",
            place=place,
            cause="Each tensor rank has the gradient of some tokens and needs that of all for its rows.",
        )


def _context(passes: Passes) -> Iterator[Crossing]:
    """Yield ring attention: blocks of keys and values go round; a gather of them moves the same bytes."""
    model, plan = passes.model, passes.plan
    columns: tuple[int, ...]
    if model.latent:
        each = model.latent.nope_width + model.latent.rope_width + model.latent.value_width
        columns, symbols = (model.heads // plan.tensor, each), "a (d_k + d_v)"
    else:
        columns, symbols = (2, max(1, model.kv_heads // plan.tensor), model.head_width), "2 a_kv d"
    if plan.tensor > 1:
        symbols += " / t"
    shape = (plan.microbatch, passes.rows, *columns)
    times = (plan.context - 1) * passes.layers
    for name, phase, cause in (
        ("keys and values of a block", "forward", "Queries need the keys and values of all tokens before them."),
        ("keys and values of a block, for gradients", "backward", "The gradients of queries need them once more."),
        (
            "gradients of keys and values of a block",
            "backward",
            "The sum goes round with its block, and each rank adds what its queries give.",
        ),
    ):
        yield crossing(
            name,
            "send",
            context_group(plan),
            shape=shape,
            symbols=f"b {rows_symbol(plan)} {symbols}",
            width=passes.width,
            times=times,
            phase="forward" if phase == "forward" else "backward",
            place="attention",
            cause=cause,
            hidden_by=NEXT_BLOCK,
        )


def _expert(passes: Passes, chosen: int) -> Iterator[Crossing]:
    """Yield the exchanges around the experts, balanced and with no token dropped."""
    model, plan = passes.model, passes.plan
    rows, symbol = passes.rows, rows_symbol(plan)
    if plan.sequence_parallel and plan.tensor > 1:
        rows //= plan.tensor
        symbol = "s / (c t)" if plan.context > 1 else "s / t"
    shape = (plan.microbatch, rows, chosen, model.hidden)
    for name, backward, cause in (
        ("tokens to their experts", False, "Each token goes to the devices that hold the experts chosen for it."),
        ("outputs of the experts", False, "Each token's outputs go back to the device that it came from."),
        ("gradients of the experts' outputs", True, "They go the way that the tokens went."),
        ("gradients of the tokens from their experts", True, "They go the way that the outputs went."),
    ):
        yield crossing(
            name,
            "all-to-all",
            expert_group(plan),
            shape=shape,
            symbols=f"b {symbol} k h",
            width=passes.width,
            times=passes.experts,
            phase="backward" if backward else "forward",
            place="experts",
            cause=cause,
        )
