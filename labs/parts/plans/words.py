"""What the plans lab says in notes: which plans were tried, and what the ranking leaves open."""

from labs.model.steps.search import Search
from labs.model.steps.splits import (
    FULLEST_STAGE,
    LARGEST_INTERLEAVE,
    LARGEST_TENSOR,
    MICROBATCHES,
    TOKENS_OF_A_CONTEXT_RANK,
)

_SIZES = ", ".join(map(str, MICROBATCHES[:-1]))
_ABOVE = f"{100 * (FULLEST_STAGE - 1):.0f} %"
TRIED = (
    f"Tried are up to {LARGEST_TENSOR} tensor ranks, context ranks with {TOKENS_OF_A_CONTEXT_RANK:,} tokens or more, "
    f"stages in up to {LARGEST_INTERLEAVE} chunks, uneven stages of which the fullest holds at most {_ABOVE} more "
    f"layers than the average, microbatches of {_SIZES} and {MICROBATCHES[-1]} sequences, ZeRO, and full "
    "recomputation. Attention keeps no scores, so selective recomputation would spare nothing."
)
UNEVEN = f"Uneven stages are timed as if all held the average, which is up to {_ABOVE} too short."


def notes(search: Search) -> list[str]:
    """Return which plans were tried, and what is not known of them."""
    said = [TRIED]
    if any(each.plan.uneven for each in search.feasible):
        said.append(UNEVEN)
    if search.slower:
        said.append(f"{len(search.slower):,} of them are no faster than these, whether they fit or not.")
    return said
