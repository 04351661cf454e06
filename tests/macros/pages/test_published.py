"""The page of published runs: every run with the error that the model gives, and none typed by hand."""

import re
from html import unescape

from labs.model.steps.published import PUBLISHED_RUNS, predicted
from macros.pages.published import published_page


def text() -> str:
    return unescape(re.sub(r"<[^>]+>", " ", str(published_page().html))).replace("\N{NO-BREAK SPACE}", " ")


def test_every_run_stands_there_with_its_error() -> None:
    shown = text()
    for run in PUBLISHED_RUNS:
        error = predicted(run=run).error
        assert f"{error:+.1%}".replace("-", "−").replace("%", " %") in shown
        assert f"{run.plan.tensor} × {run.plan.pipeline} × {run.plan.data}" in shown
    mean = sum(abs(predicted(run=run).error) for run in PUBLISHED_RUNS) / len(PUBLISHED_RUNS)
    assert f"{mean:.1%}".replace("%", " %") in shown


def test_its_sections_are_in_the_table_of_contents() -> None:
    page = published_page()
    assert [id for id, _ in page.sections] == re.findall(r'<h2 id="([\w-]+)"', str(page.html))
