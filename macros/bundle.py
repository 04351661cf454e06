"""One script from the browser's modules, by esbuild; Node comes from this environment."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from macros.vendor import MissingParts

NOTHING: Mapping[str, object] = MappingProxyType({})


class BuildFailed(Exception):
    """A tool that builds a part for the browser has failed; the message ends with what it said."""


def bundle(
    entry: Path,
    target: Path,
    *,
    modules: Path,
    define: Mapping[str, object] = NOTHING,
    name: str | None = None,
    instead: Mapping[str, Path] = MappingProxyType({}),
) -> None:
    """Write a module and all that it imports as one classic script.

    Classic, since a page that was opened from disk runs no other kind.

    Args:
        entry: the module to begin with
        target: the script to write
        modules: node_modules
        define: name in the source -> JSON value that takes its place
        name: global name for what the module exports
        instead: what a module imports -> file that is taken for it

    Raises:
        MissingParts: esbuild is not installed
        BuildFailed: the modules are not right
    """
    options = [
        "--bundle",
        "--format=iife",
        "--platform=browser",
        "--target=es2022",
        "--minify-whitespace",
        "--minify-syntax",
        "--external:node:*",  # Pyodide names them for Node; in a browser it never asks for them
        "--external:ws",
        "--legal-comments=inline",
        "--log-level=warning",
    ]
    defines = [f"--define:{name}={json.dumps(value)}" for name, value in define.items()]
    named = [f"--global-name={name}"] if name else []
    aliases = [f"--alias:{imported}={file}" for imported, file in instead.items()]
    command = [str(esbuild_in(modules)), str(entry), *options, *defines, *named, *aliases, f"--outfile={target}"]
    run_tool(command, cwd=modules.parent)


def esbuild_in(modules: Path) -> Path:
    """Return esbuild's program.

    Raises:
        MissingParts: it is not installed
    """
    esbuild = modules / ".bin" / "esbuild"
    if not esbuild.exists():
        raise MissingParts(esbuild)
    return esbuild


def run_tool(command: list[str], *, cwd: Path, env: Mapping[str, str] | None = None) -> None:
    """Run a build tool quietly, with this environment's programs first in PATH.

    Raises:
        BuildFailed: it returned an error
    """
    path = os.pathsep.join([str(Path(sys.prefix) / "bin"), os.environ.get("PATH", os.defpath)])
    done = subprocess.run(
        command, cwd=cwd, env={**os.environ, "PATH": path, **(env or {})}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        said = (done.stderr or done.stdout).strip()
        raise BuildFailed(f"expected {Path(command[0]).name} to build a part for the browser, it failed\n{said}")
