"""``python -m tests.journeys.pictures`` takes the README's pictures of the pages from a simulated table."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from companion.rules.registry import GAMES
from tests.chromium import ARGUMENTS
from tests.cli.companions import Companion, running

FOLDER = Path(__file__).parents[1] / "golden" / "pages"
PANEL_SECONDS = 8_000
TURNS = 3


def play(table: Companion, seed: int = 3, most: int = TURNS) -> None:
    """A few turns, so that there is something to see; whoever must act does the first legal thing."""
    table.start(players=["explorer", "pilot", "diver"], seed=seed)
    while table.table()["portrait"]["ending"] is None and table.table()["state"]["turn"] <= most:
        if table.order("deal").status_code != 200:
            table.order("play", command=first_legal(table)).raise_for_status()


def first_legal(table: Companion) -> dict[str, Any]:
    """The first legal command of the game on the table."""
    seen = table.table()
    game = GAMES[seen["game"]]
    return game.command_json(game.legal(game.read_state(seen["state"]))[0])


def take(browser: Browser, address: str, name: str, size: tuple[int, int], dark: bool = False) -> None:
    """One picture of a page."""
    page = browser.new_page(
        viewport={"width": size[0], "height": size[1]}, color_scheme="dark" if dark else "light", device_scale_factor=1
    )
    page.goto(address)
    page.wait_for_timeout(PANEL_SECONDS if name == "table" else 1_000)
    page.screenshot(path=FOLDER / f"{name}.png", full_page=False)
    page.close()


def main() -> None:
    """Take all pictures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder), "--simulate") as table,
        sync_playwright() as driver,
    ):
        play(table, seed=1, most=99)
        play(table)
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        address = str(table.http.base_url).rstrip("/")
        take(browser, f"{address}/", "table", (1280, 960))
        take(browser, f"{address}/", "phone", (390, 844))
        take(browser, f"{address}/", "phone-dark", (390, 844), dark=True)
        take(browser, f"{address}/host", "host", (1280, 960))
        take(browser, f"{address}/check", "check", (390, 844))
        take(browser, f"{address}/games/1", "look-back", (390, 844))
        take(browser, f"{address}/sim", "simulator", (1280, 860))
        browser.close()


if __name__ == "__main__":
    main()
