"""Named machines: the numbers of their data sheets, and any number of whole nodes of them."""

import pytest

from labs.model.machines.named import MACHINES, named_machine
from labs.model.quantities.errors import ModelError


@pytest.mark.parametrize(
    ("name", "both_ways", "gigabits", "peak_of_all", "memory_bandwidth_of_all", "devices"),
    [
        # NVLink of one GPU both ways; then for all GPUs of a DGX or rack: bf16 with sparsity, twice what it is without.
        ("DGX A100 80GB", 600e9, 200, 5e15, 16.3e12, 8),
        ("DGX H100", 900e9, 400, 15.8e15, 26.8e12, 8),
        ("GB200 NVL72", 1800e9, 400, 360e15, 576e12, 72),
    ],
)
def test_numbers_agree_with_the_data_sheet_of_the_whole(
    name, both_ways, gigabits, peak_of_all, memory_bandwidth_of_all, devices
):
    machine = named_machine(name=name)
    *nvlink, cluster = machine.levels
    assert all(level.bandwidth == both_ways / 2 for level in nvlink)
    assert nvlink[-1].devices == devices
    assert cluster.bandwidth == gigabits * 1e9 / 8
    assert machine.peak * 2 * devices == pytest.approx(peak_of_all, rel=0.01)
    assert machine.memory_bandwidth * devices == pytest.approx(memory_bandwidth_of_all, rel=0.01)


@pytest.mark.parametrize("name", MACHINES)
def test_a_machine_has_as_many_devices_as_wanted(name):
    whole = named_machine(name=name)
    innermost, node = whole.levels[0].devices, whole.levels[-2].devices
    for devices in (1, innermost, node, 2 * node, 100 * node):
        machine = named_machine(name=name, devices=devices)
        assert machine.devices == devices
        assert machine.name == name
        links = [(level.name, level.bandwidth, level.latency) for level in machine.levels]
        assert links == [(level.name, level.bandwidth, level.latency) for level in whole.levels[: len(links)]]
    assert len(named_machine(name=name, devices=node).levels) == len(whole.levels) - 1
    assert named_machine(name=name, devices=whole.devices) == whole


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        (
            {"name": "DGX H10"},
            'expected name to be one of DGX A100 80GB, DGX H100, GB200 NVL72, found "DGX H10" '
            '(did you mean "DGX H100"?)',
        ),
        (
            {"name": "DGX H100", "devices": 100},
            "expected devices in whole groups of 8 on DGX H100, found 100 (96 or 104)",
        ),
        ({"name": "GB200 NVL72", "devices": 0}, "expected devices >= 1, found 0"),
    ],
)
def test_refusals(inputs, message):
    with pytest.raises(ModelError) as refusal:
        named_machine(**inputs)
    assert str(refusal.value) == message
