"""What the browser gets: the wheel, the lock file and Pyodide agree; nothing is built twice, and nothing mixes."""

import base64
import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from email import message_from_bytes
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from macros.browser import Parts, build_parts
from macros.bundle import BuildFailed
from macros.vendor import MissingParts
from macros.wheel import build_wheel, fits

ROOT = Path(__file__).parent.parent.parent
PYODIDE = ROOT / "node_modules" / "pyodide"
MAKERS = ("browser.py", "bundle.py", "wheel.py", "answering.mjs", "freeze.mjs", "prune.mjs", "tailor.mjs", "tries.py")
PARTS = ("python", "quick", "wasm", "memory", "supplement", "stdlib", "labs")


@pytest.fixture(scope="module")
def parts() -> Parts:
    return build_parts(ROOT, ROOT / ".build" / "browser")


def part(parts: Parts, name: str, ending: str) -> Path:
    hashed = re.compile(rf"assets/lab/{name}\.[0-9a-f]{{12}}\.{ending}")
    (path,) = [path for target, path in parts.files.items() if hashed.fullmatch(target)]
    return path


def unzipped(parts: Parts, name: str) -> bytes:
    return gzip.decompress(part(parts, name, "bin").read_bytes())


def entry(parts: Parts) -> dict[str, object]:
    packages = json.loads(parts.lock.read_text())["packages"]
    assert list(packages) == ["parallelism-atlas"]
    return packages["parallelism-atlas"]


def names_in(wheel: bytes | Path) -> list[str]:
    return ZipFile(BytesIO(wheel) if isinstance(wheel, bytes) else wheel).namelist()


def modules() -> set[str]:
    files = {path.relative_to(ROOT).as_posix() for path in (ROOT / "labs").rglob("*.py")}
    return {file for file in files if not file.startswith("labs/web/")}


def copy_of_the_repository(target: Path) -> Path:
    (target / "macros").mkdir(parents=True)
    for name in ("pyproject.toml", "LICENSE", "package-lock.json", *(f"macros/{file}" for file in MAKERS)):
        shutil.copyfile(ROOT / name, target / name)
    shutil.copytree(ROOT / "macros" / "pruning", target / "macros" / "pruning")
    shutil.copytree(ROOT / "labs", target / "labs", ignore=shutil.ignore_patterns("__pycache__"))
    (target / "node_modules").symlink_to(ROOT / "node_modules")
    return target


# Wheel, lock file and Pyodide


def test_the_lock_is_that_of_the_pyodide_that_runs(parts: Parts) -> None:
    own = json.loads((PYODIDE / "pyodide-lock.json").read_text())["info"]
    assert json.loads(parts.lock.read_text())["info"] == own
    assert own["abi_version"] and own["python"].startswith("3.")
    wanted = json.loads((ROOT / "package.json").read_text())["dependencies"]["pyodide"]
    assert json.loads((PYODIDE / "package.json").read_text())["version"] == wanted


def test_the_standard_library_travels_unchanged(parts: Parts) -> None:
    assert unzipped(parts, "stdlib") == (PYODIDE / "python_stdlib.zip").read_bytes()


def test_pyodide_travels_as_pruned(parts: Parts, tmp_path: Path) -> None:
    own = Path(sys.prefix) / "bin" / "node"
    command = [str(own) if own.exists() else "node", "macros/prune.mjs", str(PYODIDE), str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True)
    assert unzipped(parts, "wasm") == (tmp_path / "pyodide.asm.wasm").read_bytes()
    assert b"updateGOT(origExports)" not in unzipped(parts, "python")


def test_the_lock_names_the_wheel_that_travels(parts: Parts) -> None:
    wheel = unzipped(parts, "labs")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (path,) = [name for name in names_in(wheel) if name.endswith(".dist-info/METADATA")]
    metadata = message_from_bytes(ZipFile(BytesIO(wheel)).read(path))
    found = entry(parts)
    assert found["sha256"] == hashlib.sha256(wheel).hexdigest()
    assert found["name"] == metadata["Name"] == project["name"]
    assert found["version"] == metadata["Version"] == project["version"]
    assert found["imports"] == ["labs"]
    assert found["depends"] == []


def test_the_page_knows_this_lock_and_these_names(parts: Parts) -> None:
    begin, page = parts.begin.read_text(), parts.files[parts.script].read_text()
    assert json.loads(parts.lock.read_text()) == lock_in(begin)
    for target in parts.files.keys() - {parts.script, parts.wheel}:
        assert f'"{target.removeprefix("assets/lab/")}"' in begin + page, target


def test_the_script_in_the_head_stays_small_and_ends_where_it_should(parts: Parts) -> None:
    """It stands in every page where Python runs, between script tags."""
    begin = parts.begin.read_text()
    assert "</" not in begin
    assert len(begin) < 19_000


def lock_in(script: str) -> object:
    (literal,) = re.findall(r"""lock: ?(['"`])(\{.*?"info".*?)\1""", script)
    return json.loads(literal[1])


def test_the_download_holds_the_labs_and_nothing_of_the_browser(parts: Parts) -> None:
    assert parts.wheel == "downloads/parallelism_atlas-0.1.0-py3-none-any.whl"
    names = names_in(parts.files[parts.wheel])
    assert {name for name in names if ".dist-info/" not in name} == modules()


def test_pyodide_gets_every_module(parts: Parts) -> None:
    names = {re.sub(r"\.pyc$", ".py", name) for name in names_in(unzipped(parts, "labs"))}
    assert {name for name in names if ".dist-info/" not in name} == modules()


def test_the_download_runs_in_any_python_from_the_wheel_alone(parts: Parts, tmp_path: Path) -> None:
    wheel = tmp_path / "model.whl"
    shutil.copyfile(parts.files[parts.wheel], wheel)
    program = f"""
import sys
sys.path = [path for path in sys.path if "site-packages" not in path] + [{str(wheel)!r}]
import labs.answer, labs.model.collectives.ring
print(labs.__file__)
print(labs.model.collectives.ring.ring_all_reduce_time(payload=1e9, ranks=32, latency=5e-6, bandwidth=100e9))
"""
    command = [sys.executable, "-I", "-c", program]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    place, time = done.stdout.split()
    assert place.startswith(str(wheel))
    assert float(time) == pytest.approx(0.019685, rel=1e-12)  # 2 × 31 × (5 µs + 1 GB / (32 × 100 GB/s))


def test_byte_code_is_for_one_minor_version() -> None:
    major, minor = sys.version_info[:2]
    assert fits(f"{major}.{minor}.99")
    assert not fits(f"{major}.{minor + 1}.0")
    assert not fits(f"{major}.{minor}0.0")


def test_where_the_versions_agree_pyodide_gets_byte_code(tmp_path: Path) -> None:
    """A Pyodide that says it has this Python: the compiled wheel must load here, and the lock must name it."""
    own = json.loads((PYODIDE / "pyodide-lock.json").read_text())["info"]
    info = own | {"python": f"{sys.version_info.major}.{sys.version_info.minor}.0"}
    (tmp_path / "pyodide").mkdir()
    (tmp_path / "pyodide" / "pyodide-lock.json").write_text(json.dumps({"info": info, "packages": {}}))
    (tmp_path / "out").mkdir()
    made = build_wheel(ROOT, tmp_path / "pyodide", tmp_path / "out")
    assert made.plain.exists() and made.plain != made.pyodide
    code = {name for name in names_in(made.pyodide) if name.endswith((".py", ".pyc"))}
    assert code == {f"{name}c" for name in modules()}
    (package,) = json.loads(made.lock.read_text())["packages"].values()
    assert package["file_name"] == made.pyodide.name
    assert package["sha256"] == hashlib.sha256(made.pyodide.read_bytes()).hexdigest()
    program = f"import sys; sys.path.insert(0, {str(made.pyodide)!r}); import labs.answer; print(labs.answer.__file__)"
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith(".whl/labs/answer.pyc")


def test_the_memory_is_of_this_pyodide(parts: Parts) -> None:
    """Pyodide restores a memory only where its own build made it: the header says so by magic number and build id."""
    part = unzipped(parts, "memory")
    length = int.from_bytes(part[:4], "little")
    head = json.loads(part[4 : 4 + length])
    header = base64.b64decode(head["header"])
    magic, offset, hiwire = (int.from_bytes(header[at : at + 4], "little") for at in (0, 4, 8))
    assert magic == 0x706E7300 and offset == len(header) and 0 < hiwire < offset
    build = "".join(header[at : at + 4][::-1].hex() for at in range(16, 48, 4))
    assert f'BUILD_ID:"{build}"' in (PYODIDE / "pyodide.mjs").read_text()
    assert len(part) == 4 + length + 4096 * sum(count for _, count in head["runs"])


def test_the_quick_engine_is_the_whole_one_without_most_of_its_code(parts: Parts) -> None:
    """The labs call fewer than 2,000 of Python's 17,000 functions."""
    quick, whole = unzipped(parts, "quick"), unzipped(parts, "wasm")
    assert len(whole) - len(quick) > 4e6
    first = part(parts, "quick", "bin").stat().st_size
    assert first < 0.6 * part(parts, "wasm", "bin").stat().st_size


def test_what_a_first_answer_costs_in_bytes(parts: Parts) -> None:
    """No more than of Pyodide's own three files, zipped (3.59 + 0.26 + 2.50 MB)."""
    first = sum(part(parts, name, "bin").stat().st_size for name in ("quick", "memory", "python"))
    assert first + len(gzip.compress(parts.begin.read_bytes())) < 6.34e6


# Files


def test_both_ways_carry_the_same_bytes(parts: Parts) -> None:
    for name in PARTS:
        text = part(parts, name, r"disk\.js").read_text()
        (called, literal) = re.fullmatch(r'atlasPart\("(\w+)",(".*")\)\n', text).groups()  # type: ignore[union-attr]
        assert called == name
        handed = json.loads(literal)
        assert gzip.decompress(base64.b64decode(handed, validate=True)) == unzipped(parts, name)


def test_a_host_can_read_the_files(parts: Parts) -> None:
    assert {path.stat().st_mode & 0o777 for path in parts.files.values()} == {0o644}


def test_scripts_are_classic(parts: Parts) -> None:
    """From disk no browser runs a module."""
    plain = (parts.begin, parts.files[parts.script], part(parts, "worker", "js"))
    for code in map(bytes.decode, (*(file.read_bytes() for file in plain), unzipped(parts, "python"))):
        assert not re.search(r"^(import|export)\b", code, re.MULTILINE)
        assert "import.meta" not in code


def test_a_second_call_builds_nothing(parts: Parts, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_tool(*_: object, **__: object) -> None:
        raise AssertionError("a tool was run")

    monkeypatch.setattr(subprocess, "run", no_tool)
    assert build_parts(ROOT, ROOT / ".build" / "browser") == parts


def test_the_same_sources_give_the_same_bytes_elsewhere(parts: Parts, tmp_path: Path) -> None:
    again = build_parts(copy_of_the_repository(tmp_path / "deep" / "copy"), tmp_path / "cache")
    assert {target: path.read_bytes() for target, path in again.files.items()} == {
        target: path.read_bytes() for target, path in parts.files.items()
    }


def test_an_edit_of_a_lab_gives_new_names_to_what_it_changes(parts: Parts, tmp_path: Path) -> None:
    root = copy_of_the_repository(tmp_path / "copy")
    with (root / "labs" / "network.py").open("a") as file:
        file.write("\nADDED = 1\n")
    edited = build_parts(root, tmp_path / "cache")
    new = {target.rpartition("/")[2].split(".")[0] for target in edited.files.keys() - parts.files.keys()}
    assert new == {"labs", "memory"}
    assert edited.begin.read_bytes() != parts.begin.read_bytes()
    assert edited.files[edited.wheel].read_bytes() != parts.files[parts.wheel].read_bytes()


def test_a_lost_file_is_built_again(tmp_path: Path) -> None:
    root = copy_of_the_repository(tmp_path / "copy")
    first = build_parts(root, tmp_path / "cache")
    part(first, "stdlib", "bin").unlink()
    assert build_parts(root, tmp_path / "cache") == first
    assert part(first, "stdlib", "bin").exists()


def test_what_builds_long_past_left_is_deleted(tmp_path: Path) -> None:
    """The last three builds stay, and so does what is young: it may be of a build that runs now."""
    root, cache = copy_of_the_repository(tmp_path / "copy"), tmp_path / "cache"
    cache.mkdir()
    for number in range(4):
        (cache / f"part.{number}.bin").write_bytes(b"a part")
        listed = {"files": {"x": f"part.{number}.bin"}, "script": "x", "wheel": "x", "lock": f"lock.{number}.json"}
        (cache / f"parts-{number}.json").write_text(json.dumps(listed))
    (cache / "part.young.bin").write_bytes(b"a part")
    for path in cache.iterdir():
        age = 0 if "young" in path.name else 3700 + 100 * int(path.name.removesuffix(path.suffix)[-1])
        os.utime(path, (time.time() - age,) * 2)
    made = build_parts(root, cache)
    own = {path.name for path in (*made.files.values(), made.begin, made.lock)}
    left = {path.name for path in cache.iterdir()} - own
    assert len(left) == 6  # our own manifest beside these
    assert left > {"part.young.bin", "part.0.bin", "parts-0.json", "part.1.bin", "parts-1.json"}


# Refusals


def test_without_node_modules_one_sentence_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(MissingParts) as refused:
        build_parts(tmp_path, tmp_path / "cache")
    assert str(refused.value) == (
        f"expected pyodide.mjs in {tmp_path}/node_modules/pyodide, found nothing\n"
        "  hint: `make site` installs what the browser needs"
    )
    assert not (tmp_path / "cache").exists()


def test_a_mistake_in_the_page_script_is_shown_with_its_place(tmp_path: Path) -> None:
    root = copy_of_the_repository(tmp_path / "copy")
    (root / "labs" / "web" / "page.mjs").write_text("const = 1;\n")
    with pytest.raises(BuildFailed) as refused:
        build_parts(root, tmp_path / "cache")
    first, *rest = str(refused.value).splitlines()
    assert first == "expected esbuild to build a part for the browser, it failed"
    assert any("labs/web/page.mjs:1:6" in line for line in rest)
