"""What stands around a table: the command, the header, the ranks, the library's own lines."""

import re
from collections import Counter
from dataclasses import dataclass, field

from labs.model.measured.layout import Header

COLLECTIVES = {
    "all_reduce": "all-reduce",
    "all_gather": "all-gather",
    "reduce_scatter": "reduce-scatter",
    "alltoall": "all-to-all",
    "alltoallv": "all-to-all",
    "broadcast": "broadcast",
    "reduce": "reduce",
    "sendrecv": "send/recv",
    "gather": "gather",
    "scatter": "scatter",
    "hypercube": "hypercube",
}

_TEST = re.compile(r"(?<![a-z])(" + "|".join(sorted(COLLECTIVES, key=len, reverse=True)) + r")_(?:perf|test)(?![a-z])")
_START = re.compile(r"nThreads? +(\d+) +nGpus +(\d+)")
_PROCESSES = re.compile(r"(?<![\w-])-np +(\d+)")
_RANK = re.compile(r"\bRank +(\d+) .*\bdevice +\d+")
_NRANKS = re.compile(r"\bnranks +(\d+)")
_LIBRARY = re.compile(r"([\w.\-]+):\d+:\d+ \[(\d+)\] (?:NCCL|RCCL) ")
_STATED = re.compile(r"# report of \w+ over ranks (\d+)")
_UNIT = re.compile(r"\((us|µs|μs|ms)\)")
_END = re.compile(r"Out of bounds values|Avg bus bandwidth")


@dataclass(kw_only=True)
class Preamble:
    """Facts gathered from the lines before and among the rows of one table, as a reader goes through them."""

    tests: set[str] = field(default_factory=set)
    starts: int = 0
    per_process: int | None = None
    processes: int | None = None
    ranks: Counter[int] = field(default_factory=Counter)
    nranks: Counter[int] = field(default_factory=Counter)
    stated: int | None = None
    devices: set[tuple[str, int]] = field(default_factory=set)
    library_lines: int = 0
    ends: int = 0
    cut: bool = False
    header: Header = field(default_factory=Header)

    @property
    def all_ranks(self) -> bool:
        """Whether the list of ranks seems whole: none is missing between others, and no ellipsis stands in it."""
        return not self.cut and len(self.ranks) == max(self.ranks, default=-1) + 1

    @property
    def jobs(self) -> int:
        """How many jobs these lines speak of."""
        return max(self.starts, self.ranks.get(0, 0), (self.ends + 1) // 2, 1)

    def read(self, text: str) -> None:
        """Take up what one line says."""
        if library := _LIBRARY.search(text):
            self.library_lines += 1
            self.devices.add((library[1], int(library[2])))
            if found := _NRANKS.search(text):
                self.nranks[int(found[1])] += 1
            return
        if test := _TEST.search(text):
            self.tests.add(COLLECTIVES[test[1]])
        if stated := _STATED.match(text):
            self.stated = int(stated[1])
        if start := _START.search(text):
            self.starts += 1
            self.per_process = int(start[1]) * int(start[2])
        if processes := _PROCESSES.search(text):
            self.processes = int(processes[1])
        if rank := _RANK.search(text):
            self.ranks[int(rank[1])] += 1
        if _END.search(text):
            self.ends += 1
        self._read_header(text)

    def _read_header(self, text: str) -> None:
        words = text.replace("#", " ").split()
        if "algbw" in words and "busbw" in words:
            self.header = self.header._replace(
                root="root" in words,
                halves=min(words.count("busbw"), 2),
                wrong=any(word in words for word in ("wrong", "error", "res", "errors")),
            )
        elif "in-place" in words and "out-of-place" in words:
            self.header = self.header._replace(in_place_first=words.index("in-place") < words.index("out-of-place"))
        elif (unit := _UNIT.search(text)) and "GB/s" in text:
            self.header = self.header._replace(unit=1e-3 if unit[1] == "ms" else 1e-6)


def begins_table(text: str) -> bool:
    """Whether a line belongs to what stands before a table, so that rows before it belong to another."""
    return bool(
        not _LIBRARY.search(text) and (_START.search(text) or (_TEST.search(text) and "concluded" not in text))
    ) or ("algbw" in text and "busbw" in text)


def ends_table(text: str) -> bool:
    """Whether a line is one of the two that a test prints after its last row."""
    return bool(_END.search(text))
