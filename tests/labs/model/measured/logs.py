"""The logs in tests/data/nccl. index.json says of each what it is and where it comes from."""

import json
from pathlib import Path

FOLDER = Path(__file__).parents[3] / "data" / "nccl"
INDEX = {entry["file"]: entry for entry in json.loads((FOLDER / "index.json").read_text(encoding="utf-8"))}


def text_of(name):
    return (FOLDER / name).read_text(encoding="utf-8")
