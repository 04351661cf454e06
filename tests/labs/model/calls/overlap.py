"""Overlap: the call that gives each published value."""

from labs.model.quantities.units import convert, parse_quantity
from labs.model.timelines.buckets import HOROVOD_FUSION_BUFFER, bucket_count
from labs.model.timelines.overlap import exposed_communication, overlap_bounds


def exposed_ms(c, m):
    return convert(exposed_communication(communication=convert(c, "ms", "s"), hiding=convert(m, "ms", "s")), "s", "ms")


def buckets_of_mb(g, b):
    return bucket_count(payload=convert(g, "MB", "byte"), bucket=convert(b, "MB", "byte"))


CALLS = {
    "sb-overlap-bounds": lambda a, b: overlap_bounds(compute=a, communication=b).ratio,
    "overlap-exposed": exposed_ms,
    "ddp-buckets-350MB": buckets_of_mb,
}


def horovod_s_old_buffer():
    """1 GiB of gradients passes Horovod's buffer in 8 rounds, not in the 16 of its documented 64 MB."""
    assert parse_quantity("128 MiB", "byte") == HOROVOD_FUSION_BUFFER
    assert bucket_count(payload=2**30, bucket=HOROVOD_FUSION_BUFFER) == 8


NOT_GIVEN = {"bad-horovod-fusion-doc": horovod_s_old_buffer}
