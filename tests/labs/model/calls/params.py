"""Parameters: the call that gives each published value."""

import math
from dataclasses import replace

from labs.model.transformers.parameter_count import parameters
from labs.model.transformers.transformer import Transformer, gpt


def llama_3_8b():
    return Transformer(
        hidden=4096,
        layers=32,
        heads=32,
        kv_heads=8,
        head_width=128,
        ffn=14336,
        gated=True,
        vocabulary=128256,
        sequence=8192,
    )


def gpt_billions(L, h, V, s):
    return parameters(model=gpt(hidden=h, layers=L, heads=h // 128, vocabulary=V, sequence=s)).total / 1e9


def matrices(L, h):
    """The GPT of the tool: no biases, and a head beside the embedding."""
    model = gpt(hidden=h, layers=L, heads=96)
    return parameters(model=replace(model, biases=False, tied=False, positions=0))


def gpt_3_by_parts(a, b, c):
    """The tool prints parts: each is one of the model's, rounded to 0.01e9."""
    found = matrices(96, 12288)
    parts = (found.embedding + found.head, found.attention, found.mlp)
    assert all(math.isclose(part / 1e9, printed, abs_tol=0.006) for part, printed in zip(parts, (a, b, c), strict=True))
    return found.total / 1e9


def playbook_params():
    """GPT-2's formula for a model with a gated MLP and shared key and value heads is off by 13 %."""
    total = parameters(model=llama_3_8b()).total
    assert total == 8_030_261_248
    assert not math.isclose(total, 6.97e9, rel_tol=0.1)


CALLS = {
    "params-1.7B": gpt_billions,
    "params-3.6B": gpt_billions,
    "params-7.5B": gpt_billions,
    "params-39B": gpt_billions,
    "params-76B": gpt_billions,
    "params-145B": gpt_billions,
    "params-530B": gpt_billions,
    "params-1T": gpt_billions,
    "params-gpt3": gpt_3_by_parts,
    "params-gpt3-attn": lambda h, L: matrices(L, h).attention / 1e9,
    "params-gpt3-ffn": lambda h, L: matrices(L, h).mlp / 1e9,
}
NOT_GIVEN = {"bad-playbook-params": playbook_params}
