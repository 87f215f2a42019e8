"""Four people, four phones, one game: to its end, with sleep, a stale page, someone who leaves and comes back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.rules.registry import GAMES
from tests.journeys.conftest import Opening, Watched
from tests.journeys.pages import connected, region, revision
from tests.journeys.phones import RESTART, fall_asleep, press_one, scan_the_code, sit, wake
from tests.ports import free_port
from tests.web.stand import RunningTable, running

ROLES = ("explorer", "pilot", "engineer", "diver")
SETUP = {"players": list(ROLES), "difficulty": "novice", "seed": "four phones"}
MOVES_AT_MOST = 300


@pytest.fixture
def island(tmp_path: Path) -> Iterator[RunningTable]:
    with running(tmp_path, games=GAMES) as table:
        table.on_loop(lambda session: session.start("forbidden_island", SETUP))
        yield table


@dataclass
class Evening:
    """The table and, by role, the phone of who plays it."""

    table: RunningTable
    phones: dict[str, Watched]

    def page(self, role: str) -> Page:
        return self.phones[role].page

    @property
    def state(self) -> Any:
        return self.table.on_loop(lambda session: session.snapshot.seated and session.snapshot.seated.state)

    @property
    def revision(self) -> int:
        return self.table.on_loop(lambda session: session.snapshot.revision)

    def caught_up(self, page: Page) -> None:
        expect(page.locator("#regions")).to_have_attribute("data-revision", str(self.revision))

    def move(self, number: int, *, awake: tuple[str, ...] = ROLES) -> None:
        """Somebody presses something: whoever's turn it is, else anybody who can, else someone for another."""
        active = self.state.active.value
        able = sorted(awake, key=lambda role: role != active)
        for role in able:
            self.caught_up(self.page(role))
            if press_one(self.page(role), number * 7919 + 1):
                return
        assert press_one(self.page(able[0]), number * 7919 + 1, for_others=True), "nobody can do anything"


def four(table: RunningTable, open_page: Opening) -> Evening:
    phones = {role: scan_the_code(table, open_page) for role in ROLES}
    for role, watched in phones.items():
        sit(watched.page, role)
    return Evening(table, phones)


def test_four_phones_play_a_game_to_its_end(island: RunningTable, open_page: Opening) -> None:
    evening = four(island, open_page)
    moves = 0

    def play_until(turn: int, awake: tuple[str, ...] = ROLES) -> None:
        nonlocal moves
        while moves < MOVES_AT_MOST and not evening.state.over and evening.state.turn < turn:
            evening.move(moves, awake=awake)
            moves += 1

    play_until(3)
    _act_on_a_stale_page(evening, "explorer")

    evening.caught_up(evening.page("engineer"))
    fall_asleep(evening.page("engineer"))
    before = revision(evening.page("engineer"))
    play_until(6, tuple(role for role in ROLES if role != "engineer"))
    assert revision(evening.page("engineer")) == before
    wake(evening.page("engineer"))
    evening.caught_up(evening.page("engineer"))

    _leave_and_come_back(evening, "pilot")
    play_until(99)
    for role in ROLES:
        expect(region(evening.page(role), "turn")).to_contain_text("You lost")
        evening.caught_up(evening.page(role))
    assert moves < MOVES_AT_MOST


def _act_on_a_stale_page(evening: Evening, role: str) -> None:
    """One order is played, the one for the table as it was is not: its phone gets the new table and a sentence."""
    watched = evening.phones[role]
    watched.forgiven += ["409", "503"]
    page = watched.page
    evening.caught_up(page)
    page.route("**/host/live/play*", lambda route: route.fulfill(status=503))
    evening.table.on_loop(lambda session: session.undo())
    before = evening.revision
    page.locator("#region-controls .tools [data-command*=undo]").click()
    expect(page.get_by_role("status")).to_contain_text("The table has moved on")
    assert evening.revision == before
    page.unroute("**/host/live/play*")
    evening.table.ring()
    evening.caught_up(page)
    evening.table.on_loop(lambda session: session.redo())


def _leave_and_come_back(evening: Evening, role: str) -> None:
    """The page is closed; hours later the same phone opens the address: its seat is its own still."""
    page = evening.page(role)
    address = page.url
    page.goto("about:blank")
    others = tuple(one for one in ROLES if one != role)
    evening.move(1000, awake=others)
    page.goto(address)
    connected(page)
    evening.caught_up(page)
    expect(region(page, "me").locator(".mine h3")).to_contain_text("Pilot")


def test_the_server_starts_again_in_mid_game_and_no_phone_needs_a_touch(tmp_path: Path, open_page: Opening) -> None:
    port = free_port()
    with running(tmp_path, port, games=GAMES) as table:
        table.on_loop(lambda session: session.start("forbidden_island", SETUP))
        evening = four(table, open_page)
        for number in range(4):
            evening.move(number)
        for watched in evening.phones.values():
            watched.forgiven += RESTART
            watched.page.evaluate("window.untouched = true")
    for role in ROLES:
        expect(evening.page(role).locator("#link")).not_to_have_attribute("data-state", "live")
    with running(tmp_path, port, games=GAMES) as table:
        evening.table = table
        for role in ROLES:
            connected(evening.page(role))
            evening.caught_up(evening.page(role))
            assert evening.page(role).evaluate("window.untouched")
        before = evening.revision
        for number in range(4, 8):
            evening.move(number)
        assert evening.revision > before


def test_a_seat_is_handed_over_shared_and_acted_for(island: RunningTable, open_page: Opening) -> None:
    ana, bob = (scan_the_code(island, open_page) for _ in range(2))
    sit(ana.page, "explorer")
    sit(bob.page, "explorer")
    for page in (ana.page, bob.page):
        expect(region(page, "me").locator(".mine h3")).to_contain_text("Explorer")
    ana.page.locator("#seats-of-all > summary").click()
    ana.page.get_by_role("button", name="Get up").click()
    expect(region(ana.page, "me").locator(".mine")).to_have_count(0)
    sit(ana.page, "pilot")
    ana.page.locator("#seats-of-all > summary").click()
    ana.page.locator("#hand-over-pilot > summary").click()
    ana.page.get_by_role("button", name="Phone 2").click()
    expect(region(bob.page, "me").locator(".mine h3")).to_have_count(2)
    sit(ana.page, "diver")
    expect(region(ana.page, "controls").locator("#for-others")).to_be_visible()
    assert press_one(ana.page, 5, for_others=True)


def test_the_game_is_ended_only_after_a_question(island: RunningTable, open_page: Opening) -> None:
    page = scan_the_code(island, open_page).page
    put_away = page.get_by_role("button", name="Put away")
    put_away.click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("End this game")
    expect(dialog.get_by_role("button", name="No", exact=True)).to_be_focused()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(put_away).to_be_focused()
    assert island.on_loop(lambda session: session.snapshot.seated) is not None
    put_away.click()
    dialog.get_by_role("button", name="Yes").click()
    expect(region(page, "turn")).to_contain_text("No game is on the table yet")
