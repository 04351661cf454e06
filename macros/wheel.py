"""The model and the labs as a wheel, and Pyodide's lock file with that wheel in it."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

from macros.bundle import run_tool

LOCK = "pyodide-lock.json"
EPOCH = "1577836800"  # 2020-01-01: the same sources give the same bytes


@dataclass(frozen=True)
class Wheel:
    """What the build made: for anyone's Python, and for Pyodide."""

    plain: Path
    pyodide: Path  # byte-compiled where this Python is Pyodide's, otherwise the plain one
    lock: Path


def build_wheel(root: Path, pyodide: Path, target: Path) -> Wheel:
    """Build the repository's package into an empty folder.

    Args:
        root: the repository
        pyodide: the npm package of that name
        target: where the files go

    Raises:
        BuildFailed: a tool returned an error
    """
    python = [sys.executable, "-m"]
    steady = {"SOURCE_DATE_EPOCH": EPOCH}
    build = [*python, "build", "--wheel", "--no-isolation", "--outdir", str(target), str(root)]
    run_tool(build, cwd=root, env=steady)
    (plain,) = target.glob("*.whl")

    # Pyodide's own lock names 357 packages that this site does not ship. Its `info` is what has to agree.
    info = pyodide_info(pyodide)
    own = target / "pyodide-own.json"
    own.write_text(json.dumps({"info": info, "packages": {}}), encoding="utf-8")
    lock = target / LOCK
    tool = [*python, "pyodide_cli"]
    run_tool([*tool, "lockfile", "add-wheels", "--input", str(own), "--output", str(lock), str(plain)], cwd=target)
    own.unlink()

    if fits(info["python"]):
        # Reads the lock in the same folder, and enters the new name and sha256 there.
        run_tool([*tool, "py-compile", "--keep", "--silent", str(target)], cwd=target, env=steady)
    (package,) = json.loads(lock.read_text(encoding="utf-8"))["packages"].values()
    return Wheel(plain=plain, pyodide=target / package["file_name"], lock=lock)


def pyodide_info(pyodide: Path) -> dict[str, str]:
    """Return the `info` of Pyodide's lock file: its Python, its ABI, its platform."""
    info: dict[str, str] = json.loads((pyodide / LOCK).read_text(encoding="utf-8"))["info"]
    return info


def fits(python: str) -> bool:
    """Tell whether byte code from this Python runs in that one: it does for the same minor version only."""
    return tuple(python.split(".")[:2]) == (str(sys.version_info.major), str(sys.version_info.minor))
