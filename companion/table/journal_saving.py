"""What is in memory, brought to the card: at once where the card takes it, later where it does not.

The journal in memory is whole at any time; ``Saving`` keeps the transactions that are not in the file yet, in order,
and tries again with every new one. A file that is gone or damaged is written whole again, and one that could not be
read at the start takes what was played meanwhile beside the games that it holds.
"""

from __future__ import annotations

import errno
import logging
import os
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.rules.portrait import Phrase
from companion.table.journal_copy import log_path
from companion.table.journal_file import (
    BUSY,
    JournalError,
    check_files,
    make_folder,
    open_journal,
    opened,
    set_aside,
    settle_journal,
    used_by_another,
)
from companion.table.journal_tables import Broken, Standing, read_standing
from companion.table.whole_file import write_whole

logger = logging.getLogger(__name__)

Statement = tuple[str, tuple[Any, ...]]
FULL = (errno.ENOSPC, errno.EDQUOT)
FORBIDDEN = (errno.EACCES, errno.EPERM)
PASSING = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_NOMEM, *BUSY)
"""Errors after which the same connection may go on; after others the file is opened anew."""


@dataclass(frozen=True, slots=True)
class Writes:
    """One transaction, and the table's standing after it."""

    statements: tuple[Statement, ...]
    standing: Standing


class Saving:
    """The file at ``path`` behind a journal in memory, ``mirror``.

    ``connection`` is to the file, None where it could not be opened. ``whole`` says that the mirror holds all that the
    file holds; where it does not, the file could not even be read.
    """

    def __init__(
        self, path: Path, mirror: sqlite3.Connection, connection: sqlite3.Connection | None, *, whole: bool = True
    ) -> None:
        self.path = path
        self.mirror = mirror
        self.cause: Phrase | None = None
        self._connection = connection
        self._whole = whole
        self._unsaved: list[Writes] = []
        self._saved = read_standing(mirror)
        self._note_places()

    def save(self, writes: Writes | None = None) -> None:
        """Bring everything unsaved, and ``writes`` last, to the disk. Never raises: ``cause`` says why it did not."""
        self._unsaved += [writes] if writes else []
        try:
            self._attempt()
        except (sqlite3.Error, OSError, JournalError, Broken) as failure:
            self.fail(failure)
        else:
            self._succeeded()

    def settle(self) -> None:
        """Bring the write-ahead log into the file."""
        if self._connection is not None:
            settle_journal(self._connection)

    def close(self) -> None:
        """Try a last time, say what is lost, let the file go."""
        if self.cause is not None:
            self.save()
        if self.cause is not None and self._unsaved:
            logger.error("%d changes could not be saved in %s and are lost", len(self._unsaved), self.path)
        self._let_go()

    def _attempt(self) -> None:
        if self._connection is not None and _place(self.path) != self._place:
            self._abandon()
        if self._connection is not None and self.cause is not None and not self._is_known(self._connection):
            self._let_go()
        if self._connection is None:
            self._connection = self._opened_again()
            self._note_places()
        self._append(self._connection)

    def _append(self, connection: sqlite3.Connection) -> None:
        if not self._unsaved:
            return
        try:
            connection.execute("BEGIN IMMEDIATE")
            for writes in self._unsaved:
                for sql, params in writes.statements:
                    connection.execute(sql, params)
            connection.execute("COMMIT")
        except sqlite3.Error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        self._saved = self._unsaved[-1].standing
        self._unsaved.clear()

    def _succeeded(self) -> None:
        if self.cause is not None:
            logger.warning("The journal %s is saved again, with all that was played meanwhile", self.path)
        self.cause = None

    def fail(self, failure: Exception) -> None:
        """Take down why the file cannot be written, and let it go where it must be opened anew."""
        if self.cause is None:
            logger.error("The journal cannot be saved in %s: %s. The game goes on in memory", self.path, failure)
        self.cause = cause_of(failure, self.path)
        if not (isinstance(failure, sqlite3.Error) and _code(failure) in PASSING):
            self._let_go()

    def _let_go(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _abandon(self) -> None:
        """Let a file go that is not at its path any more, with its log, which must not be taken for another's."""
        log = log_path(self.path)
        is_own = _place(log) == self._log_place
        self._let_go()
        if is_own:
            log.unlink(missing_ok=True)

    def _note_places(self) -> None:
        self._place, self._log_place = _place(self.path), _place(log_path(self.path))

    # -- the file, opened anew
    def _opened_again(self) -> sqlite3.Connection:
        make_folder(self.path)
        if not self._whole:
            return self._joined()
        connection = self._found_again() if self.path.exists() else None
        return connection or self._written_whole()

    def _found_again(self) -> sqlite3.Connection | None:
        """The file as this journal left it, less what it turns out to hold; None where it is another, or broken."""
        try:
            check_files(self.path)
            connection = opened(self.path, may_begin=False)
        except Broken as broken:
            logger.error("The journal %s is broken: %s", self.path, broken)  # noqa: TRY400 - said in one line
            return None
        if self._is_known(connection):
            return connection
        connection.close()
        return None

    def _is_known(self, connection: sqlite3.Connection) -> bool:
        """Whether a file is as this journal left it; what turns out to be in it after all is no longer unsaved.

        A transaction may have reached the disk although an error was answered.
        """
        marks = [self._saved, *(writes.standing for writes in self._unsaved)]
        found = read_standing(connection)
        if found not in marks:
            return False
        del self._unsaved[: len(marks) - 1 - marks[::-1].index(found)]
        self._saved = found
        return True

    def _written_whole(self) -> sqlite3.Connection:
        """A new file with all that is in memory; what lies there is set aside."""
        if self.path.exists():
            logger.error("What lay at %s was kept as %s", self.path, set_aside(self.path))
        write_whole(self.path, self.mirror.serialize())
        connection = opened(self.path, may_begin=False)
        self._unsaved.clear()
        self._saved = read_standing(connection)
        return connection

    def _joined(self) -> sqlite3.Connection:
        """The file that could not be read at the start, with what was played meanwhile beside its games."""
        connection, _notice = open_journal(self.path)
        try:
            self._append(connection)
        except BaseException:
            connection.close()
            raise
        connection.backup(self.mirror)
        self._saved, self._whole = read_standing(connection), True
        return connection


def _place(path: Path) -> tuple[int, int] | None:
    """Which file is at a path, None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF


def cause_of(failure: Exception, path: Path) -> Phrase:
    """Why a journal cannot be saved, in words of people who can do something about it."""
    if isinstance(failure, sqlite3.Error):
        return _of_sqlite(failure, path)
    if isinstance(failure, OSError) and failure.errno in FULL:
        return Phrase("unsaved.full")
    return _of_folder(path, failure)


def _of_sqlite(error: sqlite3.Error, path: Path) -> Phrase:
    code = _code(error)
    if code == sqlite3.SQLITE_FULL:
        return Phrase("unsaved.full")
    if code in BUSY:
        return Phrase("unsaved.busy")
    if code == sqlite3.SQLITE_READONLY:
        return Phrase("unsaved.read_only")
    return _of_folder(path, error)


def _of_folder(path: Path, failure: Exception) -> Phrase:
    if isinstance(failure, JournalError) and str(failure) == str(used_by_another(path)):
        return Phrase("unsaved.busy")
    if getattr(failure, "errno", None) == errno.EROFS or _is_read_only(path.parent):
        return Phrase("unsaved.read_only")
    if getattr(failure, "errno", None) in FORBIDDEN or _is_forbidden(path.parent):
        return Phrase("unsaved.forbidden", {"folder": str(path.parent)})
    return Phrase("unsaved.broken", {"cause": str(failure)})


def _is_read_only(folder: Path) -> bool:
    try:
        return bool(os.statvfs(folder).f_flag & os.ST_RDONLY)
    except OSError:
        return False


def _is_forbidden(folder: Path) -> bool:
    return folder.is_dir() and not os.access(folder, os.W_OK)
