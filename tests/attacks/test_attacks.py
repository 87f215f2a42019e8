"""The attacks get nowhere; and they would tell it if they did."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attacks import doors
from tests.attacks.__main__ import ALL, attack
from tests.attacks.attempt import GotThrough
from tests.attacks.target import target


def test_no_attack_gets_anywhere(tmp_path: Path) -> None:
    assert len(ALL) >= 36
    with target(tmp_path) as attacked:
        assert attack(attacked, told=lambda _line: None) == []


def test_an_attack_on_a_table_that_is_open_to_all_is_told_to_have_got_through(tmp_path: Path) -> None:
    with target(tmp_path, "open_to_all = true\n") as attacked, pytest.raises(GotThrough):
        doors.forge_a_cookie(attacked)


def test_no_secret_is_in_what_the_companion_writes_to_its_log(tmp_path: Path) -> None:
    with target(tmp_path) as attacked:
        first = attacked.said[-1].rpartition(":")[2].strip(" )\n")
        secrets = {attacked.seed, attacked.pin, str(attacked.host.cookies["phone"])}
        attacked.order("new_pin")
        for bad in ({"pin": "000000"}, {"pin": attacked.pin, "name": "x"}):
            attacked.host.post("/pair", json=bad)
        attacked.raw(b"GET /\xff HTTP/1.1\r\n\r\n")
        secrets |= {attacked.pin, str(attacked.host.cookies["phone"])}
        attacked.companion.stop()
        assert attacked.companion.process.stdout is not None
        said = "".join(attacked.said[:-1]) + attacked.companion.process.stdout.read()
    assert first.isdecimal()
    assert not [secret for secret in secrets | {first} if secret in said]
