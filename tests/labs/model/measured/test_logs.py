"""Every log, against what was found of it by hand."""

import pytest

from labs.model.measured.read import read_nccl_log
from labs.model.measured.regimes import fit_regimes
from labs.model.measured.ring_fit import fit_ring
from labs.model.measured.sample import all_reduce_sample
from labs.model.quantities.errors import ModelError
from tests.labs.model.measured.logs import INDEX, text_of

FITTED = [name for name, entry in INDEX.items() if entry["reference_fit"]]
SEVERAL_RUNS = {"12.txt": 2, "14.txt": 2, "24.txt": 4}
UNFIT = {
    "10.txt": "expected two ranks or more, found one",
    "12.txt": "expected rows of one job, found lines of several jobs among each other",
    "34.txt": "expected an all-reduce, found all-gather",
    "35.txt": "expected an all-reduce, found all-to-all",
    "36.txt": "expected an all-reduce, found reduce-scatter",
}


def runs(name):
    return read_nccl_log(text=text_of(name)).runs


def fit(name):
    (run,) = runs(name)
    sample = all_reduce_sample(run=run)
    return fit_ring(sizes=sample.sizes, times=sample.times, ranks=sample.ranks)


@pytest.mark.parametrize("name", INDEX)
def test_its_rows_are_read(name):
    entry, found = INDEX[name], runs(name)
    rows = [row for run in found for row in run.rows]
    assert len(rows) == entry["rows"]
    assert min(row.size for row in rows) == entry["size_min_B"]
    assert max(row.size for row in rows) == entry["size_max_B"]
    assert len(found) == SEVERAL_RUNS.get(name, 1)
    assert len({row.line for row in rows}) == len(rows)


@pytest.mark.parametrize("name", INDEX)
def test_its_collective_and_ranks_are_found(name):
    entry, found = INDEX[name], runs(name)
    assert {run.collective == "all-reduce" for run in found} == {entry["all_reduce"]}
    expected = [8, 16, 24, 32] if name == "24.txt" else [entry["nranks"]] * len(found)
    assert [run.ranks for run in found] == expected
    assert all(run.collective_from and run.ranks_from for run in found)


@pytest.mark.parametrize("name", INDEX)
def test_what_was_not_read_has_its_line_and_its_reason(name):
    log = read_nccl_log(text=text_of(name))
    lines = text_of(name).split("\n")
    for one in log.skipped:
        assert one.reason
        assert " ".join(lines[one.line - 1].replace("|", " ").split()).startswith(one.text.rstrip("…")[:40])
    assert not {one.line for one in log.skipped} & {row.line for run in log.runs for row in run.rows}


@pytest.mark.parametrize("name", [f"{n}.txt" for n in ("07", 10, 14, 27, 35, 36, 46, 48, 50)])
def test_a_last_row_that_is_cut_is_said_to_be(name):
    assert read_nccl_log(text=text_of(name)).skipped[-1].reason.startswith("cut short")


@pytest.mark.parametrize("name", FITTED)
def test_its_ring_is_that_of_the_reference(name):
    reference, found = INDEX[name]["reference_fit"], fit(name)
    assert (found.bandwidth is not None) == reference["B_identifiable"]
    if found.bandwidth is not None:
        assert found.bandwidth == pytest.approx(reference["B_GBps"] * 1e9, rel=1e-4)
        assert found.bandwidth_from < found.bandwidth < found.bandwidth_to
    if found.latency is not None:
        assert found.latency == pytest.approx(reference["alpha_us"] * 1e-6, rel=1e-4)
    assert found.latency is None or found.latency_from < found.latency < found.latency_to
    # Printed bandwidths have two decimals; the reference's medians differ in how they take the middle of an even count.
    assert found.best_bus_bandwidth == pytest.approx(reference["max_busbw_GBps"] * 1e9, rel=1e-3, abs=0.006e9)
    assert found.worst_error == pytest.approx(reference["max_rel_err"], abs=6e-4)
    assert found.median_error == pytest.approx(reference["median_rel_err"], abs=0.02)


@pytest.mark.parametrize("name", UNFIT)
def test_it_is_refused_with_the_reason(name):
    with pytest.raises(ModelError, match=UNFIT[name]):
        all_reduce_sample(run=runs(name)[0])


def test_each_row_of_a_summary_is_a_run_of_its_own():
    for run in runs("24.txt"):
        sample = all_reduce_sample(run=run)
        with pytest.raises(ModelError, match="expected two sizes or more, found 1"):
            fit_ring(sizes=sample.sizes, times=sample.times, ranks=sample.ranks)


@pytest.mark.parametrize("name", ["14.txt", "48.txt"])
def test_sizes_too_near_each_other_tell_neither_number(name):
    for run in runs(name):
        sample = all_reduce_sample(run=run)
        found = fit_ring(sizes=sample.sizes, times=sample.times, ranks=sample.ranks)
        assert found.bandwidth is None and found.latency is None
        assert found.most_latency * 2 * (sample.ranks - 1) == pytest.approx(min(sample.times))


def test_a_full_range_log_has_regimes_where_a_ring_fails():
    sample = all_reduce_sample(run=runs("02.txt")[0])
    ring = fit_ring(sizes=sample.sizes, times=sample.times, ranks=sample.ranks)
    found = fit_regimes(sizes=sample.sizes, times=sample.times)
    assert ring.median_error > 0.08 and ring.worst_error > 0.4
    assert found.left_out_median <= 0.02
    assert found.worst_error <= 0.15
    assert len(found.regimes) == 3
