"""DeepSpeed's estimators: the tables that its page prints for t5-3b on one node of eight."""

import math

import pytest

from labs.model.device_memory.deepspeed import (
    deepspeed_zero2_device_memory,
    deepspeed_zero2_documented_device_memory,
    deepspeed_zero2_host_memory,
    deepspeed_zero3_device_memory,
    deepspeed_zero3_host_memory,
)
from labs.model.quantities.errors import ModelError

P, LAYER, GIB = 2851e6, 32e6, 2**30


@pytest.mark.parametrize(
    ("offload", "sharded", "host", "device"),
    [
        ("all", True, 71.69, 0.12),
        ("all", False, 127.45, 0.12),
        ("optimizer", True, 63.72, 0.78),
        ("optimizer", False, 127.45, 0.78),
        ("none", True, 1.43, 6.09),
        ("none", False, 127.45, 6.09),
    ],
)
def test_the_table_of_zero_3(offload, sharded, host, device):
    on_host = deepspeed_zero3_host_memory(
        parameters=P, largest_layer=LAYER, devices_per_node=8, offload=offload, sharded_init=sharded
    )
    on_device = deepspeed_zero3_device_memory(parameters=P, largest_layer=LAYER, devices=8, offload=offload)
    assert math.isclose(on_host / GIB, host, abs_tol=0.006)
    assert math.isclose(on_device / GIB, device, abs_tol=0.006)


def test_nodes_share_what_is_on_hosts():
    one, two = (
        deepspeed_zero3_host_memory(parameters=P, largest_layer=LAYER, devices_per_node=8, nodes=nodes, offload="all")
        for nodes in (1, 2)
    )
    assert one == 2 * two


def test_zero_2_in_code_is_less_than_in_the_documentation_wherever_ranks_share():
    for devices in (2, 8, 64):
        in_code = deepspeed_zero2_device_memory(parameters=P, devices=devices)
        documented = deepspeed_zero2_documented_device_memory(parameters=P, devices=devices)
        assert math.isclose(documented - in_code, 2 * P * (1 - 1 / devices))
    assert deepspeed_zero2_device_memory(parameters=P, devices=8, offload=True) == 2 * P


def test_zero_2_on_the_host_counts_all_devices_with_offloading_and_one_node_without():
    def width(offload, nodes):
        needed = deepspeed_zero2_host_memory(parameters=P, devices_per_node=8, nodes=nodes, offload=offload)
        return needed / (1.5 * P)

    assert (width(True, 1), width(True, 2), width(False, 2)) == (32, 64, 32)
    assert deepspeed_zero2_host_memory(parameters=P, devices_per_node=1) == 1.5 * 16 * P


@pytest.mark.parametrize("call", [deepspeed_zero3_device_memory, deepspeed_zero3_host_memory])
def test_an_unknown_place_is_refused(call):
    devices = {"devices": 8} if call is deepspeed_zero3_device_memory else {"devices_per_node": 8}
    with pytest.raises(ModelError, match='expected offload to be one of none, optimizer, all, found "disk"'):
        call(parameters=P, largest_layer=LAYER, offload="disk", **devices)
