"""The site's own styles in one file, by esbuild, with the typefaces that it names beside it."""

import tempfile
from collections.abc import Mapping
from pathlib import Path

from macros.bundle import esbuild_in, run_tool

FOLDER = "assets"


def bundled_styles(entry: Path, *, modules: Path) -> Mapping[str, bytes]:
    """Return site path -> content of a stylesheet with all that it imports, and of the typefaces that npm brought.

    Raises:
        MissingParts: esbuild is not installed
        BuildFailed: the styles are not right
    """
    with tempfile.TemporaryDirectory() as folder:
        options = [
            "--bundle",
            "--minify",
            "--loader:.woff2=file",
            "--asset-names=fonts/[name]",
            "--external:*/stix-two-math.woff2",  # the build's own subset
            "--log-level=warning",
        ]
        run_tool([str(esbuild_in(modules)), str(entry), *options, f"--outdir={folder}"], cwd=modules.parent)
        made = sorted(path for path in Path(folder).rglob("*") if path.is_file())
        return {f"{FOLDER}/{path.relative_to(folder).as_posix()}": path.read_bytes() for path in made}
