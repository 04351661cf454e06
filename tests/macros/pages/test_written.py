import os
import shutil
import subprocess
from pathlib import Path

import pytest
from jinja2 import Environment, StrictUndefined

from macros.main import define_env
from macros.pages.prepared import Prepared
from macros.pages.written import page_problems
from macros.site import QUIET, mkdocs_command

ROOT = Path(__file__).parents[3]
HEAD = "---\ntitle: A page\n---\n\n"


class Plugin:
    """What define_env needs of the macros plugin."""

    def __init__(self):
        names = ("home", "speed", "card:ring", "card:tree", "lab:network")
        site = type("Site", (), {"prepared": dict.fromkeys(names, Prepared("")), "wheel": "assets/model.whl"})
        self.conf = type("Config", (), {"extra": {"atlas": site}})
        self.macros = {}

    def macro(self, function):
        self.macros[function.__name__] = function


def told(text):
    plugin = Plugin()
    define_env(plugin)
    environment = Environment(undefined=StrictUndefined, autoescape=False)  # as the plugin's: it writes Markdown
    names = tuple(plugin.macros)
    found = page_problems(
        "page.md", HEAD + text, text, environment=environment, variables={**plugin.macros, "page": {}}, macros=names
    )
    return [problem.text().replace("\n  hint: ", " | ") for problem in found]


RING = 'payload="1 GB", ranks=32, latency="5 µs", bandwidth="100 GB/s"'


@pytest.mark.parametrize(
    "right",
    [
        "",
        "no braces",
        '{{ fragment("home") }} {{ card("ring") }} {{ lab("network") }} {{ wheel_name() }}',
        f'{{{{ model("ring_all_reduce_time", {RING}) }}}}',
        "{% raw %}{{ x }}{% endraw %} {# a remark #} {% set y = 2 %}{{ y }}",
        "{% for name in [1, 2] %}{{ name }} {{ loop.index }}{% endfor %}",
    ],
)
def test_a_page_without_mistakes_has_no_problems(right):
    assert told(right) == []


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ('{{ fragment("hme") }}', 'expected a piece of this site, found "hme" | did you mean "home"?'),
        ('{{ fragment("x") }}', 'expected a piece of this site, found "x" | there are home, speed'),
        ('{{ card("rnig") }}', 'expected the id of a card, found "rnig" | did you mean "ring"?'),
        ('{{ lab("nope") }}', 'expected the id of a lab, found "nope" | there are network'),
        ("{{ card(3) }}", "expected the id of a card, found 3 | there are ring, tree"),
        ("{{ card() }}", "expected card(id), found a call that is missing a required argument: 'id'"),
        ("{{ modle(1) }}", 'expected a macro, found "modle" | did you mean "model"?'),
        ('{{ model("ring_all_reduce_tme") }}', 'function of labs.model, found "ring_all_reduce_tme" | did you mean'),
        ('{{ model("collective") }}', 'expected a function of labs.model that takes numbers with units, found "coll'),
        ('{{ model("ring_all_reduce_time", ranks=2) }}', "found no payload, latency, bandwidth"),
        (f'{{{{ model("ring_all_reduce_time", {RING.replace("ranks", "rank")}) }}}}', 'found "rank" | did you'),
        (f'{{{{ model("ring_all_reduce_time", {RING.replace("µs", "GB")}) }}}}', "expected a time such as 5 µs, found"),
        (f'{{{{ model("ring_all_reduce_time", {RING.replace("32", "0")}) }}}}', "found 0"),
        (f'{{{{ model("ring_all_reduce_time", {RING.replace("32", "none")}) }}}}', "numbers or quantities in quotes"),
        ("{{ page.nothing }}", "expected an expression with a value, found: "),
        ("{{ 1 / 0 }}", "expected an expression with a value, found: ZeroDivisionError"),
        ("{% if true %}", "expected a macro that can be read, found: Unexpected end of template"),
        ("{{ 1 | rond(2) }}", "expected a macro that can be read, found: No filter named 'rond'"),
        ("{{ wheel_name }}", "expected the call wheel_name(…), found wheel_name"),
        ('{{ lab(id="x", id="y") }}', "expected a macro that can be read, found: keyword argument repeated: id"),
        ("{% nope %}", "expected a macro that can be read, found: Encountered unknown tag"),
        ("{{ fragment('home') ", "expected a macro that can be read, found: unexpected end of template"),
    ],
)
def test_a_mistake_is_told_with_its_line_in_the_file(wrong, problem):
    (found,) = told(f"# A page\n\nWords.\n  {wrong}")
    assert found.startswith("docs/page.md:8:"), found
    assert problem in found


def test_all_unknown_names_are_told_at_once():
    assert [found.partition(": ")[0] for found in told("{{ one }} {{ two }}\n\n{{ three() }}")] == [
        "docs/page.md:5:4",
        "docs/page.md:5:14",
        "docs/page.md:7:4",
    ]


def built(tmp_path, changes):
    """Build the site of other pages; its parts are this repository's own."""
    for name in ("macros", "cards", "labs", "bench"):
        (tmp_path / name).symlink_to(ROOT / name)
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    for name, text in changes.items():
        with (tmp_path / "docs" / name).open("a", encoding="utf-8") as page:
            page.write(f"\n\n{text}\n")
    command = mkdocs_command(tmp_path / "site", strict=True)
    environment = {**os.environ, **QUIET, "PYTHONPATH": str(ROOT), "PYTHONSAFEPATH": "1"}
    return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)


def test_a_build_ends_with_the_mistakes_of_all_pages_and_no_traceback(tmp_path):
    done = built(tmp_path, {"labs.md": "{{ foo }}", "model.md": '{{ fragment("hme") }}'})
    assert done.returncode == 1
    lines = (done.stdout + done.stderr).strip().splitlines()
    assert [line.partition(": ")[2] for line in lines if line.startswith("docs/")] == [
        'expected a macro, found "foo"',
        'expected a piece of this site, found "hme"',
    ]
    assert lines[-1] == "The site is not built."
    assert "Traceback" not in done.stdout + done.stderr


def test_links_and_anchors_that_lead_nowhere_end_a_strict_build(tmp_path):
    done = built(tmp_path, {"model.md": "[a](nowhere.md) [b](index.md#nope)"})
    assert done.returncode == 1
    assert "contains a link 'nowhere.md'" in done.stderr
    assert "does not contain an anchor '#nope'" in done.stderr
