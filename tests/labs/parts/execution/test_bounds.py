"""However large an input is, it is answered within a second: with a frame, or with a sentence beside the input."""

import json
from time import perf_counter
from typing import Any

import pytest

from labs import execution
from labs.model.quantities.errors import ModelError
from tests.labs.model.published_configs import DEEPSEEK_V3

LARGE = [
    {"microbatch": 10**9 + 7},
    {"microbatch": 2**20},
    {"model": "DeepSeek-V3", "data": 10**9 + 7, "expert": 500_000_003, "zero": "3"},
    {"model": "DeepSeek-V3", "data": 2**20 - 3, "context": 2**20 - 3, "expert": 2**19 + 1},
    {"sequence": 10**9 + 7, "context": 2},
    {"sequence": 2**27 - 39, "context": 2},  # a prime
    {"accumulation": 2**20, "pipeline": 4},
    {"config": json.dumps(DEEPSEEK_V3 | {"num_hidden_layers": 1_000_000})},
    {"config": json.dumps(DEEPSEEK_V3 | {"num_hidden_layers": 4096}), "pipeline": 64, "interleave": 16},
    {"config": json.dumps(DEEPSEEK_V3 | {"vocab_size": 2**24 - 3}), "tensor": 2},  # a prime
    {"config": json.dumps(DEEPSEEK_V3 | {"n_routed_experts": 2**24}), "tensor": 1, "data": 4, "expert": 4},
    {"config": json.dumps(DEEPSEEK_V3 | {"hidden_size": 10**9})},
]


@pytest.mark.parametrize("inputs", LARGE, ids=lambda inputs: ", ".join(inputs))
def test_an_answer_comes_within_a_second(inputs: dict[str, Any]) -> None:
    began = perf_counter()
    try:
        execution.frame(**execution.LAB.inputs(inputs))
    except ModelError as error:
        assert error.argument in inputs
    assert perf_counter() - began < 1
