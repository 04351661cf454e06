"""Logs of nccl-tests: no published value is a call of the reader, and what its manual says of a unit is wrong."""

import pytest

from labs.model.measured.read import read_nccl_log
from tests.labs.model.measured.logs import text_of

CALLS = {}


def manual_says_ms():
    """The table prints µs: 8 GiB in 47,535 of them are 181 GB/s, which the row says itself; in ms it were 0.18."""
    row = read_nccl_log(text=text_of("02.txt")).runs[0].rows[-1]
    assert row.time == pytest.approx(47535e-6, rel=1e-12)
    assert row.size / row.time == pytest.approx(row.algorithm_bandwidth, rel=1e-4)


NOT_GIVEN = {"bad-perfmd-ms": manual_says_ms}
