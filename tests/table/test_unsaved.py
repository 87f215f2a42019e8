"""A card that does not take what is played: the table plays on, says so, and saves everything once it can."""

from __future__ import annotations

import errno
import logging
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.rules.game import Thing
from companion.table import journal as journals
from companion.table import journal_saving
from companion.table.journal_saving import Saving
from companion.table.session import Session
from companion.table.table import SAVE_AGAIN_SECONDS
from tests.table.sittings import Clock, get_up, notice, refused, sit_down, state, table_of, tiny_session
from tests.tiny_game import PLACES

CODES = {
    sqlite3.SQLITE_FULL: "unsaved.full",
    sqlite3.SQLITE_IOERR: "unsaved.broken",
    sqlite3.SQLITE_IOERR_FSYNC: "unsaved.broken",
    sqlite3.SQLITE_READONLY: "unsaved.read_only",
    sqlite3.SQLITE_CORRUPT: "unsaved.broken",
    sqlite3.SQLITE_NOTADB: "unsaved.broken",
    sqlite3.SQLITE_CANTOPEN: "unsaved.broken",
    sqlite3.SQLITE_BUSY: "unsaved.busy",
}
STAGES = ("BEGIN", "INSERT INTO entry", "UPDATE standing", "COMMIT")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "journal.db"


def to(number: int) -> dict[str, Any]:
    return {"do": "correct", "at": {"otter": PLACES[number % len(PLACES)]}}


def failure(code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError(f"injected error {code}")
    error.sqlite_errorcode = code
    return error


class BadCard:
    """A connection that fails at a statement; ``late``: after that was carried out."""

    def __init__(self, connection: sqlite3.Connection, code: int, stage: str, late: bool = False) -> None:
        self._connection = connection
        self._code, self._stage, self._late = code, stage, late

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def execute(self, sql: str, params: Any = ()) -> Any:
        meant = sql.startswith(self._stage)
        if meant and not self._late:
            raise failure(self._code)
        done = self._connection.execute(sql, params)
        if meant:
            raise failure(self._code)
        return done


def saving(session: Session) -> Saving:
    found = session._table.journal._saving
    assert found is not None
    return found


def spoil(session: Session, code: int, stage: str = "COMMIT", late: bool = False) -> None:
    card: Any = BadCard(saving(session)._connection, code, stage, late)  # type: ignore[arg-type]
    saving(session)._connection = card


def mend(session: Session) -> None:
    card: Any = saving(session)._connection
    if isinstance(card, BadCard):
        saving(session)._connection = card._connection


def keep_shut(monkeypatch: pytest.MonkeyPatch, code: int = sqlite3.SQLITE_IOERR) -> None:
    """From now on the file cannot be opened again."""

    def opened(*_: Any, **__: Any) -> Any:
        raise failure(code)

    monkeypatch.setattr(journal_saving, "opened", opened)


def cause(session: Session) -> str | None:
    return session.snapshot.unsaved.cause.code if session.snapshot.unsaved else None


def on_the_card(path: Path, folder: Path) -> dict[str, Any]:
    """What a companion that starts after a power cut now would show."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for file in path.parent.glob("journal.db*"):
        shutil.copyfile(file, folder / file.name)
    session = sit_down(folder / path.name)
    assert session.snapshot.notice is None
    found = table_of(session)
    get_up(session)
    return found


# -- in mid-game
@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("code", CODES)
def test_a_command_that_the_card_does_not_take_is_played_and_said_to_be_unsaved(
    path: Path, tmp_path: Path, code: int, stage: str
) -> None:
    session = tiny_session(path)
    session.play(to(1))
    before = on_the_card(path, tmp_path / "before")
    spoil(session, code, stage)
    snapshot = session.play(to(2), command_id="two")
    assert state(session).at[0] == PLACES[2]
    assert cause(session) == CODES[code]
    assert snapshot.unsaved is not None
    assert snapshot.unsaved.since == snapshot.revision
    assert session.play(to(3), command_id="two") is snapshot
    assert on_the_card(path, tmp_path / "now") == before


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("code", CODES)
def test_the_next_command_saves_everything_in_order_and_once(path: Path, tmp_path: Path, code: int, late: bool) -> None:
    session = tiny_session(path)
    spoil(session, code, late=late)
    session.play(to(1), command_id="one")
    mend(session)
    session.play(to(2), command_id="two")
    assert session.snapshot.unsaved is None
    kept, last = table_of(session), session.snapshot.revision
    assert on_the_card(path, tmp_path / "card") == kept
    get_up(session)
    again = sit_down(path)
    assert table_of(again) == kept
    assert again.snapshot.revision > last
    assert again.play(to(4), command_id="one") is again.snapshot
    assert not list(path.parent.glob("*.broken-*"))


def test_many_commands_are_played_unsaved_and_appended_in_one_transaction(path: Path, tmp_path: Path) -> None:
    session = tiny_session(path)
    spoil(session, sqlite3.SQLITE_FULL)
    first = session.snapshot.revision + 1
    for number in range(30):
        session.play(to(number), command_id=str(number))
        session.undo(command_id=f"undo {number}")
    session.bind("tag", Thing("place", "mill"))
    assert session.snapshot.unsaved is not None
    assert session.snapshot.unsaved.since == first
    card: Any = saving(session)._connection
    assert isinstance(card, BadCard)
    transactions: list[str] = []
    card._connection.set_trace_callback(lambda sql: transactions.append(sql) if sql.startswith("COMMIT") else None)
    saving(session)._connection = card._connection
    session.play(to(1))
    assert transactions == ["COMMIT"]
    assert cause(session) is None
    assert on_the_card(path, tmp_path / "card") == table_of(session)


def test_a_game_can_begin_end_and_be_left_unsaved(path: Path, tmp_path: Path) -> None:
    session = tiny_session(path)
    spoil(session, sqlite3.SQLITE_FULL)
    session.play({"do": "correct", "storm": 4})
    second = session.start("tiny", {"seed": 2}).seated
    assert second is not None
    session.play(to(1))
    session.leave()
    session.reopen(second.id)
    session.pause()
    assert [past.id for past in session.history()] == [2, 1]
    assert len(session.log_of(1)) == 1
    mend(session)
    session.resume()
    assert on_the_card(path, tmp_path / "card") == table_of(session)


def test_a_quiet_table_saves_by_itself(path: Path, tmp_path: Path) -> None:
    clock = Clock()
    session = sit_down(path, clock)
    session.start("tiny", {"dark": "mill"})
    spoil(session, sqlite3.SQLITE_FULL)
    unsaved = session.play(to(1))
    clock.now += SAVE_AGAIN_SECONDS
    assert session.tick() is unsaved
    mend(session)
    clock.now += SAVE_AGAIN_SECONDS - 1
    assert session.tick() is unsaved
    clock.now += 1
    assert session.tick().unsaved is None
    assert session.snapshot.revision > unsaved.revision
    assert on_the_card(path, tmp_path / "card") == table_of(session)


def test_what_is_unsaved_at_the_end_is_lost_and_the_log_says_so(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    session = tiny_session(path)
    session.play(to(1))
    kept = table_of(session)
    spoil(session, sqlite3.SQLITE_FULL)
    session.play(to(2))
    session.play(to(3))
    with caplog.at_level(logging.ERROR):
        get_up(session)
    assert "2 changes could not be saved" in caplog.text
    again = sit_down(path)
    assert table_of(again) == kept
    assert again.snapshot.unsaved is None


def test_a_stop_tries_to_save_once_more(path: Path) -> None:
    session = tiny_session(path)
    spoil(session, sqlite3.SQLITE_IOERR)
    session.play(to(2))
    kept = table_of(session)
    get_up(session)
    assert table_of(sit_down(path)) == kept


def test_a_journal_that_breaks_in_mid_game_is_set_aside_and_written_whole(path: Path) -> None:
    session = tiny_session(path)
    session.play(to(1))
    spoil(session, sqlite3.SQLITE_CORRUPT)
    session.play(to(2))
    path.write_bytes(b"\xa5" * 5000)
    session.play(to(3))
    assert session.snapshot.unsaved is None
    kept = table_of(session)
    get_up(session)
    assert path.with_name("journal.db.broken-1").read_bytes() == b"\xa5" * 5000
    assert table_of(sit_down(path)) == kept


def test_a_folder_that_vanishes_in_mid_game_is_made_again_with_all_games(path: Path) -> None:
    session = tiny_session(path)
    session.play({"do": "correct", "storm": 4})
    session.start("tiny", {"seed": 3})
    shutil.rmtree(path.parent)
    session.play(to(2))
    assert session.snapshot.unsaved is None
    kept = table_of(session)
    assert len(kept["history"]) == 2
    get_up(session)
    assert table_of(sit_down(path)) == kept


def test_a_folder_that_stays_away_is_told_until_it_is_back(path: Path) -> None:
    session = tiny_session(path)
    shutil.rmtree(path.parent)
    path.parent.write_text("something else")
    session.play(to(2))
    assert cause(session) == "unsaved.broken"
    path.parent.unlink()
    session.play(to(3))
    assert session.snapshot.unsaved is None
    kept = table_of(session)
    get_up(session)
    assert table_of(sit_down(path)) == kept


def test_another_journal_in_its_place_is_kept_aside_not_overwritten(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    session = tiny_session(other)
    session.play(to(1))
    get_up(session)
    session = tiny_session(path)
    for number in range(5):
        session.play(to(number))
    shutil.move(other, path)
    session.play(to(2))
    kept = table_of(session)
    get_up(session)
    assert table_of(sit_down(path)) == kept
    aside = sit_down(path.with_name("journal.db.broken-1"))
    assert state(aside).at[0] == PLACES[1]


def test_another_process_that_takes_the_file_is_waited_for(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = tiny_session(path)
    spoil(session, sqlite3.SQLITE_IOERR)
    session.play(to(1))
    with closing(sqlite3.connect(path, isolation_level=None)) as thief:
        thief.execute("PRAGMA locking_mode = EXCLUSIVE")
        thief.execute("BEGIN IMMEDIATE")
        session.play(to(2))
        assert cause(session) == "unsaved.busy"
        thief.execute("ROLLBACK")
    session.play(to(3))
    assert session.snapshot.unsaved is None
    kept = table_of(session)
    get_up(session)
    assert table_of(sit_down(path)) == kept


def test_a_card_that_was_pulled_is_read_from_memory(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = tiny_session(path)
    session.play({"do": "correct", "storm": 4})
    keep_shut(monkeypatch)
    spoil(session, sqlite3.SQLITE_IOERR)
    session.start("tiny", {"seed": 2})
    for number in range(5):
        session.play(to(number), command_id=str(number))
    assert cause(session) == "unsaved.broken"
    assert len(session.history()) == 2
    assert session.log_of(1)
    session.reopen(1)
    assert session.tags() == {}


# -- at the start
def unopened(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    for module, name in ((journals, "open_journal"), (journal_saving, "make_folder")):
        monkeypatch.setattr(module, name, lambda _path: _raise(error))


START_FAULTS: list[tuple[Callable[[], Exception], str]] = [
    (lambda: OSError(errno.EROFS, os.strerror(errno.EROFS)), "unsaved.read_only"),
    (lambda: OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), "unsaved.full"),
    (lambda: OSError(errno.EDQUOT, os.strerror(errno.EDQUOT)), "unsaved.full"),
    (lambda: PermissionError(errno.EACCES, os.strerror(errno.EACCES)), "unsaved.forbidden"),
    (lambda: OSError(errno.EIO, os.strerror(errno.EIO)), "unsaved.broken"),
    (lambda: failure(sqlite3.SQLITE_FULL), "unsaved.full"),
    (lambda: failure(sqlite3.SQLITE_READONLY), "unsaved.read_only"),
]


@pytest.mark.parametrize(("fault", "code"), START_FAULTS)
def test_a_journal_that_can_only_be_read_is_resumed_and_played_on(
    path: Path, fault: Callable[[], Exception], code: str
) -> None:
    session = tiny_session(path)
    session.play(to(1))
    kept = table_of(session)
    get_up(session)
    with pytest.MonkeyPatch.context() as bad:
        unopened(bad, fault())
        again = sit_down(path)
        assert table_of(again) == kept
        assert cause(again) == code
    again.play(to(2))
    again.undo()
    assert again.snapshot.unsaved is None
    last = table_of(again)
    get_up(again)
    assert table_of(sit_down(path)) == last


@pytest.mark.parametrize(("fault", "code"), START_FAULTS)
def test_a_table_whose_games_cannot_even_be_read_plays_and_joins_them_later(
    path: Path, monkeypatch: pytest.MonkeyPatch, fault: Callable[[], Exception], code: str
) -> None:
    session = tiny_session(path)
    session.play(to(1))
    session.leave()
    get_up(session)
    with pytest.MonkeyPatch.context() as bad:
        unopened(bad, fault())
        bad.setattr(journals, "read_journal", lambda _path: _raise(OSError(errno.EIO, "gone")))
        again = sit_down(path)
        assert cause(again) == code
        assert again.history() == ()
        started = again.start("tiny", {"seed": 7}, command_id="begun").seated
        assert started is not None
        again.play(to(2), command_id="two")
    again.play(to(3))
    assert again.snapshot.unsaved is None
    assert [past.id for past in again.history()] == [started.id, 1]
    kept = table_of(again)
    get_up(again)
    third = sit_down(path)
    assert table_of(third) == kept
    assert third.play(to(5), command_id="two") is third.snapshot
    third.start("tiny", {})
    third.reopen(1)
    assert state(third).at[0] == PLACES[1]


def _raise(error: Exception) -> Any:
    raise error


def test_the_first_start_ever_on_a_bad_card_says_so_and_saves_later(path: Path) -> None:
    with pytest.MonkeyPatch.context() as bad:
        unopened(bad, OSError(errno.ENOSPC, "full"))
        session = sit_down(path)
        session.start("tiny", {"dark": "mill"})
        assert cause(session) == "unsaved.full"
    session.play(to(1))
    assert session.snapshot.unsaved is None
    kept = table_of(session)
    get_up(session)
    again = sit_down(path)
    assert again.snapshot.notice is None
    assert table_of(again) == kept


def test_a_notice_of_the_table_and_what_is_unsaved_are_both_told(path: Path) -> None:
    session = tiny_session(path)
    spoil(session, sqlite3.SQLITE_FULL)
    session.play(to(1))
    snapshot = session._table.answer(session.snapshot.unsaved.phrase) if session.snapshot.unsaved else session.snapshot
    assert snapshot.unsaved is not None
    assert notice(snapshot) == "notice.unsaved"
    refused("stale", session.undo, expected=1)
