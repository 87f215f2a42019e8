"""The journal's file: opened, checked, and set aside where it is broken."""

from __future__ import annotations

import errno
import logging
import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from companion.rules.portrait import Phrase
from companion.table.journal_copy import copied, copies, log_path
from companion.table.journal_tables import (
    PAGE_BYTES,
    REVISION_LEAP,
    SCHEMA_VERSION,
    Broken,
    begin_tables,
    check_pages,
    check_tables,
    read_standing,
)
from companion.table.whole_file import sync_folder, write_whole

logger = logging.getLogger(__name__)

BROKEN = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
MAGIC = b"SQLite format 3\0"
LOG_MAGICS = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
LOG_HEADER_BYTES = 32
LOG_PAGES = 8000
"""How long the write-ahead log grows before it is brought into the file in mid-game; few games come near."""
NO_FOLDER = (errno.ENOTDIR, errno.EEXIST, errno.EISDIR, errno.ENAMETOOLONG, errno.ELOOP, errno.EINVAL)
"""What a path answers that can never be a journal's."""


class JournalError(Exception):
    """The journal cannot be used; the message says in one line why and what to do."""


def open_journal(path: Path) -> tuple[sqlite3.Connection, Phrase | None]:
    """A checked connection, and a notice where the file was broken and had to be set aside.

    Raises JournalError for what only people can mend (a path that can be no journal's, another companion's journal),
    sqlite3.Error or OSError where the disk does not take the journal, or does not give it.
    """
    make_folder(path)
    try:
        log = _log_of_a_foreign_file(path)
        try:
            check_files(path, log)
            return opened(path, may_begin=not copies(path)), None
        except Broken as broken:
            return _begun_anew(path, broken, log)
    except sqlite3.Error as error:
        if error.sqlite_errorcode & 0xFF in BUSY:
            raise used_by_another(path) from error
        raise


def used_by_another(path: Path) -> JournalError:
    """What is said of a journal that another process holds."""
    return JournalError(f"another companion is using the journal {path}: stop that one, or name another file")


def make_folder(path: Path) -> None:
    """Make the folder of a journal. Raises JournalError where the path can be no journal's, else OSError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    except OSError as failure:
        if failure.errno in NO_FOLDER:
            told = f"the games cannot be kept in {path.parent}: {failure.strerror}. Name another folder with --state"
            raise JournalError(told) from failure
        raise


def settle_journal(connection: sqlite3.Connection) -> None:
    """Bring the write-ahead log into the file itself; where that fails it is logged, for the log is on the disk."""
    try:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except sqlite3.Error as error:
        logger.warning("The journal's log could not be brought into its file: %s", error)


def check_files(path: Path, log: bytes | None = None) -> None:
    """Raise Broken for what SQLite would take for a new journal without a word, losing what was in it."""
    size = path.stat().st_size if path.exists() else 0
    if not size and (log or copies(path)):
        raise Broken("it is empty" if path.exists() else "it is missing")
    if _has_unreadable_log(path):
        raise Broken("its write-ahead log cannot be read")


def opened(path: Path, *, may_begin: bool = True) -> sqlite3.Connection:
    """A checked connection; to a file without tables only where it ``may_begin`` a journal there.

    Raises Broken, JournalError, sqlite3.Error.
    """
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=1.0)
    try:
        _prepare(connection, may_begin)
    except sqlite3.Error as error:
        connection.close()
        if error.sqlite_errorcode & 0xFF in BROKEN:
            raise Broken(str(error)) from error
        raise
    except BaseException:
        connection.close()
        raise
    return connection


def set_aside(path: Path) -> Path:
    """Rename what is at ``path``, its log too, out of the way. Raises OSError."""
    number = 1
    while (aside := path.with_name(f"{path.name}.broken-{number}")).exists():
        number += 1
    path.touch()
    for suffix in ("-wal", "-shm", ""):
        with suppress(FileNotFoundError):
            Path(f"{path}{suffix}").replace(f"{aside}{suffix}")
    sync_folder(path.parent)
    return aside


def _log_of_a_foreign_file(path: Path) -> bytes | None:
    """The write-ahead log beside a file that does not begin as a database, for SQLite would delete it."""
    log = log_path(path)
    with suppress(OSError):
        if _beginning(path, len(MAGIC)) != MAGIC and log.exists():
            return log.read_bytes()
    return None


def _has_unreadable_log(path: Path) -> bool:
    """Whether what is beside the file is no log. One shorter than its header was cut before anything was in it."""
    with suppress(OSError):
        beginning = _beginning(log_path(path), LOG_HEADER_BYTES)
        return len(beginning) == LOG_HEADER_BYTES and not beginning.startswith(LOG_MAGICS)
    return False


def _beginning(path: Path, size: int) -> bytes:
    with path.open("rb") as file:
        return file.read(size)


def _begun_anew(path: Path, broken: Broken, log: bytes | None) -> tuple[sqlite3.Connection, Phrase]:
    log_is_lost = _has_unreadable_log(path)
    ceiling = None if log_is_lost else _last_ceiling(path)
    aside = set_aside(path)
    if log is not None:
        log_path(aside).write_bytes(log)
    logger.error("The journal %s is broken (%s); it was kept as %s and a new one begun", path, broken, aside)
    restored = _first_restored(path, (*([aside] if log_is_lost else []), *copies(path)))
    connection = restored or opened(path)
    known = read_standing(connection).ceiling
    above = known + REVISION_LEAP if ceiling is None else max(known, ceiling)
    connection.execute("UPDATE standing SET ceiling = ?, changed = ?", (above, above))
    return connection, Phrase(f"notice.journal_{'restored' if restored else 'set_aside'}", {"path": str(aside)})


def _first_restored(path: Path, sources: tuple[Path, ...]) -> sqlite3.Connection | None:
    """The journal begun from the first of these that is sound, None where none is."""
    for source in sources:
        content = copied(source)
        if content is None:
            continue
        write_whole(path, content)
        try:
            return opened(path, may_begin=False)
        except Broken:
            path.unlink()
    return None


def _prepare(connection: sqlite3.Connection, may_begin: bool) -> None:
    """Lock the file for this process, check it, and bring its tables to this version."""
    connection.text_factory = lambda told: told.decode(errors="replace")
    for pragma in (
        f"page_size = {PAGE_BYTES}",
        "locking_mode = EXCLUSIVE",
        "journal_mode = WAL",
        "synchronous = FULL",
        f"wal_autocheckpoint = {LOG_PAGES}",
        "foreign_keys = ON",
    ):
        connection.execute(f"PRAGMA {pragma}")
    check_pages(connection)
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > SCHEMA_VERSION:
        raise JournalError(f"the journal was written by a newer companion (version {version}): update this one")
    if version == 0 and not may_begin:
        raise Broken("it has no tables")
    if version == 0:
        begin_tables(connection)
        settle_journal(connection)
    check_tables(connection)
    connection.execute("UPDATE standing SET ceiling = ceiling")


def _last_ceiling(path: Path) -> int | None:
    """The highest revision that a broken file still tells, if any."""
    with (
        suppress(sqlite3.Error, Broken),
        closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection,
    ):
        return read_standing(connection).ceiling
    return None
