"""The journal's file: opened, checked, copied, and set aside where it is broken."""

from __future__ import annotations

import logging
import shutil
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from companion.rules.portrait import Phrase

logger = logging.getLogger(__name__)

SCHEMA_VERSION = 1
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
BROKEN = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
MAGIC = b"SQLite format 3\0"
MEMORY = ":memory:"
REVISION_LEAP = 100_000
"""How far revisions jump where a broken journal does not even tell the last one."""


class JournalError(Exception):
    """The journal cannot be used; the message says in one line why and what to do."""


class _Broken(Exception):
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


def open_journal(path: Path) -> tuple[sqlite3.Connection, Phrase | None]:
    """A checked connection, and a notice where the file was broken and had to be set aside. Raises JournalError."""
    log = _log_of_a_foreign_file(path)
    if log and path.stat().st_size == 0:
        return _begun_anew(path, _Broken("it is empty"), log)
    try:
        return _opened(path), None
    except _Broken as broken:
        return _begun_anew(path, broken, log)


def copy_journal(connection: sqlite3.Connection, path: Path) -> None:
    """Copy the journal at ``path`` beside itself; a copy that fails is logged, for the journal itself is whole."""
    if str(path) == MEMORY:
        return
    unfinished = copy_path(path).with_suffix(".new")
    try:
        unfinished.unlink(missing_ok=True)
        with closing(sqlite3.connect(unfinished)) as copy:
            connection.backup(copy)
        unfinished.replace(copy_path(path))
    except (sqlite3.Error, OSError) as error:
        logger.warning("The journal could not be copied to %s: %s", copy_path(path), error)


def copy_path(path: Path) -> Path:
    """Where the copy of a journal lies."""
    return path.with_name(f"{path.name}.copy")


def read_standing(connection: sqlite3.Connection) -> Standing:
    """The table's standing."""
    row = connection.execute("SELECT seated, paused, ceiling, changed FROM standing").fetchone()
    if row is None:
        raise _Broken("the standing is missing")
    seated, paused, ceiling, changed = row
    return Standing(seated, bool(paused), ceiling, changed)


def _log_of_a_foreign_file(path: Path) -> bytes | None:
    """The write-ahead log beside a file that does not begin as a database, for SQLite would delete it."""
    log = Path(f"{path}-wal")
    with suppress(OSError), path.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC and log.exists():
            return log.read_bytes()
    return None


def _begun_anew(path: Path, broken: _Broken, log: bytes | None) -> tuple[sqlite3.Connection, Phrase]:
    ceiling, aside = _last_ceiling(path), _set_aside(path)
    if log is not None:
        Path(f"{aside}-wal").write_bytes(log)
    logger.error("The journal %s is broken (%s); it was kept as %s and a new one begun", path, broken, aside)
    restored = _restored(path)
    connection = restored or _opened(path)
    known = read_standing(connection).ceiling
    above = known + REVISION_LEAP if ceiling is None else max(known, ceiling)
    connection.execute("UPDATE standing SET ceiling = ?, changed = ?", (above, above))
    return connection, Phrase(f"notice.journal_{'restored' if restored else 'set_aside'}", {"path": str(aside)})


def _set_aside(path: Path) -> Path:
    number = 1
    while (aside := path.with_name(f"{path.name}.broken-{number}")).exists():
        number += 1
    for suffix in ("-wal", "-shm", ""):
        with suppress(FileNotFoundError):
            Path(f"{path}{suffix}").replace(f"{aside}{suffix}")
    return aside


def _restored(path: Path) -> sqlite3.Connection | None:
    """The journal begun from its copy, None where there is no sound one."""
    if not copy_path(path).exists():
        return None
    shutil.copyfile(copy_path(path), path)
    try:
        return _opened(path)
    except _Broken:
        path.unlink()
        return None


def _opened(path: Path) -> sqlite3.Connection:
    """A checked connection. Raises _Broken or JournalError."""
    try:
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=1.0)
    except sqlite3.Error as error:
        raise _cannot_open(path, error) from error
    try:
        _prepare(connection)
    except sqlite3.Error as error:
        connection.close()
        if error.sqlite_errorcode & 0xFF in BROKEN:
            raise _Broken(str(error)) from error
        raise _cannot_open(path, error) from error
    except BaseException:
        connection.close()
        raise
    return connection


def _cannot_open(path: Path, error: sqlite3.Error) -> JournalError:
    if error.sqlite_errorcode & 0xFF in BUSY:
        return JournalError(f"another companion is using the journal {path}: stop that one, or name another file")
    return JournalError(f"the journal {path} cannot be opened ({error}): check that its folder exists and is writable")


def _prepare(connection: sqlite3.Connection) -> None:
    """Lock the file for this process, check it, and bring its tables to this version."""
    connection.text_factory = lambda told: told.decode(errors="replace")
    for pragma in ("locking_mode = EXCLUSIVE", "journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {pragma}")
    (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise _Broken(found)
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > SCHEMA_VERSION:
        raise JournalError(f"the journal was written by a newer companion (version {version}): update this one")
    if version == 0:
        connection.executescript(f"BEGIN EXCLUSIVE; {SCHEMA} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;")
    connection.execute("UPDATE standing SET ceiling = ceiling")
    read_standing(connection)


def _last_ceiling(path: Path) -> int | None:
    """The highest revision that a broken file still tells, if any."""
    with (
        suppress(sqlite3.Error, _Broken),
        closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection,
    ):
        return read_standing(connection).ceiling
    return None
