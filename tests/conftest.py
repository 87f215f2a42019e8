"""For all tests: one browser a worker, and a busy machine is no reason for a property test to fail."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests.chromium import ARGUMENTS

if TYPE_CHECKING:
    from playwright.sync_api import Browser

settings.register_profile("table", deadline=None)
settings.load_profile("table")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if os.environ.get("COMPANION_NO_BROWSER") == "1":
        pytest.skip("COMPANION_NO_BROWSER=1")
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.fail("No chromium: apt-get install chromium, or set COMPANION_NO_BROWSER=1.", pytrace=False)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield browser
        browser.close()
