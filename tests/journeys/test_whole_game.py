from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.rules.registry import GAMES
from tests.journeys.conftest import PHONE, Opening
from tests.journeys.pages import press, region, revision
from tests.journeys.phones import press_one
from tests.web.stand import RunningTable, running

MOVES_AT_MOST = 400


@pytest.fixture
def island(tmp_path: Path) -> Iterator[RunningTable]:
    with running(tmp_path, games=GAMES) as table:
        yield table


def start(page: Page, difficulty: str) -> None:
    page.get_by_label("Seat 3").select_option("diver")
    page.get_by_label(difficulty).check()
    page.get_by_text("Repeat a known game").click()
    page.get_by_label("Seed").fill("journey")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/host")


def test_a_whole_game_is_lost_by_clicking_through_the_page(island: RunningTable, open_page: Opening) -> None:
    phone = open_page(f"{island.address}/", PHONE).page
    host = open_page(f"{island.address}/host/games").page
    start(host, "Novice")
    moves = 0
    while moves < MOVES_AT_MOST and not host.locator(".ending").count():
        assert press_one(host, moves * 7919 + 1)
        moves += 1
    expect(region(host, "turn")).to_contain_text("You lost")
    expect(region(phone, "turn")).to_contain_text("You lost")
    assert revision(phone) == revision(host)
    assert 10 < moves < MOVES_AT_MOST
    told = phone.evaluate("fetch('/table.json').then((answer) => answer.json())")
    assert told["state"]["phase"] == "lost"
    expect(host.get_by_role("link", name="Start another game")).to_be_visible()


def test_a_game_is_won_from_the_page(island: RunningTable, open_page: Opening) -> None:
    phone = open_page(f"{island.address}/", PHONE, locale="pt-BR").page
    host = open_page(f"{island.address}/host/games").page
    start(host, "Novice")
    host.goto(f"{island.address}/host/correct")
    host.evaluate("document.querySelectorAll('details.part').forEach((part) => (part.open = true))")
    for field in host.locator("[data-part=captured] input").all():
        field.check()
    for field in host.locator("select[data-part=pawns]").all():
        field.select_option("fools_landing")
    host.locator("[data-part=hands]").first.locator("[data-option=helicopter_lift]").fill("1")
    press(host, host.get_by_role("button", name="Correct", exact=True))
    host.goto(f"{island.address}/host")
    press(host, region(host, "controls").get_by_role("button", name="Lift off and win").first)
    expect(region(host, "turn")).to_contain_text("You won!")
    expect(region(phone, "turn")).to_contain_text("Vocês venceram!")
