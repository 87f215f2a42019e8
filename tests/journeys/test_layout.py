"""Where the regions of the table stand: two full columns on a wide window, one in playing order on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from companion.rules.registry import GAMES
from tests.journeys.conftest import LAPTOP, PHONE, Opening
from tests.journeys.test_accessible import SETUP, WORN, faults
from tests.web.stand import RunningTable, Standing, running

GAP = 20
"""Pixels between two regions of a column at most."""

HOLES = """(most) => {
  const box = (part) => part.getBoundingClientRect();
  const regions = [...document.querySelectorAll('.region:not([hidden])')];
  const isAbove = (one, part) => box(one).bottom <= box(part).top
    && box(one).left < box(part).right && box(one).right > box(part).left;
  return regions.flatMap((part) => {
    const above = regions.filter((one) => isAbove(one, part)).map((one) => box(one).bottom);
    const gap = box(part).top - Math.max(...above);
    return above.length && gap > most ? [`${gap} pixels above ${part.dataset.region}`] : [];
  });
}"""

ORDER = """() => [...document.querySelectorAll('.region:not([hidden])')]
  .sort((one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top)
  .map((part) => part.dataset.region)"""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningTable]:
    folder: Path = tmp_path_factory.mktemp("layout")
    with running(folder, games=GAMES, panel_standing=lambda: Standing(9, 9)) as table:
        yield table


def begin(table: RunningTable) -> None:
    """A fresh game: nothing drawn, an empty log."""
    table.on_loop(lambda session: session.start("forbidden_island", SETUP))


def wear(table: RunningTable) -> None:
    """A full turn at high water and a question with many answers: the right column is the longer one."""
    begin(table)
    table.on_loop(lambda session: session.play(WORN))
    table.on_loop(lambda session: session.deal())
    table.on_loop(lambda session: session.play({"do": "correct", "hands": {"explorer": ["sandbags"] * 2}}))
    table.on_loop(lambda session: session.deal())
    table.on_loop(lambda session: session.pick("do:sandbags"))


def columns(page: Page) -> list[str]:
    holes: list[str] = page.evaluate(HOLES, GAP)
    return holes


@pytest.mark.parametrize("state", [begin, wear])
@pytest.mark.parametrize("path", ["/", "/host"])
@pytest.mark.parametrize("width", [1000, 1280, 1600])
def test_a_wide_window_has_no_hole_between_regions(
    table: RunningTable, open_page: Opening, state: object, path: str, width: int
) -> None:
    assert callable(state)
    state(table)
    page = open_page(f"{table.address}{path}", {"width": width, "height": 900}).page
    assert columns(page) == []
    boxes = page.evaluate("['board', 'turn'].map((name) => document.getElementById(`region-${name}`).offsetTop)")
    assert boxes[0] == boxes[1]


def test_with_no_game_one_column_stands_in_the_middle(tmp_path: Path, open_page: Opening) -> None:
    with running(tmp_path, games=GAMES, panel_standing=lambda: Standing(9, 9)) as table:
        page = open_page(f"{table.address}/host", LAPTOP).page
        boxes = page.evaluate(
            """() => ['turn', 'panel'].map((name) => document.getElementById(`region-${name}`).getBoundingClientRect())
              .map((box) => [box.left, innerWidth - box.right])"""
        )
        assert all(left == right for left, right in boxes)
        begin(table)
        page.locator(".board").wait_for()
        assert columns(page) == []


def test_the_log_takes_the_height_that_is_left(table: RunningTable, open_page: Opening) -> None:
    wear(table)
    page = open_page(f"{table.address}/", LAPTOP).page
    ends = "['piles', 'log'].map((name) => document.getElementById(`region-${name}`).getBoundingClientRect().bottom)"
    piles, log = page.evaluate(ends)
    assert abs(piles - log) < 2


def test_a_phone_shows_the_board_right_after_what_is_asked(table: RunningTable, open_page: Opening) -> None:
    wear(table)
    page = open_page(f"{table.address}/host", PHONE).page
    order = [name for name in page.evaluate(ORDER) if name != "notice"]
    first = ["turn", "controls", "me", "results", "board", "meters", "goals"]
    assert order == [*first, "seats", "piles", "panel", "odds", "log"]


def test_the_keyboard_goes_through_a_phones_regions_from_top_to_bottom(table: RunningTable, open_page: Opening) -> None:
    wear(table)
    page = open_page(f"{table.address}/host", PHONE).page
    tops = page.evaluate(
        """() => [...document.querySelectorAll('.region :is(button, a, summary, [tabindex="0"])')]
          .filter((part) => part.offsetParent)
          .map((part) => part.closest('.region').getBoundingClientRect().top)"""
    )
    assert len(tops) > 10
    assert tops == sorted(tops)


@pytest.mark.parametrize("path", ["/", "/host"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_wide_window_is_accessible(table: RunningTable, open_page: Opening, path: str, scheme: str) -> None:
    wear(table)
    page = open_page(f"{table.address}{path}", LAPTOP, color_scheme=scheme, reduced_motion="reduce").page
    assert faults(page) == []
