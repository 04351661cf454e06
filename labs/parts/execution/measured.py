"""What was measured of the published presets, beside what is predicted here, and why the two differ."""

from dataclasses import dataclass

from labs.model.steps.published import KORTHIKANTI, MEGATRON, PUBLISHED_RUNS
from labs.model.steps.step import Step
from labs.parts.execution.words import share, time

# DeepSeek-AI 2024, section 1: 180,000 GPU hours for 1e12 tokens; section 4.2: 15,360 sequences of 4,096 tokens.
DEEPSEEK_STEP = 180e3 * 3600 / 1e12 * 15360 * 4096 / 2048


@dataclass(frozen=True, kw_only=True)
class Measured:
    """A published run.

    Attributes:
        seconds: of a step, or None where utilization was published
        utilization: or None where a step's time was published [1]
        how: what was published, where it is not that itself
        why: why the prediction is off, in sentences
        source: authors, year and place; the preset has the whole
    """

    seconds: float | None = None
    utilization: float | None = None
    how: str = ""
    why: str = ""
    source: str

    def beside(self, step: Step) -> str:
        """Return the prediction and the measurement in a sentence."""
        if self.seconds is not None:
            said = f"Predicted: {time(step.time)} a step; measured: {time(self.seconds)}"
        else:
            said = f"Predicted: {share(step.utilization)} utilization; measured: {share(self.utilization or 0.0)}"
        return f"{said}{f', {self.how}' if self.how else ''} ({self.source})."


def _seconds(name: str, source: str) -> float:
    return next(run.time for run in PUBLISHED_RUNS if (run.name, run.source) == (name, source))


_LLAMA_3 = "Grattafiori et al. 2024, table 4"
_LLAMA_WHY = (
    "Here stages that differ by a layer have one chunk each, and wait for long; the paper splits them into interleaved "
    "chunks, by a schedule of its own that is not modelled."
)
MEASURED = {
    "gpt-3": Measured(seconds=_seconds("175B", KORTHIKANTI), source="Korthikanti et al. 2022, table 5"),
    "gpt-1t": Measured(
        seconds=_seconds("1T", MEGATRON),
        how="the time that 163 TFLOP/s on each GPU give",
        source="Narayanan et al. 2021, table 1",
    ),
    "llama-3": Measured(utilization=0.41, how="or 400 TFLOP/s on each GPU", why=_LLAMA_WHY, source=_LLAMA_3),
    "llama-3-long": Measured(utilization=0.38, how="or 380 TFLOP/s on each GPU", why=_LLAMA_WHY, source=_LLAMA_3),
    "deepseek-v3": Measured(
        seconds=DEEPSEEK_STEP,
        how="the time that 180,000 GPU hours for 1e12 tokens give",
        why=(
            "The report's DualPipe hides the exchange of tokens behind compute; a token goes to 4 nodes at most, in 8 "
            "bits on its way to the experts; matrices are multiplied in 8 bits. None of this is modelled."
        ),
        source="DeepSeek-AI 2024, sections 1 and 4.2",
    ),
}
