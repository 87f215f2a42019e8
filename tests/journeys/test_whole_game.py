from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.rules.registry import GAMES
from tests.journeys.conftest import PHONE, Opening
from tests.journeys.pages import press, region, revision
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


PLAY_ON = """async (most) => {
  let seed = 12345;
  const chance = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  const pause = () => new Promise((resume) => setTimeout(resume, 4));
  const controls = document.getElementById('region-controls');
  const shown = () => document.getElementById('regions').dataset.revision;
  let clicks = 0;
  for (; clicks < most && !document.querySelector('.ending'); clicks++) {
    const options = [...controls.querySelectorAll('.options button')];
    const deal = controls.querySelector('.primary[data-command]');
    const chosen = deal && (!options.length || chance() < 0.3) ? deal : options[Math.floor(chance() * options.length)];
    const before = shown();
    chosen.click();
    const late = Date.now() + 60000;
    while (shown() === before || controls.querySelector('[data-held]')) {
      if (Date.now() > late) throw new Error(`nothing came of ${chosen.dataset.command}`);
      await pause();
    }
  }
  return clicks;
}"""


def test_a_whole_game_is_lost_by_clicking_through_the_page(island: RunningTable, open_page: Opening) -> None:
    phone = open_page(f"{island.address}/", PHONE).page
    host = open_page(f"{island.address}/host/games").page
    start(host, "Novice")
    clicks = host.evaluate(PLAY_ON, MOVES_AT_MOST)
    expect(region(host, "turn")).to_contain_text("You lost")
    expect(region(phone, "turn")).to_contain_text("You lost")
    assert revision(phone) == revision(host)
    assert 10 < clicks < MOVES_AT_MOST
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
    press(host, region(host, "controls").get_by_role("button", name="Lift off and win"))
    if not region(host, "turn").get_by_text("You won!").is_visible():
        press(host, region(host, "controls").locator(".options button").first)
    expect(region(host, "turn")).to_contain_text("You won!")
    expect(region(phone, "turn")).to_contain_text("Vocês venceram!")
