"""Each folder of tests/bad_cards holds cards with a mistake and, in expected.txt, what `check` says of them: all of it.

A new folder is a new test.
"""

import re
from pathlib import Path

import pytest

from macros.__main__ import main

BAD_CARDS = Path(__file__).parents[2] / "bad_cards"
FOLDERS = sorted(folder.name for folder in BAD_CARDS.iterdir() if folder.is_dir())
PLACE = re.compile(r"(?P<file>[^:]+\.json):(?P<line>[0-9]+):(?P<column>[0-9]+): (?:warning: )?/")


@pytest.mark.parametrize("folder", FOLDERS)
def test_check_says_exactly_what_is_wrong(folder, monkeypatch, capsys):
    monkeypatch.chdir(BAD_CARDS / folder)
    exit_code = main(["check", "."])
    output = capsys.readouterr()
    assert output.out == Path("expected.txt").read_text(encoding="utf-8")
    assert output.err == ""
    assert exit_code == (0 if ", 0 problems" in output.out.splitlines()[-1] else 1)


@pytest.mark.parametrize("folder", FOLDERS)
def test_each_expected_place_is_in_the_file(folder):
    lines = (BAD_CARDS / folder / "expected.txt").read_text(encoding="utf-8").splitlines()
    places = [match for line in lines if (match := PLACE.match(line))]
    assert places
    for place in places:
        text = (BAD_CARDS / folder / place["file"]).read_bytes().decode("utf-8", "replace")
        line = text.split("\n")[int(place["line"]) - 1]
        assert 1 <= int(place["column"]) <= len(line) + 1
