"""A log that was cut or wrapped on its way: no number is made up from what is left, and no row goes without a word."""

import json

import pytest

from labs.model.measured.read import read_nccl_log
from tests.labs.model.measured.logs import text_of
from tests.labs.model.measured.test_hazards import CLEAN, EXPECTED, ROW, each_row, values


def listed(ranks):
    return [f"#  Rank  {rank} Group  0 Pid 1 on h device  {rank} [0x1] X" for rank in ranks]


@pytest.mark.parametrize(
    "lines",
    [[*listed(range(4)), "# ..."], [*listed(range(2)), "...", *listed([7])], listed([0, 1, 7])],
    ids=["cut at the end", "cut in the middle", "without a word"],
)
def test_a_list_of_ranks_that_was_cut_tells_no_number(lines):
    small = "8 2 float sum -1 10.00 0.00 0.00 0 10.00 0.00 0.00 0"  # whose bandwidths tell nothing
    (run,) = read_nccl_log(text="\n".join([*lines, small])).runs
    assert run.ranks is None


SMALL = "8 2 float sum -1 10.00 0.00 0.00 0 10.00 0.00 0.00 0"  # whose bandwidths tell nothing
BROAD = "1000 250 float sum -1 10.00 0.10 0.18 0 10.00 0.10 0.18 0"  # whose bandwidths allow 8 to 13
EXACT = "1000000 250000 float sum -1 100.0 10.00 17.50 0 100.0 10.00 17.50 0"  # whose bandwidths tell 8
START = "# nThread 1 nGpus {} minBytes 8"
COMMAND = "mpirun -np {} ./all_reduce_perf"
INFO = "h:1:1 [0] NCCL INFO comm 0x1 rank 0 {} 8 cudaDev 0"
LISTED = "the lines that name each rank"


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ([COMMAND.format(8), START.format(1), *listed(range(4))], f"4 by {LISTED} but 8 by -np × nThread × nGpus"),
        ([INFO.format("nranks"), *listed(range(4))], f"4 by {LISTED} but 8 by nranks in lines of the library"),
        ([INFO.format("nRanks"), *listed(range(4))], f"4 by {LISTED} but 8 by nranks in lines of the library"),
        ([INFO.format("nRanks"), COMMAND.format(4), START.format(1)], "8 by nranks in lines of the library but 4 by"),
        ([START.format(8), *listed(range(4))], "busbw/algbw of 0 to 2, which is 2(p − 1)/p allows 1 or more"),
        ([START.format(8), *listed(range(12))], "busbw/algbw of 0 to 2, which is 2(p − 1)/p allows 1 or more"),
    ],
    ids=["processes", "library", "a new library", "library and processes", "devices", "devices of the second process"],
)
def test_a_list_of_ranks_that_something_contradicts_tells_no_number(lines, why):
    (run,) = read_nccl_log(text="\n".join([*lines, SMALL])).runs
    assert run.ranks is None
    assert run.ranks_from.startswith(why) and run.ranks_from.endswith(": say how many took part")


@pytest.mark.parametrize("end", range(1, len(listed([7])[0]) - 4))
def test_a_list_of_ranks_that_ends_within_a_line_tells_no_number(end):
    (run,) = read_nccl_log(text="\n".join([*listed(range(7)), listed([7])[0][:-end], SMALL])).runs
    assert run.ranks in (None, 8)
    (run,) = read_nccl_log(text="\n".join([*listed(range(8)), listed([8])[0][:-end], BROAD])).runs
    assert run.ranks in (None, 9)


def test_the_last_rank_of_a_list_is_seen_where_other_output_begins_behind_it():
    library = "h:1:1 [0] NCCL INFO Bootstrap"
    (run,) = read_nccl_log(text="\n".join([*listed(range(7)), listed([7])[0] + library, SMALL])).runs
    assert run.ranks == 8
    (run,) = read_nccl_log(text="\n".join([*listed(range(7)), listed([7])[0][:24] + library, SMALL])).runs
    assert run.ranks is None


@pytest.mark.parametrize("prefix", ["", "0: "])
@pytest.mark.parametrize("at", range(1, len(listed([7])[0])))
def test_a_list_of_ranks_that_other_output_breaks_anywhere_tells_no_wrong_number(at, prefix):
    last = listed([7])[0]
    broken = f"{last[:at]}h:1:1 [0] NCCL INFO Bootstrap\n{last[at:]}"
    text = "\n".join([*listed(range(7)), broken, SMALL]).replace("\n", f"\n{prefix}")
    (run,) = read_nccl_log(text=text).runs
    assert run.ranks in (None, 8)


def test_bandwidths_that_contradict_a_list_are_told_with_it():
    (run,) = read_nccl_log(text="\n".join([*listed(range(4)), EXACT])).runs
    assert run.ranks == 8
    assert run.ranks_from == f"busbw/algbw of 1.748 to 1.752, which is 2(p − 1)/p, though 4 by {LISTED}"
    (run,) = read_nccl_log(text="\n".join([*listed(range(4)), BROAD])).runs
    assert run.ranks is None
    assert run.ranks_from.endswith(f"allows 8 to 13, though 4 by {LISTED}: say how many took part")


def test_a_count_of_parts_that_contradicts_a_list_is_told_with_it():
    gather = "1000000 31250 float none -1 100.0 10.00 8.75 0 100.0 10.00 8.75 0"
    (run,) = read_nccl_log(text="\n".join([*listed(range(4)), gather])).runs
    assert (run.ranks, run.ranks_from) == (8, f"a count of 1/8 of the size, though 4 by {LISTED}")


def test_ranks_split_into_communicators_are_those_of_one():
    """NCCL_TESTS_SPLIT; each rank is listed by its number among all, with its group."""
    lines = [line.replace("Group  0", f"Group  {at % 2}") for at, line in enumerate(listed(range(16)))]
    text = "\n".join([COMMAND.format(16), START.format(1), *lines, SMALL])
    (run,) = read_nccl_log(text=text).runs
    assert (run.ranks, run.ranks_from) == (8, LISTED)
    uneven = "\n".join([*lines[:-2], SMALL]).replace("Group  1", "Group  0", 1)
    assert read_nccl_log(text=uneven).runs[0].ranks is None


@pytest.mark.parametrize(("name", "width", "ranks"), [("21.txt", 78, 16), ("14.txt", 74, 16), ("46.txt", 76, 2)])
def test_a_terminal_that_cuts_a_number_short_gives_no_wrong_ranks(name, width, ranks):
    text = "\n".join(line[:width] for line in text_of(name).split("\n"))
    runs = read_nccl_log(text=text).runs
    assert runs
    for run in runs:
        assert run.ranks in (None, ranks)
        assert run.least_ranks <= ranks <= (run.most_ranks or ranks)


@pytest.mark.parametrize(
    "numbers",
    ["1000000 250000 float sum -1 100.0 10.00 5.00 0", "1000 250 float sum -1 250000 0.00 0.01 0"],
    ids=["too low", "times in ns"],
)
def test_bandwidths_that_no_all_reduce_has_are_neither_one_rank_nor_a_million(numbers):
    (run,) = read_nccl_log(text=numbers).runs
    assert run.ranks is None
    assert run.ranks_from.endswith("where an all-reduce has 2(p − 1)/p, so 0 or 1 to 2")


@pytest.mark.parametrize(
    "change",
    [lambda text: text.replace("\n", " "), lambda text: json.dumps({"log": text})],
    ids=["one line", "a text of JSON"],
)
def test_a_log_without_its_line_ends_has_all_rows(change):
    assert values(read_nccl_log(text=change(CLEAN))) == EXPECTED


def folded(text, width):
    lines = (line[at : at + width] for line in text.split("\n") for at in range(0, max(len(line), 1), width))
    return "\n".join(lines)


@pytest.mark.parametrize("width", [44, 56, 64, 72, 75, 80, 88, 96, 100, 104])
def test_rows_that_were_wrapped_at_one_width_are_whole_again(width):
    assert values(read_nccl_log(text=folded(CLEAN, width))) == EXPECTED


@pytest.mark.parametrize(("name", "width"), [("07.txt", 72), ("14.txt", 76), ("31.txt", 82), ("46.txt", 90)])
def test_short_logs_are_whole_again_too(name, width):
    text = text_of(name)
    assert values(read_nccl_log(text=folded(text, width))) == values(read_nccl_log(text=text))


def test_where_spaces_went_with_the_line_ends_numbers_are_not_glued_together():
    rows = []
    for size in (1_000_000, 2_000_000, 3_000_000, 4_000_000, 5_000_000):
        time_, again = size / 1e4, size / 1e4 + 25  # in µs
        out, in_place = (f"{at:.1f} {size / at / 1e3:.2f} {1.75 * size / at / 1e3:.2f} 0" for at in (time_, again))
        rows.append(f"{size} {size // 8} double sum -1 {out}\n{in_place}")
    log = read_nccl_log(text="\n".join(rows))
    assert [row.in_place_time for run in log.runs for row in run.rows] == pytest.approx(
        [125e-6, 225e-6, 325e-6, 425e-6, 525e-6]
    )


def test_thousands_are_separated_before_decimals_too():
    def separated(row):
        return " ".join(f"{float(word):,}" if "." in word else word for word in row.split())

    assert values(read_nccl_log(text=each_row(separated)(CLEAN))) == EXPECTED


@pytest.mark.parametrize("mark", ["'", "\u2019", "\u2009", "\u202f"])
def test_thousands_are_separated_as_other_countries_do_too(mark):
    def separated(row):
        return "  ".join(f"{int(word):,}".replace(",", mark) if word.isdigit() else word for word in row.split())

    assert values(read_nccl_log(text=each_row(separated)(CLEAN))) == EXPECTED


@pytest.mark.parametrize("size", ["1.048.576", "1M", "1MiB", "1.0e6", "1_048_576"])
@pytest.mark.parametrize("prefix", ["", "[pod/nccl-0/main] Wed May  1 10:00:00 UTC 2024 worker stdout F "])
def test_a_row_whose_size_cannot_be_read_is_told(size, prefix):
    rows = "1024 256 float sum -1 10.00 0.10 0.19 0 10.00 0.10 0.19 0"
    other = f"{size} 262144 float sum -1 100.0 10.49 19.66 0 100.0 10.49 19.66 0"
    log = read_nccl_log(text=f"{prefix}{rows}\n{prefix}{other}")
    assert [len(run.rows) for run in log.runs] == [1]
    assert [(one.line, one.reason) for one in log.skipped] == [
        (2, "numbers without a size, a count and a type in front of them")
    ]


def test_a_half_that_is_missing_is_the_reason():
    header = "# size count type redop root time algbw busbw #wrong time algbw busbw #wrong"
    row = "1000000 250000 float sum -1 N/A N/A N/A N/A 100.0 10.00 15.00 0"
    (one,) = read_nccl_log(text=f"{header}\n{row}").skipped
    assert one.reason == "without a time out of place"


@pytest.mark.parametrize("width", [58, 59, 60, 61, 62, 98])
def test_numbers_cut_in_two_do_not_turn_microseconds_into_milliseconds(width):
    """Too few rows to see at which width they were wrapped; the rest of a number then stands as one of its own."""
    text = text_of("48.txt")
    (expected,) = read_nccl_log(text=text).runs
    times = {row.size: row.time for row in expected.rows} | {64: 32.89e-6}
    log = read_nccl_log(text=folded(text, width))
    assert all(row.time == pytest.approx(times[row.size]) for run in log.runs for row in run.rows)
    assert {run.ranks for run in log.runs} <= {4}


@pytest.mark.parametrize("whole", [CLEAN, "\n".join(ROW.findall(CLEAN))], ids=["whole", "rows"])
@pytest.mark.parametrize("at", range(38, 100))
@pytest.mark.parametrize("prefix", ["", "0: "])
def test_a_row_that_other_output_breaks_anywhere_has_no_wrong_number(whole, at, prefix):
    """Pipes are emptied by thousands of bytes, wherever in a number that is."""
    size = "       65536"
    (row,) = (line for line in whole.split("\n") if line.startswith(size))
    info = f"host1:77:229 [2] NCCL INFO Connected all trees\n{prefix}"
    text = whole.replace(row, row[:at] + info + row[at:]).replace("\n", f"\n{prefix}")
    log = read_nccl_log(text=text)
    found = values(log)
    assert len(found) >= 30 and set(found) <= set(EXPECTED)
    assert len(found) == 31 or log.skipped
    assert {(run.collective, run.ranks) for run in log.runs} <= {("all-reduce", 16), (None, None)}
