"""A lab with a mistake ends the build in a sentence with its line, before anything is built for the browser."""

import sys
from textwrap import dedent

import pytest

from labs import catalog
from macros import rehearsal
from macros.bundle import BuildFailed
from macros.rehearsal import rehearsed

LAB = """
    from labs.lab import Control, Lab, Preset
    from labs.model.quantities.errors import ModelError

    LAB = Lab(id="ferry", title="Ferry", scope="A test.", controls=(
        Control(name="trips", label="Trips", symbol="n", unit="1", default=2, stops=(1, 2, 4), whole=True),
    ), presets=(Preset(id="four", label="Four", inputs={"trips": 4}),))

    def frame(trips):
        if trips < 1:
            raise ModelError("expected one trip or more", argument="trips")
        result = {"name": "time", "label": "Time", "symbol": "T", "value": 8 / trips, "unit": "s"}
        return {"metrics": [result], "series": [], "tables": []}
"""


SWALLOWS = "try:\n            while trips < 0: pass\n        except Exception: pass"


@pytest.fixture
def told(tmp_path, monkeypatch):
    """Rehearse a site with this one lab, and return what is told."""

    def rehearse(code):
        (tmp_path / "labs").mkdir()
        (tmp_path / "labs" / "ferry.py").write_text(dedent(code).lstrip(), encoding="utf-8")
        monkeypatch.syspath_prepend(tmp_path / "labs")
        monkeypatch.setattr(catalog, "HOMES", {"ferry": "ferry"})
        monkeypatch.setattr(rehearsal, "HOMES", {"ferry": "labs.ferry"})
        monkeypatch.setattr(rehearsal, "LABS_FOLDER", tmp_path / "labs")
        monkeypatch.setattr(rehearsal, "SECONDS", 1)
        monkeypatch.chdir(tmp_path)
        sys.modules.pop("ferry", None)
        rehearsed.cache_clear()
        try:
            rehearsed()
        except BuildFailed as failed:
            return str(failed)
        finally:
            sys.modules.pop("ferry", None)
        return None

    return rehearse


@pytest.mark.filterwarnings("ignore")
def test_a_lab_that_answers_and_refuses_is_right(told):
    assert told(LAB) is None


@pytest.mark.parametrize(
    ("right", "wrong", "sentence"),
    [
        ("if trips < 1:", "if False:", "labs/ferry.py:11: ZeroDivisionError: "),
        ("def frame(trips):", "def frame(trips:", "labs/ferry.py:8: '(' was never closed"),
        ("from labs.lab", "from labs.lba", "labs/ferry.py:1: ModuleNotFoundError: No module named 'labs.lba'"),
        ("stops=(1, 2, 4)", "stops=(1, 4)", "labs/ferry.py:5: ValueError: control trips: expected the default 2"),
        ("def frame(", "def farme(", "labs/ferry.py: expected a module with LAB and frame, found no frame"),
        ("def frame(trips)", "def frame(trip)", "TypeError: frame() got an unexpected keyword argument 'trips'"),
        ('{"trips": 4}', '{"trips": 0}', 'expected a frame for the preset "four", found the refusal: expected one'),
        ('{"metrics": [result], ', "{", "expected the lab ferry to answer its defaults, or to refuse it, found"),
        ('id="ferry"', 'id="punt"', 'expected the id "ferry", as in labs/catalog.py, found "punt"'),
        ("8 / trips", "object()", "expected the lab ferry to answer its defaults, or to refuse it, found"),
        ("result = ", "import labs.nowhere; result = ", "ModuleNotFoundError: No module named 'labs.nowhere'"),
        ("if trips < 1:", "while trips < 0: pass\n        if trips < 1:", "nothing came in 1 seconds"),
        ("if trips < 1:", f"{SWALLOWS}\n        if trips < 1:", "nothing came in 1 seconds"),
        ("result = ", "raise SystemExit(3); result = ", "labs/ferry.py:11: SystemExit: 3"),
        ("from labs.lab", "import numpy\n    from labs.lab", "labs/ferry.py:1: expected imports from Python's "),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_a_mistake_is_told_where_it_stands(right, wrong, sentence, told):
    assert LAB.count(right) == 1
    found = told(LAB.replace(right, wrong))
    assert sentence in found
    assert "Traceback" not in found


@pytest.mark.filterwarnings("ignore")
def test_the_inputs_are_told(told):
    assert '{"trips": "0"}' in told(LAB.replace("if trips < 1:", "if trips < 0:"))
