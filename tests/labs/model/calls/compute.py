"""Work and training time: the call that gives each published value."""

from labs.model.quantities.units import convert
from labs.model.steps.work import (
    achieved_flops,
    megatron_step_flops,
    model_flops_utilization,
    training_flops,
    training_time,
    training_work,
)
from labs.model.transformers.transformer import gpt


def days(N, T, n, rate, recompute="none"):
    work = training_flops(parameters=N, tokens=T, recompute=recompute)
    return convert(training_time(work=work, devices=n, rate=rate), "s", "d")


def days_with_recomputation(T, P, n, X):
    return days(P, T, n, convert(X, "TFLOP/s", "FLOP/s"), recompute="full")


def achieved(B, s, L, h, V, n, t):
    work = megatron_step_flops(batch=B, sequence=s, layers=L, hidden=h, vocabulary=V)
    return convert(achieved_flops(work=work, time=t, devices=n), "FLOP/s", "TFLOP/s")


def aggregate(n, x):
    work = 1e18
    each = convert(x, "TFLOP/s", "FLOP/s")
    return convert(work / training_time(work=work, devices=n, rate=each), "FLOP/s", "PFLOP/s")


def share_of_a100(x):
    rate = convert(x, "TFLOP/s", "FLOP/s")
    return 100 * model_flops_utilization(work=rate, time=1, devices=1, peak=312e12)


def cookbook_flops(L, h, s, V, T):
    """The tool counts the head forward only, and layers four times."""
    model = gpt(hidden=h, layers=L, heads=h // 128, vocabulary=V, sequence=s)
    work = training_work(model=model, sequences=T / s, recompute="full")
    return (work.total - work.forward - work.backward + 3 * (work.layers + work.attention) + work.head) / 1e21


CALLS = {
    "flops-70b": lambda N, T: training_flops(parameters=N, tokens=T),
    "days-4096-h100": lambda N, T, n, C, mfu: days(N, T, n, C * mfu),
    "mlm-days-175B-384": days_with_recomputation,
    "mlm-days-175B-1536": days_with_recomputation,
    "mlm-days-530B-560": days_with_recomputation,
    "mlm-days-530B-1120": days_with_recomputation,
    "gpt3-175b-tflops": achieved,
    "mtnlg-2240": achieved,
    "mtnlg-2800": achieved,
    "t1-agg-1.7B": aggregate,
    "t1-agg-39B": aggregate,
    "t1-agg-145B": aggregate,
    "t1-pct-peak": share_of_a100,
    "flops-gpt3-300b": cookbook_flops,
}
