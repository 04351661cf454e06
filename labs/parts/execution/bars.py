"""The parts of stacked bars."""

from typing import Any


def without_nothing(parts: list[dict[str, Any]], rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return parts and rows of bars without the parts that no row has."""
    kept = [index for index in range(len(parts)) if any(row["values"][index] for row in rows)]
    return {
        "parts": [parts[index] for index in kept],
        "rows": [row | {"values": [row["values"][index] for index in kept]} for row in rows],
    }
