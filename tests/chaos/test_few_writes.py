"""A card wears out by being written: a game writes little, and a table where nothing happens writes nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.ports import Button, Press
from companion.table.session import Session
from tests.bench.writes import whole_game
from tests.table.sittings import Clock, sit_down, tiny_session
from tests.tiny_game import TinyGame

LEAST_COMMANDS = 5
BYTES_A_COMMAND = 9_000
BYTES_A_GAME = 40_000
"""For beginning, ending, settling and copying it."""


def test_a_read_only_root_that_was_wished_for_is_hardly_needed_a_game_writes_little(tmp_path: Path) -> None:
    """guysoft/OctoPi: https://github.com/guysoft/OctoPi/issues/132 - cards died of being written."""
    written = whole_game(TinyGame(), {"seed": 4}, tmp_path / "journal.db")
    assert written.commands >= LEAST_COMMANDS
    assert written.asked < BYTES_A_GAME + BYTES_A_COMMAND * written.commands


def test_a_table_where_nothing_is_played_writes_nothing(tmp_path: Path) -> None:
    clock = Clock()
    session = sit_down(tmp_path / "journal.db", clock)
    session.start("tiny", {})
    before = _changes(tmp_path)
    for _ in range(50):
        clock.now += 60
        session.tick()
        session.observe(Press(Button.B))
    assert _changes(tmp_path) == before


def test_an_old_game_makes_no_new_one_dearer(tmp_path: Path) -> None:
    first = whole_game(TinyGame(), {"seed": 4}, tmp_path / "journal.db")
    session = tiny_session(tmp_path / "many.db")
    for _ in range(30):
        session.start("tiny", {"seed": 1})
        session.play({"do": "correct", "storm": 4})
    _close(session)
    late = whole_game(TinyGame(), {"seed": 4}, tmp_path / "many.db")
    assert late.commands == first.commands
    assert late.asked < first.asked + BYTES_A_GAME


def _close(session: Session) -> None:
    session._table.journal.close()


def _changes(folder: Path) -> dict[str, Any]:
    return {file.name: (file.stat().st_size, file.stat().st_mtime_ns) for file in folder.iterdir()}
