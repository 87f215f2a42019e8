"""The journal: what happened at the table, in one SQLite file that outlives every power cut.

Every change is one transaction, in the write-ahead log and on the disk before it is answered. Entries are only ever
added. The file is held by one companion at a time. One that SQLite cannot read any more is renamed, never deleted,
and a new one begun, from the copy made at the last game's end where there is one.

Errors::

    JournalError               the file cannot be opened; the message says what to do
    Refused("not_saved")       a change could not be written; nothing has changed
"""

from __future__ import annotations

import logging
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import astuple, dataclass
from pathlib import Path

from companion.rules.game import Refused
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


@dataclass(frozen=True, slots=True)
class GameRow:
    """One game's row, column by column; ``setup`` and ``outcome`` are JSON texts."""

    id: int
    name: str
    setup: str
    seed: str
    started_at: str
    turns: int = 1
    outcome: str | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a game, numbered from 1: ``kind`` play, undo, redo or cut, with its JSON text ``body``."""

    number: int
    kind: str
    body: str


class Pen:
    """What can be written within one transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def begin(self, row: GameRow) -> int:
        """Add a game; returns its id (``row.id`` is not used)."""
        told = (row.name, row.setup, row.seed, row.started_at)
        added = self._connection.execute("INSERT INTO game (name, setup, seed, started_at) VALUES (?, ?, ?, ?)", told)
        return int(added.lastrowid or 0)

    def append(self, game: int, entry: Entry, revision: int, at: str) -> None:
        """Add an entry to a game."""
        self._connection.execute("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?)", (game, *astuple(entry), revision, at))

    def sum_up(self, game: int, turns: int, outcome: str | None) -> None:
        """Keep what the history shows of a game."""
        self._connection.execute("UPDATE game SET turns = ?, outcome = ? WHERE id = ?", (turns, outcome, game))

    def stand(self, standing: Standing) -> None:
        """Keep the table's standing."""
        told = astuple(standing)
        self._connection.execute("UPDATE standing SET seated = ?, paused = ?, ceiling = ?, changed = ?", told)

    def remember(self, command_id: str) -> None:
        """Keep the id of a command that was played."""
        self._connection.execute("INSERT INTO command VALUES (?)", (command_id,))

    def bind(self, tag: str, thing: str) -> None:
        """Keep what a tag is stuck to."""
        self._connection.execute("INSERT OR REPLACE INTO tag VALUES (?, ?)", (tag, thing))

    def unbind(self, tag: str) -> None:
        """Forget a tag."""
        self._connection.execute("DELETE FROM tag WHERE tag = ?", (tag,))


class Journal:
    """The journal in the file at ``path`` (``:memory:`` for a table that forgets). Raises JournalError.

    ``notice`` says that a broken file was set aside, None where all was well.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self.notice: Phrase | None = None
        self._in_memory = str(path) == ":memory:"
        try:
            self._connection = _opened(str(path))
        except _Broken as broken:
            self._connection = self._begin_anew(broken)

    @property
    def copy_path(self) -> Path:
        """Where the copy made at a game's end lies."""
        return self.path.with_name(self.path.name + ".copy")

    # -- reading
    def standing(self) -> Standing:
        """The table as it was left."""
        return _standing(self._connection)

    def games(self) -> tuple[GameRow, ...]:
        """All games, oldest first."""
        rows = self._connection.execute(
            "SELECT id, name, setup, seed, started_at, turns, outcome FROM game ORDER BY id"
        )
        return tuple(GameRow(*row) for row in rows)

    def entries(self, game: int) -> tuple[Entry, ...]:
        """A game's entries in order."""
        rows = self._connection.execute("SELECT number, kind, body FROM entry WHERE game = ? ORDER BY number", (game,))
        return tuple(Entry(*row) for row in rows)

    def knows(self, command_id: str) -> bool:
        """Whether a command with this id was played."""
        found = self._connection.execute("SELECT 1 FROM command WHERE id = ?", (command_id,)).fetchone()
        return found is not None

    def tags(self) -> Mapping[str, str]:
        """Each known tag with the text form of its thing."""
        return dict(self._connection.execute("SELECT tag, thing FROM tag ORDER BY tag").fetchall())

    # -- writing
    @contextmanager
    def writing(self) -> Iterator[Pen]:
        """One transaction: all of it is on the disk when this ends, or none. Refused: not_saved."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            yield Pen(self._connection)
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            self._roll_back()
            raise Refused("not_saved", reason=str(error)) from error
        except BaseException:
            self._roll_back()
            raise

    def back_up(self) -> None:
        """Copy the journal beside itself; a copy that fails is logged, for the journal itself is whole."""
        if self._in_memory:
            return
        unfinished = self.copy_path.with_name(self.copy_path.name + ".new")
        try:
            unfinished.unlink(missing_ok=True)
            with closing(sqlite3.connect(unfinished)) as copy:
                self._connection.backup(copy)
            unfinished.replace(self.copy_path)
        except (sqlite3.Error, OSError) as error:
            logger.warning("The journal could not be copied to %s: %s", self.copy_path, error)

    def close(self) -> None:
        """Let the file go."""
        self._connection.close()

    def _roll_back(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    # -- a broken file
    def _begin_anew(self, broken: _Broken) -> sqlite3.Connection:
        ceiling, aside = _last_ceiling(self.path), self._set_aside()
        logger.error("The journal %s is broken (%s); it was kept as %s and a new one begun", self.path, broken, aside)
        restored = self._restored()
        if restored is None:
            self.notice = Phrase("notice.journal_set_aside", {"path": str(aside)})
            connection = _opened(str(self.path))
        else:
            self.notice = Phrase("notice.journal_restored", {"path": str(aside)})
            connection = restored
        known = _standing(connection).ceiling
        above = max(known, ceiling) if ceiling is not None else known + REVISION_LEAP
        connection.execute("UPDATE standing SET ceiling = ?, changed = ?", (above, above))
        return connection

    def _set_aside(self) -> Path:
        number = 1
        while (aside := self.path.with_name(f"{self.path.name}.broken-{number}")).exists():
            number += 1
        for suffix in ("-wal", "-shm", ""):
            with suppress(FileNotFoundError):
                Path(f"{self.path}{suffix}").replace(f"{aside}{suffix}")
        return aside

    def _restored(self) -> sqlite3.Connection | None:
        """The journal begun from the last copy, None where there is no sound one."""
        if not self.copy_path.exists():
            return None
        shutil.copyfile(self.copy_path, self.path)
        try:
            return _opened(str(self.path))
        except _Broken:
            self.path.unlink()
            return None


def _opened(path: str) -> sqlite3.Connection:
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


def _cannot_open(path: str, error: sqlite3.Error) -> JournalError:
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
    _standing(connection)


def _standing(connection: sqlite3.Connection) -> Standing:
    row = connection.execute("SELECT seated, paused, ceiling, changed FROM standing").fetchone()
    if row is None:
        raise _Broken("the standing is missing")
    seated, paused, ceiling, changed = row
    return Standing(seated, bool(paused), ceiling, changed)


def _last_ceiling(path: Path) -> int | None:
    """The highest revision that a broken file still tells, if any."""
    with suppress(sqlite3.Error, _Broken), closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        return _standing(connection).ceiling
    return None
