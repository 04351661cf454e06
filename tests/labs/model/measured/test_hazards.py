"""What happens to a log on its way: each hazard done to a clean log, whose rows must come out the same."""

import re
import time
from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.model.measured.read import read_nccl_log
from labs.model.measured.sample import all_reduce_sample
from labs.model.quantities.errors import ModelError
from tests.labs.model.measured.logs import text_of

CLEAN = text_of("02.txt")
ROW = re.compile(r"(?m)^ +\d+ +\d+ +float .*$")
INFO = "host1:77:229 [2] NCCL INFO Connected all trees"
ROOT = re.compile(r"(?<= sum)      -1")


def values(log):
    return [(row.size, row.time, row.bus_bandwidth, row.in_place_time) for run in log.runs for row in run.rows]


EXPECTED = values(read_nccl_log(text=CLEAN))


def each_row(change):
    return lambda text: ROW.sub(lambda row: change(row[0]), text)


def each_line(change):
    return lambda text: "\n".join(map(change, text.split("\n")))


def numbered(change):
    def changed(text):
        return "\n".join(change(number, line) for number, line in enumerate(text.split("\n")))

    return changed


def old_columns(text):
    """No root, and the largest error in place of a count of wrong elements."""
    text = ROOT.sub("", text).replace("    root", "").replace("#wrong", " error")
    return each_row(lambda row: re.sub(r" 0(?= |$)", " 5e-07", row))(text)


def milliseconds(text):
    """As the first versions print: no units, `res`, times in ms to three decimals, and here with all digits."""

    def row(line):
        size, count, *words, time_, algbw, busbw, _, again, algbw2, busbw2, _ = line.split()
        del words[2]
        return " ".join([size, count, *words, f"{float(time_) / 1e3:.7f}", algbw, busbw, "0e+00",
                         f"{float(again) / 1e3:.7f}", algbw2, busbw2, "0e+00"])  # fmt: skip

    text = re.sub(r"(?m)^#  +\(B\).*$", "", text)
    text = re.sub(r"(?m)^#  +size .*$", "# bytes N type op time algbw busbw res time algbw busbw res", text)
    return each_row(row)(text)


def broken_by_output(text):
    """Other output begins where a row has printed its words but not yet its numbers."""
    return each_row(lambda row: row.replace(" -1", f" -1{INFO}\n{INFO}\n", 1))(text)


def broken_between_halves(text):
    halves = r"(?m)^( +\d+ +\d+ +float +sum +-1(?: +\S+){4})((?: +\S+){4})$"
    return re.sub(halves, rf"\1 {INFO}\n\2", text)


HAZARDS = {
    "mpirun": each_line(lambda line: f"[1,0]<stdout>:{line}"),
    "mpirun, indented": each_line(lambda line: f"        [1,0]<stdout>:{line}"),
    "two launchers": each_line(lambda line: f"(head, rank=0, pid=3808) [1,0]<stdout>:{line}"),
    "srun": each_line(lambda line: f" 0: {line}"),
    "times": numbered(lambda n, line: f"2024-05-01T12:{n // 60:02}:{n % 60:02}.{n:03}Z {line}"),
    "times in brackets": numbered(lambda n, line: f"[2024-05-01 12:{n // 60:02}:{n % 60:02},{n:03}] {line}"),
    "seconds since a start": numbered(lambda n, line: f"[ {n}.{n:06}] {line}"),
    "a pod": each_line(lambda line: f"nccl-test-launcher-x7k2p {line}"),
    "a pod and times": numbered(lambda n, line: f"2024-05-01T12:00:{n:02}.5Z stdout F nccl-test-0 {line}"),
    "compose": each_line(lambda line: f"worker-0  | {line}"),
    "quoted": each_line(lambda line: f"> > {line}"),
    "library lines": each_row(lambda row: f"{INFO}\n{row}\n{INFO.replace('INFO', 'WARN')}"),
    "library lines within rows": broken_by_output,
    "library lines between halves": broken_between_halves,
    "wrapped": each_row(lambda row: f"{row[:70]}\n{row[70:]}" if row[69] != " " or row[70] != " " else row),
    "escaped #": lambda text: text.replace("#", "\\#"),
    "no #": lambda text: text.replace("#", " "),
    "# before rows": each_row(lambda row: "#" + row),
    "pipes": each_row(lambda row: " | ".join(row.split())),
    "pipes at both ends": each_row(lambda row: f"| {' | '.join(row.split())} |\n| -- | -- |"),
    "commas": each_row(lambda row: ",".join(row.split())),
    "commas between thousands": each_row(lambda row: re.sub(r"\d+", lambda d: f"{int(d[0]):,}", row, count=2)),
    "tabs": each_row(lambda row: "\t".join(row.split())),
    "one space": each_row(lambda row: " ".join(row.split())),
    "no zeros at the end": each_row(lambda row: re.sub(r"(\.\d*?)0+(?= |$)", lambda d: d[1].rstrip("."), row)),
    "a column before": numbered(lambda n, line: f"{n % 4} {line}" if ROW.match(line) else line),
    "a column behind": each_row(lambda row: row + "  2024-05-01 12:00:00"),
    "ellipses": each_row(lambda row: row + "\n   ...\n"),
    "not checked": each_row(lambda row: re.sub(r" 0(?= |$)", " N/A", row)),
    "zero-size rows": each_row(lambda row: f" 0 0 float sum -1 0.15 0.00 0.00 0 0.13 0.00 0.00 0\n{row}"),
    "Windows": lambda text: text.replace("\n", "\r\n"),
    "Windows, twice": lambda text: text.replace("\n", "\r\r\n"),
    "colours": each_line(lambda line: f"\x1b[1;32m{line}\x1b[0m\x1b[K"),
    "HTML": lambda text: f"<pre><code>{escape(text)}</code></pre>",
    "HTML and a launcher": lambda text: escape(each_line(lambda line: f"[1,0]<stdout>:{line}")(text)),
    "HTML spaces": lambda text: text.replace(" ", "&nbsp;"),
    "HTML table": each_row(lambda row: f"<tr><td>{'</td><td>'.join(row.split())}</td></tr>"),
    "odd spaces": lambda text: text.replace(" ", "\u00a0"),
    "a byte order mark": lambda text: "\ufeff" + text,
    "no header": lambda text: "\n".join(row[0] for row in ROW.finditer(text)),
    "header out of date": lambda text: text.replace("    root", ""),
    "old columns": old_columns,
    "old columns, no header": lambda text: "\n".join(row[0] for row in ROW.finditer(old_columns(text))),
    "milliseconds": milliseconds,
    "each line twice": each_line(lambda line: f"{line}\n{line}"),
    "cut": lambda text: text + "\n 17179869184    4294967296     float     sum      -1    94",
    "cut in place": lambda text: text + "\n 17179869184 4294967296 float sum -1 94535 181.73 340.74 0 94",
    "begins within a row": lambda text: "   817.0    5.13    9.63      0\n" + text,
    "Markdown around": lambda text: f"### Result\n\n```\n{text}\n```\n1. all ranks\n2. 16 17 float\n",
}  # fmt: skip


@pytest.mark.parametrize("hazard", HAZARDS)
def test_the_rows_are_the_same(hazard):
    log = read_nccl_log(text=HAZARDS[hazard](CLEAN))
    found = values(log)
    assert [row[0] for row in found] == [row[0] for row in EXPECTED]
    for row, expected in zip(found, EXPECTED, strict=True):
        assert row == pytest.approx(expected, rel=1e-9)
    (run,) = log.runs
    assert (run.collective, run.ranks, run.mixed) == ("all-reduce", 16, False)


@pytest.mark.parametrize("one", HAZARDS)
@pytest.mark.parametrize("other", ["mpirun", "library lines", "Windows", "colours", "HTML", "times"])
def test_two_hazards_at_once(one, other):
    log = read_nccl_log(text=HAZARDS[other](HAZARDS[one](CLEAN)))
    assert [row[0] for row in values(log)] == [row[0] for row in EXPECTED]


def test_two_jobs_told_apart_by_their_prefix():
    first, second = text_of("02.txt").split("\n"), text_of("27.txt").split("\n")
    lines = []
    for number in range(max(len(first), len(second))):
        lines += [f"[1,0]<stdout>:{first[number]}"] if number < len(first) else []
        lines += [f"[2,0]<stdout>:{second[number]}"] if number < len(second) else []
    other, one = read_nccl_log(text="\n".join(lines)).runs
    assert (one.ranks, len(one.rows), one.mixed) == (16, 31, False)
    assert (other.ranks, len(other.rows), other.mixed) == (4, 10, False)


def test_two_jobs_in_step_are_not_taken_for_one():
    rows = [row[0] for row in ROW.finditer(CLEAN)]
    again = [re.sub(r"(\d)( +\S+ +\S+ +0)$", lambda d: f"{9 - int(d[1])}{d[2]}", row) for row in rows]
    changed = [line for pair in zip(rows, again, strict=True) for line in pair]
    (run,) = read_nccl_log(text="\n".join(changed)).runs
    assert run.mixed
    with pytest.raises(ModelError, match="give those of one"):
        all_reduce_sample(run=run)


def test_runs_one_after_the_other_are_told_apart():
    rows = [row[0] for row in ROW.finditer(CLEAN)]
    both = read_nccl_log(text="\n".join(rows + rows))
    assert [len(run.rows) for run in both.runs] == [31, 31]
    assert not any(run.mixed for run in both.runs)
    different = CLEAN + "\n" + text_of("34.txt") + "\n" + text_of("46.txt")
    assert [(run.collective, run.ranks) for run in read_nccl_log(text=different).runs] == [
        ("all-reduce", 16), ("all-gather", 16), ("all-reduce", 2),
    ]  # fmt: skip


def test_other_text_among_the_rows_is_told():
    """It may stand between two runs without a header of their own, which would be fitted as one."""
    head, rows = ROW.split(CLEAN)[0], ROW.findall(CLEAN)
    prose = ["", "Then with the tree, from 2 MiB:", "see the other page", ""]
    log = read_nccl_log(text="\n".join([head, *rows[:10], *prose, *rows[10:]]))
    assert values(log) == EXPECTED
    first = len(head.split("\n")) + 12
    assert f"other text stands among the rows (lines {first} to {first + 1}): " in log.notes[0]
    behind = read_nccl_log(text="\n".join([head, *rows, *prose]))
    assert not any("other text" in note for note in (*behind.notes, *read_nccl_log(text=CLEAN).notes))


def test_each_reduction_is_a_run():
    text = "\n".join(CLEAN.replace(" sum ", f" {operation} ") for operation in ("sum", "prod", "max", "min", "avg"))
    assert [run.operation for run in read_nccl_log(text=text).runs] == ["sum", "prod", "max", "min", "avg"]


def test_each_type_is_a_run():
    rows = [row[0] for row in ROW.finditer(CLEAN)]
    half = [re.sub(r"^ +(\d+) +(\d+) +float", lambda d: f"{d[1]} {int(d[1]) // 2} half", row) for row in rows]
    runs = read_nccl_log(text="\n".join(rows + half)).runs
    assert [(run.datatype, run.collective, len(run.rows)) for run in runs] == [
        ("float", "all-reduce", 31), ("half", "all-reduce", 31),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("row", "collective", "ranks"),
    [
        # size over time is 10 GB/s; what follows is what each test prints of it.
        ("1000000 250000 float sum -1 100.0 10.00 17.50 0 100.0 10.00 17.50 0", "all-reduce", 8),
        ("1000000 250000 float sum -1 100.0 10.00 0.00 0 100.0 10.00 0.00 0", "all-reduce", 1),
        ("1000000 31250 float none -1 100.0 10.00 8.75 0 100.0 10.00 8.75 0", "all-gather", 8),
        ("1000000 31250 float sum -1 100.0 10.00 8.75 0 100.0 10.00 8.75 0", "reduce-scatter", 8),
        ("1000000 31250 float none -1 100.0 10.00 8.75 0 100.0 10.00 8.75 N/A", "all-to-all", 8),
        ("1000000 250000 float sum 0 100.0 10.00 10.00 0 100.0 10.00 10.00 0", "reduce", None),
        ("1000000 250000 float none 0 100.0 10.00 10.00 0 100.0 10.00 10.00 0", None, None),
        ("1000000 250000 float none -1 100.0 10.00 10.00 0 100.0 10.00 10.00 N/A", None, None),
        ("1000000 250000 float 100.0 10.00 10.00 0e+00 100.0 10.00 10.00 0e+00", None, None),
        ("1000000 31250 float 100.0 8.75 8.75 0e+00 100.0 8.75 8.75 0e+00", "all-gather", 8),
        ("1000000 31250 mytype sum -1 100.0 10.00 8.75 0 100.0 10.00 8.75 0", None, None),
    ],
)
def test_the_collective_is_told_by_its_rows(row, collective, ranks):
    (run,) = read_nccl_log(text=row).runs
    assert (run.collective, run.ranks) == (collective, ranks)
    if (collective, ranks) != ("all-reduce", 8):
        with pytest.raises(ModelError, match=r"expected an all-reduce|expected two ranks"):
            all_reduce_sample(run=run)


def test_versions_before_2020_print_another_bandwidth_of_an_all_gather():
    """They multiply the algorithm bandwidth by (p − 1)/p already: nccl-tests, issue 45."""
    log = read_nccl_log(text="1000000 31250 float 100.0 8.75 8.75 0e+00 100.0 8.75 8.75 0e+00")
    assert any("before 2020" in note for note in log.notes)
    row = log.runs[0].rows[0]
    assert row.size / row.time == pytest.approx(10e9)
    assert row.algorithm_bandwidth == pytest.approx(8.75e9)


@pytest.mark.parametrize(
    ("lines", "ranks", "why"),
    [
        ("# nThread 1 nGpus 8 minBytes 8", 8, "nThread × nGpus"),
        ("mpirun -np 4 ./all_reduce_perf\n# nThread 1 nGpus 2 minBytes 8", 8, "-np × nThread × nGpus"),
        ("h:1:1 [0] NCCL INFO comm 0x1 rank 0 nranks 8 cudaDev 0", 8, "nranks"),
        ("#  Rank  7 Group  0 Pid 1 on h device  7 [0x1] X", 8, "the highest rank of a list that was cut"),
        ("\n".join(f"#  Rank  {rank} Pid 1 on h device  {rank} [0x1] X" for rank in range(8)), 8, "name each rank"),
        ("", None, "allows 8 to 13: say how many took part"),
    ],
)
def test_where_bandwidths_leave_a_choice_other_lines_settle_the_ranks(lines, ranks, why):
    text = f"{lines}\n1000 250 float sum -1 10.00 0.10 0.18 0 10.00 0.10 0.18 0"
    (run,) = read_nccl_log(text=text).runs
    assert run.ranks == ranks
    assert why in run.ranks_from
    # 0.18 ± 0.005 over 0.1 is 1.75 to 1.85, and 2(p − 1)/p is 1.75 at 8 ranks and 1.846 at 13.
    assert (run.least_ranks, run.most_ranks) == (8, 13)


def test_ranks_that_are_not_told_are_asked_for_and_held_against_the_rows():
    (run,) = read_nccl_log(text="1000 250 float sum -1 10.00 0.10 0.18 0 10.00 0.10 0.18 0").runs
    with pytest.raises(ModelError, match="expected ranks to be given, found none in the log") as refused:
        all_reduce_sample(run=run)
    assert refused.value.argument == "ranks"
    assert all_reduce_sample(run=run, ranks=8).ranks == 8
    with pytest.raises(ModelError, match="as busbw/algbw says, found 2"):
        all_reduce_sample(run=run, ranks=2)


def test_ranks_that_contradict_the_log_are_refused():
    (run,) = read_nccl_log(text=CLEAN).runs
    assert all_reduce_sample(run=run, ranks=16).ranks == 16
    with pytest.raises(ModelError, match=r"expected ranks 16 \(the lines that name each rank\), found 8"):
        all_reduce_sample(run=run, ranks=8)


def test_large_groups_are_not_told_by_their_bandwidths():
    """At 1,024 ranks 2(p − 1)/p is 1.998: no row prints enough digits to tell it from 1,000."""
    (run,) = read_nccl_log(text="1000000000 250000000 float sum -1 10000 100.0 199.80 0 10000 100.0 199.80 0").runs
    assert run.ranks is None
    assert run.least_ranks <= 1024 and (run.most_ranks is None or run.most_ranks >= 1024)
    assert all_reduce_sample(run=run, ranks=1024).ranks == 1024
    with pytest.raises(ModelError, match="as busbw/algbw says, found 16"):
        all_reduce_sample(run=run, ranks=16)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("1000000 250000 float sum -1 ... ... ... 0 ... ... ... 0", "the numbers are left out"),
        ("1000000 250000 float sum -1 100.0 77.00 99.00 0 100.0 77.00 99.00 0", "fit no table of nccl-tests"),
        ("1000000 250000 float sum", "cut short: 0 numbers after its words"),
        ("1000 250 float sum 10.00 0.10 0.18 0 10.00 0.10", "cut short"),
        ("0 0 float sum -1 0.15 0.00 0.00 0 0.15 0.00 0.00 0", "of size zero"),
        ("8 2 float sum 0.010 0.00 0.00 0e+00 0.010 0.00 0.00 0e+00", "give the header too"),
        ("1000000 250000 float sum -1 0.00 10.00 15.00 0 0.00 10.00 15.00 0", "fit no table of nccl-tests"),
        ("1000000 250000 float sum -1 1.00 0.00 0.00 0 1.00 0.00 0.00 0", "fit no table of nccl-tests"),
    ],
)
def test_a_line_that_is_no_row_has_its_reason(row, reason):
    good = "2000 500 float sum -1 10.00 0.20 0.35 0 10.00 0.20 0.35 0\n" if reason == "cut short" else ""
    log = read_nccl_log(text=good + row)
    assert [reason in one.reason for one in log.skipped] == [True]
    assert len(log.runs) == bool(good)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("1000000 250000 float sum -1 ... ... ... 0 ... ... ... 0", "the numbers are left out"),
        ("1000000 250000 float sum -1 N/A N/A N/A 0 100.0 10.00 17.50 0", "without a time out of place"),
        ("1000000 250000 float sum -1 100.0 10.00 17.50 0 100.0 N/A 17.50 0", "at odds with itself"),
        ("1000000 250000 float sum -1 100.0 10.00 17.50 0 100.0 10.00", "cut short: 7 of 9 numbers"),
    ],
)
def test_a_line_among_rows_that_is_none_has_its_reason(row, reason):
    above, below = CLEAN.split("# Out of bounds")
    log = read_nccl_log(text=f"{above}{row}\n# Out of bounds{below}")
    assert values(log) == EXPECTED
    (one,) = log.skipped
    assert one.line == above.count("\n") + 1 and reason in one.reason


def test_a_row_at_odds_with_itself_is_left_out():
    log = read_nccl_log(text=CLEAN.replace("158.86", "99.86"))
    assert len(log.runs[0].rows) == 30
    assert log.skipped[0].reason == "at odds with itself: size over time is 158.9 GB/s, the row says 99.86"


def test_columns_in_another_order_are_told_by_the_header():
    half = "time algbw busbw #wrong"
    header = f"#   in-place    out-of-place\n# size count type redop root {half} {half}\n"
    row = "1000000 250000 float sum -1 50.0 20.00 35.00 0 100.0 10.00 17.50 0"
    found = read_nccl_log(text=header + row).runs[0].rows[0]
    assert (found.time, found.in_place_time) == (1e-4, 5e-5)


def test_one_half_alone_will_do():
    found = read_nccl_log(text="1000000 250000 float sum -1 100.0 10.00 17.50 0").runs[0].rows[0]
    assert (found.time, found.in_place_time) == (1e-4, None)


def test_a_second_table_beside_the_first_is_said_to_be_there():
    text = "\n".join(f"{row[0]} | {row[0]}" for row in ROW.finditer(CLEAN))
    log = read_nccl_log(text=text)
    assert values(log) == EXPECTED
    assert "a second table stands beside the first and was not read" in log.notes


def test_wrong_results_are_told():
    log = read_nccl_log(text="1000000 250000 float sum -1 100.0 10.00 17.50 12 100.0 10.00 17.50 0")
    assert log.runs[0].rows[0].wrong == 12
    assert "wrong results in 1 row, the first on line 1" in log.notes


def test_the_name_of_the_test_gives_way_to_its_rows():
    gather = "1000000 31250 float none -1 100.0 10.00 8.75 0 100.0 10.00 8.75 0"
    (run,) = read_nccl_log(text=f"# Collective test starting: all_reduce_perf\n{gather}").runs
    assert run.collective == "all-gather" and "though a test is called all-reduce" in run.collective_from
    copy = "1000000 250000 float none -1 100.0 10.00 10.00 0 100.0 10.00 10.00 0"
    (run,) = read_nccl_log(text=f"# Collective test starting: all_reduce_perf\n{copy}").runs
    assert run.collective is None and "the test is called all-reduce" in run.collective_from
    (run,) = read_nccl_log(text=f"# Collective test starting: broadcast_perf\n{copy}").runs
    assert (run.collective, run.collective_from) == ("broadcast", "the name of the test")


def test_nothing_and_what_is_no_log_have_no_runs():
    for text in ("", "\n\n", "hello", "# nThread 1 nGpus 1", "1 2 3", "12 2024 Nov 5"):
        log = read_nccl_log(text=text)
        assert log.runs == ()
        assert log.notes[-1].startswith("no row of a table was read")


def test_what_is_no_text_is_refused():
    with pytest.raises(ModelError, match="expected text to be the text of a log"):
        read_nccl_log(text=b"8 2 float")


def test_a_long_log_is_read_in_time():
    started = time.perf_counter()
    log = read_nccl_log(text="\n".join([CLEAN, *[INFO] * 40_000]))
    assert values(log) == EXPECTED
    assert read_nccl_log(text="9" * 200_000).runs == ()
    assert read_nccl_log(text="1:" * 100_000 + " 8 2 float").runs == ()
    assert read_nccl_log(text=("1 2 a " * 700 + "\n") * 100).runs == ()
    assert time.perf_counter() - started < 20


LINES = CLEAN.split("\n")


@given(st.lists(st.one_of(st.sampled_from(LINES), st.text(max_size=80)), max_size=40))
def test_any_text_is_read_without_an_accident(lines):
    log = read_nccl_log(text="\n".join(lines))
    assert all(row.time > 0 and row.size > 0 for run in log.runs for row in run.rows)


@given(st.integers(0, len(CLEAN)), st.integers(0, len(CLEAN)))
def test_any_part_of_a_log_holds_its_whole_rows(start, end):
    text = CLEAN[min(start, end) : max(start, end)]
    whole = [line for line in text.split("\n")[1:-1] if ROW.match(line)]
    assert set(EXPECTED) >= {row for row in values(read_nccl_log(text=text)) if row[0] > 8e6}
    assert len(values(read_nccl_log(text=text))) >= len(whole)
