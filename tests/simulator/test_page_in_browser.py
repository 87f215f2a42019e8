"""The simulator's page in a real browser, under the strictest fence that it may be served behind."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn
from axe_playwright_python.sync_playwright import Axe
from fastapi import FastAPI, Request, Response
from PIL import Image
from playwright.sync_api import APIResponse, Browser, Route, expect

from companion.ports import PANEL_MODELS
from simulator.page import router
from simulator.table import SimulatedTable
from simulator.tags import Piece, fake_tag
from tests.patience import PATIENCE

PATIENCE_MS = 1000 * PATIENCE
PIECES = [
    Piece(fake_tag(f"{kind}:{name}"), kind, name, name.replace("_", " ").title())
    for kind, name in (("tile", "watchtower"), ("tile", "bronze_gate"), ("role", "pilot"))
]

pytestmark = pytest.mark.browser


@pytest.fixture
def table(tmp_path: Path) -> Iterator[SimulatedTable]:
    made = SimulatedTable(PIECES, tmp_path, PANEL_MODELS["phat-red"], slowness=0)
    yield made
    made.close()


@pytest.fixture
def address(table: SimulatedTable) -> Iterator[str]:
    app = FastAPI()
    app.include_router(router(table))

    @app.middleware("http")
    async def fence(request: Request, call_next: object) -> Response:
        answer: Response = await call_next(request)  # type: ignore[operator]  # Starlette's own type is private
        answer.headers["Content-Security-Policy"] = (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'"
        )
        return answer

    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/sim"
    server.should_exit = True
    thread.join()


def test_a_person_can_play_with_everything(table: SimulatedTable, address: str, browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    faults: list[str] = []
    page.set_default_timeout(PATIENCE_MS)
    expect.set_options(timeout=PATIENCE_MS)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if "Content Security" in said.text else None)
    page.goto(address)

    page.get_by_label("Find").fill("gate")
    expect(page.get_by_role("button", name="Watchtower")).to_be_hidden()
    page.get_by_label("leave on the reader").check()
    gate = page.get_by_role("button", name="Bronze Gate", exact=True)
    gate.click()
    expect(gate).to_have_attribute("aria-pressed", "true")
    assert list(table.reader.placed) == [PIECES[1].tag]
    page.get_by_role("button", name="Lift Bronze Gate").click()
    expect(gate).to_have_attribute("aria-pressed", "false")
    assert list(table.reader.placed) == []

    page.get_by_role("button", name="Unplug").click()
    expect(page.get_by_role("button", name="Plug in")).to_be_visible()
    assert not table.reader.plugged

    table.panel.show(Image.new("P", table.panel.size, 2))
    expect(page.get_by_role("img", name="What the panel shows")).to_be_visible()
    page.get_by_label("The panel is dead").check()
    expect(page.locator("#panel-standing")).to_contain_text(": dead")
    assert table.panel.dead

    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.close()
    assert faults == []


def test_an_answer_that_comes_late_is_not_shown_over_a_newer_one(
    table: SimulatedTable, address: str, browser: Browser
) -> None:
    page = browser.new_page()
    page.set_default_timeout(PATIENCE_MS)
    expect.set_options(timeout=PATIENCE_MS)
    page.goto(address)
    expect(page.locator("#reader-standing")).to_contain_text("Plugged in")
    held: list[tuple[Route, APIResponse]] = []

    def hold(route: Route) -> None:
        held.append((route, route.fetch()))

    page.route("**/sim/state", hold, times=1)
    while not held:
        page.wait_for_timeout(20)
    page.get_by_label("The panel is dead").check()
    expect(page.locator("#panel-standing")).to_contain_text(": dead")
    page.evaluate(
        """() => {
          window.changes = 0;
          new MutationObserver(() => window.changes++)
            .observe(document.getElementById('panel-standing'), {subtree: true, childList: true, characterData: true});
        }"""
    )
    route, old = held[0]
    route.fulfill(response=old)
    page.wait_for_event("response", lambda answer: answer.url.endswith("/sim/state"))
    page.wait_for_event("response", lambda answer: answer.url.endswith("/sim/state"))
    assert page.evaluate("window.changes") == 0
    page.close()


def test_the_page_has_no_fault_that_axe_finds(address: str, browser: Browser) -> None:
    # axe-core is put into the page by the test, which the fence would forbid.
    page = browser.new_page(bypass_csp=True)
    page.goto(address)
    page.get_by_text("Plugged in").wait_for()
    found = Axe().run(page)
    page.close()
    assert found.violations_count == 0, found.generate_report()


def test_protocol_fault_and_speed_are_chosen_on_the_page(table: SimulatedTable, address: str, browser: Browser) -> None:
    page = browser.new_page()
    page.goto(address)
    expect(page.get_by_text("Plugged in, nothing lies on it.")).to_be_visible(timeout=PATIENCE_MS)
    page.get_by_label("It speaks").select_option("pn532")
    page.get_by_label("torn frames").fill("20")
    page.get_by_label("torn frames").blur()
    page.get_by_label("It is", exact=True).select_option("as slow as a real one")
    page.get_by_label("something lies on B").check()
    page.reload()
    expect(page.get_by_label("It speaks")).to_have_value("pn532", timeout=PATIENCE_MS)
    expect(page.get_by_label("torn frames")).to_have_value("20", timeout=PATIENCE_MS)
    expect(page.get_by_label("It is", exact=True)).to_have_value("1.0", timeout=PATIENCE_MS)
    assert table.speaking == {"reader": "pn532"}
    page.close()
