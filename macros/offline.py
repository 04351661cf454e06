"""The site as one zip: unzip it, double-click index.html."""

import sys
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

FOLDER = "parallelism-atlas"
EPOCH = (1980, 1, 1, 0, 0, 0)  # the same site gives the same bytes


def pack(site: Path, target: Path) -> int:
    """Write the built site into a zip and return how many files it holds."""
    files = sorted(path for path in site.rglob("*") if path.is_file())
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        for path in files:
            entry = ZipInfo(f"{FOLDER}/{path.relative_to(site).as_posix()}", EPOCH)
            entry.compress_type = ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, path.read_bytes())
    return len(files)


if __name__ == "__main__":
    site, target = map(Path, sys.argv[1:3])
    print(f"{target}: {pack(site, target)} files. Unzip it and open {FOLDER}/index.html; no network is needed.")
