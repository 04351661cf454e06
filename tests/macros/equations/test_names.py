"""Runs of letters: glued subscripts on one side, words on the other."""

import pytest

from macros.equations.names import Name, names

GLUED = (
    "Tcomm Tcompute Mpeak Mweights Mlive Beff Bmicro Bglobal Nlayers Nparams Ndp Tstep Tread Pmax Pin Vout Lseq Eaccess"
    " Iidle αstart ηmax βeff σnoise"
)
WORDS = (
    "Time Work Rate Cost Loss Score Flow Clock Block Batch Latency Bandwidth Throughput Speedup Efficiency Energy"
    " Power Price Memory Peak Total Global Model Data Layer Token Cache Stage Step State Stable Train Plane Player"
    " Speak Alive Tissue Anode Ion Bring Sport Around Crack Dram Strain Actual Gpu Gpus Cpu Pcie Mbit Gbit Tflops"
    " Mhz In If Is At To By On Or As An We He The Then time work rate loss bytes tokens Tp Bs QK GPT LLM H100 αx"
    " λx Tα"
)


@pytest.mark.parametrize("run", GLUED.split())
def test_a_letter_with_a_word_glued_to_it_has_a_subscript(run: str) -> None:
    assert names(run) == (Name(run[0], subscript=run[1:]),)


@pytest.mark.parametrize("run", WORDS.split())
def test_words_and_what_could_be_either_are_no_names(run: str) -> None:
    assert names(run) is None


def test_capitals_are_a_product_only_where_something_says_so() -> None:
    assert names("QK") is None
    assert names("QK", raised=True) == (Name("Q"), Name("K"))
    assert names("ND", counted=True) == (Name("N"), Name("D"))
    assert names("GPU", counted=True) == (Name("GPU", "upright"),)


def test_functions_by_their_name_or_by_their_parenthesis() -> None:
    assert names("log") == (Name("log", "function"),)
    assert names("softmax") is None
    assert names("softmax", called=True) == (Name("softmax", "called"),)


def test_changes_stand_before_a_name() -> None:
    assert names("ΔT") == (Name("T", change="Δ"),)
    assert names("ΔTmax") == (Name("T", subscript="max", change="Δ"),)
