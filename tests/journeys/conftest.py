"""Pages for the journeys, watched for errors and for leaving the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.patience import PATIENCE
from tests.web.stand import RunningTable, running

expect.set_options(timeout=1000 * PATIENCE)
PHONE = {"width": 320, "height": 640}
LAPTOP = {"width": 1280, "height": 900}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


@dataclass
class Watched:
    """A page and what went wrong in it; ``forgiven`` are parts of console errors that a test expects."""

    page: Page
    faults: list[str] = field(default_factory=list)
    forgiven: list[str] = field(default_factory=list)

    def watch(self, origin: str) -> None:
        self.page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        self.page.on("console", lambda line: self._hear(line.type, line.text))
        self.page.on("request", lambda request: self._left(request.url, origin))

    def _hear(self, kind: str, text: str) -> None:
        if kind in ("error", "warning") and not any(part in text for part in self.forgiven):
            self.faults.append(f"console: {text}")

    def _left(self, url: str, origin: str) -> None:
        if not url.startswith(f"{origin}/"):
            self.faults.append(f"left the table: {url}")


Opening = Callable[..., Watched]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[RunningTable]:
    with running(tmp_path) as table:
        yield table


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Opening]:
    """Open pages in contexts of their own; at the end nothing may have gone wrong in any."""
    opened: list[Watched] = []
    with ExitStack() as contexts:

        def open_page(address: str, viewport: dict[str, int] = LAPTOP, **options: Any) -> Watched:
            origin = "/".join(address.split("/")[:3])
            options.setdefault("locale", "en")
            context: BrowserContext = browser.new_context(viewport=viewport, **options)  # type: ignore[arg-type]
            contexts.callback(context.close)
            context.set_default_timeout(1000 * PATIENCE)
            watched = Watched(context.new_page())
            watched.watch(origin)
            watched.page.goto(address)
            opened.append(watched)
            return watched

        yield open_page
    faults = [fault for watched in opened for fault in watched.faults]
    assert faults == []
