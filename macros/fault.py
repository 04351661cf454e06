"""What a contributor's Python raised, in a line: the innermost place that is his, and the exception."""

from pathlib import Path
from traceback import walk_tb

from macros.problem import shown_path

OURS = ("answer.py", "catalog.py")  # they stand among the labs, and call them


def fault(error: BaseException, home: Path, folder: Path) -> str:
    """Return the place and the exception: `labs/x.py:3: ZeroDivisionError: division by zero`.

    Args:
        error: what was raised
        home: the file that is meant where the exception itself leads to none
        folder: where contributors' files lie
    """
    if isinstance(error, SyntaxError) and error.filename:
        return f"{shown_path(Path(error.filename))}:{error.lineno}: {error.msg}"
    place = shown_path(home)
    for frame, line in walk_tb(error.__traceback__):
        path = Path(frame.f_code.co_filename)
        if folder in path.parents and path.name not in OURS:
            place = f"{shown_path(path)}:{line}"
    return f"{place}: {type(error).__name__}: {error}"
