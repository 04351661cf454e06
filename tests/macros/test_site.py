import sys
from pathlib import Path

import pytest

from macros.site import CARDS_VARIABLE, MARKER, ROOT, SiteError, build_site, mkdocs_command

WRITES = """
import os, pathlib, sys
target = pathlib.Path(sys.argv[1])
(target / "cards").mkdir(parents=True)
(target / "index.html").write_text(os.environ["ATLAS_CARDS"] + "\\n" + os.getcwd() + "\\n" + os.environ["MORE"])
(target / "cards" / "ferry.html").touch()
"""


def writes(target):
    return [sys.executable, "-c", WRITES, str(target)]


def fails(target):
    return [sys.executable, "-c", f"import sys, os; os.mkdir({str(target)!r}); sys.exit(3)"]


@pytest.fixture
def cards(tmp_path):
    (tmp_path / "cards").mkdir()
    return tmp_path / "cards"


def build(cards, out, command=writes):
    return build_site(cards, out, command=command, environment={"MORE": "more"})


def left(folder):
    return sorted(path.name for path in folder.iterdir())


def test_the_command_is_mkdocs_whose_warnings_count():
    assert mkdocs_command(Path("/x")) == (sys.executable, "-m", "mkdocs", "build", "-f", "mkdocs.yml", "-d", "/x")
    strict = mkdocs_command(Path("/x"), strict=True)
    assert "--strict" in strict
    assert "--quiet" not in strict  # MkDocs would drop the warnings before it counts them


def test_a_site_is_built_in_the_repository_and_put_in_place(cards, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = build(Path("cards"), Path("deep/site"))
    assert page == tmp_path / "deep" / "site" / "index.html"
    assert page.read_text().splitlines() == [str(cards), str(ROOT), "more"]
    assert left(page.parent) == [MARKER, "cards", "index.html"]
    assert left(tmp_path / "deep") == ["site"]  # nothing is left beside it
    assert CARDS_VARIABLE == "ATLAS_CARDS"


def test_the_folder_can_be_read_by_a_server(cards, tmp_path):
    page = build(cards, tmp_path / "site")
    fresh = tmp_path / "fresh"
    fresh.mkdir()
    assert page.parent.stat().st_mode == fresh.stat().st_mode


def test_an_older_site_is_replaced_whole(cards, tmp_path):
    page = build(cards, tmp_path / "site")
    (tmp_path / "site" / "old.html").touch()
    assert build(cards, tmp_path / "site") == page
    assert left(tmp_path / "site") == [MARKER, "cards", "index.html"]
    assert left(tmp_path) == ["cards", "site"]


def test_an_empty_folder_is_filled(cards, tmp_path):
    (tmp_path / "site").mkdir()
    assert build(cards, tmp_path / "site").is_file()


def test_a_build_that_fails_leaves_the_older_site(cards, tmp_path):
    page = build(cards, tmp_path / "site")
    before = page.read_bytes()
    with pytest.raises(SiteError, match=r"found that it did not \(exit code 3\): .*/site is as it was$"):
        build(cards, tmp_path / "site", fails)
    assert page.read_bytes() == before
    assert left(tmp_path) == ["cards", "site"]


def test_a_build_that_fails_leaves_nothing_where_nothing_was(cards, tmp_path):
    with pytest.raises(SiteError):
        build(cards, tmp_path / "site", fails)
    assert left(tmp_path) == ["cards"]


def test_a_build_without_a_page_is_a_failure(cards, tmp_path):
    with pytest.raises(SiteError, match=r"^expected the build to write index\.html, found none: "):
        build(cards, tmp_path / "site", lambda target: [sys.executable, "-c", f"import os; os.mkdir({str(target)!r})"])
    assert left(tmp_path) == ["cards"]


def test_an_older_site_comes_back_where_the_new_one_cannot_be_moved(cards, tmp_path, monkeypatch):
    page = build(cards, tmp_path / "site")
    (tmp_path / "site" / "old.html").touch()
    rename = Path.rename

    def refuse(path, target):
        if path.name == "new":
            raise OSError(28, "No space left on device", str(target))
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(OSError, match="No space left"):
        build(cards, tmp_path / "site")
    assert (page.parent / "old.html").is_file()


@pytest.mark.parametrize("name", ["notes.txt", "index.html", ".hidden", "sitemap.xml"])
def test_a_folder_with_other_files_is_left_alone(name, cards, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / name).touch()
    with pytest.raises(SiteError) as caught:
        build(cards, tmp_path / "mine", fails)
    assert str(caught.value) == (
        f"expected --out to be a new folder, an empty one or an older site, found {tmp_path / 'mine'} with other files"
        " in it\n  hint: name another folder, or delete this one yourself"
    )
    assert left(tmp_path / "mine") == [name]


def test_a_file_is_no_folder(cards, tmp_path):
    (tmp_path / "site").touch()
    with pytest.raises(SiteError, match=r"^expected --out to be a folder, found the file "):
        build(cards, tmp_path / "site")


def test_cards_and_repository_are_never_replaced(cards, tmp_path):
    (tmp_path / MARKER).touch()
    (cards / MARKER).touch()
    for out in (tmp_path, cards):
        with pytest.raises(SiteError, match=r"which holds the cards$"):
            build(cards, out)
    for out in (ROOT, ROOT.parent):
        with pytest.raises(SiteError, match=r"which holds this repository$"):
            build(cards, out)
