"""Bytes of a parameter: published totals, by name."""

import pytest

from labs.model.device_memory.conventions import CONVENTIONS, convention
from labs.model.quantities.errors import ModelError

TOTALS = {
    "fp32": 16,
    "mixed": 16,
    "mixed-fsdp": 16,
    "megatron-fp16": 20,
    "megatron-bf16": 18,
    "mixed-fp32-gradients": 20,
    "mixed-adam-8bit": 10,
    "mixed-sgd-momentum": 12,
    "bf16-fp32-moments": 10,
    "bf16": 8,
}


def test_totals_are_the_published_ones_and_each_has_a_source():
    assert {name: one.total for name, one in CONVENTIONS.items()} == TOTALS
    assert all(convention(name=name) is one and one.source and one.meaning for name, one in CONVENTIONS.items())
    assert convention(name="mixed").optimizer == 12


def test_gathered_parameters_are_no_wider_than_kept_ones():
    assert all(one.working <= one.parameters for one in CONVENTIONS.values())


def test_gradients_cross_as_wide_as_frameworks_sum_them():
    """Megatron-LM: grad_reduce_in_fp32 with bf16 parameters; FSDP: reduce_dtype fp32; nanotron: the fp32 buffer."""
    wide = {"fp32", "mixed-fsdp", "megatron-bf16", "mixed-fp32-gradients"}
    assert {name: one.reduced for name, one in CONVENTIONS.items()} == {
        name: 4 if name in wide else 2 for name in TOTALS
    }


@pytest.mark.parametrize("name", ["mixd", "int4", 16])
def test_an_unknown_name_is_refused(name):
    with pytest.raises(ModelError, match="expected a convention of bytes, found") as refused:
        convention(name=name)
    assert refused.value.argument == "convention"
    assert refused.value.hint


def test_a_slip_is_told_what_was_meant():
    with pytest.raises(ModelError) as refused:
        convention(name="mixd")
    assert refused.value.hint == 'did you mean "mixed"?'
