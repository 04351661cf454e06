"""Hand-written pages: what their macros get wrong, each with its line, before the macros plugin meets it."""

from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from inspect import signature
from pathlib import Path
from textwrap import indent
from traceback import walk_tb

from jinja2 import Environment, TemplateSyntaxError, UndefinedError, nodes
from jinja2.meta import find_undeclared_variables

from macros.names import did_you_mean
from macros.problem import Problem, listed, quoted

PAGES = "docs"  # the folder of the pages, from the top of the repository
TEMPLATE = "<template>"  # Jinja's name for a text that came from no file


class Misused(Exception):
    """A macro was asked for what it cannot give; the sentence says what was expected and found."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


def misused(what: str, name: object, known: Mapping[str, object]) -> Misused:
    """Return the exception for a name that is none of the known ones."""
    shown = quoted(name) if isinstance(name, str) else repr(name)
    return Misused(
        f"expected {what}, found {shown}", did_you_mean(name, known) or f"there are {listed(sorted(known))}"
    )


def strictly[**P, R](macro: Callable[P, R]) -> Callable[P, R]:
    """Return the macro, refusing in a sentence arguments that it does not take."""
    form = signature(macro)

    @wraps(macro)
    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            form.bind(*args, **kwargs)
        except TypeError as error:
            takes = listed(list(form.parameters))
            raise Misused(f"expected {macro.__name__}({takes}), found a call that is {error}") from None
        return macro(*args, **kwargs)

    return called


def page_problems(
    page: str,
    source: str,
    markdown: str,
    *,
    environment: Environment,
    variables: Mapping[str, object],
    macros: tuple[str, ...],
) -> tuple[Problem, ...]:
    """Return what the macros of a hand-written page get wrong.

    Args:
        page: its path in the folder of pages
        source: the file's text
        markdown: the same without the front matter
        environment: the macros plugin's own
        variables: what a page may name
        macros: the names of the macros among it
    """
    before = len(source.splitlines()) - len(markdown.splitlines())

    def problem(line: int, message: str, hint: str | None = None, word: str = "{") -> Problem:
        column = max((*markdown.splitlines(), "")[line - 1].find(word), 0) + 1
        file = Path(PAGES, page)
        return Problem(file=file, line=before + line, column=column, pointer=None, message=message, hint=hint)

    try:
        parsed = environment.parse(markdown)
        unknown = tuple(_unknown(parsed, {*variables, *environment.globals}))  # raises at a filter that is not there
    except TemplateSyntaxError as error:
        hint = "a brace that belongs to the text stands in {% raw %} … {% endraw %}"
        return (problem(error.lineno, f"expected a macro that can be read, found: {error.message}", hint),)
    known = f"the macros are {listed(macros)}"
    names = (
        *(
            problem(line, f"expected the call {name}(…), found {name}", None, name)
            for line, name in _bare(parsed, macros)
        ),
        *(
            problem(line, f"expected a macro, found {quoted(name)}", did_you_mean(name, macros) or known, name)
            for line, name in unknown
        ),
    )
    if names:
        return names
    try:
        environment.from_string(markdown).render(**variables)
    except SyntaxError as error:  # in the Python that Jinja makes of it, such as an argument that stands there twice
        line = next((at for at, text in enumerate(markdown.splitlines(), 1) if _is_no_python(environment, text)), 1)
        return (problem(line, f"expected a macro that can be read, found: {error.msg}"),)
    except Exception as error:  # noqa: BLE001  # whatever a macro or an expression does is the page's mistake
        line = _line(error)
        if isinstance(error, Misused):
            return (problem(line, str(error), error.hint),)
        what = str(error) if isinstance(error, UndefinedError) else f"{type(error).__name__}: {error}"
        return (problem(line, f"expected an expression with a value, found: {what}"),)
    return ()


def instead(problems: tuple[Problem, ...]) -> str:
    """Return the Markdown that stands in the place of a page with mistakes while it is written."""
    texts = "\n".join(problem.text() for problem in problems)
    return f"# This page has a mistake\n\n{indent(texts, '    ')}\n"


def _unknown(parsed: nodes.Template, known: set[str]) -> Iterator[tuple[int, str]]:
    names = find_undeclared_variables(parsed) - known
    for node in parsed.find_all(nodes.Name):
        if node.name in names:
            yield node.lineno, node.name


def _bare(parsed: nodes.Template, macros: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """Yield the macros that are named and not called: the page would show where they lie in memory."""
    for output in parsed.find_all(nodes.Output):
        for node in output.nodes:
            if isinstance(node, nodes.Name) and node.name in macros:
                yield node.lineno, node.name


def _is_no_python(environment: Environment, text: str) -> bool:
    try:
        environment.from_string(text)
    except TemplateSyntaxError:
        return False  # a part of something that goes over lines
    except SyntaxError:
        return True
    return False


def _line(error: Exception) -> int:
    """Return the line of the page at which it went wrong: Jinja puts it into the traceback."""
    lines = [line for frame, line in walk_tb(error.__traceback__) if frame.f_code.co_filename == TEMPLATE]
    return lines[-1] if lines else 1
