"""The built site as files: what search finds, what pages ask for, where links lead."""

import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from labs.model.collectives.ring import ring_all_reduce_time
from tests.macros.pages.sample import HOSTILE, full_card

ROOT = Path(__file__).parent.parent
CARDS = sorted(path.stem for path in (ROOT / "cards").glob("*.json") if path.name != "card.schema.json")


def pages(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


class Loads(HTMLParser):
    """The addresses that a page asks for by itself, as opposed to links."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag in ("script", "img", "iframe", "source", "video", "audio", "embed", "use", "image"):
            self.found += [value for name in ("src", "href", "xlink:href", "srcset") if (value := given.get(name))]
        if tag == "link" and "canonical" not in (given.get("rel") or ""):
            self.found.append(given.get("href") or "")


def test_every_card_has_its_page(site: Path) -> None:
    assert len(CARDS) >= 4
    assert [card for card in CARDS if not (site / "cards" / f"{card}.html").is_file()] == []


def test_the_pencil_of_each_page_leads_to_a_file_of_the_repository(site: Path) -> None:
    found = [re.search(r'/edit/main/([^"]+)"', page.read_text(encoding="utf-8")) for page in pages(site)]
    led = {match[1] for match in found if match}
    assert {"docs/index.md", "docs/speed.md", "labs/network.py", *(f"cards/{card}.json" for card in CARDS)} <= led
    assert [path for path in led if not (ROOT / path).is_file()] == []


def test_no_page_asks_for_anything_from_another_host(site: Path) -> None:
    for page in pages(site):
        loads = Loads()
        loads.feed(page.read_text(encoding="utf-8"))
        assert [address for address in loads.found if re.match(r"(?:[a-z]+:)?//", address)] == [], page
    for style in site.rglob("*.css"):
        outside = re.findall(r"""(?:url\(|@import\s+)["']?((?:https?:)?//[^"')]+)""", style.read_text(encoding="utf-8"))
        assert outside == [], style


def test_nothing_is_asked_for_that_the_site_lacks(site: Path) -> None:
    for page in pages(site):
        loads = Loads()
        loads.feed(page.read_text(encoding="utf-8"))
        if page.name == "404.html":
            continue  # served for any address, so its paths start at the site's root
        missing = [a for a in loads.found if a and not a.startswith(("data:", "#")) and not (page.parent / a).exists()]
        assert missing == [], page


def test_a_page_waits_for_one_style_of_ours_and_for_no_script_of_others_over_http(site: Path) -> None:
    """The browser draws nothing before they are there; only from disk the search needs a script before its own."""
    style = (site / "assets" / "atlas.css").read_text(encoding="utf-8")
    assert "@import" not in style
    named = re.findall(r'url\("?\./(fonts/[^")]+)"?\)', style)
    assert len(named) > 20
    assert all((site / "assets" / path).is_file() for path in named)
    for page in pages(site):
        head = page.read_text(encoding="utf-8").partition("</head>")[0]
        own = [link for link in re.findall(r'<link rel="stylesheet" href="([^"]+)"', head) if ".min.css" not in link]
        assert [Path(link).name for link in own] == ["atlas.css"], page
        assert re.findall(r"^\s*<script[^>]+src=", head, re.MULTILINE) == [], page


def test_links_and_their_fragments_lead_somewhere(site: Path) -> None:
    # A lab's state is a fragment too, but no anchor.
    state = r"#[a-z0-9-]+\.[a-z_]+="
    options = ["--offline", "--include-fragments", "--no-progress", "--exclude", state]
    command = [Path(sys.executable).parent / "lychee", *options]
    found = [page for page in pages(site) if page.name != "404.html"]
    done = subprocess.run([*command, *found], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]


def test_python_starts_on_the_pages_with_something_to_run_and_on_no_others(site: Path) -> None:
    """Without the script in the head, the labs of a page stay as built: it is what wakes them."""
    found = {page: page.read_text(encoding="utf-8") for page in pages(site)}
    runs = {page for page, html in found.items() if re.search(r"<[^>]*\sdata-(cell|lab)\b", html)}
    assert runs == {page for page, html in found.items() if "<script data-parts=" in html}
    assert site / "index.html" in runs and site / "licences.html" not in runs


def test_links_to_states_of_labs_lead_to_pages_with_the_lab(site: Path) -> None:
    found = 0
    for page in pages(site):
        for path, lab in re.findall(r'href="([^"#]*)#([a-z0-9-]+)\.[a-z_]+=', page.read_text(encoding="utf-8")):
            target = page.parent / path if path else page
            assert f'data-name="{lab}"' in target.read_text(encoding="utf-8"), f"{page.name}: {path}#{lab}"
            found += 1
    assert found > 10


def test_search_knows_words_that_stand_only_in_a_card(site: Path) -> None:
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    for card in CARDS:
        data = json.loads((ROOT / "cards" / f"{card}.json").read_text(encoding="utf-8"))
        entries = [entry for entry in index["docs"] if entry["location"].startswith(f"cards/{card}.html")]
        text = " ".join(entry["text"] for entry in entries)
        assert data["misconception"].split(".")[0].replace("'", "")[:20] in text.replace("'", "")
    assert (site / "search" / "search_index.js").is_file()  # the same from disk


def test_the_edit_link_opens_the_cards_json(site: Path) -> None:
    for card in CARDS:
        html = (site / "cards" / f"{card}.html").read_text(encoding="utf-8")
        assert re.search(rf'href="https://[^"]+/cards/{card}\.json" [^>]*rel="edit"', html)


def test_the_numbers_of_both_seed_cards_stand_on_their_pages(site: Path) -> None:
    # 4 · 5 µs + 100 MB / 50 GB/s = 20 µs + 2 ms; 8 · 16 · 64
    budget = (site / "cards" / "parallelism-communication-budget.html").read_text(encoding="utf-8")
    kinds = (site / "cards" / "parallelism.html").read_text(encoding="utf-8")
    assert re.search(r'class="checked"[^>]*>2\.02 ms</a>', budget)
    assert re.search(r'class="checked"[^>]*>8192( \w+)?</a>', kinds)


def test_hand_written_pages_take_their_numbers_from_the_model(site: Path) -> None:
    assert ring_all_reduce_time(payload=1e9, ranks=32, latency=5e-6, bandwidth=1e11) == 0.019685
    assert "<strong>19.685 ms</strong>" in (site / "model.html").read_text(encoding="utf-8")
    for page in (ROOT / "docs").glob("*.md"):
        assert "19.685" not in page.read_text(encoding="utf-8")


def test_every_picture_is_in_its_place(site: Path) -> None:
    assert [page for page in pages(site) if "data-atlas=" in page.read_text(encoding="utf-8")] == []
    budget = (site / "cards" / "parallelism-communication-budget.html").read_text(encoding="utf-8")
    # 14 · 5 µs + 1.75 · 100 MB / 50 GB/s
    assert re.search(r'data-metric="time" data-value="0\.00357\d*" data-unit="s">3\.57 ms<', budget)
    drawn = re.findall(r'<figure class="card-figure"[^>]*>\s*<div class="card-figure-drawing"><(\w+)', budget)
    assert drawn == ["svg"] * 2


def test_a_page_carries_one_frame_of_its_lab(site: Path) -> None:
    for page in pages(site):
        html = page.read_text(encoding="utf-8")
        assert html.count('class="lab-metrics"') == html.count('<section class="lab"'), page


def test_search_reads_words_and_no_pictures(site: Path) -> None:
    index = (site / "search" / "search_index.json").read_text(encoding="utf-8")
    assert "An ideal ring all-reduce over 32 ranks" in index  # a caption
    assert "bandwidth term [s]" not in index and "1.25e-05" not in index  # of a frame's numbers


def test_equations_need_no_script(site: Path) -> None:
    html = (site / "cards" / "parallelism.html").read_text(encoding="utf-8")
    assert '<annotation encoding="application/x-tex">B_{\\mathrm{global}}' in html
    assert (site / "assets" / "fonts" / "stix-two-math.woff2").stat().st_size < 300_000


@pytest.fixture(scope="module")
def other_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a site from one card alone, with a hostile name and neighbours that are not there."""
    folder = tmp_path_factory.mktemp("other")
    (folder / "cards").mkdir()
    card = full_card(name=HOSTILE, shortName=HOSTILE, role=HOSTILE, branch=HOSTILE, level=HOSTILE)
    (folder / "cards" / "full.json").write_text(json.dumps(card), encoding="utf-8")
    command = [sys.executable, "-m", "macros", "site", "--cards", str(folder / "cards"), "--out", str(folder / "out")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "warning: /related/0: expected" in done.stdout
    return folder / "out"


def test_a_card_alone_builds(other_site: Path) -> None:
    assert (other_site / "cards" / "full.html").is_file()
    assert "elsewhere-related" in (other_site / "cards" / "full.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", ["cards/full.html", "cards.html", "index.html"])
def test_a_hostile_name_is_text_everywhere(other_site: Path, page: str) -> None:
    html = (other_site / page).read_text(encoding="utf-8")
    assert "<script>alert" not in html
    assert "<b>{{" not in html and "<b>49" not in html
    assert "&lt;b&gt;{{ 7*7 }}&lt;/b&gt;" in html.replace("&#123;", "{")
