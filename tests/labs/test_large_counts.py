"""Counts far beyond any slider: each lab answers, or refuses at the control, before a reader gives up."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import pytest

from labs.answer import Refused, answered_frame
from labs.catalog import LABS
from labs.lab import Control, Lab

LARGE = (10**5, 10**9, 10**15)
PATIENCE = 2  # seconds that one answer may take; the largest of those that are given take a tenth of it
PAGE = 100_000  # characters of HTML
COUNTS = [
    pytest.param(module.LAB, control, id=f"{name}-{control.name}")
    for name, module in LABS.items()
    for control in module.LAB.controls
    if isinstance(control, Control) and control.whole
]


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Stop what takes longer: it may be about to take all memory."""

    def stop(number: int, where: FrameType | None) -> None:
        raise TimeoutError(f"no answer in {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize(("lab", "control"), COUNTS)
def test_a_large_count_is_answered_soon_or_refused_at_its_control(lab: Lab, control: Control) -> None:
    for given in ({}, *(preset.inputs for preset in lab.presets)):
        for large in LARGE:
            values = lab.inputs({**given, control.name: large})
            try:
                with within(PATIENCE):
                    answered = answered_frame(LABS[lab.id], values)
            except Refused as refused:
                assert refused.control == control.name, (dict(given), large, refused.message)
            else:
                assert len(answered["html"]) < PAGE, (dict(given), large)
