"""Units: the call that gives each published value."""

from labs.model.quantities.units import convert, parse_quantity

CALLS = {
    "size-suffix-8G": lambda x: parse_quantity(f"{x} GiB", "byte"),
    "70b-bf16-gb": lambda P: convert(2 * P, "byte", "GB"),
    "70b-bf16-gib": lambda P: convert(2 * P, "byte", "GiB"),
}
