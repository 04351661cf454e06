"""Rooflines: whether arithmetic or bytes set the time, and from which batch on a split is worth its bytes.

Symbols: C arithmetic of one device [FLOP/s], W the bandwidth that its bytes meet [byte/s]. For a network, W is what one
device sends in one direction; along a ring that both directions serve, both together.
"""

from math import sqrt

from labs.model.quantities.inputs import amount, count, outcome, positive


def critical_intensity(*, compute: float, bandwidth: float) -> float:
    """Return the arithmetic intensity above which arithmetic, not bytes, sets the time.

        I = C / W

    Args:
        compute: arithmetic of one device, C [FLOP/s]
        bandwidth: of its memory, or of its links, W [byte/s]

    Returns:
        arithmetic for each byte moved; for matrices of 16 bit read from memory, the tokens of a batch too [FLOP/byte]

    Raises:
        ModelError: an input out of range

    Source:
        S. Williams, A. Waterman, D. Patterson, Roofline: An Insightful Visual Performance Model, 2009

    >>> critical_intensity(compute=1e15, bandwidth=4e12)
    250.0
    """
    rate = positive("bandwidth", bandwidth, "byte/s")
    return outcome("critical intensity", positive("compute", compute, "FLOP/s") / rate, "FLOP per byte")


def roofline_time(*, work: float, traffic: float, compute: float, bandwidth: float) -> float:
    """Return the time of an operation whose arithmetic and bytes overlap perfectly.

        T = max(F / C, Q / W)

    Args:
        work: arithmetic, F [FLOP]
        traffic: bytes moved, Q [byte]
        compute: arithmetic of one device, C [FLOP/s]
        bandwidth: of what they are moved over, W [byte/s]

    Returns:
        the longer of both [s]

    Raises:
        ModelError: an input out of range

    Source:
        S. Williams, A. Waterman, D. Patterson, Roofline: An Insightful Visual Performance Model, 2009

    >>> roofline_time(work=1e12, traffic=1e9, compute=1e15, bandwidth=4e12)
    0.001
    """
    working = amount("work", work, "FLOP") / positive("compute", compute, "FLOP/s")
    moving = amount("traffic", traffic, "byte") / positive("bandwidth", bandwidth, "byte/s")
    return outcome("time", max(working, moving), "s")


def critical_contraction(*, compute: float, bandwidth: float, width: float = 2) -> float:
    """Return the length of a contraction above which two devices that halve it are bound by arithmetic.

    Each multiplies matrices B × D / 2 and D / 2 × F, in B D F FLOP, and sends its sums, w B F bytes.

        D = w C / W

    Args:
        compute: arithmetic of one device, C [FLOP/s]
        bandwidth: of the link between both, one direction, W [byte/s]
        width: of one number that is sent, w [byte]

    Returns:
        length of the dimension that is summed over, D [1]

    Raises:
        ModelError: an input out of range

    Source:
        The JAX scaling book, chapter "All About Rooflines", "Network communication rooflines"

    >>> critical_contraction(compute=200e12, bandwidth=50e9)
    8000.0
    """
    return positive("width", width, "byte") * critical_intensity(compute=compute, bandwidth=bandwidth)


def data_parallel_critical_batch(
    *, compute: float, bandwidth: float, axes: int = 1, width: float = 2, sparsity: float = 1
) -> float:
    """Return the tokens of each device above which its arithmetic hides the exchange of gradients.

    Backward, a token costs 4 FLOP for each parameter that it meets, and each parameter's gradient is scattered and
    gathered once: 2 w bytes. ZeRO-3 has the same limit: it gathers w bytes forward, against 2 FLOP.

        b = (w / 2) · (E / k) · C / (n W)

    Args:
        compute: arithmetic of one device, C [FLOP/s]
        bandwidth: at which it sends along one axis, W [byte/s]
        axes: of a torus that the exchange runs along at once, n [1]
        width: of one gradient that is sent, w [byte]
        sparsity: parameters over those that a token meets, E / k for experts [1]

    Returns:
        tokens of one step on one device [1]

    Raises:
        ModelError: an input out of range

    Source:
        The JAX scaling book, chapters "How to Parallelize a Transformer for Training", "Data Parallelism", and "How
        to Think About GPUs", "Data parallelism"

    >>> data_parallel_critical_batch(compute=1e15, bandwidth=400e9)
    2500.0
    """
    of_one_axis = critical_intensity(compute=compute, bandwidth=bandwidth) / count("axes", axes)
    each = positive("width", width, "byte") / 2 * positive("sparsity", sparsity, "1")
    return outcome("critical batch", each * of_one_axis, "1")


def data_parallel_limit(*, batch: float, compute: float, bandwidth: float, axes: int = 1, width: float = 2) -> int:
    """Return how many devices a batch keeps bound by arithmetic if it is split over all of them.

        N = ⌊B / b⌋,  b = (w / 2) C / (n W)

    Args:
        batch: tokens of one step, B [1]
        compute: arithmetic of one device, C [FLOP/s]
        bandwidth: at which it sends along one axis, W [byte/s]
        axes: of a torus that the exchange runs along at once, n [1]
        width: of one gradient that is sent, w [byte]

    Returns:
        devices [1]

    Raises:
        ModelError: an input out of range

    Source:
        The JAX scaling book, chapter "How to Parallelize a Transformer for Training", "Data Parallelism"

    >>> data_parallel_limit(batch=1e6, compute=1e15, bandwidth=400e9)
    400
    """
    each = data_parallel_critical_batch(compute=compute, bandwidth=bandwidth, axes=axes, width=width)
    return int(outcome("number of devices", amount("batch", batch, "1") / each, "1"))


def tensor_parallel_limit(*, ffn: int, compute: float, bandwidth: float, axes: int = 1, width: float = 2) -> float:
    """Return the tensor ranks up to which an MLP's arithmetic hides its exchange of activations.

    Of an MLP's two matrices each rank multiplies 4 h f / t FLOP for each token; it gathers and scatters w h bytes each.

        t = (2 / w) · f n W / C

    Args:
        ffn: width of the MLP, f [1]
        compute: arithmetic of one device, C [FLOP/s]
        bandwidth: at which it sends along one axis, W [byte/s]
        axes: of a torus that the exchange runs along at once, n [1]
        width: of one activation that is sent, w [byte]

    Returns:
        ranks, not rounded [1]

    Raises:
        ModelError: an input out of range

    Source:
        The JAX scaling book, chapters "How to Parallelize a Transformer for Training", "Tensor Parallelism", and "How
        to Think About GPUs", "Tensor parallelism"

    >>> tensor_parallel_limit(ffn=25000, compute=1e15, bandwidth=400e9)
    10.0
    """
    each = positive("width", width, "byte") / 2 * critical_intensity(compute=compute, bandwidth=bandwidth)
    return outcome("number of ranks", count("ffn", ffn) * count("axes", axes) / each, "1")


def best_data_ranks(*, batch: float, ffn: int, devices: int, data_axes: int = 1, tensor_axes: int = 1) -> float:
    """Return the ranks for data and state, of all devices, that send least where the others split tensors.

    With x of them, gathered parameters take a time in proportion to f / (y nₓ), activations one to B / (x n_y); y is
    N / x, and both are equal at

        x = √(B / f · nₓ / n_y · N)

    Args:
        batch: tokens of one step, B [1]
        ffn: width of the MLP, f [1]
        devices: in all, N [1]
        data_axes: of a torus for data and state, nₓ [1]
        tensor_axes: of a torus for tensors, n_y [1]

    Returns:
        ranks, not rounded [1]

    Raises:
        ModelError: an input out of range

    Source:
        The JAX scaling book, chapter "How to Parallelize a Transformer for Training", "Combining FSDP and Tensor
        Parallelism"

    >>> best_data_ranks(batch=64000, ffn=32000, devices=32)
    8.0
    """
    share = amount("batch", batch, "1") / count("ffn", ffn)
    ranks = sqrt(share * count("data_axes", data_axes) / count("tensor_axes", tensor_axes) * count("devices", devices))
    return outcome("number of ranks", ranks, "1")


def mixed_critical_batch(
    *, compute: float, bandwidth: float, ffn: int, data_axes: int = 1, tensor_axes: int = 1
) -> float:
    """Return the tokens of each device above which the best mix of ZeRO-3 and tensor ranks is bound by arithmetic.

        b = 4 (C / W)² / (nₓ n_y f)

    Args:
        compute: arithmetic of one device, C [FLOP/s]
        bandwidth: at which it sends along one axis, W [byte/s]
        ffn: width of the MLP, f [1]
        data_axes: of a torus for data and state, nₓ [1]
        tensor_axes: of a torus for tensors, n_y [1]

    Returns:
        tokens of one step on one device, for numbers of 16 bit [1]

    Raises:
        ModelError: an input out of range

    Source:
        The JAX scaling book, chapter "How to Parallelize a Transformer for Training", "Combining FSDP and Tensor
        Parallelism"

    >>> mixed_critical_batch(compute=1e15, bandwidth=400e9, ffn=25000)
    1000.0
    """
    intensity = critical_intensity(compute=compute, bandwidth=bandwidth)
    axes = count("data_axes", data_axes) * count("tensor_axes", tensor_axes)
    return outcome("critical batch", 4 * intensity * (intensity / (axes * count("ffn", ffn))), "1")
