"""The journal's file, whatever befalls it."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.rules.game import Refused
from companion.table.journal import Entry, GameRow, Journal, JournalError
from companion.table.journal_tables import SCHEMA_VERSION
from tests.table.sittings import (
    get_up,
    line_of,
    notice,
    press,
    refused,
    seated,
    sit_down,
    state,
    table_of,
    tiny_session,
)

ROW = GameRow(0, "tiny", "{}", "1", "2024-01-01T00:00:00+00:00")
WALK = {"do": "walk", "places": ["dune"]}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def pragma(journal: Journal, name: str) -> Any:
    assert journal._saving is not None
    assert journal._saving._connection is not None
    return journal._saving._connection.execute(f"PRAGMA {name}").fetchone()[0]


def test_what_is_written_is_on_the_disk_before_it_is_answered(path: Path) -> None:
    journal = Journal(path)
    assert pragma(journal, "journal_mode") == "wal"
    assert pragma(journal, "synchronous") == 2  # FULL
    assert pragma(journal, "foreign_keys") == 1
    assert pragma(journal, "user_version") == SCHEMA_VERSION


def test_a_transaction_is_all_or_nothing(path: Path) -> None:
    journal = Journal(path)
    with pytest.raises(Refused, match="not_saved"), journal.writing() as pen:
        game = pen.begin(ROW)
        pen.append(game, Entry(1, "play", "{}"), 1, "now")
        pen.append(game, Entry(1, "play", "{}"), 2, "now")
    assert journal.games() == ()
    with pytest.raises(ZeroDivisionError), journal.writing() as pen:
        pen.begin(ROW)
        _ = 1 / 0
    assert journal.games() == ()


def test_an_entry_of_no_game_is_refused(path: Path) -> None:
    with pytest.raises(Refused, match="not_saved"), Journal(path).writing() as pen:
        pen.append(5, Entry(1, "play", "{}"), 1, "now")


def test_two_companions_cannot_share_a_journal(path: Path) -> None:
    session = tiny_session(path)
    code = f"from companion.table.journal import Journal; Journal({str(path)!r})"
    second = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "JournalError: another companion is using the journal" in second.stderr
    session.play(WALK)


def test_a_path_that_can_be_no_journals_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for wrong in (tmp_path / "file" / "journal.db", tmp_path / "file" / "deeper" / "journal.db", tmp_path):
        with pytest.raises(JournalError, match="Name another folder with --state"):
            Journal(wrong)


def test_a_journals_folder_is_made(tmp_path: Path) -> None:
    get_up(tiny_session(tmp_path / "some" / "where" / "journal.db"))
    assert (tmp_path / "some" / "where" / "journal.db").exists()


def test_a_journal_of_a_newer_companion_is_left_alone(path: Path) -> None:
    get_up(tiny_session(path))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    before = path.read_bytes()
    with pytest.raises(JournalError, match="newer companion"):
        Journal(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("damage", [b"not a database at all" * 100, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_broken_journal_is_set_aside_and_a_new_one_begun(path: Path, damage: bytes) -> None:
    path.write_bytes(damage)
    session = sit_down(path)
    assert session.snapshot.notice is not None
    assert notice(session.snapshot) == "notice.journal_set_aside"
    kept = Path(str(session.snapshot.notice.phrase.params["path"]))
    assert kept.read_bytes() == damage
    session.start("tiny", {})
    get_up(session)
    path.write_bytes(damage)
    get_up(sit_down(path))
    assert sorted(tmp.name for tmp in path.parent.iterdir() if "broken" in tmp.name) == [
        "journal.db.broken-1",
        "journal.db.broken-2",
    ]


@pytest.mark.parametrize("damage", [b"", b"not a database at all" * 100])
def test_a_broken_journals_write_ahead_log_is_set_aside_with_it(path: Path, tmp_path: Path, damage: bytes) -> None:
    other = tmp_path / "other.db"
    get_up(tiny_session(other))
    session = sit_down(other)
    session.play(WALK)
    log = Path(f"{other}-wal").read_bytes()
    path.write_bytes(damage)
    Path(f"{path}-wal").write_bytes(log)
    again = sit_down(path)
    assert again.history() == ()
    assert Path(f"{path}.broken-1-wal").read_bytes() == log


def test_a_journal_with_one_broken_page_is_set_aside_too(path: Path) -> None:
    session = tiny_session(path)
    session.play({"do": "correct", "storm": 4})
    session.undo()
    for _ in range(150):
        session.play(WALK)
        session.undo()
    last = session.snapshot.revision
    get_up(session)
    with closing(sqlite3.connect(path)) as connection:
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'entry'").fetchone()
    pages = bytearray(path.read_bytes())
    pages[(root - 1) * 4096 : (root - 1) * 4096 + 64] = b"\xa5" * 64
    path.write_bytes(pages)
    again = sit_down(path)
    assert notice(again.snapshot) == "notice.journal_restored"
    assert last < again.snapshot.revision < last + 1000


def test_a_new_journal_is_begun_from_the_copy_of_the_last_games_end(path: Path) -> None:
    session = tiny_session(path)
    session.bind("t", next(iter(_things(session))))
    session.play({"do": "correct", "storm": 4})
    kept = table_of(session)
    session.start("tiny", {})
    for _ in range(150):
        last = press(session, "B").revision
    get_up(session)
    path.write_bytes(b"\0" * 10_000)
    again = sit_down(path)
    assert notice(again.snapshot) == "notice.journal_restored"
    assert table_of(again) == kept
    assert again.snapshot.revision > last
    refused("stale", again.undo, expected=last)


def _things(session: Any) -> Any:
    from companion.rules.game import Thing

    return (Thing(kind.kind, kind.names[0]) for kind in seated(session).game.tagged())


def test_a_broken_copy_is_no_help_but_no_harm(path: Path) -> None:
    path.write_bytes(b"broken" * 1000)
    path.with_name("journal.db.copy").write_bytes(b"broken too" * 1000)
    assert notice(sit_down(path).snapshot) == "notice.journal_set_aside"


def test_a_copy_that_cannot_be_made_stops_nobody(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    session = tiny_session(path)
    path.with_name("journal.db.copy-fresh.new").mkdir()
    session.play({"do": "correct", "storm": 4})
    assert "could not be copied" in caplog.text


# -- entries that do not fold any more
def spoil(path: Path, number: int, kind: str = "play", body: str = '{"command": {"do": "fly"}, "events": []}') -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE entry SET kind = ?, body = ? WHERE number = ?", (kind, body, number))


def rows(path: Path) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT number, kind, body FROM entry ORDER BY number").fetchall()


DAMAGES = [
    ("play", '{"command": {"do": "fly"}, "events": []}'),
    ("play", "{not json"),
    ("play", "[]"),
    ("play", '{"command": {"do": "rest"}, "events": [{"event": "exploded", "what": "", "became": ""}]}'),
    ("play", '{"command": {"do": "rest"}, "events": [{"event": "walked", "what": "nobody", "became": "dune"}]}'),
    ("play", '{"command": {"do": "rest"}, "events": [{"event": "drawn", "what": "moon", "became": ""}]}'),
    ("play", '{"command": {"do": "rest"}, "events": [{"event": "flare_got", "what": "otter", "became": ""}]}'),
    ("redo", "{}"),
]


@pytest.mark.parametrize(("kind", "body"), DAMAGES)
def test_an_entry_that_does_not_fold_ends_the_sound_prefix_but_is_kept(path: Path, kind: str, body: str) -> None:
    session = tiny_session(path)
    session.play(WALK)
    sound = state(session)
    session.play({"do": "walk", "places": ["mill"]})
    session.play({"do": "draw", "card": "pier"})
    looked_at = session.snapshot.revision
    get_up(session)
    spoil(path, 2, kind, body)
    kept = rows(path)

    again = sit_down(path)
    assert again.snapshot.notice is not None
    assert (notice(again.snapshot), again.snapshot.notice.phrase.params) == ("notice.journal_cut", {"n": 2})
    assert state(again) == sound
    refused("stale", again.play, {"do": "rest"}, expected=looked_at)
    again.play({"do": "rest"})
    rested = table_of(again)
    get_up(again)

    assert rows(path)[:3] == kept
    third = sit_down(path)
    assert third.snapshot.notice is None
    assert table_of(third) == rested
    third.undo()
    third.undo()
    assert line_of(third).moves == ()


def test_a_game_whose_set_up_cannot_be_read_is_named_and_left_alone(path: Path) -> None:
    session = tiny_session(path)
    session.play(WALK)
    get_up(session)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE game SET setup = '{'")
    again = sit_down(path)
    assert notice(again.snapshot) == "notice.game_unreadable"
    assert again.history() == ()
    refused("no_such_game", again.reopen, 1)
    again.start("tiny", {})
    assert [past.id for past in again.history()] == [2]


def test_a_reopened_game_with_entries_that_do_not_fold_says_so(path: Path) -> None:
    session = tiny_session(path)
    session.play(WALK)
    session.play({"do": "rest"})
    session.leave()
    get_up(session)
    spoil(path, 2)
    again = sit_down(path)
    assert again.snapshot.notice is None
    assert notice(again.reopen(1)) == "notice.journal_cut"
    assert len(line_of(again).moves) == 1
