from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from companion.ports import Advice, DeviceState, DeviceStatus
from companion.rules.registry import GAMES
from tests.journeys.conftest import LAPTOP, PHONE, Opening
from tests.journeys.pages import connected, region
from tests.web.stand import RunningTable, Standing, running

SETUP = {"players": ["explorer", "pilot", "engineer", "diver"], "difficulty": "elite", "seed": "7"}
WORN = {
    "do": "correct",
    "tiles": {"observatory": "sunk", "misty_marsh": "flooded"},
    "pawns": {"pilot": "copper_gate"},
    "captured": ["earth_stone"],
    "water": 8,
}


LOST = DeviceStatus("left reader", DeviceState.LOST, Advice("advice.reader.gone", {"port": "/dev/ttyACM0"}))


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningTable]:
    """A worn island with a question open, a reader lost and the panel late."""
    folder: Path = tmp_path_factory.mktemp("axe")
    with running(folder, games=GAMES, panel_standing=lambda: Standing(9, 7)) as table:
        table.on_loop(lambda session: session.start("forbidden_island", SETUP))
        table.on_loop(lambda session: session.play(WORN))
        table.on_loop(lambda session: session.deal())
        table.on_loop(lambda session: session.play({"do": "correct", "hands": {"explorer": ["sandbags"] * 2}}))
        table.on_loop(lambda session: session.observe(LOST))
        table.on_loop(lambda session: session.pick("do:sandbags"))
        yield table


def faults(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [
        f"{fault['id']}: {node['html'][:120]} {node['failureSummary']}" for fault in found for node in fault["nodes"]
    ]


def unfold(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach((part) => (part.open = true))")


def too_wide(page: Page) -> list[str]:
    """What makes the page wider than its window, outermost first; the board may scroll in its own frame."""
    found: list[str] = page.evaluate(
        """() => document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll('body *')]
          .filter((part) => part.getBoundingClientRect().right > innerWidth && !part.closest('.sea, svg'))
          .map((part) => `${part.tagName}.${part.className}: ${part.textContent.trim().slice(0, 60)}`)"""
    )
    return found


@pytest.mark.parametrize("language", ["en", "pt-BR", "bg"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_accessible(table: RunningTable, open_page: Opening, language: str, scheme: str) -> None:
    watched = open_page(f"{table.address}/", PHONE, locale=language, color_scheme=scheme, reduced_motion="reduce")
    found = {}
    for path in ("/", "/host", "/host/correct", "/host/games", "/host/tags", "/games/1"):
        watched.page.goto(f"{table.address}{path}")
        unfold(watched.page)
        found[path] = faults(watched.page)
    assert {path: said for path, said in found.items() if said} == {}


@pytest.mark.parametrize("language", ["en", "pt-BR", "bg"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_about_the_api_is_accessible_and_says_that_it_is_english(
    table: RunningTable, open_page: Opening, language: str, scheme: str
) -> None:
    page = open_page(f"{table.address}/api", PHONE, locale=language, color_scheme=scheme, reduced_motion="reduce").page
    unfold(page)
    assert page.locator("html").get_attribute("lang") == language
    assert page.locator("main").get_attribute("lang") == "en"
    assert faults(page) == []
    assert too_wide(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_that_asks_for_the_pin_is_accessible(table: RunningTable, open_page: Opening, scheme: str) -> None:
    headers = {"X-Forwarded-For": "192.168.1.20"}
    watched = open_page(f"{table.address}/", color_scheme=scheme, extra_http_headers=headers)
    watched.forgiven.append("403")
    watched.page.goto(f"{table.address}/host")
    assert faults(watched.page) == []


@pytest.mark.parametrize("language", ["en", "pt-BR", "bg"])
@pytest.mark.parametrize("path", ["/", "/host", "/host/correct", "/host/games", "/host/tags"])
def test_no_page_is_wider_than_a_small_phone(table: RunningTable, open_page: Opening, language: str, path: str) -> None:
    page = open_page(f"{table.address}{path}", PHONE, locale=language).page
    unfold(page)
    assert too_wide(page) == []
    page.evaluate("document.documentElement.dataset.size = 'largest'")
    assert too_wide(page) == []


def test_every_target_is_large_enough_for_a_finger(table: RunningTable, open_page: Opening) -> None:
    page = open_page(f"{table.address}/host", PHONE).page
    small = page.evaluate(
        """() => [...document.querySelectorAll('main button, nav a, summary, select, .button')]
          .filter((part) => part.offsetParent && !part.closest('.board'))
          .map((part) => [part.textContent.trim(), part.getBoundingClientRect()])
          .filter(([, box]) => box.width < 44 || box.height < 43.5)
          .map(([text, box]) => `${text}: ${box.width} x ${box.height}`)"""
    )
    assert small == []


def test_the_island_can_be_read_as_a_list(table: RunningTable, open_page: Opening) -> None:
    page = open_page(f"{table.address}/", LAPTOP).page
    connected(page)
    page.get_by_text("The board as a list").click()
    rows = region(page, "board").locator("details li")
    assert rows.count() == 24
    lines = rows.all_inner_texts()
    assert "Observatory: sunk" in lines
    assert any(line.startswith("Copper Gate: ") and "here: " in line for line in lines)


def test_only_the_list_stays_open_when_the_table_changes(table: RunningTable, open_page: Opening) -> None:
    page = open_page(f"{table.address}/", LAPTOP).page
    connected(page)
    page.get_by_text("The board as a list").click()
    table.on_loop(lambda session: session.play({"do": "correct", "tiles": {"watchtower": "sunk"}}))
    page.get_by_text("Watchtower: sunk").wait_for()
    assert page.locator("#board-list").get_attribute("open") is not None
