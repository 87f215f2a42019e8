"""A game as its journal tells it: the completed set-up and the fold of all entries since.

Entries are ``play`` (a command and its events), ``undo``, ``redo`` and ``cut``. A journal may hold entries that no
longer fold, because the rules changed or a row was damaged: the record then stops at the last sound one, and the first
entry written after that is a ``cut``, which says that what lies between does not count. No row is ever deleted.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.rules.game import AnyGame, JsonObject, Outcome, Refused
from companion.rules.portrait import Phrase
from companion.table.dealer import Dealer
from companion.table.journal import Entry, GameRow
from companion.table.line import AnyMove, Line
from companion.table.opening import dealer_at, read_opening
from companion.table.snapshot import LogLine, Seated


class Unsound(Exception):
    """An entry that does not fold; its cause tells why."""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game: ``numbers`` and ``undone`` are the entries of the moves on the line and of those taken back.

    ``sound`` is the last entry that counts, ``last`` the last in the journal.
    """

    id: int
    game: AnyGame
    setup: JsonObject
    line: Line
    numbers: tuple[int, ...] = ()
    undone: tuple[int, ...] = ()
    lines: tuple[LogLine, ...] = ()
    sound: int = 0
    last: int = 0

    @property
    def state(self) -> Any:
        """The position now."""
        return self.line.state

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, None while it goes on."""
        return self.game.outcome(self.line.state)

    @property
    def log(self) -> tuple[LogLine, ...]:
        """The log, oldest line first, with what is taken back marked."""
        standing = frozenset(self.numbers)
        return tuple(line if line.number in standing else replace(line, retracted=True) for line in self.lines)

    def seated(self) -> Seated:
        """What is published of it."""
        line = self.line
        recent = recent_events(self.game, line)
        return Seated(self.id, self.game, self.setup, line.state, recent, self.log, bool(line.moves), bool(line.undone))

    # -- what the table does now: each answers with the record after it and the entries to journal
    def play(self, act: Callable[[Line], Sequence[AnyMove]]) -> Written:
        """Let ``act`` play moves on the line. Refused as it refuses, or bad_state where a fault would come of it."""
        line = self.line.fork()
        record, entries = self._after_cut()
        for move in act(line):
            _check_sound(self.game, move)
            entry = Entry(record.last + 1, "play", _body(self.game, move))
            record = record._with_move(entry.number, move)
            entries = (*entries, entry)
        return replace(record, line=line), entries

    def undo(self) -> Written:
        """Take the last move back. Refused: nothing_to_undo."""
        return self._turn_back("undo")

    def redo(self) -> Written:
        """Play again what was taken back last. Refused: nothing_to_redo."""
        return self._turn_back("redo")

    def _turn_back(self, kind: str) -> Written:
        record, entries = self._after_cut()
        entry = Entry(record.last + 1, kind, "{}")
        return record._turned_back(entry), (*entries, entry)

    def _after_cut(self) -> Written:
        if self.sound == self.last:
            return self, ()
        entry = Entry(self.last + 1, "cut", json.dumps({"after": self.sound}))
        return replace(self, sound=entry.number, last=entry.number), (entry,)

    # -- reading the journal
    def fold(self, entries: Iterable[Entry]) -> GameRecord:
        """The record after the longest sound prefix of these entries."""
        record, told = self, _uncut(entries)
        for entry in told:
            try:
                record = record._folded(entry)
            except Unsound:
                return replace(record, last=told[-1].number)
        return record

    def _folded(self, entry: Entry) -> GameRecord:
        """The record after one entry. Raises Unsound for whatever goes wrong: rules may fail on foreign values."""
        try:
            if entry.kind == "play":
                return self._replayed(entry)
            if entry.kind in ("undo", "redo"):
                return self._turned_back(entry)
            return replace(self, sound=entry.number, last=entry.number)
        except Exception as error:
            raise Unsound(f"entry {entry.number} does not fold: {error}") from error

    def _replayed(self, entry: Entry) -> GameRecord:
        told, line = json.loads(entry.body), self.line.fork()
        events = [self.game.read_event(event) for event in told["events"]]
        move = line.add(self.game.read_command(told["command"]), events)
        _check_sound(self.game, move)
        return replace(self._with_move(entry.number, move), line=line)

    def _with_move(self, number: int, move: AnyMove) -> GameRecord:
        told = (self.game.tell(event) for event in move.events)
        sentences = tuple(sentence for sentence in told if sentence is not None)
        line = LogLine(number, self.game.turn(move.before), sentences, kind=_kind(self.game, move))
        lines = (*self.lines, line) if sentences else self.lines
        return replace(self, numbers=(*self.numbers, number), undone=(), lines=lines, sound=number, last=number)

    def _turned_back(self, entry: Entry) -> GameRecord:
        line, numbers, undone = self.line.fork(), self.numbers, self.undone
        if entry.kind == "undo":
            line.undo()
            numbers, undone = numbers[:-1], (*undone, numbers[-1])
        else:
            line.redo()
            numbers, undone = (*numbers, undone[-1]), undone[:-1]
        number = entry.number
        return replace(self, line=line, numbers=numbers, undone=undone, sound=number, last=number)


Written = tuple[GameRecord, tuple[Entry, ...]]


def begin(game: AnyGame, request: JsonObject) -> tuple[GameRecord, str]:
    """A new game's record (with id 0) and its seed. Refused: bad_request."""
    opening = read_opening(request)
    chosen = {"decks": opening.decks, **game.complete(opening.setup, opening.dealer.chance)}
    return _at_start(0, game, json.loads(json.dumps(chosen)), opening.dealer.seed), opening.dealer.seed


def setup_text(record: GameRecord) -> str:
    """A record's completed set-up as the JSON text that the journal keeps."""
    return json.dumps(record.setup, separators=(",", ":"))


def read(game: AnyGame, row: GameRow, entries: Iterable[Entry]) -> GameRecord:
    """The record of a game in the journal. Raises Unsound where not even its set-up can be read any more."""
    try:
        start = _at_start(row.id, game, json.loads(row.setup), row.seed)
    except Exception as error:
        raise Unsound(f"game {row.id} cannot be set up: {error}") from error
    return start.fold(entries)


def _at_start(game_id: int, game: AnyGame, setup: JsonObject, seed: str) -> GameRecord:
    dealer = dealer_at(Dealer(seed), setup["decks"])
    state = game.start({key: value for key, value in setup.items() if key != "decks"})
    return GameRecord(game_id, game, setup, Line(game, state, dealer))


def _uncut(entries: Iterable[Entry]) -> list[Entry]:
    """The entries without those that a later cut took out."""
    kept: list[Entry] = []
    for entry in entries:
        if entry.kind == "cut":
            after = _cut_after(entry)
            kept = [earlier for earlier in kept if earlier.number <= after]
        kept.append(entry)
    return kept


def _cut_after(entry: Entry) -> int:
    try:
        return int(json.loads(entry.body)["after"])
    except (KeyError, TypeError, ValueError):
        return entry.number


def _body(game: AnyGame, move: AnyMove) -> str:
    events = [game.event_json(event) for event in move.events]
    return json.dumps({"command": game.command_json(move.command), "events": events}, separators=(",", ":"))


def _kind(game: AnyGame, move: AnyMove) -> str:
    if move.deck is not None:
        return "draw"
    return "correction" if game.command_json(move.command)["do"] == "correct" else "action"


def _check_sound(game: AnyGame, move: AnyMove) -> None:
    """Refuse a move that makes a sound position faulty."""
    faults = game.faults(move.after)
    if faults and not game.faults(move.before):
        raise Refused("bad_state", fault=faults[0])


def recent_events(game: AnyGame, line: Line) -> tuple[Any, ...]:
    """The events since the turn began; until its first card, the whole last turn's too."""
    moves = list(reversed(line.moves))
    now = _of_turn(game, moves, game.turn(line.state))
    rest = moves[len(now) :]
    if rest and all(move.deck is None for move in now):
        now += _of_turn(game, rest, game.turn(rest[0].before))
    return tuple(event for move in reversed(now) for event in move.events)


def _of_turn(game: AnyGame, moves: list[AnyMove], turn: int) -> list[AnyMove]:
    other = (at for at, move in enumerate(moves) if game.turn(move.before) != turn)
    return moves[: next(other, len(moves))]


def cut_notice(record: GameRecord) -> Phrase | None:
    """The notice for a record whose last entries do not count, None for a whole one."""
    if record.sound == record.last:
        return None
    return Phrase("notice.journal_cut", {"n": record.last - record.sound})


def outcome_text(outcome: Outcome | None) -> str | None:
    """An outcome as the JSON text that the history keeps."""
    return None if outcome is None else json.dumps({"won": outcome.won, "reason": outcome.reason})


def read_outcome(text: str | None) -> Outcome | None:
    """Read what ``outcome_text`` wrote."""
    return None if text is None else Outcome(**json.loads(text))
