"""The buttons while no game goes on: the next address, a new PIN."""

from __future__ import annotations

import re
import time
from pathlib import Path

from tests.cli.companions import Companion, running

PATIENCE = 20.0


def pin(companion: Companion) -> str:
    shown = re.search(r'class="pin">(\d+)<', companion.http.get("/host/phones").text)
    assert shown
    return shown[1]


def another_pin(companion: Companion, before: str) -> bool:
    deadline = time.monotonic() + PATIENCE
    while pin(companion) == before and time.monotonic() < deadline:
        time.sleep(0.02)
    return pin(companion) != before


def test_button_c_makes_a_new_pin_while_no_game_goes_on(tmp_path: Path) -> None:
    with running(tmp_path, "--simulate") as companion:
        before = pin(companion)
        companion.press("C")
        assert another_pin(companion, before)
        companion.start()
        before = pin(companion)
        companion.press("C")
        companion.until(lambda table: table["gesture"])
        assert pin(companion) == before
        companion.order("cancel")
        companion.order("pause")
        companion.press("C")
        assert another_pin(companion, before)


def test_the_panel_shows_the_new_pin_to_those_who_were_let_in(tmp_path: Path) -> None:
    with running(tmp_path, "--simulate") as companion:

        def picture() -> str:
            return str(companion.http.get("/panel.png").headers.get("etag", ""))

        deadline = time.monotonic() + PATIENCE
        while not picture() and time.monotonic() < deadline:
            time.sleep(0.02)
        before = picture()
        companion.press("C")
        while picture() == before and time.monotonic() < deadline:
            time.sleep(0.02)
        assert picture() != before
        assert companion.http.get("/panel.png", headers={"X-Forwarded-For": "192.168.1.9"}).status_code == 404


def test_a_service_with_a_panel_writes_no_pin_to_its_log(tmp_path: Path) -> None:
    with running(tmp_path, "--simulate") as companion:
        secret = pin(companion)
        companion.stop()
        assert companion.process.stdout is not None
        said = companion.process.stdout.read()
    assert "on the panel" in said
    assert secret not in said
