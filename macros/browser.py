"""What the reader's browser runs, built into files whose names hold a hash of their content.

Each part goes into the site twice: zipped, for the worker to fetch over http, and as a script that hands over the same
bytes as text, since a page opened from disk can read nothing else. The page's script knows the names of its parts, so a
page never mixes with those of another build.
"""

import base64
import gzip
import hashlib
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from macros.bundle import bundle, run_tool
from macros.rehearsal import rehearsed
from macros.sweep import sweep
from macros.vendor import MissingParts
from macros.wheel import build_wheel

FOLDER = "assets/lab"
DOWNLOADS = "downloads"
KEPT_BUILDS = 3  # the last ones that were asked for stay in the cache: branches take turns
FORMAT = b"4"  # raise it when the same content is packed another way
PYODIDE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
SCRIPTS = ("browser.py", "bundle.py", "wheel.py", "answering.mjs", "freeze.mjs", "prune.mjs", "tailor.mjs", "tries.py")
TOOLS = ("hatchling", "pyodide-build", "pyodide-lock")
NO_FILES_BESIDE = "atlas:/pyodide/"  # what Pyodide takes for its own address; nothing is ever fetched from it


@dataclass(frozen=True)
class Parts:
    """Files for the site, and the names that pages need."""

    files: Mapping[str, Path]  # site path -> file
    script: str  # site path of the script that every page carries: classic, asynchronous
    begin: Path  # the script that stands as text in a page where Python runs; it names the parts
    supplement: str  # site path of the code of labs that Python starts without
    wheel: str  # site path of the model as a package
    lock: Path  # Pyodide's lock file with the package in it, as the page's script holds it


def build_parts(root: Path, cache: Path) -> Parts:
    """Return the browser's parts; built only if anything that goes into them has changed.

    Args:
        root: the repository, with node_modules
        cache: a folder of our own

    Raises:
        MissingParts: what `npm ci` installs is not there
        BuildFailed: a lab has a mistake, or a tool returned an error
    """
    modules = root / "node_modules"
    for path in [*(modules / "pyodide" / name for name in PYODIDE_FILES), modules / "esbuild"]:
        if not path.exists():
            raise MissingParts(path)
    manifest = cache / f"parts-{_hash_of_inputs(root, modules)}.json"
    parts = _read(manifest)
    if parts is None:
        cache.mkdir(parents=True, exist_ok=True)
        parts = _build(root, modules, cache)
        _note(parts, manifest)
        with suppress(FileNotFoundError):  # another build sweeps too
            _sweep(cache)
    return parts


def _build(root: Path, modules: Path, cache: Path) -> Parts:
    pyodide = modules / "pyodide"
    tries = rehearsed()
    with tempfile.TemporaryDirectory(dir=cache) as scratch:
        folder = Path(scratch)
        wheel = build_wheel(root, pyodide, _made(folder / "wheel"))
        pruned = folder / "pyodide"
        run_tool(["node", str(root / "macros/prune.mjs"), str(pyodide), str(pruned)], cwd=root)
        worker, python = folder / "worker.js", folder / "python.js"
        bundle(root / "labs/web/worker.mjs", worker, modules=modules)
        own = {"import.meta.url": NO_FILES_BESIDE}
        scripts = {"pyodide": pruned / "pyodide.mjs", "pyodide/pyodide.asm.mjs": pruned / "pyodide.asm.mjs"}
        bundle(root / "labs/web/python.mjs", python, modules=modules, define=own, name="atlasPython", instead=scripts)
        memory, supplement = folder / "memory", folder / "supplement"
        freeze = ["node", str(root / "macros/freeze.mjs"), str(pruned), str(wheel.plain), str(memory), str(supplement)]
        run_tool(freeze, cwd=root)
        quick, tried = folder / "quick.wasm", folder / "requests.json"
        tried.write_text(json.dumps(tries), encoding="utf-8")
        tailor = ["node", str(root / "macros/tailor.mjs"), str(pruned), str(python), str(memory), str(supplement)]
        run_tool([*tailor, str(wheel.lock), str(tried), str(quick)], cwd=root)

        names: dict[str, dict[str, str]] = {}
        for name, source in {
            "python": python,
            "memory": memory,
            "supplement": supplement,
            "quick": quick,
            "wasm": pruned / "pyodide.asm.wasm",
            "stdlib": pyodide / "python_stdlib.zip",
            "labs": wheel.pyodide,
        }.items():
            names[name] = _pack(name, source.read_bytes(), cache)

        editor_code = folder / "editor.js"
        bundle(root / "labs/web/editor.mjs", editor_code, modules=modules, name="atlasEditor")
        editor = _keep("editor", ".js", editor_code.read_bytes(), cache)

        lock = wheel.lock.read_text(encoding="utf-8")
        page, begin = folder / "page.js", folder / "begin.js"
        bundle(root / "labs/web/page.mjs", page, modules=modules, define={"ATLAS_EDITOR": editor.name})
        kept_worker = _keep("worker", ".js", worker.read_bytes(), cache)
        both_ways = {"code": worker.read_text(encoding="utf-8"), "file": kept_worker.name}
        known = {"ATLAS_PARTS": names, "ATLAS_WORKER": both_ways, "ATLAS_LOCK": lock}
        bundle(root / "labs/web/begin.mjs", begin, modules=modules, define=known)
        script = _keep("page", ".js", page.read_bytes(), cache)
        kept_begin = _keep("begin", ".js", _inline(begin.read_bytes()), cache)
        package = _keep("wheel", ".whl", wheel.plain.read_bytes(), cache)
        kept_lock = _keep("lock", ".json", lock.encode(), cache)
    beside = [script, editor, kept_worker, *(cache / file for ways in names.values() for file in ways.values())]
    download = f"{DOWNLOADS}/{wheel.plain.name}"  # the one name without a hash: installers read it
    return Parts(
        files={**{f"{FOLDER}/{path.name}": path for path in beside}, download: package},
        script=f"{FOLDER}/{script.name}",
        begin=kept_begin,
        supplement=f"{FOLDER}/{names['supplement']['host']}",
        wheel=download,
        lock=kept_lock,
    )


def _pack(name: str, content: bytes, cache: Path) -> dict[str, str]:
    """Write a part for both ways and return the names: by content, so that what is there needs no second zipping."""
    digest = _digest(FORMAT + content)
    # Named .bin, since a host that sees .gz may declare the encoding, and the browser would then unzip before we do.
    host, disk = cache / f"{name}.{digest}.bin", cache / f"{name}.{digest}.disk.js"
    if not (host.exists() and disk.exists()):
        zipped = gzip.compress(content, 9, mtime=0)
        _write(host, zipped)
        _write(disk, f'atlasPart("{name}","{base64.b64encode(zipped).decode("ascii")}")\n'.encode())
    else:
        for path in (host, disk):
            path.touch()  # or another build might sweep them away before ours is noted
    return {"host": host.name, "disk": disk.name}


def _keep(name: str, suffix: str, content: bytes, cache: Path) -> Path:
    """Write a file under a name that its content gives, and return its path."""
    target = cache / f"{name}.{_digest(content)}{suffix}"
    _write(target, content)
    return target


def _inline(script: bytes) -> bytes:
    """Return a script as it may stand between script tags: nothing in it may look like their end."""
    return script.strip().replace(b"</", b"<\\/")


def _write(target: Path, content: bytes) -> None:
    """Write a file whole or not at all: another build may be reading it."""
    with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as file:
        file.write(content)
    Path(file.name).chmod(0o644)  # a temporary file is for its owner alone, and a host may be someone else
    Path(file.name).replace(target)


def _note(parts: Parts, manifest: Path) -> None:
    """Write down where the parts are, for the next call."""
    files = {target: path.name for target, path in parts.files.items()}
    found = {
        "files": files,
        "script": parts.script,
        "supplement": parts.supplement,
        "begin": parts.begin.name,
        "wheel": parts.wheel,
        "lock": parts.lock.name,
    }
    _write(manifest, json.dumps(found, indent=1).encode())


def _read(manifest: Path) -> Parts | None:
    """Return the parts that a manifest lists, or None where it or one of them is not there."""
    if not manifest.exists():
        return None
    found = json.loads(manifest.read_text(encoding="utf-8"))
    files = {target: manifest.parent / name for target, name in found["files"].items()}
    begin, lock = manifest.parent / found["begin"], manifest.parent / found["lock"]
    if not all(path.exists() for path in (begin, lock, *files.values())):
        return None
    manifest.touch()  # asked for
    return Parts(
        files=files,
        script=found["script"],
        begin=begin,
        supplement=found["supplement"],
        wheel=found["wheel"],
        lock=lock,
    )


def _sweep(cache: Path) -> None:
    """Delete what none of the last builds needs."""
    manifests = sorted(cache.glob("parts-*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
    keep = set(manifests[:KEPT_BUILDS])
    for manifest in manifests[:KEPT_BUILDS]:
        found = json.loads(manifest.read_text(encoding="utf-8"))
        beside = (found[kind] for kind in ("begin", "lock") if kind in found)  # an older build has not all of them
        keep |= {cache / name for name in (*found["files"].values(), *beside)}
    sweep(cache, keep)


def _hash_of_inputs(root: Path, modules: Path) -> str:
    """Return a hash of everything that the parts are made of, tools included."""
    total = hashlib.sha256(FORMAT)
    about = [*sys.version_info[:2], *(f"{tool} {version(tool)}" for tool in TOOLS)]
    total.update(repr(about).encode())
    for path in _inputs(root, modules):
        total.update(f"\0{path.relative_to(root)}\0".encode())
        total.update(hashlib.sha256(path.read_bytes()).digest() if path.exists() else b"absent")
    return total.hexdigest()[:16]


def _inputs(root: Path, modules: Path) -> Iterator[Path]:
    yield from (root / name for name in ("pyproject.toml", "LICENSE"))
    yield from sorted(p for p in (root / "labs").rglob("*") if p.is_file() and "__pycache__" not in p.parts)
    yield from (root / "macros" / name for name in SCRIPTS)
    yield from sorted((root / "macros" / "pruning").glob("*.mjs"))
    yield from (modules / "pyodide" / name for name in PYODIDE_FILES)
    yield root / "package-lock.json"  # the versions of all that is bundled


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:12]


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder
