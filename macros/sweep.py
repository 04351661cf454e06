"""Old files out of a folder that builds share."""

import time
from collections.abc import Collection
from pathlib import Path

YOUNG = 3600  # s; such a file may be of a build that is running


def sweep(folder: Path, keep: Collection[Path]) -> None:
    """Delete the files in a folder that are neither to be kept nor young."""
    for path in folder.iterdir():
        if path not in keep and path.is_file() and time.time() - path.stat().st_mtime > YOUNG:
            path.unlink()
