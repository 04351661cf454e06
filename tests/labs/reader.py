"""A reader who runs code, for the tests of cells."""

import json
import subprocess
import sys
from pathlib import Path

from labs.cell import run

ROOT = Path(__file__).parents[2]


class Ran:
    """One run: its reply, and what it wrote, in order."""

    def __init__(self, code, name="cell 1"):
        self.sent = []
        self.reply = run({"id": 9, "code": code, "name": name}, lambda stream, text: self.sent.append((stream, text)))
        json.dumps(self.reply, allow_nan=False)
        assert self.reply["id"] == 9
        assert self.reply["ok"] == (self.reply["error"] is None)

    def text(self, stream):
        return "".join(text for name, text in self.sent if name == stream)

    @property
    def value(self):
        assert self.reply["ok"], self.reply["error"]["traceback"]
        return self.reply["value"]

    @property
    def error(self):
        assert not self.reply["ok"]
        assert self.reply["value"] is None
        return self.reply["error"]

    @property
    def traceback(self):
        return self.error["traceback"].split("\n")


def shown_by_python(*codes):
    """Return what a Python of its own writes to stderr for each: the test run makes errors of warnings."""
    program = """
import json, sys
from labs.cell import run
shown = []
for code in json.load(sys.stdin):
    sent = []
    run({"code": code, "name": "cell 1"}, lambda stream, text: sent.append((stream, text)))
    shown.append("".join(text for stream, text in sent if stream == "stderr"))
print(json.dumps(shown))
"""
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=ROOT, input=json.dumps(codes), capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return json.loads(done.stdout)
