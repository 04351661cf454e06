"""A line of a table cut into its cells, before anything is known of what they mean."""

import re
from dataclasses import dataclass, replace

from labs.model.measured.lines import source

ELEMENT_BYTES = {
    **dict.fromkeys(
        ("char", "int8", "uint8", "f8e4m3", "f8e5m2", "fp8_e4m3", "fp8_e5m2", "float8e4m3", "float8e5m2"), 1
    ),
    **dict.fromkeys(("half", "float16", "fp16", "bfloat16", "bf16"), 2),
    **dict.fromkeys(("float", "float32", "fp32", "int", "int32", "uint32"), 4),
    **dict.fromkeys(("double", "float64", "fp64", "int64", "uint64"), 8),
}
REDUCTIONS = ("sum", "prod", "max", "min", "avg", "mulsum", "premulsum")

_HEAD = re.compile(r"(?<![\w.\-])(\d{1,19}) +(\d{1,19}) +([A-Za-z]\w*)(?![\w:./=])")
_NUMBER = re.compile(r"[-+]?\d{1,19}(?:\.\d{1,19})?(?:[eE][-+]?\d{1,2})?")
_GLUED = re.compile(_NUMBER.pattern + r"\.?")
_SIGN = re.compile("-")
_FRACTION = re.compile(r"\.\d{1,19}")
_BEHIND = "*\"',}]"  # a mark of errors, and what ends a line of JSON or CSV
_MISSING = frozenset({"N/A", "n/a", "NA", "nan", "-nan", "NaN", "-"})
# A row has nine numbers after its words, or eight without a root.
_FULL = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """A row as printed: size and count, the words, and the numbers after them as text."""

    line: int
    text: str
    prefix: str
    size: int
    count: int
    datatype: str
    operation: str | None
    numbers: tuple[str, ...]
    left_out: bool
    second_table: bool
    broken: bool = False

    @property
    def source(self) -> str:
        """What names the process that wrote the row; empty where nothing does."""
        return source(self.prefix)

    @property
    def before(self) -> str:
        """The word before the size."""
        return self.prefix.strip().rsplit(" ", 1)[-1]

    @property
    def may_go_on(self) -> bool:
        """Whether a later line may hold the rest, as happens when other output breaks into a row."""
        return len(self.numbers) < _FULL and not self.left_out

    def joined(self, numbers: tuple[str, ...]) -> "Cells":
        """Return the row with the numbers of a later line, of which the first may be the end of a number."""
        ends = self.numbers[-1:]
        if numbers[0].startswith(".") or "".join(ends).endswith(".") or ends == self.numbers == ("-",):
            numbers = ("".join(ends) + numbers[0], *numbers[1:])
            return replace(self, numbers=self.numbers[:-1] + numbers, broken=True)
        return replace(self, numbers=self.numbers + numbers, broken=True)


def read_cells(line: int, text: str) -> Cells | None:
    """Return the cells of a line that begins a row: size, count, type of an element."""
    for head in _HEAD.finditer(text):
        datatype = head[3]
        words = text[head.end() :].split()
        operation = words.pop(0) if words and words[0].lower() in (*REDUCTIONS, "none") else None
        numbers = _leading_numbers(words)
        if datatype.lower() not in ELEMENT_BYTES and len(numbers) < 6:
            continue
        return Cells(
            line=line,
            text=text.strip(),
            prefix=text[: head.start()],
            size=int(head[1]),
            count=int(head[2]),
            datatype=datatype,
            operation=operation.lower() if operation else None,
            numbers=numbers,
            left_out=len(numbers) < len(words) and set(words[len(numbers)]) <= {".", "…"},
            second_table=_HEAD.search(text, head.end()) is not None,
        )
    return None


def row_starts(text: str) -> list[tuple[int, int]]:
    """Return where rows begin on a line, and their sizes."""
    return [
        (head.start(), int(head[1])) for head in _HEAD.finditer(text) if head[3].lower() in ELEMENT_BYTES
    ]


def read_rest(text: str) -> tuple[str, tuple[str, ...]] | None:
    """Return source and numbers of a line that ends in numbers: the rest of a row, if a row of that source is open."""
    words = text.split()
    numbers: list[str] = []
    while words and (_NUMBER.fullmatch(words[-1]) or words[-1] in _MISSING):
        numbers.insert(0, words.pop())
    if numbers and words and _FRACTION.fullmatch(words[-1]):
        numbers.insert(0, words.pop())
    if len(numbers) < 3 or not any("." in number for number in numbers):
        return None
    return source(" ".join(words)), tuple(numbers)


def value(number: str) -> float | None:
    """Return a cell's number, or None for a cell that has none."""
    return None if number in _MISSING else float(number)


def half_step(number: str) -> float:
    """Return half a unit of the last place that is printed."""
    return 0.5 * 10.0 ** -_places(number)


def lost_step(number: str, beside: str) -> float:
    """Return a unit of the last place that is printed of a number that may have lost its end; 0 where it has none lost.

    Both columns are printed to as many places: one of fewer was cut with its line, or a program left zeros away.
    """
    return 10.0 ** -_places(number) if _places(number) < _places(beside) else 0.0


def _places(number: str) -> int:
    mantissa, _, exponent = number.lower().partition("e")
    return len(mantissa.partition(".")[2]) - int(exponent or 0)


def _leading_numbers(words: list[str]) -> tuple[str, ...]:
    numbers = []
    for word in words:
        bare = word.rstrip(_BEHIND)
        if _NUMBER.fullmatch(bare) or bare in _MISSING:
            numbers.append(bare)
            continue
        # Other output that began within the line: "-1host1:77:229 [2] NCCL INFO".
        glued = _GLUED.match(word) or (None if numbers else _SIGN.match(word))
        if glued and (not word[glued.end() :] or word[glued.end()].isalpha()):
            numbers.append(glued[0])
        break
    return tuple(numbers)
