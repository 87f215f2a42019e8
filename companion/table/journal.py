"""The journal: what happened at the table, in one SQLite file that outlives every power cut.

Every change is one transaction, in the write-ahead log and on the disk before it is answered. Entries are only ever
added. When a game begins or ends the log is brought into the file. The file is held by one companion at a time. One
that cannot be read any more, or is missing beside its copy, is renamed, never deleted, and a new one begun, from the
copy made at the last game's end where there is one.

Errors::

    JournalError           the file cannot be opened; the message says what to do
    Refused("not_saved")   a change could not be written (nothing has changed), or nothing could be read
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from companion.rules.game import Refused
from companion.table.journal_file import (
    JournalError,
    Standing,
    copy_journal,
    open_journal,
    read_standing,
    settle_journal,
)

__all__ = ["Entry", "GameRow", "Journal", "JournalError", "Pen", "Standing"]


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
        self.began = False

    def begin(self, row: GameRow) -> int:
        """Add a game; returns its id (``row.id`` is not used)."""
        told = (row.name, row.setup, row.seed, row.started_at)
        added = self._connection.execute("INSERT INTO game (name, setup, seed, started_at) VALUES (?, ?, ?, ?)", told)
        self.began = True
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
        self._connection, self.notice = open_journal(self.path)

    # -- reading. Refused: not_saved
    def standing(self) -> Standing:
        """The table as it was left."""
        with _failing():
            return read_standing(self._connection)

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

    def _rows(self, query: str, *params: int | str) -> list[Any]:
        with _failing():
            return self._connection.execute(query, params).fetchall()

    # -- writing
    @contextmanager
    def writing(self) -> Iterator[Pen]:
        """One transaction: all of it is on the disk when this ends, or none. Refused: not_saved."""
        with _failing():
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                pen = Pen(self._connection)
                yield pen
                self._connection.execute("COMMIT")
            except BaseException:
                self._roll_back()
                raise
        if pen.began:
            settle_journal(self._connection)

    def back_up(self) -> None:
        """Copy the journal beside itself."""
        copy_journal(self._connection, self.path)

    def close(self) -> None:
        """Let the file go."""
        self._connection.close()

    def _roll_back(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")


@contextmanager
def _failing() -> Iterator[None]:
    """Refuse as not_saved what SQLite cannot do: a full disk, a card that was pulled."""
    try:
        yield
    except sqlite3.Error as error:
        raise Refused("not_saved", reason=str(error)) from error
