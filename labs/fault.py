"""What went wrong in a reader's code: a short traceback with the reader's own lines, and nobody else's."""

import linecache
import sys
from traceback import FrameSummary, StackSummary, TracebackException
from typing import Any

from labs.console import sendable

FIRST, LAST = 4, 8  # frames of a deep stack that are shown
LINES = 60  # of a traceback
LONGEST = 2_000  # characters of one of its lines

NOT_INSTALLED = "Python has its standard library here, and labs.model; nothing else can be imported."
NOT_IN_A_BROWSER = "This part of the standard library does not exist in a browser."
NO_LOOP = "A cell has no event loop: asyncio can't run here, and await stands in an async function only."
MEMORY = "Python's memory in a page ends at a few GB, and a list at 2**31 - 1 entries."


def report(error: BaseException, filename: str) -> dict[str, Any]:
    """Return the error for the page.

    Args:
        error: what the reader's code raised
        filename: the name that the code was compiled under

    Returns:
        summary: its last line; traceback: all of it, short; line: where in the reader's code, or None
    """
    trace = TracebackException(type(error), error, error.__traceback__, compact=True)
    _prune(trace, filename)
    if isinstance(error, SyntaxError) and trace.text is None and trace.lineno and trace.filename == filename:
        trace.text = linecache.getline(filename, int(trace.lineno))  # what is found after parsing comes without
    if isinstance(error, SystemExit):
        summary = text = _exit(error)
    else:
        summary = _summary(trace, type(error).__name__)
        text = "".join(trace.format()) + _hint(error, summary)
    return {"summary": shortened(summary), "traceback": shortened(text), "line": _line(trace, filename)}


def shortened(text: str) -> str:
    """Return a text that a page can show: long lines cut, and the middle left out where there are too many."""
    lines = [
        line if len(line) <= LONGEST else f"{line[:LONGEST]}… ({len(line) - LONGEST:,} characters more)"
        for line in text.rstrip("\n").split("\n")
    ]
    if len(lines) > LINES:
        half = LINES // 2
        lines[half:-half] = [f"… {len(lines) - 2 * half:,} lines more …"]
    return sendable("\n".join(lines))


class _Stack(StackSummary):
    """A stack that is shown by its two ends where it is deep."""

    def format(self, **how: Any) -> list[str]:
        entries = super().format(**how)  # one for each frame; of many equal ones the first few, and their count
        left_out = len(entries) - FIRST - LAST
        if left_out > 1:
            entries[FIRST:-LAST] = [f"  … {left_out:,} frames more …\n"]
        return entries


def _prune(trace: TracebackException, filename: str) -> None:
    """Keep the reader's frames, here and in what led to it; an exception in passing without any is not the reader's."""
    waiting = [trace]
    while waiting:
        one = waiting.pop()
        one.stack = _Stack(_own(one.stack, filename))
        while one.__context__ is not None and not _own(one.__context__.stack, filename):
            one.__context__ = one.__context__.__context__
        waiting.extend(filter(None, (one.__cause__, one.__context__, *(one.exceptions or ()))))


def _own(stack: StackSummary, filename: str) -> list[FrameSummary]:
    return [frame for frame in stack if frame.filename == filename]


def _summary(trace: TracebackException, name: str) -> str:
    """Return `ZeroDivisionError: division by zero`, without the code above and the notes below."""
    entries = list(trace.format_exception_only())
    final = (entry for entry in entries if entry.partition(":")[0].rstrip().rpartition(".")[2] == name)
    line = next(final, entries[0]).split("\n")[0]
    return f"{line}: no memory is left for this" if line == "MemoryError" else line


def _line(trace: TracebackException, filename: str) -> int | None:
    if trace.stack:
        return trace.stack[-1].lineno
    line = getattr(trace, "lineno", None)  # of a syntax error
    return int(line) if line and trace.filename == filename else None


def _exit(error: SystemExit) -> str:
    if isinstance(error.code, str):
        return f"The code ended itself: {error.code}"
    return f"The code ended itself with sys.exit({error.code!r})."


def _hint(error: BaseException, message: str) -> str:
    """Return a line for what is not Python's own doing, but this page's."""
    match error:
        case ModuleNotFoundError(name=str(name)):
            hint = NOT_IN_A_BROWSER if name.partition(".")[0] in sys.stdlib_module_names else NOT_INSTALLED
        case SyntaxError() if "'await' outside function" in message or "'async for' outside" in message:
            hint = NO_LOOP
        case RuntimeError() if "stack switch" in message.lower():  # what Pyodide says to asyncio.run
            hint = NO_LOOP
        case MemoryError():
            hint = MEMORY
        case OverflowError() if "index-sized integer" in message:
            hint = MEMORY
        case _:
            return ""
    return f"{hint}\n"
