"""Training runs whose step time was published, and what the model says of them.

One number is fitted: the efficiency of arithmetic, EFFICIENCY in labs/model/steps/compute.py. The runs are of a time
when the exchanges of tensor ranks and gradients did not run behind compute and attention's scores were kept: overlap
and flash are off.
"""

from dataclasses import dataclass

from labs.model.machines.named import named_machine
from labs.model.plans.plan import Plan
from labs.model.steps.compute import EFFICIENCY
from labs.model.steps.step import Step, step_time
from labs.model.steps.work import megatron_step_flops
from labs.model.transformers.transformer import Transformer, gpt

MEGATRON = (
    "Narayanan et al. 2021, Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM"
    " (arXiv 2104.04473), table 1; its partitions: NVIDIA/Megatron-LM,"
    " examples/academic_paper_scripts/sc21/run_table_1.sh"
)
KORTHIKANTI = (
    "Korthikanti et al. 2022, Reducing Activation Recomputation in Large Transformer Models (arXiv 2205.05198), table 5"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedRun:
    """A run on A100 GPUs of 80 GB, eight to a node.

    Attributes:
        name: the model as the paper calls it
        model: its config
        plan: how it was split
        time: of a step, as published or as the published rate gives it [s]
        rate: achieved by each GPU, where that is what was published [FLOP/s]
        source: paper and table
    """

    name: str
    model: Transformer
    plan: Plan
    time: float
    rate: float | None
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """A published run beside the model's step.

    Attributes:
        run: as published
        step: as predicted, part by part
        error: of the predicted time, as a share of the published one [1]
    """

    run: PublishedRun
    step: Step
    error: float


@dataclass(frozen=True, slots=True)
class _Row:
    name: str
    hidden: int
    layers: int
    heads: int
    tensor: int
    pipeline: int
    data: int
    microbatch: int
    global_batch: int
    interleave: int
    rate: float | None = None
    seconds: float | None = None

    def run(self, source: str) -> PublishedRun:
        plan = Plan(
            tensor=self.tensor,
            pipeline=self.pipeline,
            data=self.data,
            microbatch=self.microbatch,
            accumulation=self.global_batch // (self.microbatch * self.data),
            interleave=self.interleave,
            recompute="full",
        )
        model = gpt(hidden=self.hidden, layers=self.layers, heads=self.heads, name=f"GPT {self.name}")
        if self.seconds is not None:
            time = self.seconds
        else:
            work = megatron_step_flops(
                batch=self.global_batch,
                sequence=model.sequence,
                layers=self.layers,
                hidden=self.hidden,
                vocabulary=model.vocabulary,
            )
            time = work / (plan.devices * (self.rate or 0.0))
        return PublishedRun(name=self.name, model=model, plan=plan, time=time, rate=self.rate, source=source)


# name, hidden, layers, heads, tensor, pipeline, data, microbatch, global batch, chunks of a stage
_MEGATRON = (
    _Row("1.7B", 2304, 24, 24, 1, 1, 32, 16, 512, 1, rate=137e12),
    _Row("3.6B", 3072, 30, 32, 2, 1, 32, 16, 512, 1, rate=138e12),
    _Row("7.5B", 4096, 36, 32, 4, 1, 32, 16, 512, 1, rate=142e12),
    _Row("18B", 6144, 40, 48, 8, 1, 32, 8, 1024, 1, rate=135e12),
    _Row("39B", 8192, 48, 64, 8, 2, 32, 4, 1536, 1, rate=138e12),
    _Row("76B", 10240, 60, 80, 8, 4, 32, 2, 1792, 3, rate=140e12),
    _Row("145B", 12288, 80, 96, 8, 8, 24, 2, 2304, 2, rate=148e12),
    _Row("310B", 16384, 96, 128, 8, 16, 15, 1, 2160, 2, rate=155e12),
    _Row("530B", 20480, 105, 128, 8, 35, 9, 1, 2520, 3, rate=163e12),
    _Row("1T", 25600, 128, 160, 8, 64, 6, 1, 3072, 1, rate=163e12),
)
_KORTHIKANTI = (
    _Row("22B", 6144, 48, 64, 8, 1, 1, 4, 4, 1, seconds=1.42),
    _Row("175B", 12288, 96, 96, 8, 8, 1, 1, 64, 3, seconds=18.13),
    _Row("530B", 20480, 105, 128, 8, 35, 1, 1, 280, 3, seconds=49.05),
    _Row("1T", 25600, 128, 160, 8, 64, 1, 1, 512, 1, seconds=94.42),
)


# All with full recomputation. Where a rate was published, the time is the paper's own count of FLOPs over it.
PUBLISHED_RUNS = (*(row.run(MEGATRON) for row in _MEGATRON), *(row.run(KORTHIKANTI) for row in _KORTHIKANTI))


def predicted(*, run: PublishedRun, efficiency: float = EFFICIENCY) -> Prediction:
    """Return what the model says of a published run.

        error = predicted time / published time − 1

    Args:
        run: with its plan
        efficiency: share of the peak that arithmetic reaches where it waits for nothing [1]

    Returns:
        the predicted step and its error

    Raises:
        ModelError: an efficiency that is no share

    Source:
        step_time, with overlap and flash off

    >>> abs(predicted(run=PUBLISHED_RUNS[0]).error) < 0.1
    True
    """
    machine = named_machine(name="DGX A100 80GB", devices=run.plan.devices)
    step = step_time(
        model=run.model, plan=run.plan, machine=machine, efficiency=efficiency, overlap=False, flash=False
    )
    return Prediction(run=run, step=step, error=step.time / run.time - 1)
