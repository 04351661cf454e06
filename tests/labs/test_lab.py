"""What a lab declares, checked for every lab at once."""

import pytest

from labs.catalog import LABS
from labs.lab import Control, Lab, decades, doublings


def test_a_default_off_the_slider_is_refused() -> None:
    with pytest.raises(ValueError, match="expected the default 3 among the slider's stops"):
        Control(name="a", label="A", symbol="a", unit="1", default=3, stops=(1, 2))


def test_stops_rise() -> None:
    with pytest.raises(ValueError, match="expected stops that rise"):
        Control(name="a", label="A", symbol="a", unit="1", default=1, stops=(2, 1))


def test_round_stops() -> None:
    assert decades(1, 100) == (1, 2, 5, 10, 20, 50, 100)
    assert doublings(1, 8) == (1, 2, 4, 8)


@pytest.mark.parametrize("lab", [module.LAB for module in LABS.values()], ids=lambda lab: lab.id)
def test_every_stop_of_every_lab_is_answered(lab: Lab) -> None:
    for control in lab.controls:
        for stop in (control.stops[0], control.stops[-1]):
            assert LABS[lab.id].frame(**lab.defaults() | {control.name: stop})["metrics"]
