"""What went wrong elsewhere and was told in public: each has a test here that names it."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.game import Refused
from companion.table.session import Session
from tests.table.sittings import Clock, get_up, notice, seated, sit_down, table_of, tiny_session
from tests.table.test_unsaved import saving, spoil
from tests.tiny_game import PLACES

YEAR = 365 * 86_400.0
JUMPS = (0.0, -53 * YEAR, 3 * YEAR, -1.0, 3600.0, -53 * YEAR)
"""From today to 1970, to a day to come, back by a second, by daylight saving, and to 1970 again."""


def to(number: int) -> dict[str, Any]:
    return {"do": "correct", "at": {"otter": PLACES[number % len(PLACES)]}}


def dateless(session: Session) -> dict[str, Any]:
    """All that must outlive a restart, but for the dates."""
    known = table_of(session)
    return known | {"history": [(past.id, past.turns, past.outcome) for past in known["history"]]}


def evening(path: Path, jumps: tuple[float, ...]) -> list[dict[str, Any]]:
    """An evening with a restart, and a jump of the clock, between any two commands."""
    tables = []
    for number, jump in enumerate(jumps):
        clock = Clock()
        clock.jump = jump
        session = sit_down(path, clock)
        if number % 3 == 0:
            session.start("tiny", {"seed": number, "dark": "mill"}, command_id=f"start {number}")
        session.deal(command_id=f"deal {number}")
        clock.jump = -jump
        session.undo(command_id=f"undo {number}")
        session.play(to(number), command_id=f"play {number}")
        assert session.play(to(number + 1), command_id=f"play {number}") is session.snapshot
        session.tick()
        tables.append(dateless(session))
        get_up(session)
    return tables


def test_a_clock_that_went_backwards_without_a_battery_changes_nothing_but_dates(tmp_path: Path) -> None:
    """guysoft/OctoPi: https://github.com/guysoft/OctoPi/issues/606 - the clock went back at a restart."""
    assert evening(tmp_path / "jumping.db", JUMPS) == evening(tmp_path / "steady.db", (0.0,) * len(JUMPS))
    session = sit_down(tmp_path / "jumping.db")
    assert [past.id for past in session.history()] == [2, 1]


STEPS = st.lists(st.sampled_from(("deal", "undo", "redo", "walk", "rest", "correct")), max_size=25)


def take(session: Session, step: str) -> None:
    commands: dict[str, dict[str, Any]] = {"walk": {"do": "walk", "places": ["dune"]}, "rest": {"do": "rest"}}
    if step in ("deal", "undo", "redo"):
        getattr(session, step)()
    else:
        session.play(commands.get(step, to(2)))


@settings(max_examples=40, deadline=None)
@given(steps=STEPS)
def test_an_undo_that_left_a_corrupt_state_behind_is_the_fold_of_the_journal_or_nothing(steps: list[str]) -> None:
    """Lurkars/gloomhavensecretariat: https://github.com/Lurkars/gloomhavensecretariat/issues/143

    An undo froze five devices with a corrupt state.
    """
    session = tiny_session()
    for step in steps:
        before = session.snapshot
        try:
            take(session, step)
        except Refused:
            assert session.snapshot is before
            continue
        folded = session._table.read(seated(session).id)
        assert folded.state == seated(session).state
        assert folded.log == seated(session).log
        assert not folded.game.faults(folded.state)


@pytest.mark.parametrize("stage", ["BEGIN", "INSERT INTO entry", "COMMIT"])
def test_an_undo_that_cannot_be_saved_is_whole_in_memory_and_absent_on_the_card(tmp_path: Path, stage: str) -> None:
    """Lurkars/gloomhavensecretariat: https://github.com/Lurkars/gloomhavensecretariat/issues/143"""
    path = tmp_path / "journal.db"
    session = tiny_session(path)
    session.play(to(1))
    session.play(to(2))
    spoil(session, sqlite3.SQLITE_FULL, stage)
    session.undo()
    assert seated(session).state.at[0] == PLACES[1]
    assert seated(session).state == session._table.read(seated(session).id).state
    session.redo()
    assert seated(session).state.at[0] == PLACES[2]


def test_a_journal_that_a_power_cut_malformed_for_want_of_syncing_is_synced_however_it_was_opened(
    tmp_path: Path,
) -> None:
    """aaronwmorris/indi-allsky: https://github.com/aaronwmorris/indi-allsky/issues/1534 and
    theyosh/TerrariumPI: https://github.com/theyosh/TerrariumPI/issues/734 - ``synchronous=off`` and a power cut made a
    malformed database.
    """
    path = tmp_path / "journal.db"
    session = tiny_session(path)
    _assert_synced(session)
    spoil(session, sqlite3.SQLITE_IOERR)
    session.play(to(1))
    session.play(to(2))
    _assert_synced(session)
    path.unlink()
    session.play(to(3))
    _assert_synced(session)
    session.play({"do": "correct", "storm": 4})
    get_up(session)
    path.write_bytes(path.read_bytes()[:2000])
    again = sit_down(path)
    assert notice(again.snapshot) == "notice.journal_restored"
    _assert_synced(again)


def _assert_synced(session: Session) -> None:
    connection = saving(session)._connection
    assert connection is not None
    found = {name: connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("synchronous", "journal_mode")}
    assert found == {"synchronous": 2, "journal_mode": "wal"}
