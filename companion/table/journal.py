"""The journal: what happened at the table, in one SQLite file that outlives every power cut.

The whole journal is also in memory, where it is read. Every change is one transaction, there and in the file: in the
write-ahead log and on the disk before it is answered. Entries are only ever added. When a game begins or ends the log
is brought into the file. The file is held by one companion at a time. One that cannot be read any more, or is missing
beside its copies, is renamed, never deleted, and a new one begun, from a copy made at a game's end where there is one.

A card that is full, read-only or gone stops no game: changes are kept in memory, ``unsaved`` says why, and each later
change tries to bring all of them to the file, in order, in one transaction. What is not there yet when the companion
ends is lost.

Errors::

    JournalError           only people can mend it: a path that can be no journal's, another companion's journal
    Refused("not_saved")   a change that makes no sense, such as an entry of no game (nothing has changed)
"""

from __future__ import annotations

import logging
import secrets
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from companion.rules.game import Refused
from companion.rules.portrait import Phrase
from companion.table.journal_copy import copy_journal, read_journal
from companion.table.journal_file import JournalError, open_journal
from companion.table.journal_saving import Saving, Statement, Writes
from companion.table.journal_tables import MEMORY, Broken, Standing, empty_in_memory, in_memory, read_standing

__all__ = ["Entry", "GameRow", "Journal", "JournalError", "Pen", "Standing"]

logger = logging.getLogger(__name__)

UNREAD_GAMES, UNREAD_REVISIONS = 1_000_000, 1_000_000
"""Where games and revisions begin where the journal could not be read: above all that it can hold."""


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
    """What can be written within one transaction; ``written`` is all that was, to be brought to the file."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.written: list[Statement] = []
        self.began = False

    def _write(self, sql: str, *params: Any) -> None:
        self._connection.execute(sql, params)
        self.written.append((sql, params))

    def begin(self, row: GameRow) -> int:
        """Add a game; returns its id (``row.id`` is not used)."""
        (last,) = self._connection.execute("SELECT coalesce(max(seq), 0) FROM sqlite_sequence").fetchone()
        told = (last + 1, row.name, row.setup, row.seed, row.started_at)
        self._write("INSERT INTO game (id, name, setup, seed, started_at) VALUES (?, ?, ?, ?, ?)", *told)
        self.began = True
        return int(last) + 1

    def append(self, game: int, entry: Entry, revision: int, at: str) -> None:
        """Add an entry to a game."""
        self._write("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?)", game, *astuple(entry), revision, at)

    def sum_up(self, game: int, turns: int, outcome: str | None) -> None:
        """Keep what the history shows of a game, where it changed: a page that is not touched is not written."""
        known = self._connection.execute("SELECT turns, outcome FROM game WHERE id = ?", (game,)).fetchone()
        if known != (turns, outcome):
            self._write("UPDATE game SET turns = ?, outcome = ? WHERE id = ?", turns, outcome, game)

    def stand(self, standing: Standing) -> None:
        """Keep the table's standing."""
        self._write("UPDATE standing SET seated = ?, paused = ?, ceiling = ?, changed = ?", *astuple(standing))

    def remember(self, command_id: str) -> None:
        """Keep the id of a command that was played."""
        self._write("INSERT OR IGNORE INTO command VALUES (?)", command_id)

    def bind(self, tag: str, thing: str) -> None:
        """Keep what a tag is stuck to."""
        self._write("INSERT OR REPLACE INTO tag VALUES (?, ?)", tag, thing)

    def unbind(self, tag: str) -> None:
        """Forget a tag."""
        self._write("DELETE FROM tag WHERE tag = ?", tag)

    def enrol(self, game: str, body: str) -> None:
        """Keep how far the enrolment of a game's box is."""
        self._write("INSERT OR REPLACE INTO enrolment VALUES (?, ?)", game, body)


class Journal:
    """The journal in the file at ``path`` (``:memory:`` for a table that forgets). Raises JournalError.

    ``notice`` says that a broken file was set aside, None where all was well.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self.notice: Phrase | None = None
        self._saving: Saving | None = None
        if str(path) == MEMORY:
            self._mirror = empty_in_memory()
            return
        try:
            connection, self.notice = open_journal(self.path)
        except (sqlite3.Error, OSError) as failure:
            self._saving = _unsaved_from_the_start(self.path, failure)
        else:
            self._saving = Saving(self.path, in_memory(connection), connection)
        self._mirror = self._saving.mirror

    @property
    def unsaved(self) -> Phrase | None:
        """Why the newest changes are in memory only, None while all is on the disk."""
        return self._saving.cause if self._saving else None

    # -- reading
    def standing(self) -> Standing:
        """The table as it was left."""
        return read_standing(self._mirror)

    def games(self) -> tuple[GameRow, ...]:
        """All games, oldest first."""
        return tuple(GameRow(*row) for row in self._rows("SELECT * FROM game ORDER BY id"))

    def entries(self, game: int) -> tuple[Entry, ...]:
        """A game's entries in order."""
        rows = self._rows("SELECT number, kind, body FROM entry WHERE game = ? ORDER BY number", game)
        return tuple(Entry(*row) for row in rows)

    def knows(self, command_id: str) -> bool:
        """Whether a command with this id was played."""
        return bool(self._rows("SELECT 1 FROM command WHERE id = ?", command_id))

    def tags(self) -> Mapping[str, str]:
        """Each known tag with the text form of its thing."""
        return dict(self._rows("SELECT tag, thing FROM tag ORDER BY tag"))

    def enrolment(self, game: str) -> str | None:
        """How far the enrolment of a game's box is, None where there was none."""
        rows = self._rows("SELECT body FROM enrolment WHERE game = ?", game)
        return rows[0][0] if rows else None

    def _rows(self, query: str, *params: int | str) -> list[Any]:
        return self._mirror.execute(query, params).fetchall()

    # -- writing
    @contextmanager
    def writing(self) -> Iterator[Pen]:
        """One transaction: all of it when this ends, or none; on the disk unless ``unsaved`` says why not.

        Refused: not_saved.
        """
        try:
            self._mirror.execute("BEGIN IMMEDIATE")
            pen = Pen(self._mirror)
            yield pen
            self._mirror.execute("COMMIT")
        except sqlite3.Error as error:
            raise Refused("not_saved", reason=str(error)) from error
        finally:
            if self._mirror.in_transaction:
                self._mirror.execute("ROLLBACK")
        self._save(pen)

    def save_again(self) -> None:
        """Try once more to save what is unsaved."""
        if self._saving and self._saving.cause is not None:
            self._saving.save()

    def back_up(self) -> None:
        """Copy the journal beside itself, where all of it is saved."""
        if self._saving and self._saving.cause is None:
            self._saving.settle()
            copy_journal(self._mirror, self.path)

    def close(self) -> None:
        """Let the file go."""
        if self._saving:
            self._saving.close()
        self._mirror.close()

    def _save(self, pen: Pen) -> None:
        if self._saving is None:
            return
        self._saving.save(Writes(tuple(pen.written), self.standing()))
        if pen.began:
            self._saving.settle()


def _unsaved_from_the_start(path: Path, failure: Exception) -> Saving:
    """A journal whose file cannot be written: as it can be read, else an empty one in memory."""
    try:
        saving = Saving(path, read_journal(path), None)
    except (sqlite3.Error, OSError, Broken) as unreadable:
        logger.error("The journal %s cannot be read: %s", path, unreadable)  # noqa: TRY400 - said in one line
        first_game = UNREAD_GAMES + secrets.randbits(30)
        saving = Saving(path, empty_in_memory(first_game, UNREAD_REVISIONS), None, whole=False)
    saving.fail(failure)
    return saving
