"""The way from page to page: one row on the smallest phone, the rarer pages behind a menu that every hand can use."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from companion.i18n import LANGUAGES
from companion.rules.registry import GAMES
from tests.journeys.conftest import LAPTOP, PHONE, Opening
from tests.journeys.pages import connected
from tests.journeys.test_accessible import faults, too_wide
from tests.web.stand import RunningTable, running

RARER = {"/host/correct", "/host/tags", "/host/phones"}
ROWS = "() => new Set([...document.querySelectorAll('.tabs > ul > li')].map((tab) => tab.offsetTop)).size"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningTable]:
    with running(tmp_path_factory.mktemp("navigation"), games=GAMES) as table:
        yield table


def reachable(page: Page) -> set[str]:
    """The addresses that can be seen, and pressed, in the row of pages."""
    links = page.locator(".tabs a")
    return {links.nth(at).get_attribute("href") or "" for at in range(links.count()) if links.nth(at).is_visible()}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", ["/", "/host", "/host/phones"])
def test_a_hosts_pages_stand_in_one_row_on_the_smallest_phone(
    table: RunningTable, open_page: Opening, language: str, path: str
) -> None:
    page = open_page(f"{table.address}{path}", PHONE, locale=language).page
    assert page.evaluate(ROWS) == 1
    assert too_wide(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_menu_opens_by_keyboard_leads_on_and_closes_with_escape(
    table: RunningTable, open_page: Opening, scheme: str
) -> None:
    page = open_page(f"{table.address}/host", PHONE, color_scheme=scheme, reduced_motion="reduce").page
    connected(page)
    menu = page.locator("#more-pages > summary")
    assert not reachable(page) & RARER
    menu.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#more-pages")).to_have_attribute("open", "")
    assert reachable(page) >= RARER
    assert (faults(page), too_wide(page)) == ([], [])
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    expect(page.locator("#more-pages")).not_to_have_attribute("open", "")
    expect(menu).to_be_focused()
    menu.click()
    page.locator(".tabs a[href='/host/phones']").click()
    page.wait_for_url("**/host/phones")
    expect(menu).to_have_attribute("aria-current", "true")


def test_a_menu_is_folded_again_by_a_touch_beside_it(table: RunningTable, open_page: Opening) -> None:
    page = open_page(f"{table.address}/host", PHONE).page
    connected(page)
    for menu in ("more-pages", "preferences"):
        page.locator(f"#{menu} > summary").click()
        expect(page.locator(f"#{menu}")).to_have_attribute("open", "")
        page.locator("main").click(position={"x": 5, "y": 300})
        expect(page.locator(f"#{menu}")).not_to_have_attribute("open", "")


def test_a_wide_window_shows_every_page_at_once(table: RunningTable, open_page: Opening) -> None:
    page = open_page(f"{table.address}/host", LAPTOP).page
    assert reachable(page) >= RARER
    assert page.evaluate(ROWS) == 1
    assert faults(page) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_menu_stays_on_the_screen_with_the_largest_text(
    table: RunningTable, open_page: Opening, language: str
) -> None:
    page = open_page(f"{table.address}/host", PHONE, locale=language).page
    page.evaluate("document.documentElement.dataset.size = 'largest'")
    page.locator("#more-pages > summary").click()
    sheet = page.locator("#more-pages > .sheet").bounding_box()
    assert sheet is not None
    assert sheet["x"] >= 0
    assert sheet["x"] + sheet["width"] <= PHONE["width"]
