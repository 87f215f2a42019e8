"""The doctor on this very machine, with faults that are real."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.chaos.cards import Card, real_card
from tests.cli.companions import companion, running
from tests.ports import free_port
from tests.table.sittings import get_up, tiny_session


@pytest.fixture
def card(tmp_path: Path) -> Iterator[Card]:
    with real_card(tmp_path / "card") as mounted:
        yield mounted


def doctor(cwd: Path, *arguments: str, settings: str = "") -> tuple[int, dict[str, Any]]:
    """What the doctor says, by check; a free port unless the settings name one."""
    config = cwd / "table.toml"
    port = "" if "[web]" in settings else f"[web]\nport = {free_port()}\n"
    config.write_text(f"{settings}\n{port}")
    told = companion("doctor", "--json", "--config", str(config), *arguments, cwd=cwd)
    assert "Traceback" not in told.stderr
    findings = json.loads(told.stdout)["findings"]
    return told.returncode, {found["check"]: found for found in findings if found["grade"] in ("warning", "problem")}


def test_a_machine_without_hardware_can_play(tmp_path: Path) -> None:
    status, _bad = doctor(tmp_path)
    assert status == 0
    told = companion("doctor", cwd=tmp_path)
    assert "Traceback" not in told.stdout + told.stderr
    assert all(line.split()[0] in ("ok", "skipped", "warning", "problem") for line in told.stdout.splitlines()[:-1])


def test_a_settings_file_with_faults_is_a_problem(tmp_path: Path) -> None:
    status, bad = doctor(tmp_path, settings="[web]\nport = 0\n")
    assert status == 1
    assert "web.port" in bad["settings"]["text"]


def test_a_port_that_another_process_holds_is_told_with_its_name(tmp_path: Path) -> None:
    master, slave = pty.openpty()
    port = os.ttyname(slave)
    holder = subprocess.Popen(
        [sys.executable, "-c", f"f = open({port!r}); print('open', flush=True); input()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"open\n"
        os.close(slave)
        status, bad = doctor(tmp_path, settings=f'[[readers]]\nname = "tags"\nport = "{port}"\n')
        assert status == 1
        assert f"pid {holder.pid}" in bad["port-holder"]["text"]
        assert f"sudo kill {holder.pid}" in bad["port-holder"]["mend"]
    finally:
        holder.kill()
        holder.communicate()
        os.close(master)


def test_a_damaged_journal_is_told_and_left_as_it_is(tmp_path: Path) -> None:
    journal = tmp_path / "state" / "journal.sqlite3"
    get_up(tiny_session(journal))
    content = bytearray(journal.read_bytes())
    content[1024:2048] = b"\xa5" * 1024
    journal.write_bytes(content)
    status, bad = doctor(tmp_path)
    assert status == 1
    assert "damaged" in bad["journal"]["text"]
    assert journal.read_bytes() == content
    assert [file.name for file in journal.parent.iterdir()] == ["journal.sqlite3"]


def test_a_journal_is_read_while_a_table_writes_it(tmp_path: Path) -> None:
    port = free_port()
    with running(tmp_path, "--simulate", port=port) as table:
        table.start()
        for _ in range(5):
            status, bad = doctor(tmp_path, settings=f"[web]\nport = {port}\n")
            assert "journal" not in bad
            assert "port" not in bad
            assert status == 0
            table.order("deal")
            table.order("undo")
        assert table.table()["unsaved"] is None


def test_a_full_card_is_told(card: Card, tmp_path: Path) -> None:
    card.fill()
    status, bad = doctor(tmp_path, "--state", str(card.folder / "state"))
    assert status == 1
    assert "cannot save" in bad["disk"]["text"]


def test_a_read_only_card_is_told_with_its_mount_point(card: Card, tmp_path: Path) -> None:
    get_up(tiny_session(card.folder / "journal.sqlite3"))
    card.set_read_only(True)
    status, bad = doctor(tmp_path, "--state", str(card.folder))
    assert status == 1
    assert f"sudo mount -o remount,rw {card.folder}" in bad["state"]["mend"]
    assert "journal" not in bad
