"""Published runs: the rows are as the papers have them, and one efficiency predicts them."""

from dataclasses import replace

import pytest

from labs.model.steps.compute import EFFICIENCY
from labs.model.steps.published import PUBLISHED_RUNS, predicted
from labs.model.transformers.parameter_count import parameters

RUNS = PUBLISHED_RUNS
# Narayanan et al. 2021, table 1: parameters in billions and PFLOP/s of all GPUs.
TABLE = {
    "1.7B": (1.7, 4.4),
    "3.6B": (3.6, 8.8),
    "7.5B": (7.5, 18.2),
    "18B": (18.4, 34.6),
    "39B": (39.1, 70.8),
    "76B": (76.1, 143.8),
    "145B": (145.6, 227.1),
    "310B": (310.1, 297.4),
    "530B": (529.6, 410.2),
    "1T": (1008.0, 502.0),
}


def mean_error(efficiency: float) -> float:
    return sum(abs(predicted(run=run, efficiency=efficiency).error) for run in RUNS) / len(RUNS)


@pytest.mark.parametrize("run", [run for run in RUNS if run.rate], ids=lambda run: run.name)
def test_a_row_agrees_with_the_other_columns_of_its_table(run):
    billions, petaflops = TABLE[run.name]
    assert parameters(model=run.model).total / 1e9 == pytest.approx(billions, abs=0.06)
    assert run.rate * run.plan.devices / 1e15 == pytest.approx(petaflops, rel=0.005)


def test_a_published_time_agrees_with_the_rate_that_the_other_paper_has():
    """The 530B model on 280 GPUs in 49.05 s and on 2520 at 163 TFLOP/s: nine replicas, and their gradients."""
    alone, replicas = (run for run in RUNS if run.name == "530B")
    if alone.rate:
        alone, replicas = replicas, alone
    assert replicas.time / alone.time == pytest.approx(1.1, abs=0.05)


def test_one_efficiency_predicts_all_runs():
    assert mean_error(EFFICIENCY) <= 0.05
    assert max(abs(predicted(run=run).error) for run in RUNS) <= 0.15


def test_the_efficiency_is_the_one_that_fits_best():
    errors = {percent: mean_error(percent / 100) for percent in range(50, 80, 1)}
    assert min(errors, key=errors.__getitem__) == pytest.approx(100 * EFFICIENCY, abs=1)


def test_selective_recomputation_predicts_rows_that_were_not_fitted():
    """Korthikanti et al. 2022, table 5, "present work": sequence parallelism and selective recomputation."""
    published = {"22B": 1.10, "175B": 13.75, "530B": 37.83, "1T": 71.49}
    for run in RUNS:
        if run.rate is None:
            plan = replace(run.plan, recompute="selective", sequence_parallel=True)
            changed = replace(run, plan=plan, time=published[run.name])
            assert abs(predicted(run=changed).error) <= 0.11
