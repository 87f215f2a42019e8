"""What is only looked at, in a real browser: sifting, checking, the list, sound and vibration, every screen for axe."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from companion.rules.game import Refused
from companion.rules.registry import GAMES
from companion.table.session import Session
from tests.journeys.conftest import LAPTOP, PHONE, Opening
from tests.journeys.pages import connected, region, revision
from tests.journeys.test_accessible import faults, too_wide, unfold
from tests.web.stand import RunningTable, running

SETUP = {"players": ["explorer", "pilot", "engineer", "diver"], "difficulty": "elite", "seed": "7"}
PATHS = ("/", "/check", "/games", "/games/1", "/games/2")
MIDDLING = {"width": 390, "height": 844}

SENSES = """
window.given = [];
navigator.vibrate = (shake) => window.given.push(['vibration', shake].flat());
class Voice { connect(next) { return next; } start() { window.given.push(['sound', this.frequency.value]); } stop() {} }
window.AudioContext = class {
  constructor() { this.state = 'suspended'; this.currentTime = 0; this.destination = {}; }
  resume() { this.state = 'running'; }
  createOscillator() { return Object.assign(new Voice(), { frequency: {} }); }
  createGain() { return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect() {} }; }
};
"""
"""A phone whose sounds and shakes are written down instead."""


def play(session: Session, turns: int) -> None:
    """Deal for some turns; whoever must act does the first legal thing."""
    while session.legal():
        seated = session.snapshot.seated
        assert seated is not None
        if seated.game.turn(seated.state) > turns:
            return
        try:
            session.deal()
        except Refused:
            session.play(next(c for c in session.legal() if c["do"] in ("swim", "discard")))


def lay(session: Session) -> None:
    """One game lost, one going on with a move taken back and a correction."""
    (game,) = GAMES
    session.start(game, SETUP)
    play(session, 99)
    session.start(game, {**SETUP, "seed": "9"})
    play(session, 3)
    session.undo()
    session.play({"do": "correct", "tiles": {"watchtower": "flooded"}})


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningTable]:
    folder: Path = tmp_path_factory.mktemp("looking")
    with running(folder, games=GAMES) as table:
        table.on_loop(lay)
        yield table


@pytest.fixture
def island(tmp_path: Path) -> Iterator[RunningTable]:
    with running(tmp_path, games=GAMES) as table:
        table.on_loop(lambda session: session.start(next(iter(GAMES)), SETUP))
        yield table


def lines(page: Page, name: str = "log") -> Locator:
    return region(page, name).locator(".log > li:visible")


# -- every screen
@pytest.mark.parametrize("language", ["en", "pt-BR", "bg"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_that_is_looked_at_is_accessible_and_fits(
    laid: RunningTable, open_page: Opening, language: str, scheme: str
) -> None:
    watched = open_page(f"{laid.address}/", PHONE, locale=language, color_scheme=scheme, reduced_motion="reduce")
    found: dict[str, Any] = {}
    for path in (*PATHS, "/preferences?board=list&back=/"):
        watched.page.goto(f"{laid.address}{path}")
        unfold(watched.page)
        found[path] = (faults(watched.page), too_wide(watched.page))
    assert {path: said for path, said in found.items() if said != ([], [])} == {}


@pytest.mark.parametrize("path", PATHS)
def test_at_twice_the_text_nothing_is_cut_off(laid: RunningTable, open_page: Opening, path: str) -> None:
    """Text twice as large in a small window: what a phone held sideways shows at a zoom of 200 %."""
    page = open_page(f"{laid.address}{path}", {"width": 640, "height": 390}, locale="bg").page
    unfold(page)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert too_wide(page) == []


@pytest.mark.parametrize("size", [PHONE, MIDDLING, LAPTOP], ids=lambda size: str(size["width"]))
@pytest.mark.parametrize("path", PATHS)
def test_every_target_on_it_is_large_enough_for_a_finger(
    laid: RunningTable, open_page: Opening, path: str, size: dict[str, int]
) -> None:
    page = open_page(f"{laid.address}{path}", size).page
    unfold(page)
    small = page.evaluate(
        """() => [...document.querySelectorAll(
            'main button, nav a, summary, select, .button, main a.target, .sheet button')]
          .filter((part) => part.checkVisibility() && !part.closest('.board'))
          .map((part) => [part.textContent.trim(), part.getBoundingClientRect()])
          .filter(([, box]) => box.width < 43.9 || box.height < 43.5)
          .map(([text, box]) => `${text}: ${box.width} x ${box.height}`)"""
    )
    assert small == []


# -- the log
def test_the_log_is_sifted_by_player_kind_and_turn_without_a_reload(laid: RunningTable, open_page: Opening) -> None:
    page = open_page(f"{laid.address}/games/2", MIDDLING).page
    page.evaluate("window.loadedOnce = true")
    page.get_by_text("Filter the log").click()
    everything = lines(page, "past").count()

    page.get_by_label("What").select_option("correction")
    expect(lines(page, "past")).to_have_count(1)
    expect(lines(page, "past")).to_contain_text("Watchtower")

    page.get_by_label("What").select_option("undone")
    expect(lines(page, "past")).to_have_count(1)
    expect(lines(page, "past").locator("s")).to_have_count(1)
    expect(lines(page, "past")).to_contain_text("taken back")

    page.get_by_label("What").select_option("")
    page.get_by_label("Player").select_option("pilot")
    for text in lines(page, "past").all_inner_texts():
        assert "Pilot" in text
    page.get_by_label("Turn").select_option("1")
    page.get_by_label("What").select_option("correction")
    expect(page.get_by_text("No line of the log is like that.")).to_be_visible()
    for key in ("players", "kinds", "turn"):
        page.locator(f"[data-sift={key}]").select_option("")
    expect(lines(page, "past")).to_have_count(everything)
    assert page.evaluate("window.loadedOnce")


def test_a_sifted_log_stays_sifted_when_the_table_moves_on(island: RunningTable, open_page: Opening) -> None:
    island.on_loop(lambda session: session.deal())
    page = open_page(f"{island.address}/", MIDDLING).page
    connected(page)
    page.get_by_text("Filter the log").click()
    page.get_by_label("What").select_option("draw")
    drawn = lines(page).count()
    island.on_loop(lambda session: session.play({"do": "correct", "water": 2}))
    expect(region(page, "log").locator(".log > li")).to_have_count(drawn + 2)
    expect(lines(page)).to_have_count(drawn)
    expect(page.get_by_label("What")).to_have_value("draw")


# -- check the board
def test_each_difference_is_put_right_with_a_tap(island: RunningTable, open_page: Opening) -> None:
    page = open_page(f"{island.address}/check", PHONE).page
    connected(page)
    page.get_by_role("button", name="Watchtower: sunk").click()
    expect(page.locator(".lying li", has_text="Watchtower")).to_contain_text("Watchtower: sunk")
    page.get_by_role("button", name="water level: 5").click()
    expect(page.get_by_role("heading", name="water level: 5")).to_be_visible()
    page.locator("#check-hands-pilot summary").click()
    before = revision(page)
    page.get_by_role("button", name="Pilot, hands: one more: Sandbags").click()
    expect(page.locator("#regions")).not_to_have_attribute("data-revision", before)
    page.locator("#check-pawns-pilot summary").click()
    page.locator("#check-pawns-pilot select").select_option("iron_gate")
    before = revision(page)
    island.on_loop(lambda session: session.play({"do": "correct", "water": 6}))
    expect(page.locator("#regions")).not_to_have_attribute("data-revision", before)
    expect(page.locator("#check-pawns-pilot select")).to_have_value("iron_gate")
    page.locator("#check-pawns-pilot").get_by_role("button", name="Put right").click()
    expect(page.locator(".lying li", has_text="Iron Gate").locator(".pawn", has_text="Pilot")).to_be_attached()


def test_the_small_game_is_checked_and_looked_back_at_as_well(table: RunningTable, open_page: Opening) -> None:
    table.on_loop(lambda session: session.start("tiny", {"players": ["otter"], "seed": "1", "dark": "dune"}))
    page = open_page(f"{table.address}/check", PHONE).page
    connected(page)
    page.get_by_role("button", name="mill: dark").click()
    expect(page.locator(".lying li", has_text="mill")).to_contain_text("mill: dark")
    page.goto(f"{table.address}/games/1")
    expect(page.locator("figure.chart")).to_have_count(3)
    assert faults(page) == []


# -- the odds
def test_a_host_hides_the_odds_and_shows_them_again_on_every_phone(island: RunningTable, open_page: Opening) -> None:
    host = open_page(f"{island.address}/", MIDDLING).page
    phone = open_page(f"{island.address}/", PHONE).page
    for page in (host, phone):
        connected(page)
        page.get_by_text("Odds of this turn").click()
    expect(phone.get_by_text("Waters Rise! comes this turn")).to_be_visible()
    host.get_by_role("button", name="Hide the odds").click()
    expect(phone.get_by_text("Waters Rise! comes this turn")).to_have_count(0)
    host.get_by_role("button", name="Show the odds").click()
    expect(phone.get_by_text("Odds of this turn")).to_be_visible()


# -- the list
def test_the_list_takes_the_maps_place_and_gives_it_back_and_the_phone_remembers(
    island: RunningTable, open_page: Opening
) -> None:
    page = open_page(f"{island.address}/host", PHONE).page
    connected(page)
    page.get_by_role("link", name="Show the list instead of the map").click()
    expect(page.locator(".listed li")).to_have_count(24)
    assert page.url.endswith("/host")
    page.goto(f"{island.address}/")
    expect(page.locator(".listed li")).to_have_count(24)
    expect(page.locator(".sea")).to_have_count(0)
    page.get_by_role("link", name="Show the map").click()
    expect(page.locator(".sea .space")).to_have_count(24)


# -- sound and vibration
def senses(page: Page) -> list[list[Any]]:
    given: list[list[Any]] = page.evaluate("window.given.splice(0)")
    return given


def test_a_phone_is_silent_until_it_is_told_to_sound_and_remembers_that(
    island: RunningTable, open_page: Opening
) -> None:
    watched = open_page(f"{island.address}/", PHONE)
    page = watched.page
    page.context.add_init_script(SENSES)
    page.goto(f"{island.address}/")
    connected(page)
    before = revision(page)
    island.on_loop(lambda session: session.deal())
    page.wait_for_function("before => document.getElementById('regions').dataset.revision !== before", arg=before)
    assert senses(page) == []

    page.locator("#preferences summary").click()
    for name in ("Sound", "Vibration"):
        page.get_by_role("button", name=name).click()
        expect(page.get_by_role("button", name=name)).to_have_attribute("aria-pressed", "true")
    assert {kind for kind, *_ in senses(page)} == {"sound", "vibration"}

    page.goto(f"{island.address}/")
    connected(page)
    page.locator("#preferences summary").click()
    expect(page.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "true")
    island.on_loop(lambda session: session.play({"do": "correct", "water": 10}))
    page.wait_for_function("() => window.given.length > 1")
    assert ["vibration", 400] in senses(page)


def test_the_same_revision_is_never_sounded_twice(island: RunningTable, open_page: Opening) -> None:
    page = open_page(f"{island.address}/", PHONE).page
    page.context.add_init_script(f"localStorage.setItem('vibration', 'on');{SENSES}")
    page.goto(f"{island.address}/")
    connected(page)
    island.on_loop(lambda session: session.deal())
    page.wait_for_function("() => window.given.length > 0")
    assert len(senses(page)) == 1
    island.ring()
    page.evaluate("fetch('/table').then((answer) => answer.text())")
    assert senses(page) == []


def test_what_cannot_be_played_is_no_error(laid: RunningTable, open_page: Opening) -> None:
    page = open_page(f"{laid.address}/", PHONE).page
    page.context.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('off'); } });"
    )
    page.goto(f"{laid.address}/")
    connected(page)
    page.locator("#preferences summary").click()
    page.get_by_role("button", name="Sound").click()
    expect(page.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "true")


# -- the files
def test_a_game_is_taken_away_with_a_tap(laid: RunningTable, open_page: Opening) -> None:
    page = open_page(f"{laid.address}/games/1", PHONE).page
    with page.expect_download() as started:
        page.get_by_role("link", name="Save as a scenario").click()
    assert started.value.suggested_filename == "scenario-1.json"
    with suppress(FileNotFoundError):
        assert json.loads(Path(started.value.path()).read_text("utf-8"))["steps"]
