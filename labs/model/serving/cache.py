"""The cache of keys and values that serving keeps, and how many sequences have room."""

from labs.model.device_memory.counting import check_ranks, fullest_stages, held, layers_on_stage
from labs.model.plans.plan import Plan
from labs.model.quantities.inputs import amount, count, outcome, positive
from labs.model.transformers.transformer import Transformer


def cache_per_token(*, model: Transformer, width: float = 2) -> float:
    """Return what all layers cache of one token: keys and values, or the latent that both come from.

        bytes = 2 · kv heads · d · L · w; with latent attention (kv rank + rope width) · L · w

    Args:
        model: the transformer
        width: of one element, w [byte]

    Returns:
        cache of a token, on all devices together where nothing is held twice [byte]

    Raises:
        ModelError: an input out of range

    Source:
        Ainslie et al., GQA (arXiv 2305.13245), section 2; DeepSeek-V2 (arXiv 2405.04434), table 1

    >>> from labs.model.transformers.transformer import gpt
    >>> cache_per_token(model=gpt(hidden=1000, layers=10, heads=10))
    40000.0
    """
    each = positive("width", width, "byte")
    if latent := model.latent:
        return outcome("number of bytes", (latent.kv_rank + latent.rope_width) * model.layers * each, "byte")
    return outcome("number of bytes", 2 * model.kv_heads * model.head_width * model.layers * each, "byte")


def device_cache(
    *, model: Transformer, plan: Plan, tokens: int, sequences: int = 1, stage: int = 0, width: float = 2
) -> float:
    """Return the cache on one device of a stage.

    Tensor ranks share key and value heads; beyond one head each they hold copies, and of a latent all of them do.
    Context ranks share the tokens.

        bytes = n · tokens / c · cache per token · L_stage / L / min(t, kv heads), of a latent without the last

    Args:
        model: the transformer
        plan: degrees; tensor, context and pipeline count
        tokens: of one sequence, prompt and answer [1]
        sequences: of one replica, n [1]
        stage: counted from 0 [1]
        width: of one element [byte]

    Returns:
        keys and values on one device [byte]

    Raises:
        ModelError: a plan that the model makes impossible

    Source:
        Pope et al., Efficiently Scaling Transformer Inference (arXiv 2211.05102), section 3.3

    >>> from labs.model.transformers.transformer import gpt
    >>> device_cache(model=gpt(hidden=1000, layers=10, heads=10), plan=Plan(tensor=2, pipeline=5), tokens=1000)
    4000000.0
    """
    check_ranks(model, plan)
    share = sum(layers_on_stage(model, plan, stage)) / model.layers
    copies = 1 if model.latent else min(plan.tensor, model.kv_heads)
    held_tokens = count("sequences", sequences) * count("tokens", tokens, at_least=0) / plan.context
    return outcome("number of bytes", held_tokens * cache_per_token(model=model, width=width) * share / copies, "byte")


def serving_weights(*, model: Transformer, plan: Plan, stage: int = 0, width: float = 2) -> float:
    """Return the parameters on one device of a stage while a model is served: no gradients, no optimizer.

        bytes = w (P_stage / t + P_experts / (t e)), norms and routers whole

    Args:
        model: the transformer
        plan: degrees; tensor, expert and pipeline count
        stage: counted from 0 [1]
        width: of one element, w [byte]

    Returns:
        parameters of one device [byte]

    Raises:
        ModelError: a plan that the model makes impossible

    Source:
        Pope et al., Efficiently Scaling Transformer Inference (arXiv 2211.05102), section 3

    >>> from labs.model.transformers.transformer import gpt
    >>> model = gpt(hidden=1024, layers=2, heads=16, vocabulary=1024, sequence=1024)
    >>> serving_weights(model=model, plan=Plan())
    54583296.0
    """
    here = held(model, plan, stage)
    return outcome("number of bytes", positive("width", width, "byte") * (here.shared + here.expert), "byte")


def sequences_that_fit(
    *, model: Transformer, plan: Plan, machine_memory: float, tokens: int, reserve: float = 0, width: float = 2
) -> int:
    """Return how many sequences one replica can hold in its cache at once, on the stage with least room.

        n = floor((memory − reserve − weights) / cache of one sequence)

    Args:
        model: the transformer
        plan: degrees; tensor, context, expert and pipeline count
        machine_memory: of one device [byte]
        tokens: of one sequence, prompt and answer [1]
        reserve: for activations and the framework [byte]
        width: of one element of weights and cache [byte]

    Returns:
        sequences, 0 where the weights alone are too large [1]

    Raises:
        ModelError: a plan that the model makes impossible

    Source:
        Kwon et al., PagedAttention (arXiv 2309.06180), section 1, figure 1

    >>> from labs.model.transformers.transformer import gpt
    >>> model = gpt(hidden=1024, layers=2, heads=16, vocabulary=1024, sequence=1024)
    >>> sequences_that_fit(model=model, plan=Plan(), machine_memory=1e9, tokens=1000)
    115
    """
    room = positive("machine_memory", machine_memory, "byte") - amount("reserve", reserve, "byte")
    length = count("tokens", tokens)
    found: list[float] = []
    for stage in fullest_stages(model, plan.pipeline, plan.interleave):
        weights = serving_weights(model=model, plan=plan, stage=stage, width=width)
        one = device_cache(model=model, plan=plan, tokens=length, stage=stage, width=width)
        found.append((room - weights) // one)
    return max(0, int(outcome("number of sequences", min(found), "1")))
