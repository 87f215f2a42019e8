"""The journal's tables: how they are made, checked and held in memory."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

SCHEMA_VERSION = 1
PAGE_BYTES = 512
"""SQLite's smallest page: a command changes a few rows, and every page it touches is written to the card."""
SCHEMA = """
CREATE TABLE game (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, setup TEXT NOT NULL, seed TEXT NOT NULL,
    started_at TEXT NOT NULL, turns INTEGER NOT NULL DEFAULT 1, outcome TEXT) STRICT;
CREATE TABLE entry (
    game INTEGER NOT NULL REFERENCES game (id), number INTEGER NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL,
    revision INTEGER NOT NULL, at TEXT NOT NULL, PRIMARY KEY (game, number)) STRICT, WITHOUT ROWID;
CREATE TABLE command (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE tag (tag TEXT PRIMARY KEY, thing TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE standing (
    one INTEGER PRIMARY KEY CHECK (one = 1), seated INTEGER REFERENCES game (id), paused INTEGER NOT NULL,
    ceiling INTEGER NOT NULL, changed INTEGER NOT NULL) STRICT;
INSERT INTO standing VALUES (1, NULL, 0, 0, 0);
"""
ADDED = "CREATE TABLE IF NOT EXISTS enrolment (game TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID;"
"""What came after the first version; older companions pass it over, so that one can be gone back to."""
TABLES = {
    "game": "id, name, setup, seed, started_at, turns, outcome",
    "entry": "game, number, kind, body, revision, at",
    "command": "id",
    "tag": "tag, thing",
    "standing": "one, seated, paused, ceiling, changed",
    "enrolment": "game, body",
}
MEMORY = ":memory:"
REVISION_LEAP = 100_000
"""How far revisions jump where a journal does not even tell the last one."""


class Broken(Exception):
    """What is in the file is no journal."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The table between games and restarts.

    No published revision was above ``ceiling``; ``changed`` is the revision at which the game last changed.
    """

    seated: int | None = None
    paused: bool = False
    ceiling: int = 0
    changed: int = 0


def read_standing(connection: sqlite3.Connection) -> Standing:
    """The table's standing. Raises Broken where there is none."""
    row = connection.execute("SELECT seated, paused, ceiling, changed FROM standing").fetchone()
    if row is None:
        raise Broken("the standing is missing")
    seated, paused, ceiling, changed = row
    return Standing(seated, bool(paused), ceiling, changed)


def begin_tables(connection: sqlite3.Connection) -> None:
    """Make the tables in one transaction."""
    connection.executescript(f"BEGIN EXCLUSIVE; {SCHEMA} {ADDED} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;")


def check_tables(connection: sqlite3.Connection) -> None:
    """Add what an older companion did not know. Raise Broken, or SQLite's error, where a table cannot be read."""
    connection.execute(ADDED)
    for table, columns in TABLES.items():
        connection.execute(f"SELECT {columns} FROM {table} LIMIT 0")
    read_standing(connection)


def check_pages(connection: sqlite3.Connection) -> None:
    """Read every page. Raises Broken where one is damaged."""
    (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise Broken(found)


def in_memory(source: sqlite3.Connection) -> sqlite3.Connection:
    """A copy of a journal in memory."""
    mirror = _memory()
    source.backup(mirror)
    return mirror


def empty_in_memory(first_game: int = 1, ceiling: int = 0) -> sqlite3.Connection:
    """A new journal in memory whose games are numbered from ``first_game`` and whose revisions begin at ``ceiling``."""
    mirror = _memory()
    begin_tables(mirror)
    mirror.execute("INSERT INTO sqlite_sequence VALUES ('game', ?)", (first_game - 1,))
    mirror.execute("UPDATE standing SET ceiling = ?, changed = ?", (ceiling, ceiling))
    return mirror


def _memory() -> sqlite3.Connection:
    mirror = sqlite3.connect(MEMORY, isolation_level=None, check_same_thread=False)
    mirror.text_factory = lambda told: told.decode(errors="replace")
    mirror.execute(f"PRAGMA page_size = {PAGE_BYTES}")
    mirror.execute("PRAGMA foreign_keys = ON")
    return mirror
