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
TABLES = {
    "game": "id, name, setup, seed, started_at, turns, outcome",
    "entry": "game, number, kind, body, revision, at",
    "command": "id",
    "tag": "tag, thing",
    "standing": "one, seated, paused, ceiling, changed",
}
BROKEN = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
MAGIC = b"SQLite format 3\0"
LOG_MAGICS = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
LOG_HEADER_BYTES = 32
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
    try:
        log = _log_of_a_foreign_file(path)
        try:
            _check_files(path, log)
            return _opened(path, may_begin=not copy_path(path).exists()), None
        except _Broken as broken:
            return _begun_anew(path, broken, log)
    except sqlite3.Error as error:
        raise _cannot_open(path, error) from error


def copy_journal(connection: sqlite3.Connection, path: Path) -> None:
    """Copy the journal at ``path`` beside itself; a copy that fails is logged, for the journal itself is whole."""
    if str(path) == MEMORY:
        return
    settle_journal(connection)
    unfinished = copy_path(path).with_suffix(".new")
    try:
        unfinished.unlink(missing_ok=True)
        with closing(sqlite3.connect(unfinished)) as copy:
            connection.backup(copy)
        unfinished.replace(copy_path(path))
    except (sqlite3.Error, OSError) as error:
        logger.warning("The journal could not be copied to %s: %s", copy_path(path), error)


def settle_journal(connection: sqlite3.Connection) -> None:
    """Bring the write-ahead log into the file itself; where that fails it is logged, for the log is on the disk."""
    try:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except sqlite3.Error as error:
        logger.warning("The journal's log could not be brought into its file: %s", error)


def copy_path(path: Path) -> Path:
    """Where the copy of a journal lies."""
    return path.with_name(f"{path.name}.copy")


def log_path(path: Path) -> Path:
    """Where the write-ahead log of a journal lies."""
    return path.with_name(f"{path.name}-wal")


def read_standing(connection: sqlite3.Connection) -> Standing:
    """The table's standing."""
    row = connection.execute("SELECT seated, paused, ceiling, changed FROM standing").fetchone()
    if row is None:
        raise _Broken("the standing is missing")
    seated, paused, ceiling, changed = row
    return Standing(seated, bool(paused), ceiling, changed)


def _log_of_a_foreign_file(path: Path) -> bytes | None:
    """The write-ahead log beside a file that does not begin as a database, for SQLite would delete it."""
    log = log_path(path)
    with suppress(OSError):
        if _beginning(path, len(MAGIC)) != MAGIC and log.exists():
            return log.read_bytes()
    return None


def _check_files(path: Path, log: bytes | None) -> None:
    """Raise _Broken for what SQLite would take for a new journal without a word, losing what was in it."""
    if str(path) == MEMORY:
        return
    size = path.stat().st_size if path.exists() else 0
    if not size and (log or copy_path(path).exists()):
        raise _Broken("it is empty" if path.exists() else "it is missing")
    if _has_unreadable_log(path):
        raise _Broken("its write-ahead log cannot be read")


def _has_unreadable_log(path: Path) -> bool:
    """Whether what is beside the file is no log. One shorter than its header was cut before anything was in it."""
    with suppress(OSError):
        beginning = _beginning(log_path(path), LOG_HEADER_BYTES)
        return len(beginning) == LOG_HEADER_BYTES and not beginning.startswith(LOG_MAGICS)
    return False


def _beginning(path: Path, size: int) -> bytes:
    with path.open("rb") as file:
        return file.read(size)


def _begun_anew(path: Path, broken: _Broken, log: bytes | None) -> tuple[sqlite3.Connection, Phrase]:
    log_is_lost = _has_unreadable_log(path)
    ceiling = None if log_is_lost else _last_ceiling(path)
    aside = _set_aside(path)
    if log is not None:
        log_path(aside).write_bytes(log)
    logger.error("The journal %s is broken (%s); it was kept as %s and a new one begun", path, broken, aside)
    restored = (_restored(path, aside) if log_is_lost else None) or _restored(path, copy_path(path))
    connection = restored or _opened(path)
    known = read_standing(connection).ceiling
    above = known + REVISION_LEAP if ceiling is None else max(known, ceiling)
    connection.execute("UPDATE standing SET ceiling = ?, changed = ?", (above, above))
    return connection, Phrase(f"notice.journal_{'restored' if restored else 'set_aside'}", {"path": str(aside)})


def _set_aside(path: Path) -> Path:
    number = 1
    while (aside := path.with_name(f"{path.name}.broken-{number}")).exists():
        number += 1
    path.touch()
    for suffix in ("-wal", "-shm", ""):
        with suppress(FileNotFoundError):
            Path(f"{path}{suffix}").replace(f"{aside}{suffix}")
    return aside


def _restored(path: Path, copy: Path) -> sqlite3.Connection | None:
    """The journal begun from a copy, None where that is not sound."""
    if not copy.exists():
        return None
    shutil.copyfile(copy, path)
    try:
        return _opened(path, may_begin=False)
    except _Broken:
        path.unlink()
        return None


def _opened(path: Path, *, may_begin: bool = True) -> sqlite3.Connection:
    """A checked connection; to a file without tables only where it ``may_begin`` a journal there.

    Raises _Broken or JournalError.
    """
    try:
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=1.0)
    except sqlite3.Error as error:
        raise _cannot_open(path, error) from error
    try:
        _prepare(connection, may_begin)
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
    if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_FULL:
        return JournalError(f"the journal {path} cannot be opened, for the disk is full: free some space on it")
    return JournalError(f"the journal {path} cannot be opened ({error}): check that its folder exists and is writable")


def _prepare(connection: sqlite3.Connection, may_begin: bool) -> None:
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
    if version == 0 and not may_begin:
        raise _Broken("it has no tables")
    if version == 0:
        connection.executescript(f"BEGIN EXCLUSIVE; {SCHEMA} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;")
        settle_journal(connection)
    for table, columns in TABLES.items():
        connection.execute(f"SELECT {columns} FROM {table} LIMIT 0")
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
