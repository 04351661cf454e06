"""An export replaces and deletes what an export wrote, and nothing else."""

import pytest

from macros.export.folder import LISTING, ExportError, write_export

PAGES = {"index.md": "i\n", "a.md": "µ\n", "figures/f.svg": "<svg/>\n"}


def left(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_a_folder_is_made_with_its_parents(tmp_path):
    out = tmp_path / "new" / "out"
    write_export(PAGES, out)
    assert left(out) == sorted([LISTING, *PAGES])
    assert (out / "a.md").read_bytes() == "µ\n".encode()


def test_an_older_export_is_replaced_and_other_files_in_it_stay(tmp_path):
    write_export(PAGES, tmp_path)
    (tmp_path / "mine.md").write_text("mine")
    write_export({"index.md": "new\n", "b.md": "b\n"}, tmp_path)
    assert left(tmp_path) == [LISTING, "b.md", "index.md", "mine.md"]
    assert (tmp_path / "index.md").read_text() == "new\n"


def test_a_folder_of_other_files_is_refused(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(ExportError, match=r"expected a new folder, an empty one or an older export, found"):
        write_export(PAGES, tmp_path)
    assert left(tmp_path) == ["mine.txt"]


def test_a_file_is_refused(tmp_path):
    (tmp_path / "out").write_text("mine")
    with pytest.raises(ExportError, match="expected a folder to export to, found the file"):
        write_export(PAGES, tmp_path / "out")
    assert (tmp_path / "out").read_text() == "mine"


def test_a_file_that_came_in_between_is_not_overwritten(tmp_path):
    write_export({"index.md": "i\n"}, tmp_path)
    (tmp_path / "a.md").write_text("mine")
    with pytest.raises(ExportError, match=r"to hold no other files by these names, found a\.md"):
        write_export(PAGES, tmp_path)
    assert left(tmp_path) == [LISTING, "a.md", "index.md"]
    assert (tmp_path / "a.md").read_text() == "mine"


@pytest.mark.parametrize("name", ["../mine.md", "mine.txt", "/etc/hosts", "figures/../../mine.md", ""])
def test_a_changed_listing_deletes_nothing_else(name, tmp_path):
    out = tmp_path / "out"
    write_export(PAGES, out)
    for mine in (tmp_path / "mine.md", out / "mine.txt"):
        mine.write_text("mine")
    (out / LISTING).write_text((out / LISTING).read_text() + name + "\n")
    write_export(PAGES, out)
    assert left(tmp_path) == sorted(["mine.md", *(f"out/{file}" for file in (LISTING, "mine.txt", *PAGES))])


def test_an_export_that_was_stopped_can_be_repeated(tmp_path):
    (tmp_path / "figures").write_text("in the way")
    with pytest.raises(ExportError):
        write_export(PAGES, tmp_path)
    (tmp_path / "figures").unlink()
    with pytest.raises(OSError):
        write_export({"a.md": "a\n", "none/b.svg/c": "b\n"}, tmp_path)
    assert left(tmp_path) == [LISTING, "a.md"]
    write_export(PAGES, tmp_path)
    assert left(tmp_path) == sorted([LISTING, *PAGES])
