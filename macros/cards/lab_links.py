"""A card's links to states of labs: each is answered by its lab, or says why not."""

from collections.abc import Iterator

from labs.answer import Refused, compute, read_inputs
from labs.catalog import LABS
from macros.cards.types import Card, LabLink
from macros.names import did_you_mean
from macros.problem import Finding, Pointer, listed, quoted
from macros.rehearsal import lab_fault


def lab_link_findings(card: Card) -> Iterator[Finding]:
    """Yield what is wrong with the links of one card to labs."""
    for index, link in enumerate(card.lab_links):
        yield from _findings(link, ("labLinks", index))


def _findings(link: LabLink, at: Pointer) -> Iterator[Finding]:
    if link.lab not in LABS:
        hint = did_you_mean(link.lab, LABS) or f"the labs of this site: {listed(sorted(LABS))}"
        yield Finding(at=(*at, "lab"), message=f"expected the id of a lab, found {quoted(link.lab)}", hint=hint)
        return
    try:
        module = LABS[link.lab]
    except Exception as error:  # noqa: BLE001  # whatever a lab's code does
        yield _faulty(link, error, at)
        return
    known = [control.name for control in module.LAB.controls]
    for name in link.inputs:
        if name not in known:
            hint = did_you_mean(name, known) or f"its inputs: {listed(known)}"
            message = f"expected an input of the lab {link.lab}, found {quoted(name)}"
            yield Finding(at=(*at, "inputs", name), on_key=True, message=message, hint=hint)
            return
    try:
        compute(module, read_inputs(module, link_inputs(link)))
    except Refused as refused:
        named = (refused.control,) if refused.control and refused.control in link.inputs else ()
        yield Finding(at=(*at, "inputs", *named), message=refused.message)
    except Exception as error:  # noqa: BLE001  # the same
        yield _faulty(link, error, at)


def _faulty(link: LabLink, error: Exception, at: Pointer) -> Finding:
    message = f"expected a lab that answers, found one with a mistake in its code: {lab_fault(link.lab, error)}"
    return Finding(at=(*at, "lab"), message=message)


def link_inputs(link: LabLink) -> dict[str, str]:
    """Return the link's inputs as texts, as its address holds them."""
    return {name: str(value) for name, value in link.inputs.items()}
