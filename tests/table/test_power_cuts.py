"""Power may fail at any byte: what was acknowledged is there afterwards, once, and play goes on."""

from __future__ import annotations

import os
import random
import shutil
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from companion.table.session import Session
from tests.table.sittings import get_up, line_of, sit_down, state, table_of, tiny_session
from tests.tiny_game import PLACES

KILLS = int(os.environ.get("COMPANION_KILLS", "40"))


def step(number: int) -> dict[str, Any]:
    """The command that is sent as number so-and-so."""
    return {"do": "correct", "at": {"otter": PLACES[number % len(PLACES)]}}


def play_on(path: Path, first: int, acknowledge: int) -> None:
    """Play without end, writing a byte for every command that was acknowledged."""
    session = sit_down(path)
    for number in range(first, first + 10_000):
        session.play(step(number), command_id=str(number))
        os.write(acknowledge, b".")


def killed_while_playing(path: Path, first: int, chance: random.Random) -> int:
    """Let a process play from command ``first`` and kill it; returns how many commands it acknowledged."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            play_on(path, first, writing)
        finally:
            os._exit(1)
    os.close(writing)
    acknowledged = len(os.read(reading, 1))
    time.sleep(chance.random() * 0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while more := os.read(reading, 4096):
        acknowledged += len(more)
    os.close(reading)
    return acknowledged


def test_a_killed_table_resumes_with_all_that_was_acknowledged_and_nothing_twice(tmp_path: Path) -> None:
    path, chance, sent = tmp_path / "journal.db", random.Random(1), 0
    session = tiny_session(path)
    revision = session.snapshot.revision
    get_up(session)
    for _ in range(KILLS):
        sent += killed_while_playing(path, sent, chance)
        session = sit_down(path)
        entries = len(line_of(session).moves)
        assert sent <= entries <= sent + 1
        assert state(session).at[0] == PLACES[(entries - 1) % len(PLACES)]
        assert session.snapshot.notice is None
        assert session.snapshot.revision > revision
        session.play(step(sent), command_id=str(sent))
        assert len(line_of(session).moves) == sent + 1
        sent, revision = sent + 1, session.snapshot.revision
        get_up(session)
    assert sent > KILLS * 2


@dataclass(frozen=True)
class Played:
    """A journal and its write-ahead log, with how long the log was and what the table was after each command."""

    journal: bytes
    log: bytes
    known: list[tuple[int, dict[str, Any]]]

    def after(self, folder: Path, log: bytes) -> Session:
        """The table after a power cut that left only ``log`` of the write-ahead log."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        (folder / "journal.db").write_bytes(self.journal)
        (folder / "journal.db-wal").write_bytes(log)
        return sit_down(folder / "journal.db")


@pytest.fixture
def played(tmp_path: Path) -> Played:
    path = tmp_path / "journal.db"
    get_up(tiny_session(path))
    session = sit_down(path)
    log_path = Path(f"{path}-wal")
    known = [(log_path.stat().st_size, table_of(session))]
    for ask in ("deal", "undo", "redo", "pause", "resume", "deal", "undo", "leave"):
        getattr(session, ask)()
        known.append((log_path.stat().st_size, table_of(session)))
    return Played(path.read_bytes(), log_path.read_bytes(), known)


def test_a_log_that_was_cut_anywhere_resumes_all_that_was_whole(tmp_path: Path, played: Played) -> None:
    known, log = played.known, played.log
    chance = random.Random(2)
    edges = [size + delta for size, _ in known for delta in (-1, 0, 1)]
    for cut in (*edges, *(chance.randrange(len(log)) for _ in range(40))):
        whole = [table for size, table in known if size <= cut]
        session = played.after(tmp_path / "cut", log[:cut])
        resumed = table_of(session)
        assert resumed in [table for _, table in known]
        assert not whole or resumed == whole[-1]
        session.start("tiny", {})
        session.play(step(1))
        get_up(session)


def test_a_log_with_a_flipped_bit_resumes_all_before_it(tmp_path: Path, played: Played) -> None:
    known, log = played.known, played.log
    chance = random.Random(3)
    for _ in range(40):
        at = chance.randrange(known[0][0], len(log))
        flipped = bytearray(log)
        flipped[at] ^= 1 << chance.randrange(8)
        session = played.after(tmp_path / "flip", bytes(flipped))
        resumed = table_of(session)
        assert resumed == [table for size, table in known if size <= at][-1]
        get_up(session)
