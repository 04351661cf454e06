"""The labs asked in this Python before the browser's is built: a mistake in a lab is told with its line, in seconds."""

import ast
import json
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from labs.answer import Refused, answer, answered_frame
from labs.catalog import HOMES, LABS
from macros.bundle import BuildFailed
from macros.fault import fault
from macros.problem import shown_path
from macros.tries import Request, more_requests, requests

LABS_FOLDER = Path(__file__).resolve().parents[1] / "labs"
SECONDS = 20  # a frame takes milliseconds
REFUSES = "an input that a lab can't take is refused by ModelError, as labs/lab.py says"


class _Endless(BaseException):
    """A lab that gives nothing; no `except Exception` of its own may take it."""


@cache  # the labs of this process stay what they are
def rehearsed() -> tuple[Request, ...]:
    """Return the requests that the labs are tried with at build, each asked here: answered, or refused in a sentence.

    Raises:
        BuildFailed: a lab is no lab, has no frame for its defaults or a preset, or raises what is no refusal
    """
    for file in sorted(LABS_FOLDER.rglob("*.py")):
        _expect_imports(file)
    for lab_id in LABS:
        _expect_a_lab(lab_id)
    tries = (*requests(), *more_requests())
    for request in tries:
        asked = f"the inputs {json.dumps(request['inputs'], ensure_ascii=False)}"
        with _told(str(request["lab"]), asked):
            if answer(json.dumps(request)) is None:
                raise ModuleNotFoundError("a module that it imports is not there")
    return tries


def lab_fault(lab_id: str, error: BaseException) -> str:
    """Return where in a lab's code an exception came from, and which it was."""
    return fault(error, _home(lab_id), LABS_FOLDER)


def _expect_imports(file: Path) -> None:
    """Refuse what a reader's page does not have."""
    try:
        parsed = ast.parse(file.read_text(encoding="utf-8"))
    except SyntaxError:
        return  # importing it says so
    for node in ast.walk(parsed):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
        for name in names:
            if name.partition(".")[0] not in (*sys.stdlib_module_names, "labs"):
                place = f"{shown_path(file)}:{getattr(node, 'lineno', 1)}"
                expected = "expected imports from Python's standard library and labs alone"
                raise BuildFailed(f"{place}: {expected}, found {name}\n  hint: a reader's page has nothing else")


def _expect_a_lab(lab_id: str) -> None:
    with _told(lab_id, "its import"):
        module = LABS[lab_id]
    home = shown_path(_home(lab_id))
    for name in ("LAB", "frame"):
        if not hasattr(module, name):
            raise BuildFailed(f"{home}: expected a module with LAB and frame, found no {name}")
    if module.LAB.id != lab_id:
        raise BuildFailed(f'{home}: expected the id "{lab_id}", as in labs/catalog.py, found "{module.LAB.id}"')
    presets = {f'the preset "{preset.id}"': preset.inputs for preset in module.LAB.presets}
    for what, inputs in {"its defaults": {}, **presets}.items():
        try:
            with _told(lab_id, what):
                answered_frame(module, module.LAB.inputs(inputs))
        except Refused as refused:
            raise BuildFailed(f"{home}: expected a frame for {what}, found the refusal: {refused}") from None


@contextmanager
def _told(lab_id: str, asked: str) -> Iterator[None]:
    try:
        with _within_seconds():
            yield
    except Refused:
        raise
    except (Exception, SystemExit, _Endless) as error:  # noqa: BLE001  # whatever a lab's code does
        message = f"expected the lab {lab_id} to answer {asked}, or to refuse it, found\n  {lab_fault(lab_id, error)}"
        raise BuildFailed(f"{message}\n  hint: {REFUSES}") from None


@contextmanager
def _within_seconds() -> Iterator[None]:
    """End what never ends; where there are no signals, it may go on."""
    if not hasattr(signal, "SIGALRM") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(*_: object) -> None:
        raise _Endless(f"nothing came in {SECONDS} seconds")

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        with suppress(TypeError):  # it was set by no Python
            signal.signal(signal.SIGALRM, before)


def _home(lab_id: str) -> Path:
    return LABS_FOLDER.parent / (HOMES[lab_id].replace(".", "/") + ".py")
