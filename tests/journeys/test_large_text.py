"""Text of twice the size, as phones have it for those who see badly: everything can be read, and nothing is cut off."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from companion.i18n import LANGUAGES
from companion.rules.registry import GAMES
from tests.journeys.conftest import PHONE, Opening
from tests.journeys.pages import connected
from tests.journeys.test_accessible import SETUP, WORN, too_wide, unfold
from tests.web.stand import RunningTable, running

PAGES = ("/", "/host", "/check", "/games", "/games/1", "/host/games", "/host/correct", "/host/tags", "/host/phones")
CUT_OFF = """() => [...document.querySelectorAll('button')]
  .filter((button) => button.checkVisibility() && !button.closest('.sea'))
  .filter((button) => button.scrollWidth > button.clientWidth)
  .map((button) => button.textContent.trim())"""
SQUEEZED = """() => [...document.querySelectorAll('main *')]
  .filter((part) => part.checkVisibility() && !part.closest('.sea, svg, .unseen, table'))
  .filter((part) => [...part.childNodes].some((child) => child.nodeType === 3 && child.data.trim().length > 6))
  .filter((part) => getComputedStyle(part).display !== 'inline')
  .filter((part) => part.clientWidth < 3 * parseFloat(getComputedStyle(part).fontSize))
  .map((part) => part.textContent.trim())"""
LABEL = "() => parseFloat(getComputedStyle(document.querySelector('.space .label')).fontSize)"
ROWS = """() => ['.brand', '.preferences', '.link']
  .map((part) => document.querySelector(part).getBoundingClientRect())
  .map((box) => [box.top, box.bottom])"""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningTable]:
    with running(tmp_path_factory.mktemp("large"), games=GAMES) as table:
        table.on_loop(lambda session: session.start("forbidden_island", SETUP))
        table.on_loop(lambda session: session.play(WORN))
        yield table


def enlarge(page: Page, times: float) -> None:
    page.evaluate("times => (document.documentElement.style.fontSize = `${100 * times}%`)", times)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_button_is_cut_off_and_no_page_is_wider_than_the_phone(
    table: RunningTable, open_page: Opening, language: str
) -> None:
    page = open_page(table.address, {"width": 360, "height": 740}, locale=language).page
    found = {}
    for path in PAGES:
        page.goto(f"{table.address}{path}")
        enlarge(page, 2)
        unfold(page)
        found[path] = (page.evaluate(CUT_OFF), page.evaluate(SQUEEZED), too_wide(page))
    assert {path: said for path, said in found.items() if any(said)} == {}


def test_the_names_on_the_map_grow_with_the_text(table: RunningTable, open_page: Opening) -> None:
    page = open_page(f"{table.address}/", PHONE).page
    normal = page.evaluate(LABEL)
    enlarge(page, 2)
    assert page.evaluate(LABEL) > 1.7 * normal


def test_a_lost_link_is_told_below_the_title_and_moves_nothing_else(table: RunningTable, open_page: Opening) -> None:
    page = open_page(f"{table.address}/", PHONE).page
    connected(page)
    page.evaluate("""() => {
      const link = document.getElementById('link');
      link.firstElementChild.textContent = link.dataset.lost.replace('{time}', '11:28 AM');
      link.dataset.state = 'lost';
    }""")
    brand, preferences, link = page.evaluate(ROWS)
    assert preferences[0] < brand[1]
    assert link[0] >= max(brand[1], preferences[1])
