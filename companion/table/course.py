"""The course of a game: how it stood at the end of each turn, and what was played, for looking back and for taking out.

Nothing here tells the seed, by which the cards to come could be foreseen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from companion.rules.game import AnyGame, JsonObject
from companion.rules.portrait import Phrase
from companion.table.record import GameRecord
from companion.table.snapshot import LogLine, PastGame


@dataclass(frozen=True, slots=True)
class Moment:
    """A position after a turn (the newest: as it stands), its last card included; turn 0 is the set-up."""

    turn: int
    state: Any


@dataclass(frozen=True, slots=True)
class Course:
    """A game from its set-up on; ``commands`` are those that stand, in their JSON form, ``log`` is oldest first."""

    past: PastGame
    game: AnyGame
    moments: tuple[Moment, ...]
    commands: tuple[JsonObject, ...]
    log: tuple[LogLine, ...]

    @property
    def last(self) -> Any:
        """The newest position."""
        return self.moments[-1].state


def course_of(record: GameRecord, past: PastGame) -> Course:
    """The course of a recorded game."""
    game, moves = record.game, record.line.moves
    states = (*(move.before for move in moves[:1]), *(move.after for move in moves)) or (record.state,)
    turned = [(game.turn(before), after) for before, after in pairwise(states) if game.turn(before) != game.turn(after)]
    last = states[-1]
    now = [(game.turn(last), last)] if moves and not (turned and turned[-1][1] is last) else []
    moments = (Moment(0, states[0]), *(Moment(turn, state) for turn, state in (*turned, *now)))
    commands = tuple(game.command_json(move.command) for move in moves)
    return Course(past, game, moments, commands, record.log)


def as_json(course: Course) -> dict[str, Any]:
    """Everything about a game that a program may want, but for its seed."""
    past = course.past
    return {
        "game": past.game,
        "id": past.id,
        "started_at": past.started_at,
        "setup": dict(past.setup),
        "turns": past.turns,
        "outcome": None if past.outcome is None else asdict(past.outcome),
        "commands": [dict(command) for command in course.commands],
        "course": [{"turn": moment.turn, "state": course.game.state_json(moment.state)} for moment in course.moments],
        "log": [_line(line) for line in course.log],
    }


def as_scenario(course: Course) -> dict[str, Any]:
    """A game as a scenario file that ``companion check`` accepts: its set-up, each command, and how it stands at last.

    Every card is named, so the decks are the table's own.
    """
    steps: list[dict[str, Any]] = [{"do": dict(command)} for command in course.commands]
    last = {"state": course.game.state_json(course.last)}
    return {
        "name": f"{course.past.game} {course.past.id}, {course.past.started_at}",
        "game": course.past.game,
        "setup": {**course.past.setup, "decks": "table"},
        "steps": [*steps[:-1], {**(steps[-1] if steps else {}), **last}],
    }


def _line(line: LogLine) -> dict[str, Any]:
    told = {"number": line.number, "turn": line.turn, "retracted": line.retracted}
    return {**told, "sentences": [_phrase(sentence) for sentence in line.sentences]}


def _phrase(phrase: Phrase) -> dict[str, Any]:
    params: Mapping[str, Any] = phrase.params
    told = {key: _phrase(word) if isinstance(word, Phrase) else word for key, word in params.items()}
    return {"code": phrase.code, "params": told}
