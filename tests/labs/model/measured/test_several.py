"""Several runs in one log: each is told from the next, or what tells nothing is said not to."""

import pytest

from labs.model.measured.read import read_nccl_log
from tests.labs.model.measured.logs import text_of


def rows(first, last, *, ranks=4, slow=1.0, start=20.0):
    """Return rows of an all-reduce from 2^first to 2^last byte."""
    for size in (2**power for power in range(first, last + 1)):
        time = slow * (start + size / 50e3)  # in µs
        rate = size / time / 1e3
        half = f"{time:.2f} {rate:.2f} {2 * (ranks - 1) / ranks * rate:.2f} 0"
        yield f"{size:>12} {size // 4:>12}     float     sum      -1 {half} {half}"


def sizes(text):
    return [[row.size for row in run.rows] for run in read_nccl_log(text=text).runs]


def alternating(*jobs):
    """Return the lines of jobs that wrote at the same time."""
    length = max(len(job) for job in jobs)
    return [job[at] for at in range(length) for job in jobs if at < len(job)]


ONE, OTHER = list(rows(18, 26)), list(rows(18, 26, slow=3.0))
PREFIXES = [
    ("0: ", "1: "),
    ("[0] ", "[1] "),
    (" 9: ", "10: "),
    ("2024-05-01T10:00:00Z 0: ", "2024-05-01T10:00:00Z 1: "),
    ("[1,0]<stdout>:", "[1,1]<stdout>:"),
]


@pytest.mark.parametrize(("one", "other"), PREFIXES)
@pytest.mark.parametrize("order", ["in step", "in turns", "one after the other", "one after the other, larger"])
def test_rows_of_two_tasks_are_two_runs(one, other, order):
    first = [one + row for row in ONE]
    second = [other + row for row in (rows(27, 30) if order.endswith("larger") else OTHER)]
    lines = {
        "in step": alternating(first, second),
        "in turns": first[:4] + second[:3] + first[4:] + second[3:],
    }.get(order, first + second)
    found = read_nccl_log(text="\n".join(lines)).runs
    assert [len(run.rows) for run in found] == [len(first), len(second)]
    assert not any(run.mixed for run in found)
    alone = read_nccl_log(text="\n".join(second)).runs[0]
    assert [row.time for row in found[1].rows] == [row.time for row in alone.rows]


@pytest.mark.parametrize(("one", "other"), PREFIXES)
def test_one_row_that_is_left_of_another_task_is_not_of_the_run_before(one, other):
    lines = [*(one + row for row in ONE), *(other + row for row in rows(27, 27, slow=3.0))]
    assert [len(run) for run in sizes("\n".join(lines))] == [9, 1]


def test_each_task_has_the_ranks_that_it_names():
    def job(task, ranks):
        named = [f"#  Rank  {rank} Pid 1 on h device  {rank} [0x1] X" for rank in range(ranks)]
        return [f"{task}: {line}" for line in (*named, *rows(3, 6, ranks=ranks))]

    found = read_nccl_log(text="\n".join(alternating(job(0, 8), job(1, 12)))).runs
    assert [run.ranks for run in found] == [8, 12]


@pytest.mark.parametrize(("other", "expected"), [(2, 2), (4, None)])
def test_the_ranks_of_two_jobs_at_once_are_known_where_both_have_as_many(other, expected):
    one, two = ([f"#  Rank  {rank} Pid {pid} on h device  {rank} [0x1] X" for rank in range(ranks)]
                for pid, ranks in enumerate((2, other)))  # fmt: skip
    (run,) = read_nccl_log(text="\n".join([*alternating(one, two), *rows(3, 6, ranks=2)])).runs
    assert run.ranks == expected


@pytest.mark.parametrize(
    ("command", "start"),
    [(("mpirun -np 4 x", "mpirun -np 8 x"), ("# nThread 1 nGpus 1", "# nThread 1 nGpus 1")),
     (("mpirun -np 4 x", "mpirun -np 4 x"), ("# nThread 1 nGpus 1", "# nThread 1 nGpus 8"))],
)  # fmt: skip
def test_ranks_are_no_product_of_the_processes_of_one_job_and_the_devices_of_another(command, start):
    (run,) = read_nccl_log(text="\n".join([*command, *start, *rows(3, 3)])).runs
    assert run.ranks is None


def test_lines_of_other_tasks_than_the_one_with_rows_part_nothing():
    lines = [line for row in ONE for line in (f"0: {row}", "1: h:1:1 [1] NCCL INFO a channel", "2: hello")]
    assert [len(run) for run in sizes("\n".join(lines))] == [9]


@pytest.mark.parametrize("form", ["{}: ", "{}:", "[{}] "])
def test_numbers_of_lines_are_no_tasks(form):
    lines = [form.format(number) + row for number, row in enumerate(ONE, start=7)]
    again = [form.format(number) + row for number, row in enumerate(OTHER, start=7)]
    assert [len(run) for run in sizes("\n".join(lines))] == [9]
    assert [len(run) for run in sizes("\n".join(lines + again))] == [9, 9]


def test_numbers_of_lines_before_a_prefix_that_names_tasks():
    both = alternating([f"[1,0]<stdout>:{row}" for row in ONE], [f"[2,0]<stdout>:{row}" for row in OTHER])
    numbered = [f"{number}: {line}" for number, line in enumerate(both)]
    assert [len(run) for run in sizes("\n".join(numbered))] == [9, 9]


def test_a_log_with_one_task_is_as_it_was():
    text = text_of("02.txt")
    prefixed = "\n".join(f" 0: {line}" for line in text.split("\n"))
    assert read_nccl_log(text=prefixed).runs == read_nccl_log(text=text).runs


@pytest.mark.parametrize(
    ("before", "after"),
    [("5/1/2024 11:59:59 AM", "5/1/2024 12:00:01 PM"), ("Tue Apr 30 23:59:59 host1", "Wed May  1 00:00:01 host1"),
     ("[Sun, 31 Dec 2023 23:59:59]", "[Mon, 01 Jan 2024 00:00:01]")],
)  # fmt: skip
def test_a_prefix_that_goes_on_to_another_day_names_no_other_process(before, after):
    lines = [f"{before if place < 5 else after} {row}" for place, row in enumerate(ONE)]
    assert [len(run) for run in sizes("\n".join(lines))] == [9]


PROSE = ["", "Then the same with the tree:", ""]


@pytest.mark.parametrize("first", [16, 18, 20, 24, 26])
@pytest.mark.parametrize("turned", [False, True])
def test_sizes_that_begin_anew_behind_other_text_are_another_run(first, turned):
    """Also where the second begins at a larger size than the first, as the rows of jobs at the same time do."""
    other = list(rows(first, 28, slow=3.0))
    lines = [*ONE, *PROSE, *other]
    log = read_nccl_log(text="\n".join(reversed(lines) if turned else lines))
    expected = [9, len(other)]
    assert [len(run.rows) for run in log.runs] == (expected[::-1] if turned else expected)
    assert not any(run.mixed for run in log.runs)
    assert not log.notes


def test_one_size_measured_twice_is_two_runs_where_text_parts_them():
    assert [len(run) for run in sizes("\n".join([*rows(30, 30), *PROSE, *rows(30, 30, slow=3.0)]))] == [1, 1]


def test_sizes_that_go_on_behind_other_text_are_one_run_and_a_note():
    log = read_nccl_log(text="\n".join([*ONE, *PROSE, *rows(27, 28)]))
    assert [len(run.rows) for run in log.runs] == [11]
    assert log.notes == ("other text stands among the rows (line 11): if it parts runs, give one at a time",)


@pytest.mark.parametrize("behind", range(2, 14))
def test_text_among_the_rows_of_jobs_at_the_same_time_parts_none(behind):
    """The second job is two sizes behind the first."""
    lines = [row for pair in zip(ONE[2:], OTHER[:-2], strict=True) for row in pair]
    found = read_nccl_log(text="\n".join([*ONE[:2], *lines[:behind], *PROSE, *lines[behind:]])).runs
    assert [run.mixed for run in found] == [True]
