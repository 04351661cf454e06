import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from macros import __main__ as commands
from macros.__main__ import main
from macros.site import SiteError

ROOT = Path(__file__).parents[2]
FERRY = ROOT / "tests" / "macros" / "cards" / "ferry.json"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(card_id, /, **changes):
    card = {**json.loads(FERRY.read_text(encoding="utf-8")), "id": card_id, **changes}
    Path("cards").mkdir(exist_ok=True)
    Path("cards", f"{card_id}.json").write_text(json.dumps(card, indent=2), encoding="utf-8")


def test_check_reads_the_folder_cards(capsys):
    put("ferry")
    assert main(["check"]) == 0
    assert capsys.readouterr().out == "1 card, 0 problems\n"


def test_check_counts(capsys):
    put("ferry", related=["nobody"])
    put("punt", name=1, role="")
    assert main(["check"]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "2 cards, 2 problems, 1 warning"
    assert main(["check", "cards/ferry.json"]) == 0
    assert main(["check", "cards/ferry.json", "--strict"]) == 1


def test_check_takes_files_and_folders(capsys):
    put("ferry")
    put("punt")
    assert main(["check", "cards/punt.json", "cards"]) == 0
    assert capsys.readouterr().out == "2 cards, 0 problems\n"


def test_check_writes_annotations(capsys):
    put("ferry", name=7)
    assert main(["check", "--format", "github"]) == 1
    line, summary = capsys.readouterr().out.splitlines()
    assert line == "::error file=cards/ferry.json,line=4,col=11::/name: expected text in quotes, found 7"
    assert summary == "1 card, 1 problem"


@pytest.mark.parametrize("paths", [["nowhere"], []])
def test_check_of_nothing_is_a_problem(paths, capsys):
    assert main(["check", *paths]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "0 cards, 1 problem"


@pytest.mark.parametrize("arguments", [[], ["chekc"], ["site"], ["new"], ["check", "--format", "xml"]])
def test_a_call_that_is_not_understood_exits_2(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert "usage: python -m macros" in capsys.readouterr().err


def test_new_writes_a_card_whose_holes_check_tells(capsys):
    assert main(["new", "raft"]) == 0
    assert capsys.readouterr().out == (
        f"wrote cards/raft.json; fill it in, then run: {sys.executable} -m macros check cards/raft.json\n"
    )
    assert main(["check", "cards/raft.json"]) == 1
    assert "cards/raft.json:3:12: /level: expected text, found a placeholder" in capsys.readouterr().out


def test_new_leaves_a_card_that_is_there(capsys):
    put("ferry")
    before = Path("cards/ferry.json").read_bytes()
    assert main(["new", "ferry"]) == 1
    assert capsys.readouterr().err == "expected an id that no card has yet, found cards/ferry.json\n"
    assert Path("cards/ferry.json").read_bytes() == before


@pytest.mark.parametrize("card_id", ["Raft", "a b", "../raft", "raft.json", ""])
def test_new_refuses_an_id_that_is_none(card_id, capsys):
    assert main(["new", card_id]) == 1
    assert capsys.readouterr().err == (
        f"expected an id of lower-case letters, digits and single hyphens, found {card_id}\n"
    )
    assert not Path("cards").exists()


def test_new_says_so_where_it_cannot_write(capsys):
    Path("cards").touch()
    assert main(["new", "raft"]) == 1
    assert capsys.readouterr().err == "cards: expected a folder, found a file\n"


def built(calls):
    def build_site(cards, out, *, command):
        calls.append((cards, out, command(Path("target"))))
        return out.resolve() / "index.html"

    return build_site


def test_site_checks_first_and_builds_nothing_where_a_card_is_wrong(monkeypatch, capsys):
    calls = []
    monkeypatch.setattr(commands, "build_site", built(calls))
    put("ferry", name=7)
    put("punt", role=8)
    assert main(["site", "--cards", "cards", "--out", "site"]) == 1
    output = capsys.readouterr()
    assert [line.split(":")[0] for line in output.out.splitlines()] == [
        "cards/ferry.json",
        "cards/punt.json",
        "2 cards, 2 problems",
    ]
    assert output.err == "no site was built\n"
    assert calls == []


def test_site_builds_with_warnings_unless_they_are_errors(monkeypatch, capsys, here):
    calls = []
    monkeypatch.setattr(commands, "build_site", built(calls))
    put("ferry", related=["nobody"])
    assert main(["site", "--cards", "cards", "--out", "site"]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "1 card, 0 problems, 1 warning",
        f"The site is in site. Open {(here / 'site' / 'index.html').as_uri()}",
    ]
    ((cards, out, command),) = calls
    assert (cards, out) == (Path("cards"), Path("site"))
    assert command[1:4] == ("-m", "mkdocs", "build")
    assert "--strict" not in command
    assert main(["site", "--cards", "cards", "--out", "site", "--strict"]) == 1
    assert len(calls) == 1
    put("ferry")
    assert main(["site", "--cards", "cards", "--out", "site", "--strict"]) == 0
    assert "--strict" in calls[1][2]


@pytest.mark.parametrize(
    ("error", "exit_code", "text"),
    [
        (SiteError("expected a, found b"), 1, "expected a, found b\n"),
        (PermissionError(13, "Permission denied", "site"), 1, "site: Permission denied\n"),
        (KeyboardInterrupt(), 130, "stopped\n"),
    ],
)
def test_what_goes_wrong_is_a_sentence(error, exit_code, text, monkeypatch, capsys):
    def fail(*arguments, **options):
        raise error

    monkeypatch.setattr(commands, "build_site", fail)
    put("ferry")
    assert main(["site", "--cards", "cards", "--out", "site"]) == exit_code
    assert capsys.readouterr().err == text


def run(*arguments, **options):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)} | options.pop("env", {})
    return subprocess.run(
        [sys.executable, "-m", "macros", *arguments], capture_output=True, env=environment, check=False, **options
    )


def test_it_runs_from_any_folder_and_loads_neither_mkdocs_nor_matplotlib():
    put("ferry")
    done = run("check", env={"PYTHONPROFILEIMPORTTIME": "1"})
    assert done.returncode == 0
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.decode().splitlines()}
    assert "macros.cards.load" in loaded
    assert not loaded & {"mkdocs", "matplotlib", "numpy", "jinja2", "tree_sitter_json"}


def test_a_terminal_without_the_letters_gets_escapes():
    put("ferry", check="µ")
    done = run("check", env={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    assert rb"\xb5" in done.stdout


def test_a_reader_who_has_gone_is_no_traceback():
    put("ferry", related=[f"c{index}" for index in range(5000)])
    process = subprocess.Popen(
        [sys.executable, "-m", "macros", "check"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 1


def test_export_writes_every_card(capsys):
    put("ferry", related=["nobody"])
    put("punt")
    assert main(["export", "out"]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "2 cards, 0 problems, 1 warning",
        "The pages are in out. Begin with out/index.md",
    ]
    assert sorted(path.name for path in Path("out").glob("*.md")) == ["ferry.md", "index.md", "punt.md"]
    assert main(["export", "out", "--cards", "cards"]) == 0


def test_export_writes_nothing_where_a_card_is_wrong(capsys):
    put("ferry", name=7)
    put("punt")
    assert main(["export", "out"]) == 1
    output = capsys.readouterr()
    assert output.out == "cards/ferry.json:4:11: /name: expected text in quotes, found 7\n2 cards, 1 problem\n"
    assert output.err == "nothing was exported\n"
    assert not Path("out").exists()


def test_export_leaves_a_folder_of_other_files(capsys):
    put("ferry")
    assert main(["export", "cards"]) == 1
    assert capsys.readouterr().err == (
        "expected a new folder, an empty one or an older export, found cards with other files in it\n"
        "  hint: name another folder, or delete this one yourself\n"
    )
    assert sorted(path.name for path in Path("cards").iterdir()) == ["ferry.json"]


def test_export_takes_web_addresses_only(capsys):
    with pytest.raises(SystemExit) as caught:
        main(["export", "out", "--site", "javascript:alert(1)"])
    assert caught.value.code == 2
    assert "expected a web address that begins with https:// or http://" in capsys.readouterr().err


def test_export_loads_no_mkdocs_and_draws_only_what_cards_name():
    put("ferry")
    done = run("export", "out", env={"PYTHONPROFILEIMPORTTIME": "1"})
    assert done.returncode == 0
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.decode().splitlines()}
    assert not loaded & {"mkdocs", "matplotlib", "numpy"}
