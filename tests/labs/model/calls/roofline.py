"""Rooflines: the call that gives each published value."""

from labs.model.machines.roofline import critical_contraction, critical_intensity


def intensity(C, W):
    return critical_intensity(compute=C, bandwidth=W)


CALLS = {
    "sb-v5e-intensity": intensity,
    "sb-h100-intensity": intensity,
    "sb-2chip-D": lambda C, W: critical_contraction(compute=C, bandwidth=W),
}
