"""What logs of other people held: other tests in the shape of an all-reduce, odd cells, rows in other clothes."""

import json
import re

import pytest

from labs.model.measured.read import read_nccl_log
from labs.model.measured.sample import all_reduce_sample
from labs.model.quantities.errors import ModelError
from tests.labs.model.measured.logs import text_of

# NVIDIA/nccl-tests, a send/recv between eight A100: what it prints, it prints as an all-reduce of two ranks would.
SEND = """\
   134217728      33554432     float     sum      -1   1211.2  110.81  110.81      0   1211.8  110.76  110.76    N/A
   268435456      67108864     float     sum      -1   1423.3  188.60  188.60      0   1420.2  189.01  189.01    N/A
   536870912     134217728     float     sum      -1   2785.4  192.74  192.74      0   2772.2  193.66  193.66    N/A
  1073741824     268435456     float     sum      -1   5503.4  195.11  195.11      0   5490.5  195.56  195.56    N/A
"""
# 1 MiB to 8 MiB over four ranks: busbw is 1.5 algbw.
ROWS = """\
     1048576        262144     float     sum      -1    100.0   10.49   15.73      0    100.0   10.49   15.73      0
     2097152        524288     float     sum      -1    150.0   13.98   20.97      0    150.0   13.98   20.97      0
     4194304       1048576     float     sum      -1    250.0   16.78   25.17      0    250.0   16.78   25.17      0
     8388608       2097152     float     sum      -1    450.0   18.64   27.96      0    450.0   18.64   27.96      0
"""


@pytest.mark.parametrize("text", [SEND, "# sendrecv_perf\n" + SEND, "# sendrecv_perf\n" + SEND.replace(" 0  ", "N/A ")])
def test_a_send_is_no_all_reduce(text):
    (run,) = read_nccl_log(text=text).runs
    assert run.collective == "send/recv"
    with pytest.raises(ModelError, match="expected an all-reduce, found send/recv"):
        all_reduce_sample(run=run)


@pytest.mark.parametrize(
    "text",
    [SEND.replace(" 0  ", "N/A "), "\n".join(line[:90] for line in SEND.split("\n"))],
    ids=["not checked at all", "out of place alone"],
)
def test_a_send_that_is_not_seen_to_be_one_is_told_by_its_ranks(text):
    ranks = [f"#  Rank  {rank} Group  0 Pid 1 on h device  {rank} [0x1] X" for rank in range(8)]
    (run,) = read_nccl_log(text="\n".join([*ranks, text])).runs
    assert (run.collective, run.collective_from) == (
        None, "busbw/algbw of 1 over 8 ranks (the lines that name each rank): a send/recv rather",
    )  # fmt: skip
    (run,) = read_nccl_log(text="\n".join([*ranks[:2], text])).runs
    assert (run.collective, run.ranks) == ("all-reduce", 2)


# An all-to-all over sixteen ranks, which is not checked in place; an all-gather's rows differ in that alone.
EXCHANGE = text_of("35.txt")


def painted(opened, closed):
    return re.sub(r"\S+", lambda word: f"{opened}{word[0]}{closed}", EXCHANGE)


@pytest.mark.parametrize("escape", ["\x1b", "^[", "\\x1b", "\\033", "\\u001b", "\u241b", "&#27;", ""])
def test_colours_that_stick_to_the_columns_change_nothing(escape):
    (run,) = read_nccl_log(text=painted(f"{escape}[1;32m", f"{escape}[0m")).runs
    assert (run.collective, run.ranks) == ("all-to-all", 16)
    assert run.rows == read_nccl_log(text=EXCHANGE).runs[0].rows


@pytest.mark.parametrize(
    "changed",
    [
        EXCHANGE.replace("N/A", "N/A~"),
        re.sub(r" 0(?=   \d{3}\.)", " N/A", EXCHANGE),
        re.sub(r"(?m)(-1 +\S+ +\S+ +\S+ +0) .*$", r"\1", EXCHANGE),
    ],
    ids=["more behind the last column", "not checked at all", "out of place alone"],
)
def test_parts_that_are_not_seen_to_be_checked_in_place_tell_no_collective(changed):
    run = read_nccl_log(text=changed).runs[0]
    assert (run.collective, run.collective_from) == (
        None, "no reduction, and a count of 1/16 of the size: an all-gather, or an all-to-all",
    )  # fmt: skip
    named = read_nccl_log(text=f"# all_gather_perf\n{changed}").runs[0]
    assert (named.collective, named.ranks) == ("all-gather", 16)
    assert read_nccl_log(text=f"# broadcast_perf\n{changed}").runs[0].collective is None


SCATTERED = text_of("36.txt")


@pytest.mark.parametrize("without", [" sum", " sum +-1| redop +root"], ids=["reduction", "reduction and root"])
def test_a_reduction_whose_column_is_missing_is_no_all_gather(without):
    assert read_nccl_log(text=SCATTERED).runs[0].collective == "reduce-scatter"
    text = re.sub(without, "", SCATTERED)
    (run,) = read_nccl_log(text=text).runs
    assert (run.collective, run.collective_from) == (None, "the column of the reduction is missing")
    (named,) = read_nccl_log(text=f"# reduce_scatter_perf\n{text}").runs
    assert (named.collective, named.collective_from) == ("reduce-scatter", "the name of the test")
    assert read_nccl_log(text=f"# all_reduce_perf\n{text}").runs[0].collective is None


@pytest.mark.parametrize("name", ["02.txt", "07.txt", "14.txt", "21.txt", "27.txt", "46.txt", "50.txt"])
@pytest.mark.parametrize("form", ["{:.6e}", "{:.6f}", "{:.1f}"])
def test_digits_that_a_program_added_or_took_give_no_wrong_ranks(name, form):
    text = text_of(name)
    changed = re.sub(r"(?<= )\d+\.\d+(?= |$)", lambda number: form.format(float(number[0])), text)
    ranks = {run.ranks for run in read_nccl_log(text=text).runs}
    runs = read_nccl_log(text=changed).runs
    assert runs
    for run in runs:
        assert {run.ranks} <= {None, *ranks}
        assert all(run.least_ranks <= each <= (run.most_ranks or each) for each in ranks)


def test_times_of_few_digits_are_no_sign_of_an_old_version():
    """In ms to three decimals: 9 µs are 8.5 to 9.5, and bandwidths of what was 9.3 seem to be 0.97 of what they are."""
    rows = [
        f"{size} {size // 4} float sum {time:.3f} {size / time / 1e6:.2f} {1.9375 * size / time / 1e6:.2f} 0e+00"
        for size, time in ((2**power, 9.3e-3) for power in range(12, 18))
    ]
    log = read_nccl_log(text="\n".join(rows))
    assert not any("before 2020" in note for note in log.notes)
    (run,) = log.runs
    assert len(run.rows) == 6
    assert run.least_ranks <= 32 <= (run.most_ranks or 32)


@pytest.mark.parametrize("form", ["{:.3f}", "{:.6f}", "{:.6e}"])
def test_digits_that_a_program_added_to_milliseconds_give_no_wrong_ranks(form):
    rows = []
    for power in range(16, 24):
        size, time = 2**power, (9.3e-3 + 2**power / 3e8)
        rows.append(
            f"{size} {size // 4} float sum {form.format(round(time, 3))} {size / time / 1e6:.2f} "
            f"{1.9375 * size / time / 1e6:.2f} 0e+00"
        )
    (run,) = read_nccl_log(text="\n".join(rows)).runs
    assert run.least_ranks <= 32 <= (run.most_ranks or 32)


def test_rows_under_the_name_of_another_test_are_no_all_reduce():
    (run,) = read_nccl_log(text="# all_gather_perf\n" + ROWS).runs
    assert run.collective is None
    assert "all-gather" in run.collective_from


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("-1    150.0   13.98   20.97      0    150.0", "-1    150.0   13.98   20.97      0    0.00"),
        ("-1    150.0   13.98", "N/A    150.0   13.98"),
        ("-1    150.0   13.98", "0.00    150.0   13.98"),
        ("-1    150.0   13.98", "-1    1e400   13.98"),
        ("     2097152        524288", "      524288        524288"),
    ],
)
def test_a_row_with_an_odd_cell_is_left_out_and_said_so(given, found):
    text = ROWS.replace(given, found)
    assert text != ROWS
    log = read_nccl_log(text=text)
    (run,) = log.runs
    assert [row.size for row in run.rows] == [2**20, 2**22, 2**23]
    assert [skipped.line for skipped in log.skipped] == [2]


@pytest.mark.parametrize(
    "wrapped",
    [
        lambda line: json.dumps({"log": f"{line}\n", "stream": "stdout"}),
        lambda line: json.dumps({"textPayload": line}),
        lambda line: f'"{line}"',
    ],
)
def test_lines_within_lines_of_json_or_csv_are_read(wrapped):
    (run,) = read_nccl_log(text="\n".join(map(wrapped, ROWS.splitlines()))).runs
    assert (run.collective, run.ranks, len(run.rows)) == ("all-reduce", 4, 4)


def test_no_version_prints_nanoseconds():
    text = ROWS.replace(" 100.0 ", " 100.0e3 ").replace("100.0e3", "100000.0")
    log = read_nccl_log(text=text)
    assert all(row.size != 2**20 for run in log.runs for row in run.rows)


def rows_of(text):
    return [[(row.size, row.time, row.in_place_time) for row in run.rows] for run in read_nccl_log(text=text).runs]


def test_a_log_turned_over_is_one_run():
    (expected,) = rows_of(ROWS)
    assert rows_of("\n".join(reversed(ROWS.splitlines()))) == [expected[::-1]]
    assert rows_of("\n".join(reversed((ROWS + ROWS.replace("50.0", "51.0")).splitlines()))) != [expected[::-1]]


def test_a_second_sweep_still_is_another_run():
    """Also where each has two sizes, so that sizes fall as often as they would in a log that was turned over."""
    two = "\n".join(ROWS.splitlines()[:2])
    again = two.replace("100.0", "100.2").replace("150.0", "150.3")
    assert [len(rows) for rows in rows_of(f"{two}\n{again}\n{two}")] == [2, 2, 2]


@pytest.mark.parametrize("joints", [[1], [2], [1, 3], [1, 2, 3]])
@pytest.mark.parametrize("prefix", ["", "0: ", "[1,0]<stdout>:"])
def test_rows_without_a_line_end_between_them_are_read(joints, prefix):
    lines = ROWS.splitlines()
    text = prefix + lines[0]
    for place, line in enumerate(lines[1:], start=1):
        text += line if place in joints else f"\n{prefix}{line}"
    assert rows_of(text) == rows_of(ROWS)


def test_tables_side_by_side_are_no_rows_without_line_ends():
    small = ROWS.replace("1048576", " 524288", 1)
    text = "\n".join(f"{one} {other}" for one, other in zip(small.splitlines(), ROWS.splitlines(), strict=True))
    assert "a second table stands beside the first and was not read" in read_nccl_log(text=text).notes


# rccl-tests, src/common.cu, Reporter: columns with MPI and without; times in µs and bandwidths to six decimals.
MPI = "numCycle,collective,nodes,ranks,ranksPerNode,gpusPerRank,size,type,redop,inplace,time,algbw,busbw,#wrong"
SINGLE = "numCycle,collective,gpus,size,type,redop,inplace,time,algbw,busbw,#wrong"
TIMES = [(2**20, 100.0, 101.0), (2**21, 150.0, 151.0), (2**22, 250.0, 251.0)]


def records(ranks, factor, name="AllReduce", operation="sum", halves=(0, 1)):
    for size, *times in TIMES:
        for half in halves:
            rate = size / times[half] / 1e3
            yield name, ranks, size, operation, half, f"{times[half]:f}", f"{rate:f}", f"{factor * rate:f}"


def csv_report(header, **about):
    ranks = "1,{1},{1},1" if header == MPI else "{1}"
    line = "0,{0}," + ranks + ",{2},float,{3},{4},{5},{6},{7},0"
    return "\n".join([header, *(line.format(*record) for record in records(**about))])


def json_report(**about):
    names = ("name", "ranks", "size", "redop", "inPlace", "time", "algBw", "busBw")
    whole = [dict(zip(names, record, strict=True)) | {"numCycle": 0, "type": "float", "wrong": "0"}
             for record in records(**about)]  # fmt: skip
    return "[\n" + ",\n".join(map(json.dumps, whole)) + "\n]\n"


@pytest.mark.parametrize(
    "text",
    [csv_report(MPI, ranks=4, factor=1.5), csv_report(SINGLE, ranks=4, factor=1.5), json_report(ranks=4, factor=1.5)],
)
def test_a_report_is_read_as_the_table_it_was(text):
    log = read_nccl_log(text=text)
    (run,) = log.runs
    assert (run.collective, run.ranks, run.ranks_from) == ("all-reduce", 4, "the report's column of ranks")
    expected = [(size, out * 1e-6, within * 1e-6) for size, out, within in TIMES]
    assert [(row.size, row.time, row.in_place_time) for row in run.rows] == [pytest.approx(row) for row in expected]
    assert [row.count for row in run.rows] == [size // 4 for size, *_ in TIMES]
    assert not log.skipped
    assert all_reduce_sample(run=run).ranks == 4


def test_a_report_out_of_place_alone_is_read():
    (run,) = read_nccl_log(text=csv_report(MPI, ranks=4, factor=1.5, halves=(0,))).runs
    assert [row.time for row in run.rows] == pytest.approx([1e-4, 1.5e-4, 2.5e-4])
    assert {row.in_place_time for row in run.rows} == {None}


def test_a_report_of_an_all_gather_is_one_of_parts():
    text = csv_report(MPI, ranks=4, factor=0.75, name="AllGather", operation="none")
    (run,) = read_nccl_log(text=text).runs
    assert (run.collective, run.ranks) == ("all-gather", 4)


def test_reports_one_after_the_other_are_runs_of_their_own():
    text = csv_report(MPI, ranks=4, factor=1.5) + "\n" + csv_report(MPI, ranks=8, factor=1.75)
    assert [run.ranks for run in read_nccl_log(text=text).runs] == [4, 8]


@pytest.mark.parametrize("broken", ["time", "algbw", "type", "size"])
def test_a_report_that_lacks_a_column_is_no_table(broken):
    text = csv_report(MPI, ranks=4, factor=1.5).replace(f",{broken},", ",other,", 1)
    assert not read_nccl_log(text=text).runs
