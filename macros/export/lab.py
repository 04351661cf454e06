"""A lab as Markdown: what its defaults come to, and where to change them."""

import shlex
from functools import cache

from labs.answer import shown_input
from labs.catalog import LABS
from labs.engineering import Calculator
from labs.lab import LabModule
from labs.views.action import lab_address
from labs.views.text import shown
from macros.cards.lab_links import link_inputs
from macros.cards.types import LabLink
from macros.export.blocks import heading, table
from macros.export.escape import Markdown, code, fenced, inline, link
from macros.pages.cell import lab_cell
from macros.pages.controls import sentence


def lab_blocks(lab_id: str, scope: str | None, site: str | None) -> list[Markdown]:
    """Return the lab's results as built; the card's sentence of scope stands before the lab's own.

    Args:
        lab_id: a lab of labs.catalog
        scope: what the card says of the lab
        site: address of a site where the lab is live, or None
    """
    lab = LABS[lab_id].LAB
    if site:
        where = Markdown(f"Change the inputs in the {link('live lab', f'{site}/labs/{lab_id}.html')}.")
    else:
        where = Markdown(f"To change the inputs, run {code(f'python -m labs run {lab_id}')}.")
    return [heading(3, inline(lab.title)), inline(scope or lab.scope), *_results(lab_id), where]


def state_link(state: LabLink, site: str | None) -> Markdown:
    """Return the way to a state of a lab: its address where there is a site, else the command."""
    title = inline(LABS[state.lab].LAB.title)
    inputs = link_inputs(state)
    if site:
        address = site + lab_address(state.lab, inputs).removeprefix("..")
        return Markdown(f"{link(state.label, address)} ({title})")
    words = ["python", "-m", "labs", "run", state.lab, *(f"{name}={text}" for name, text in inputs.items())]
    return Markdown(f"{inline(state.label)} ({title}): {code(shlex.join(words))}")


def calculator_blocks(calculator: Calculator) -> list[Markdown]:
    """Return what the calculator of one equation comes to as built."""
    return [heading(3, inline(calculator.LAB.title)), *_results_of(calculator)]


@cache  # they are the same on every page, and a thousand cards may show them
def _results(lab_id: str) -> tuple[Markdown, ...]:
    return _results_of(LABS[lab_id])


def _results_of(module: LabModule) -> tuple[Markdown, ...]:
    lab, values = module.LAB, module.LAB.defaults()
    told = [one for one in lab.controls if not one.group] or lab.controls
    inputs = "; ".join(f"{one.label.lower()} {shown_input(one, values[one.name])}" for one in told)
    cell = lab_cell(module, lab.id)
    return (
        inline(f"Inputs: {sentence(inputs)}"),
        table(
            ("Result", "Symbol", "Value"),
            [
                (inline(metric["label"]), inline(metric["symbol"]), inline(shown(metric["value"], metric["unit"])))
                for metric in module.frame(**values)["metrics"]
            ],
        ),
        inline(f"{cell.title}:"),
        fenced(cell.code, "python"),
    )
