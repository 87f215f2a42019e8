"""A journal of which SQLite would make a new one without a word, or that it finds sound though the table cannot."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from companion.table.journal_tables import REVISION_LEAP
from companion.table.session import Session
from tests.table.sittings import get_up, notice, refused, scan, seated, sit_down, table_of, tiny_session

WALK = {"do": "walk", "places": ["dune"]}
LOSE = {"do": "correct", "storm": 4}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def log_of(path: Path) -> Path:
    return Path(f"{path}-wal")


def one_played(path: Path) -> Session:
    """A session whose first game has ended, so that there is a copy."""
    session = tiny_session(path)
    session.play(LOSE)
    assert path.with_name("journal.db.copy").exists()
    return session


def without_tables(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    assert path.stat().st_size


@pytest.mark.parametrize("lose", [Path.unlink, lambda path: path.write_bytes(b""), without_tables])
def test_a_journal_that_is_lost_is_restored_from_its_copy(path: Path, lose: Callable[[Path], object]) -> None:
    session = one_played(path)
    kept = table_of(session)
    last = session.snapshot.revision
    get_up(session)
    lose(path)
    again = sit_down(path)
    assert notice(again.snapshot) == "notice.journal_restored"
    assert table_of(again) == kept
    assert again.snapshot.revision > max(last, REVISION_LEAP)
    refused("stale", again.undo, expected=last)
    get_up(again)
    assert sit_down(path).snapshot.notice is None


def test_a_missing_journals_log_is_kept(path: Path) -> None:
    log_of(path).write_bytes(b"what was played" * 100)
    session = sit_down(path)
    assert notice(session.snapshot) == "notice.journal_set_aside"
    assert log_of(path.with_name("journal.db.broken-1")).read_bytes() == b"what was played" * 100


def test_a_first_start_has_no_notice(path: Path) -> None:
    session = sit_down(path)
    assert session.snapshot.notice is None
    assert session.snapshot.revision < REVISION_LEAP


def power_cut(session: Session, path: Path, folder: Path) -> Path:
    """The files as they are on the disk while the session still runs."""
    folder.mkdir()
    for file in path.parent.glob("journal.db*"):
        if file.suffix != ".db-shm":
            (folder / file.name).write_bytes(file.read_bytes())
    get_up(session)
    return folder / path.name


def test_a_log_that_cannot_be_read_is_told_and_revisions_leap(path: Path, tmp_path: Path) -> None:
    session = tiny_session(path)
    started = table_of(session)
    last = session.play(WALK).revision
    cut = power_cut(session, path, tmp_path / "cut")
    damage = b"\xa5" * log_of(cut).stat().st_size
    log_of(cut).write_bytes(damage)
    again = sit_down(cut)
    assert notice(again.snapshot) == "notice.journal_restored"
    assert table_of(again) == started
    assert again.snapshot.revision > last + REVISION_LEAP
    assert log_of(cut.with_name("journal.db.broken-1")).read_bytes() == damage


def test_a_log_that_cannot_be_read_beside_a_file_without_tables_is_told(path: Path) -> None:
    path.touch()
    without_tables(path)
    log_of(path).write_bytes(b"\xa5" * 5000)
    assert notice(sit_down(path).snapshot) == "notice.journal_set_aside"


@pytest.mark.parametrize("act", [lambda session: session.start("tiny", {}), lambda session: session.play(LOSE)])
def test_a_games_start_and_end_bring_the_log_into_the_file(path: Path, act: Callable[[Session], object]) -> None:
    session = tiny_session(path)
    session.play(WALK)
    assert log_of(path).stat().st_size
    act(session)
    assert log_of(path).stat().st_size == 0


@pytest.mark.parametrize("table", ["tag", "command", "entry", "game", "standing"])
def test_a_journal_that_lacks_a_table_is_set_aside(path: Path, table: str) -> None:
    session = one_played(path)
    kept = table_of(session)
    last = session.snapshot.revision
    get_up(session)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute(f"DROP TABLE {table}")
    again = sit_down(path)
    assert notice(again.snapshot) == "notice.journal_restored"
    assert table_of(again) == kept
    assert again.snapshot.revision > last


def test_a_tag_whose_row_names_no_thing_is_left_out_and_can_be_taught_again(path: Path) -> None:
    session = tiny_session(path)
    kind = next(iter(seated(session).game.tagged()))
    first, second = (f"{kind.kind}:{name}" for name in kind.names[:2])
    scan(session, first)
    scan(session, second)
    get_up(session)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE tag SET thing = 'nope' WHERE tag = ?", (first,))
    again = sit_down(path)
    assert list(again.tags()) == [second]
    assert again._table.journal.tags()[first] == "nope"
    scan(again, first)
    assert set(again.tags()) == {first, second}
