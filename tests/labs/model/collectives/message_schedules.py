"""Every algorithm as messages, written down from its publication: what test_collectives.py counts and carries out.

A step is a list of messages (source, destination, chunks, added or taken over); all messages of a step leave before any
arrives. Chunks are equal parts of the payload; of an all-to-all they are pairs (from, to).
"""

from collections import defaultdict
from fractions import Fraction


def log(p):
    return (p - 1).bit_length()


def left(p):
    """Return the largest power of two that is not above p."""
    return 1 << (p.bit_length() - 1)


def everything(p):
    return range(p)


def ring_reduce_scatter(p):
    return [[(r, (r + 1) % p, [(r - 1 - s) % p], "add") for r in range(p)] for s in range(p - 1)]


def ring_all_gather(p):
    return [[(r, (r + 1) % p, [(r - s) % p], "take") for r in range(p)] for s in range(p - 1)]


def pairwise_reduce_scatter(p):
    return [[(r, (r + s) % p, [(r + s) % p], "add") for r in range(p)] for s in range(1, p)]


def direct_reduce_scatter(p):
    return [[(r, d, [d], "add") for r in range(p) for d in range(p) if d != r]]


def direct_all_gather(p):
    return [[(r, d, [r], "take") for r in range(p) for d in range(p) if d != r]]


def one_shot(p):
    return [[(r, d, everything(p), "add") for r in range(p) for d in range(p) if d != r]]


def binomial_reduce(p, chunks=None):
    chunks = chunks or everything(p)
    return [[(r, r - (1 << k), chunks, "add") for r in range(1 << k, p, 2 << k)] for k in range(log(p))]


def binomial_broadcast(p):
    return [
        [(r, r + (1 << k), everything(p), "take") for r in range(0, p, 2 << k) if r + (1 << k) < p]
        for k in reversed(range(log(p)))
    ]


def binomial_scatter(p):
    return [
        [
            (r, r + (1 << k), range(r + (1 << k), min(r + (2 << k), p)), "take")
            for r in range(0, p, 2 << k)
            if r + (1 << k) < p
        ]
        for k in reversed(range(log(p)))
    ]


def fold(p, chunks):
    q = left(p)
    return [[(r, r - q, chunks, "add") for r in range(q, p)]] if q < p else []


def unfold(p, chunks):
    q = left(p)
    return [[(r - q, r, chunks, "take") for r in range(q, p)]] if q < p else []


def exchange(p, chunks, how):
    return [[(r, r ^ (1 << k), chunks, how) for r in range(p)] for k in range(log(p))]


def recursive_doubling_all_reduce(p):
    return [*fold(p, everything(p)), *exchange(left(p), everything(p), "add"), *unfold(p, everything(p))]


def block(rank, size):
    """Return the chunks of the aligned block of a size that holds a rank's own chunk."""
    return range(rank // size * size, rank // size * size + size)


def recursive_halving(q):
    """Return a reduce-scatter in which the distance halves: each rank keeps the block that it lies in."""
    return [[(r, r ^ (1 << k), block(r ^ (1 << k), 1 << k), "add") for r in range(q)] for k in reversed(range(log(q)))]


def recursive_doubling_all_gather(q):
    return [[(r, r ^ (1 << k), block(r, 1 << k), "take") for r in range(q)] for k in range(log(q))]


def rabenseifner_all_reduce(p):
    q = left(p)
    return [
        *fold(p, everything(q)),
        *recursive_halving(q),
        *recursive_doubling_all_gather(q),
        *unfold(p, everything(q)),
    ]


def rabenseifner_reduce(p):
    q = left(p)
    gather = [[(r, r - (1 << k), block(r, 1 << k), "take") for r in range(1 << k, q, 2 << k)] for k in range(log(q))]
    return [*fold(p, everything(q)), *recursive_halving(q), *gather]


def bruck_all_gather(p):
    return [
        [(r, (r - (1 << k)) % p, [(r + i) % p for i in range(min(1 << k, p - (1 << k)))], "take") for r in range(p)]
        for k in range(log(p))
    ]


def bruck_all_to_all(p):
    """Move a part that has to go a distance d by 2ᵏ in step k where bit k of d is set."""
    steps = []
    for k in range(log(p)):
        parts = defaultdict(list)
        for source in range(p):
            for distance in range(p):
                if distance >> k & 1:
                    parts[(source + distance % (1 << k)) % p].append((source, (source + distance) % p))
        steps.append([(r, (r + (1 << k)) % p, parts[r], "take") for r in range(p)])
    return steps


def pairwise_all_to_all(p):
    return [[(r, (r + s) % p, [(r, (r + s) % p)], "take") for r in range(p)] for s in range(1, p)]


def direct_all_to_all(p):
    return [[(r, d, [(r, d)], "take") for r in range(p) for d in range(p) if d != r]]


def ring_all_to_all(p):
    """Pass on what has not arrived: after s steps that is what goes further than s."""
    return [
        [
            ((source + s) % p, (source + s + 1) % p, [(source, (source + d) % p) for d in range(s + 1, p)], "take")
            for source in range(p)
        ]
        for s in range(p - 1)
    ]


SCHEDULES = {
    ("all-reduce", "ring"): lambda p: ring_reduce_scatter(p) + ring_all_gather(p),
    ("all-reduce", "binomial tree"): lambda p: binomial_reduce(p) + binomial_broadcast(p),
    ("all-reduce", "recursive doubling"): recursive_doubling_all_reduce,
    ("all-reduce", "Rabenseifner"): rabenseifner_all_reduce,
    ("all-reduce", "one-shot"): one_shot,
    ("all-reduce", "two-shot"): lambda p: direct_reduce_scatter(p) + direct_all_gather(p),
    ("reduce-scatter", "ring"): ring_reduce_scatter,
    ("reduce-scatter", "recursive halving"): recursive_halving,
    ("reduce-scatter", "pairwise"): pairwise_reduce_scatter,
    ("reduce-scatter", "direct"): direct_reduce_scatter,
    ("all-gather", "ring"): ring_all_gather,
    ("all-gather", "recursive doubling"): recursive_doubling_all_gather,
    ("all-gather", "Bruck"): bruck_all_gather,
    ("all-gather", "direct"): direct_all_gather,
    ("broadcast", "binomial tree"): binomial_broadcast,
    ("broadcast", "scatter and all-gather"): lambda p: binomial_scatter(p) + ring_all_gather(p),
    ("reduce", "binomial tree"): binomial_reduce,
    ("reduce", "Rabenseifner"): rabenseifner_reduce,
    ("all-to-all", "pairwise"): pairwise_all_to_all,
    ("all-to-all", "direct"): direct_all_to_all,
    ("all-to-all", "Bruck"): bruck_all_to_all,
    ("all-to-all", "ring"): ring_all_to_all,
    ("send-recv", "direct"): lambda p: [[(0, 1, everything(p), "take")]],
}


def chunk_count(algorithm, p):
    return left(p) if algorithm == "Rabenseifner" else p


def before(operation, p, chunks):
    """Return what each rank holds at first: for each chunk, whose numbers are in it."""
    if operation == "all-gather":
        return [{r: frozenset([r])} for r in range(p)]
    if operation in ("broadcast", "send-recv"):
        return [dict.fromkeys(range(chunks), frozenset([0])) if r == 0 else {} for r in range(p)]
    if operation == "all-to-all":
        return [{(r, d): frozenset([r]) for d in range(p)} for r in range(p)]
    return [dict.fromkeys(range(chunks), frozenset([r])) for r in range(p)]


def after(operation, p, chunks):
    """Return what each rank must hold in the end."""
    whole = frozenset(range(p))
    if operation == "all-reduce":
        return [dict.fromkeys(range(chunks), whole) for _ in range(p)]
    if operation == "reduce-scatter":
        return [{r: whole} for r in range(p)]
    if operation == "all-gather":
        return [{c: frozenset([c]) for c in range(p)} for _ in range(p)]
    if operation == "reduce":
        return [dict.fromkeys(range(chunks), whole)] + [{}] * (p - 1)
    if operation == "all-to-all":
        return [{(s, r): frozenset([s]) for s in range(p)} for r in range(p)]
    reached = p if operation == "broadcast" else 2
    return [dict.fromkeys(range(chunks), frozenset([0])) if r < reached else {} for r in range(p)]


def carry_out(schedule, held):
    """Carry out all messages; nothing may be added to a sum that is in it already."""
    for step in schedule:
        arriving = [(d, c, held[s][c], how) for s, d, chunks, how in step for c in chunks]
        for destination, chunk, numbers, how in arriving:
            if how == "add":
                assert not held[destination][chunk] & numbers
                held[destination][chunk] |= numbers
            else:
                held[destination][chunk] = numbers
    return held


def counted(schedule, chunks):
    """Return steps, path and what the busiest rank sends or receives, in payloads."""
    path = Fraction(0)
    sent, received = defaultdict(Fraction), defaultdict(Fraction)
    for step in schedule:
        leaving, arriving = defaultdict(Fraction), defaultdict(Fraction)
        for source, destination, parts, _ in step:
            leaving[source] += Fraction(len(parts), chunks)
            arriving[destination] += Fraction(len(parts), chunks)
        path += max(*leaving.values(), *arriving.values(), 0)
        for total, now in ((sent, leaving), (received, arriving)):
            for rank, volume in now.items():
                total[rank] += volume
    assert sum(sent.values()) == sum(received.values())
    return len(schedule), path, max(*sent.values(), *received.values(), 0)
