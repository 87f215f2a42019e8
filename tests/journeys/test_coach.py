"""The coach on a small phone, with its real process: silent until it is pressed, and true for as long as it stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from companion.cli.coaching import CoachProcess
from companion.ports import Advice, DeviceState, DeviceStatus
from companion.rules.registry import GAMES
from tests.journeys.conftest import Opening, Watched
from tests.journeys.pages import connected
from tests.journeys.phones import scan_the_code
from tests.journeys.test_accessible import faults, too_wide
from tests.web.stand import RunningTable, running

SETUP = {"players": ["explorer", "pilot"], "difficulty": "novice", "seed": "7"}
SOON = 0.2
"""Seconds of thinking."""
LONG = 25.0
"""Longer than a page needs to see the table move on, which ends the thinking."""
CHANCE = re.compile(r"Chance to win from here: \d+%, likely between \d+% and \d+%\.")
DOUBT = re.compile(r"From \d+ draws? of the next cards, and a guess")
THINKING = "The coach thinks it through …"
MOVED_ON = "The table moved on while the coach was thinking. Ask again."
LOST = DeviceStatus("left reader", DeviceState.LOST, Advice("advice.reader.gone", {"port": "/dev/ttyACM0"}))

WRITE_DOWN = """() => {
  window.spoken = [];
  const note = () => window.spoken.push(document.getElementById('coach-answer')?.textContent.trim());
  new MutationObserver(note).observe(document.getElementById('region-coach'), { childList: true, subtree: true });
}"""
"""Whatever the coach's place says, however briefly."""

Sitting = Callable[[float], RunningTable]


@pytest.fixture
def coached(tmp_path: Path) -> Iterator[Sitting]:
    """A table whose coach thinks for so many seconds."""
    with ExitStack() as stack:

        def sit_down(seconds: float) -> RunningTable:
            coach = CoachProcess(seconds)
            stack.callback(coach.close)
            table = stack.enter_context(running(tmp_path, games=GAMES, coach=coach))
            table.on_loop(lambda session: session.start("forbidden_island", SETUP))
            return table

        yield sit_down


def answer(page: Page) -> Locator:
    return page.locator("#coach-answer")


def button(page: Page) -> Locator:
    return page.get_by_role("button", name="Ask the coach")


def ask(page: Page) -> None:
    button(page).click()
    expect(answer(page)).to_contain_text(CHANCE)


def ask_and_before_the_answer(page: Page, happens: Callable[[], None]) -> None:
    """Ask; what happens does so when the coach has answered and the page does not know yet."""

    def hold(route: Route) -> None:
        answered = route.fetch()
        happens()
        route.fulfill(response=answered)

    page.route("**/coach", hold)
    with page.expect_response("**/coach"):
        button(page).click()


def caught_up(table: RunningTable, page: Page) -> None:
    revision = table.on_loop(lambda session: session.snapshot.revision)
    expect(page.locator("#regions")).to_have_attribute("data-revision", str(revision))


def move_on(table: RunningTable, page: Page) -> None:
    """Someone puts the water right."""
    table.on_loop(lambda session: session.play({"do": "correct", "water": 3}))
    caught_up(table, page)


def lose_a_reader(table: RunningTable, page: Page) -> None:
    """Something is new at the table, and the position is not."""
    table.on_loop(lambda session: session.observe(LOST))
    caught_up(table, page)


def forgiving(watched: Watched, *statuses: str) -> Page:
    watched.forgiven += statuses
    return watched.page


def test_nothing_about_chances_is_on_the_page_unasked(coached: Sitting, open_page: Opening) -> None:
    table = coached(SOON)
    page = scan_the_code(table, open_page).page
    move_on(table, page)
    expect(button(page)).to_be_visible()
    expect(answer(page)).to_have_text("")
    assert "%" not in page.locator("#region-coach").inner_text()
    expect(page.get_by_text("Chance to win")).to_have_count(0)
    assert table.desk.coach._process is None  # type: ignore[union-attr]  # the coach's own, which is not even started


def test_a_press_shows_that_it_thinks_then_the_chance_a_command_and_the_doubt_on_this_phone_only(
    coached: Sitting, open_page: Opening
) -> None:
    table = coached(SOON)
    asking, other = (scan_the_code(table, open_page).page for _ in range(2))
    for page in (asking, other):
        page.evaluate(WRITE_DOWN)
    ask(asking)
    assert asking.evaluate("window.spoken")[0] == THINKING
    expect(asking.locator(".coach-best > li > span").first).to_have_text(re.compile(r"[A-Z][a-z]+ .+"))
    expect(answer(asking)).to_contain_text(DOUBT)
    assert "web." not in answer(asking).inner_text()
    table.ring()
    caught_up(table, other)
    assert other.evaluate("window.spoken") == []
    expect(answer(other)).to_have_text("")


def test_the_answer_stays_while_the_position_does_and_is_gone_when_the_table_moves_on(
    coached: Sitting, open_page: Opening
) -> None:
    table = coached(SOON)
    page = scan_the_code(table, open_page).page
    ask(page)
    lose_a_reader(table, page)
    expect(answer(page)).to_contain_text(CHANCE)
    move_on(table, page)
    expect(answer(page)).to_have_text("")
    ask(page)


def test_a_table_that_moves_on_while_the_coach_thinks_is_told_until_it_moves_on_again(
    coached: Sitting, open_page: Opening
) -> None:
    table = coached(LONG)
    page = forgiving(scan_the_code(table, open_page), "409")
    button(page).click()
    expect(answer(page)).to_have_text(THINKING)
    lose_a_reader(table, page)
    expect(answer(page)).to_have_text(THINKING)
    move_on(table, page)
    expect(answer(page)).to_have_text(MOVED_ON)
    expect(button(page)).to_have_attribute("aria-disabled", "false")
    table.on_loop(lambda session: session.undo())
    caught_up(table, page)
    expect(answer(page)).to_have_text("")


def test_a_page_that_shows_an_older_table_is_told_so_and_not_about_another(
    coached: Sitting, open_page: Opening
) -> None:
    table = coached(SOON)
    page = forgiving(scan_the_code(table, open_page), "409", "503")
    page.route("**/host/live/play*", lambda route: route.fulfill(status=503))
    table.on_loop(lambda session: session.play({"do": "correct", "water": 3}))
    button(page).click()
    expect(answer(page)).to_have_text(MOVED_ON)
    page.unroute("**/host/live/play*")
    table.ring()
    caught_up(table, page)
    expect(answer(page)).to_have_text(MOVED_ON)
    ask(page)


def test_an_answer_that_is_overtaken_on_its_way_is_not_shown_about_the_next_position(
    coached: Sitting, open_page: Opening
) -> None:
    table = coached(SOON)
    page = scan_the_code(table, open_page).page
    ask_and_before_the_answer(page, lambda: move_on(table, page))
    expect(answer(page)).to_have_text(MOVED_ON)


def test_a_game_put_to_rest_before_the_answer_comes_takes_the_coach_away(coached: Sitting, open_page: Opening) -> None:
    table = coached(SOON)
    page = scan_the_code(table, open_page).page

    def rest() -> None:
        table.on_loop(lambda session: session.pause())
        caught_up(table, page)

    ask_and_before_the_answer(page, rest)
    expect(page.locator("#region-coach")).to_be_hidden()
    table.on_loop(lambda session: session.resume())
    caught_up(table, page)
    expect(button(page)).to_have_attribute("aria-disabled", "false")


def test_whoever_asks_by_keyboard_keeps_the_focus(coached: Sitting, open_page: Opening) -> None:
    table = coached(SOON)
    page = scan_the_code(table, open_page).page
    button(page).focus()
    page.keyboard.press("Enter")
    expect(answer(page)).to_contain_text(CHANCE)
    expect(button(page)).to_be_focused()


def test_a_coach_that_died_says_so_and_answers_the_next_time(coached: Sitting, open_page: Opening) -> None:
    table = coached(SOON)
    page = forgiving(scan_the_code(table, open_page), "503")
    ask(page)
    table.desk.coach._process.kill()  # type: ignore[union-attr]  # the coach's own
    button(page).click()
    expect(answer(page)).to_have_text("The coach does not answer. Ask again in a moment.")
    connected(page)
    ask(page)


@pytest.mark.parametrize("language", ["en", "pt-BR", "bg"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_answer_is_accessible_and_fits_a_small_phone(
    coached: Sitting, open_page: Opening, language: str, scheme: str
) -> None:
    table = coached(SOON)
    looks = {"locale": language, "color_scheme": scheme, "reduced_motion": "reduce"}
    page = scan_the_code(table, open_page, **looks).page
    page.locator("[data-coach]").click()
    expect(page.locator(".coach-best > li")).not_to_have_count(0)
    assert (faults(page), too_wide(page)) == ([], [])
    page.evaluate("document.documentElement.dataset.size = 'largest'")
    assert too_wide(page) == []
