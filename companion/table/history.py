"""Earlier games."""

from __future__ import annotations

import json

from companion.rules.game import Refused
from companion.table import record as records
from companion.table.course import Course, course_of
from companion.table.journal import GameRow
from companion.table.record import GameRecord, Unsound
from companion.table.snapshot import LogLine, PastGame
from companion.table.table import Table


def history(table: Table) -> tuple[PastGame, ...]:
    """All games ever started, newest first; those whose rows cannot be read any more are left out."""
    past = (_past(row) for row in reversed(table.journal.games()))
    return tuple(game for game in past if game is not None)


def _past(row: GameRow) -> PastGame | None:
    try:
        setup, outcome = json.loads(row.setup), records.read_outcome(row.outcome)
    except (TypeError, ValueError):
        return None
    return PastGame(row.id, row.name, setup, row.started_at, row.turns, outcome)


def log_of(table: Table, game_id: int) -> tuple[LogLine, ...]:
    """The log of any game, oldest line first. Refused: no_such_game, unknown_game."""
    return record_of(table, game_id).log


def course(table: Table, game_id: int) -> Course:
    """The course of any game. Refused: no_such_game, unknown_game."""
    record = record_of(table, game_id)
    for past in history(table):
        if past.id == game_id:
            return course_of(record, past)
    raise Refused("no_such_game", id=game_id)


def record_of(table: Table, game_id: int) -> GameRecord:
    """The record of any game. Refused: no_such_game, unknown_game."""
    if table.record is not None and table.record.id == game_id:
        return table.record
    try:
        return table.read(game_id)
    except Unsound as error:
        raise Refused("no_such_game", id=game_id) from error
