"""Every package of which the browser gets some code stands on the licences page, with its licence."""

import json
import subprocess
from pathlib import Path

from macros.vendor import EDITOR, PACKAGES, licence_texts, licences

ROOT = Path(__file__).parents[2]
MODULES = ROOT / "node_modules"


def test_the_packages_in_the_editor_are_those_that_are_named(tmp_path):
    meta = tmp_path / "meta.json"
    command = [MODULES / ".bin" / "esbuild", ROOT / "labs/web/editor.mjs", "--bundle", "--format=iife"]
    subprocess.run(
        [*command, f"--metafile={meta}", f"--outfile={tmp_path / 'editor.js'}"], check=True, capture_output=True
    )
    (output,) = json.loads(meta.read_text())["outputs"].values()
    inside = set()
    for path, part in output["inputs"].items():
        if "node_modules/" in path and part["bytesInOutput"]:
            scope, name = path.rpartition("node_modules/")[2].split("/")[:2]
            inside.add(f"{scope}/{name}" if scope.startswith("@") else scope)
    assert inside == set(EDITOR)


def test_versions_are_exact():
    wanted = json.loads((ROOT / "package.json").read_text())["dependencies"]
    assert all(version[0].isdigit() for version in wanted.values())
    locked = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    for name, version in wanted.items():
        assert locked[f"node_modules/{name}"]["version"] == version
    assert not any("resolved" in package for package in locked.values())


def test_each_has_a_licence_that_the_site_ships():
    files = licence_texts(MODULES)
    found = {licence.name: licence for licence in licences(MODULES)}
    assert set(found) == {package.name for package in PACKAGES}
    for name in EDITOR:
        assert found[name].licence == "MIT"
        assert "Permission is hereby granted" in files[found[name].text].read_text(encoding="utf-8")
