"""What DeepSpeed's own estimators say, beside what its documentation says: both are quoted, and they differ.

They count states alone, of 18 bytes a parameter, and print GiB with the label GB.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from labs.model.quantities.errors import ModelError, shown
from labs.model.quantities.inputs import amount, count, outcome

Offload = Literal["none", "optimizer", "all"]
_MARGIN = 1.5
# Bytes of each parameter that a device shares with the others, and that the hosts share.
_ON_DEVICES: Mapping[str, int] = MappingProxyType({"none": 18, "optimizer": 2, "all": 0})
_ON_HOSTS: Mapping[str, int] = MappingProxyType({"none": 0, "optimizer": 16, "all": 18})


def deepspeed_zero2_device_memory(*, parameters: float, devices: int, offload: bool = False) -> float:
    """Return the memory of one device that DeepSpeed's ZeRO-2 estimator gives.

        bytes = 2 P + 18 P / N, or 2 P with the optimizer on the host

    Args:
        parameters: of the model, P [1]
        devices: of all nodes, N [1]
        offload: whether gradients and optimizer state are on the host

    Returns:
        parameters, gradients and optimizer state of one device [byte]

    Raises:
        ModelError: an input out of range

    Source:
        DeepSpeed, deepspeed/runtime/zero/stage_1_and_2.py, estimate_zero2_model_states_mem_needs

    >>> deepspeed_zero2_device_memory(parameters=8e9, devices=8)
    34000000000.0
    """
    whole = amount("parameters", parameters, "1")
    among = count("devices", devices)
    split = 0 if offload else 18 * whole / among
    return outcome("number of bytes", 2 * whole + split, "byte")


def deepspeed_zero2_documented_device_memory(*, parameters: float, devices: int) -> float:
    """Return the memory of one device that DeepSpeed's page on ZeRO-2 gives, and its code no longer does.

    The page leaves the gradients whole, which ZeRO-2 splits: for what a device needs, take the estimator's value.

        bytes = 4 P + 16 P / N

    Args:
        parameters: of the model, P [1]
        devices: of all nodes, N [1]

    Returns:
        the value as documented, without offloading [byte]

    Raises:
        ModelError: an input out of range

    Source:
        DeepSpeed, docs/code-docs/source/memory.rst, "GPU RAM"

    >>> deepspeed_zero2_documented_device_memory(parameters=8e9, devices=8)
    48000000000.0
    """
    whole = amount("parameters", parameters, "1")
    return outcome("number of bytes", 4 * whole + 16 * whole / count("devices", devices), "byte")


def deepspeed_zero2_host_memory(
    *, parameters: float, devices_per_node: int, nodes: int = 1, offload: bool = True
) -> float:
    """Return the memory of one host that DeepSpeed's ZeRO-2 estimator gives.

    With offloading the code takes the devices of all nodes, where the documentation says those of one.

        bytes = 1.5 P max(4 N, 16), or 1.5 P · 4 n to load the model without offloading

    Args:
        parameters: of the model, P [1]
        devices_per_node: on one host, n [1]
        nodes: hosts, so that N is n for each of them [1]
        offload: whether gradients and optimizer state are on the host

    Returns:
        memory of one host, with DeepSpeed's margin of 1.5 [byte]

    Raises:
        ModelError: an input out of range

    Source:
        DeepSpeed, deepspeed/runtime/zero/stage_1_and_2.py, estimate_zero2_model_states_mem_needs

    >>> deepspeed_zero2_host_memory(parameters=1e9, devices_per_node=8)
    48000000000.0
    """
    each = count("devices_per_node", devices_per_node)
    width = max(4 * each * count("nodes", nodes), 16) if offload else 4 * each
    return outcome("number of bytes", _MARGIN * width * amount("parameters", parameters, "1"), "byte")


def deepspeed_zero3_device_memory(
    *, parameters: float, largest_layer: float, devices: int, offload: Offload = "none"
) -> float:
    """Return the memory of one device that DeepSpeed's ZeRO-3 estimator gives.

    The largest layer is gathered: 2 bytes for each parameter, and 2 for its gradient.

        bytes = 4 P_layer + 18 P / N; with the optimizer on the host 4 P_layer + 2 P / N; with all there 4 P_layer

    Args:
        parameters: of the model, P [1]
        largest_layer: parameters of the largest module, P_layer [1]
        devices: of all nodes, N [1]
        offload: what is on the host: none, optimizer (gradients too) or all

    Returns:
        parameters, gradients and optimizer state of one device [byte]

    Raises:
        ModelError: an input out of range

    Source:
        DeepSpeed, deepspeed/runtime/zero/stage3.py, estimate_zero3_model_states_mem_needs

    >>> deepspeed_zero3_device_memory(parameters=8e9, largest_layer=1e8, devices=8)
    18400000000.0
    """
    split = _width(_ON_DEVICES, offload) * amount("parameters", parameters, "1") / count("devices", devices)
    return outcome("number of bytes", 4 * amount("largest_layer", largest_layer, "1") + split, "byte")


def deepspeed_zero3_host_memory(
    *,
    parameters: float,
    largest_layer: float,
    devices_per_node: int,
    nodes: int = 1,
    offload: Offload = "none",
    sharded_init: bool = True,
) -> float:
    """Return the memory of one host that DeepSpeed's ZeRO-3 estimator gives.

    Without sharded construction (zero.Init) each device's process makes the whole model on the host first.

        bytes = 1.5 P k / nodes, where k = 18 with all on the host and 16 with the optimizer there

    Args:
        parameters: of the model, P [1]
        largest_layer: parameters of the largest module [1]
        devices_per_node: on one host, n [1]
        nodes: hosts [1]
        offload: what is on the host: none, optimizer (gradients too) or all
        sharded_init: whether the model is made in parts; if not, at least 4 n bytes a parameter are needed

    Returns:
        memory of one host, with DeepSpeed's margin of 1.5 [byte]

    Raises:
        ModelError: an input out of range

    Source:
        DeepSpeed, deepspeed/runtime/zero/stage3.py, estimate_zero3_model_states_mem_needs

    >>> deepspeed_zero3_host_memory(parameters=1e9, largest_layer=1e8, devices_per_node=8, offload="all")
    27000000000.0
    """
    whole = amount("parameters", parameters, "1")
    layer = amount("largest_layer", largest_layer, "1")
    made = 4 * count("devices_per_node", devices_per_node)
    kept = _width(_ON_HOSTS, offload) / count("nodes", nodes)
    if sharded_init and offload == "none":
        return outcome("number of bytes", _MARGIN * layer * made, "byte")
    needed = whole * (kept if sharded_init else max(made, kept))
    return outcome("number of bytes", _MARGIN * needed, "byte")


def _width(widths: Mapping[str, int], offload: str) -> int:
    if offload not in widths:
        raise ModelError(
            f"expected offload to be one of {', '.join(widths)}, found {shown(offload)}", argument="offload"
        )
    return widths[offload]
