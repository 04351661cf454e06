"""The built site in real browsers, over http and from disk: each file of tests/browser/ in node's test runner."""

import json
import os
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from tests.labs.cases import cases

ROOT = Path(__file__).parent.parent
FILES = sorted((ROOT / "tests" / "browser").glob("*.test.mjs"))
BROWSERS = {
    "chromium": ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"),
    "firefox": ("firefox-esr", "firefox"),
}
SECONDS = 400  # a file takes one minute or less on two quiet cores


class Flaky(UserWarning):
    """A file of tests failed, and is run once more."""


def executable(browser: str) -> str | None:
    return next((path for name in BROWSERS[browser] if (path := shutil.which(name))), None)


@pytest.fixture(scope="session")
def answered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file of requests with the replies of this Python, for browsers to be compared with."""
    file = tmp_path_factory.mktemp("cases") / "cases.json"
    file.write_text(json.dumps(cases()), encoding="utf-8")
    return file


@pytest.mark.filterwarnings("default::tests.test_browser.Flaky")
@pytest.mark.parametrize("scheme", ["http", "file"])
@pytest.mark.parametrize("browser", BROWSERS)
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.removesuffix(".test.mjs"))
def test_site_in_a_browser(file: Path, browser: str, scheme: str, site: Path, answered: Path) -> None:
    path = executable(browser)
    if path is None:
        reason = f"no {browser} here: expected one of {', '.join(BROWSERS[browser])} in PATH"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    own = Path(sys.prefix) / "bin" / "node"
    environment = {
        **os.environ,
        "ATLAS_SITE": str(site),
        "ATLAS_BROWSER": browser,
        "ATLAS_EXECUTABLE": path,
        "ATLAS_SCHEME": scheme,
        "ATLAS_CASES": str(answered),
    }
    command = [str(own if own.exists() else "node"), "--test", "--test-reporter=spec", str(file)]
    for again in (False, True):
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
        )
        if done.returncode == 0:
            return
        told = f"{file.name} in {browser} over {scheme}\n{done.stdout}\n{done.stderr}"
        # Once more, on a busy machine a browser may take longer than a test waits; but what was seen once is told.
        assert not again, told
        warnings.warn(Flaky(told), stacklevel=1)
