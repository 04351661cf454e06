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
_RANK = re.compile(r"\bRank +(\d+) +(?:Group +(\d+))?.*\bdevice +\d+( *\[)?")
_RANK_CUT = re.compile(r"(?:^|[#:])\s*Rank\s*(?:\d+\s*(?:(?:Group|Pid)\b.*|[GP]\w*)?)?$|# +Ra?n?$")
_NRANKS = re.compile(r"\bn[rR]anks +(\d+)")
_LIBRARY = re.compile(r"([\w.\-]+):\d+:\d+ \[(\d+)\] (?:NCCL|RCCL) ")
_STATED = re.compile(r"# report of \w+ over ranks (\d+)")
_UNIT = re.compile(r"\((us|µs|μs|ms)\)")
_END = re.compile(r"Out of bounds values|Avg bus bandwidth")


@dataclass(kw_only=True)
class Preamble:
    """Facts gathered from the lines before and among the rows of one table, as a reader goes through them."""

    tests: set[str] = field(default_factory=set)
    starts: int = 0
    started: set[int] = field(default_factory=set)  # devices of a process, of each test that was started
    launched: set[int] = field(default_factory=set)  # processes, of each launcher's command
    ranks: Counter[int] = field(default_factory=Counter)
    groups: dict[int, int] = field(default_factory=dict)  # rank -> the communicator that it belongs to
    buses: int = 0  # lines of ranks that go on behind the device
    ends_whole: bool = True  # of the last of these lines, whether it does too
    ends_early: bool = False
    nranks: Counter[int] = field(default_factory=Counter)
    stated: int | None = None
    devices: set[tuple[str, int]] = field(default_factory=set)
    library_lines: int = 0
    ends: int = 0
    cut: bool = False
    header: Header = field(default_factory=Header)

    @property
    def per_process(self) -> int | None:
        """Devices of each process; None where nothing or more than one number is told."""
        return next(iter(self.started)) if len(self.started) == 1 else None

    @property
    def processes(self) -> int | None:
        """Processes of the job; None where nothing or more than one number is told."""
        return next(iter(self.launched)) if len(self.launched) == 1 else None

    @property
    def all_ranks(self) -> bool:
        """Whether the list of ranks seems whole: none is missing between others, at the end or of a process.

        Of two lists, as of jobs that wrote at the same time, both must be of as many.
        """
        cut = self.cut or self.ends_early or self.ends_within
        return not cut and len(self.ranks) == self._listed and len(set(self.ranks.values())) == 1

    @property
    def ends_within(self) -> bool:
        """Whether the list of ranks ends within a line, or before all ranks of a process were named."""
        return self._listed % (self.per_process or 1) != 0 or (self.buses > 0 and not self.ends_whole)

    @property
    def _listed(self) -> int:
        return max(self.ranks, default=-1) + 1

    @property
    def members(self) -> int | None:
        """Ranks of each communicator of the list; None where they differ."""
        sizes = set(Counter(self.groups.values()).values())
        return self._listed if len(sizes) == 0 else sizes.pop() if len(sizes) == 1 else None

    @property
    def split(self) -> bool:
        """Whether ranks were split into several communicators, as NCCL_TESTS_SPLIT does."""
        return len(set(self.groups.values())) > 1

    @property
    def jobs(self) -> int:
        """How many jobs these lines speak of."""
        return max(self.starts, self.ranks.get(0, 0), (self.ends + 1) // 2, 1)

    def read(self, text: str) -> None:
        """Take up what one line says."""
        if library := _LIBRARY.search(text):
            self.library_lines += 1
            self.devices.add((library[1], int(library[2])))
            self._read_rank(text[: library.start()])
            # A name of a host right behind what it broke cannot be told from it: "#  Rahost1:77:229".
            self.ends_early |= bool(self.ranks and text[: library.start()].strip(" ").endswith("#"))
            if found := _NRANKS.search(text):
                self.nranks[int(found[1])] += 1
            return
        if test := _TEST.search(text):
            self.tests.add(COLLECTIVES[test[1]])
        if stated := _STATED.match(text):
            self.stated = int(stated[1])
        if start := _START.search(text):
            self.starts += 1
            self.started.add(int(start[1]) * int(start[2]))
        if processes := _PROCESSES.search(text):
            self.launched.add(int(processes[1]))
        self._read_rank(text)
        if _END.search(text):
            self.ends += 1
        self._read_header(text)

    def _read_rank(self, text: str) -> None:
        if rank := _RANK.search(text):
            self.ranks[int(rank[1])] += 1
            self.groups[int(rank[1])] = int(rank[2] or 0)
            self.ends_whole = bool(rank[3])
            self.buses += self.ends_whole
        elif _RANK_CUT.search(text):
            self.ends_early = True

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
