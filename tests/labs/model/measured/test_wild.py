"""What logs of other people held: other tests in the shape of an all-reduce, odd cells, lines within lines of JSON."""

import json

import pytest

from labs.model.errors import ModelError
from labs.model.measured.read import read_nccl_log
from labs.model.measured.sample import all_reduce_sample

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
