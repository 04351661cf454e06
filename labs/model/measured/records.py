"""What a log of nccl-tests holds, in base units."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class NcclRow:
    """One size of one run. Bandwidths are as printed, so to 0.01 GB/s.

    Attributes:
        line: where it stands in the text, from 1 [1]
        size: of the operation; of an all-reduce, the buffer on each rank [byte]
        count: elements, as printed [1]
        time: out of place [s]
        algorithm_bandwidth: out of place [byte/s]
        bus_bandwidth: out of place [byte/s]
        wrong: count of wrong elements, or the largest error of older versions; None where not checked [1]
        in_place_time: None where there is none [s]
        in_place_bus_bandwidth: None where there is none [byte/s]
    """

    line: int
    size: float
    count: int
    time: float
    algorithm_bandwidth: float
    bus_bandwidth: float
    wrong: float | None
    in_place_time: float | None
    in_place_bus_bandwidth: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NcclRun:
    """Rows of one collective over one set of ranks.

    Attributes:
        collective: such as all-reduce; None where the log does not tell
        collective_from: what told, or what is missing
        ranks: that took part; None where the log does not tell [1]
        ranks_from: what told, or what is missing
        least_ranks: that its bandwidths allow [1]
        most_ranks: that its bandwidths allow; None where they set no bound [1]
        datatype: of an element, as printed
        operation: of the reduction, as printed; None where not printed
        root: of the collective; None where it has none [1]
        mixed: whether lines of several jobs stand among each other, so that no row is known to belong to its neighbour
        rows: in the order of the log
    """

    collective: str | None
    collective_from: str
    ranks: int | None
    ranks_from: str
    least_ranks: int
    most_ranks: int | None
    datatype: str
    operation: str | None
    root: int | None
    mixed: bool
    rows: tuple[NcclRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NcclSkipped:
    """A line that has to do with the table and was not read as a row.

    Attributes:
        line: where it stands in the text, from 1 [1]
        text: the line, cut where it is long
        reason: in words
    """

    line: int
    text: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NcclLog:
    """A log as read.

    Attributes:
        runs: in the order of the log
        skipped: lines of tables that were not read, in the order of the log
        notes: what a reader of the numbers should know
    """

    runs: tuple[NcclRun, ...]
    skipped: tuple[NcclSkipped, ...]
    notes: tuple[str, ...]
