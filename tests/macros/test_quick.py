"""The quick engine answers, as the first thing after a start, what pages and readers ask."""

import gzip
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from macros.browser import build_parts
from macros.cards.load import load_cards
from macros.pages.equations import equation_labs
from macros.tries import Request, more_requests

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def unzipped(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return files with the parts of this site that an answer takes, and its lock file."""
    parts = build_parts(ROOT, ROOT / ".build" / "browser")
    folder = tmp_path_factory.mktemp("parts")
    files = {"lock": parts.lock}
    for target, path in parts.files.items():
        name = re.fullmatch(r"assets/lab/(\w+)\.[0-9a-f]{12}\.bin", target)
        if name:
            files[name[1]] = folder / name[1]
            files[name[1]].write_bytes(gzip.decompress(path.read_bytes()))
    return files


def ended_by(requests: Sequence[Request], unzipped: dict[str, Path]) -> list[Request]:
    """Return those that need more than the quick engine has, each asked of one that has just started."""
    file = unzipped["python"].parent / "requests.json"
    file.write_text(json.dumps(requests), encoding="utf-8")
    own = Path(sys.prefix) / "bin" / "node"
    given = [unzipped[name] for name in ("quick", "python", "memory", "supplement", "lock")]
    command = [str(own) if own.exists() else "node", "tests/macros/first_answers.mjs", *map(str, given), str(file)]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return [requests[number] for number in json.loads(done.stdout)]


def calculators() -> Iterator[Request]:
    """Yield what the calculators of this site's cards ask at their defaults, solved for each of their symbols."""
    for card in load_cards([ROOT / "cards"]).cards.values():
        for data, lab in equation_labs(card):
            defaults = {name: str(value) for name, value in lab.LAB.defaults().items()}
            for symbol in data["symbols"]:
                inputs = defaults | {"solve_for": symbol["name"]}
                yield {"id": 1, "lab": "engineering", "equation": data, "inputs": inputs}


def test_each_calculator_of_the_cards_is_answered(unzipped: dict[str, Path]) -> None:
    asked = list(calculators())
    assert len(asked) >= 20
    assert ended_by(asked, unzipped) == []


def test_what_readers_may_ask_is_answered_but_for_the_rarest(unzipped: dict[str, Path]) -> None:
    """By chance, and not what the engine was made with: no lab or calculator is left out, and few requests are."""
    asked = list(more_requests(seed=2))[::12]
    assert len({request["lab"] for request in asked}) >= 8
    assert len(ended_by(asked, unzipped)) <= len(asked) / 50
