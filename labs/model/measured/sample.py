"""The rows of a run to which a model of an all-reduce may be fitted."""

from dataclasses import dataclass

from labs.model.measured.records import NcclRun
from labs.model.quantities.errors import ModelError
from labs.model.quantities.inputs import count


@dataclass(frozen=True, slots=True, kw_only=True)
class AllReduceSample:
    """Measured times of an all-reduce.

    Attributes:
        ranks: that took part, two or more [1]
        sizes: buffer on each rank of each measurement, in byte
        times: of these, out of place, in s
    """

    ranks: int
    sizes: tuple[float, ...]
    times: tuple[float, ...]


def all_reduce_sample(*, run: NcclRun, ranks: int | None = None) -> AllReduceSample:
    """Return the sizes and times of a run that is known to be an all-reduce over two ranks or more.

    The bandwidths of a log tell both, as only an all-reduce has

        busbw / algbw = 2 (p − 1) / p

    Args:
        run: as read from a log
        ranks: that took part, where the log does not tell; None to rely on the log [1]

    Returns:
        ranks, sizes and times

    Raises:
        ModelError: another collective, one rank, unknown ranks, or rows of several jobs among each other

    Source:
        NVIDIA nccl-tests, doc/PERFORMANCE.md, "AllReduce"

    >>> from labs.model.measured.read import read_nccl_log
    >>> log = read_nccl_log(text="1000000 250000 float sum -1 100.0 10.00 15.00 0 100.0 10.00 15.00 0")
    >>> all_reduce_sample(run=log.runs[0])
    AllReduceSample(ranks=4, sizes=(1000000.0,), times=(0.0001,))
    """
    if run.mixed:
        raise ModelError("expected rows of one job, found lines of several jobs among each other; give those of one")
    if run.collective is None:
        raise ModelError(f"expected an all-reduce, found rows that do not tell: {run.collective_from}")
    if run.collective != "all-reduce":
        raise ModelError(f"expected an all-reduce, found {run.collective} ({run.collective_from})")
    members = run.ranks if ranks is None else count("ranks", ranks)
    if members is None:
        raise ModelError(f"expected ranks to be given, found none in the log: {run.ranks_from}", argument="ranks")
    if run.ranks is not None and members != run.ranks:
        raise ModelError(f"expected ranks {run.ranks} ({run.ranks_from}), found {members}", argument="ranks")
    if members < run.least_ranks or (run.most_ranks is not None and members > run.most_ranks):
        bounds = f"{run.least_ranks} or more" if run.most_ranks is None else f"{run.least_ranks} to {run.most_ranks}"
        raise ModelError(f"expected ranks {bounds}, as busbw/algbw says, found {members}", argument="ranks")
    if members == 1:
        raise ModelError("expected two ranks or more, found one, which sends nothing to any other")
    return AllReduceSample(
        ranks=members,
        sizes=tuple(row.size for row in run.rows),
        times=tuple(row.time for row in run.rows),
    )
