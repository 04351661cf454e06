"""Parameters, gradients and optimizer state on one device, by ZeRO stage."""

from dataclasses import dataclass

from labs.model.device_memory.conventions import Convention
from labs.model.quantities.inputs import amount, count, outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class States:
    """What one device keeps from step to step.

    Attributes:
        parameters: and nothing else of them [byte]
        gradients: as they wait for the update [byte]
        optimizer: master copies and moments [byte]
        total: all three [byte]
    """

    parameters: float
    gradients: float
    optimizer: float
    total: float


def zero_states(*, parameters: float, ranks: int, zero: int, convention: Convention) -> States:
    """Return the states of one device under ZeRO, of parameters that tensor and pipeline ranks have divided already.

    Stage 1 splits the optimizer state, 2 the gradients too, 3 the parameters too. Nothing is divided twice: ranks are
    those that hold the same parameters (data × context; of experts, data × context / expert), not all devices.

        bytes = P (w / r₃ + g / r₂ + o / r₁), where rᵢ is r from ZeRO stage i on, and 1 below it

    Args:
        parameters: of one device before ZeRO: of the model, over t · p, P [1]
        ranks: that hold the same parameters, r [1]
        zero: stage, 0 to 3 [1]
        convention: bytes w of each parameter, g of its gradient, o of its optimizer state

    Returns:
        the attributes of States, each with its unit

    Raises:
        ModelError: an input out of range

    Source:
        Rajbhandari et al., ZeRO (arXiv 1910.02054), section 5 and figure 1

    >>> from labs.model.device_memory.conventions import CONVENTIONS
    >>> [zero_states(parameters=8e9, ranks=64, zero=stage, convention=CONVENTIONS["mixed"]).total for stage in range(4)]
    [128000000000.0, 33500000000.0, 17750000000.0, 2000000000.0]
    """
    held = amount("parameters", parameters, "1")
    shares = count("ranks", ranks)
    stage = count("zero", zero, at_least=0, at_most=3)
    kept = held * convention.parameters / (shares if stage == 3 else 1)
    gradients = held * convention.gradients / (shares if stage >= 2 else 1)
    optimizer = held * convention.optimizer / (shares if stage >= 1 else 1)
    return States(
        parameters=kept,
        gradients=gradients,
        optimizer=optimizer,
        total=outcome("number of bytes", kept + gradients + optimizer, "byte"),
    )
