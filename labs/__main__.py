"""The labs in a terminal.

python -m labs list                       the labs and their inputs
python -m labs run ID [name=value ...]    one frame as JSON; a value takes a unit: payload="64 MiB",
                                          and a text a file: log=@nccl.txt, or log=- for what is piped in
"""

import codecs
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from labs.answer import Refused, compute, read_inputs, shown_input
from labs.catalog import LABS
from labs.lab import Lab

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
    inputs = "\n".join([
        *(f"    {text.name}=@FILE  {text.label}" for text in lab.texts),
        *(f"    {control.name}={shown_input(control, control.default)!r}  {control.label}" for control in lab.controls),
    ])
    return f"{lab.id}: {lab.title}\n{inputs}"


def _run(lab_id: str, given: dict[str, str]) -> int:
    module = LABS[lab_id]
    try:
        frame = compute(module, read_inputs(module, _with_files(module.LAB, given)))
    except Refused as refused:
        place = f"{refused.control}: " if refused.control else ""
        print(f"{place}{refused.message}", file=sys.stderr)
        return 1
    print(json.dumps(frame, indent=2, ensure_ascii=False, allow_nan=False))
    return 0


def _with_files(lab: Lab, given: dict[str, str]) -> dict[str, str]:
    """Return the inputs with each text that names a file in place of its name."""
    read = {}
    for text in lab.texts:
        value = given.get(text.name, "")
        read[text.name] = value  # an example to begin with is for the page
        if value in ("-", "@-"):
            read[text.name] = _decoded(sys.stdin.buffer.read())
        elif value.startswith("@"):
            path = Path(value[1:])
            try:
                read[text.name] = _decoded(path.read_bytes())
            except OSError as error:
                reason = (error.strerror or "not to be read").lower()
                raise Refused(text.name, f"expected a file, found none to read at {path} ({reason})") from error
    return given | read


def _decoded(data: bytes) -> str:
    """Return text as terminals write it: UTF-8, or what PowerShell makes of a redirected output."""
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return data.decode("utf-16" if wide else "utf-8-sig", errors="replace")


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        sys.stderr.close()
        sys.exit(0)
