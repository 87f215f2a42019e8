"""For all tests: one browser a worker, and a busy machine is no reason for a property test to fail."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
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


@contextmanager
def _no_loop_of_the_browser(item: pytest.Item) -> Iterator[None]:
    """Playwright leaves its event loop running in this thread; tests without a browser may run one of their own."""
    loop = None if "browser" in getattr(item, "fixturenames", ()) else asyncio._get_running_loop()
    if loop is not None:
        asyncio._set_running_loop(None)
    try:
        yield
    finally:
        if loop is not None:
            asyncio._set_running_loop(loop)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    with _no_loop_of_the_browser(item):
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    with _no_loop_of_the_browser(item):
        yield
