"""The labs in a terminal.

python -m labs list                       the labs and their inputs
python -m labs run ID [name=value ...]    one frame as JSON; a value takes a unit: payload="64 MiB"
"""

import json
import sys
from collections.abc import Sequence

from labs.answer import Refused, compute, read_inputs, shown_input
from labs.catalog import LABS

USAGE = (__doc__ or "").strip()


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code: 0, 1 for a refused input, 2 for a call that is not understood."""
    match list(arguments):
        case ["list"]:
            print("\n".join(_described(lab_id) for lab_id in LABS))
            return 0
        case ["run", lab_id, *pairs] if lab_id in LABS and all("=" in pair for pair in pairs):
            return _run(lab_id, dict(pair.split("=", 1) for pair in pairs))
        case ["run", lab_id, *pairs] if lab_id in LABS:
            wrong = next(pair for pair in pairs if "=" not in pair)
            print(f"expected name=value, found {wrong}", file=sys.stderr)
        case ["run", lab_id, *_]:
            print(f"expected one of the labs {', '.join(LABS)}, found {lab_id}", file=sys.stderr)
        case ["-h" | "--help"]:
            print(USAGE)
            return 0
        case _:
            print(USAGE, file=sys.stderr)
    return 2


def _described(lab_id: str) -> str:
    lab = LABS[lab_id].LAB
    inputs = "\n".join(
        f"    {control.name}={shown_input(control, control.default)!r}  {control.label}" for control in lab.controls
    )
    return f"{lab.id}: {lab.title}\n{inputs}"


def _run(lab_id: str, given: dict[str, str]) -> int:
    module = LABS[lab_id]
    try:
        frame = compute(module, read_inputs(module, given))
    except Refused as refused:
        place = f"{refused.control}: " if refused.control else ""
        print(f"{place}{refused.message}", file=sys.stderr)
        return 1
    print(json.dumps(frame, indent=2, ensure_ascii=False, allow_nan=False))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        sys.stderr.close()
        sys.exit(0)
