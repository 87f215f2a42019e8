"""The gesture at the table: scans, picks and the buttons' menu, step by step until a command is clear."""

from __future__ import annotations

from dataclasses import replace

from companion.rules.game import JsonObject, Refused, Thing
from companion.rules.portrait import Phrase
from companion.table import gestures
from companion.table.gestures import COMMAND, Candidate, Telling
from companion.table.line import draws_due
from companion.table.meaning import VERB, Act
from companion.table.offering import Offering
from companion.table.play import Play
from companion.table.record import GameRecord
from companion.table.snapshot import Option, Snapshot
from companion.table.table import Request, Table

DEAL, UNDO, REDO, CANCEL = (Option(name, Phrase(f"verb.{name}")) for name in ("deal", "undo", "redo", "cancel"))


class Pointing:
    """What people point at. A gesture is dropped when the game moves on, and when nobody goes on with it."""

    def __init__(self, table: Table, play: Play) -> None:
        self._table = table
        self._play = play
        self._known: tuple[GameRecord, tuple[Candidate, ...]] | None = None

    # -- what there is
    def legal(self) -> tuple[JsonObject, ...]:
        """Every legal command in its JSON form."""
        record = self._table.record
        if record is None:
            return ()
        return tuple(map(record.game.command_json, record.game.legal(record.state)))

    def menu(self) -> tuple[Option, ...]:
        """What can be picked with no gesture open; where all depends on one question, its answers."""
        record = self._table.record
        if record is None:
            return ()
        deals = _can_deal(record)
        return (
            *((DEAL,) if deals else ()),
            *gestures.first_options(record.game, self._candidates(record), verbs=deals),
            *((UNDO,) if record.line.moves else ()),
            *((REDO,) if record.line.undone else ()),
        )

    def offering(self) -> Offering | None:
        """What each seat can do now; None with no game, or while it rests."""
        record = self._table.record
        if record is None or self._table.paused:
            return None
        return Offering(record, self._candidates(record))

    def deals(self) -> bool:
        """Whether a press of "deal" does something now."""
        record = self._table.record
        return record is not None and not self._table.paused and _can_deal(record)

    # -- the phone's way
    def pick(self, option: str, request: Request) -> Snapshot:
        """Choose an option by its text. Refused: no_such_option, no_game, paused."""
        record = self._table.playing()
        if option in (DEAL.pick, UNDO.pick, REDO.pick):
            return {DEAL.pick: self._play.deal, UNDO.pick: self._play.undo, REDO.pick: self._play.redo}[option](request)
        if option == CANCEL.pick:
            return self._table.tell(None, request)
        if option.startswith(COMMAND):
            return self._play.command(self._command(option), request)
        return self._take(self._told(record, _step(option), scanned=False), request)

    def _command(self, option: str) -> JsonObject:
        offered = {f"{COMMAND}{index}": command for index, command in enumerate(self.legal())}
        if option not in offered:
            raise Refused("no_such_option")
        return offered[option]

    # -- the reader's way
    def scan(self, thing: Thing, place: str | None = None) -> Snapshot:
        """Take in a thing that was pointed at, told together with what its reader stands for.

        One that fits nothing is answered with a notice.
        """
        record = self._table.playing()
        told = self._told(record, str(thing), scanned=True, place=place)
        if told is not None:
            return self._take(told, {})
        return self._table.answer(_why_nothing(record, thing), telling=self._table.telling)

    def say(self, act: Act) -> Snapshot:
        """Take in a verb that a command tag says, as a pick of it; one that fits nothing is answered with a notice."""
        record = self._table.playing()
        told = self._told(record, act.text, scanned=False)
        if told is not None:
            return self._take(told, {})
        awaited = record.game.portray(record.state, ()).awaited
        return self._table.answer(Phrase("notice.verb_fits_nothing", {"verb": act.label, "awaited": awaited}))

    # -- the buttons' way
    @property
    def half_told(self) -> bool:
        """Whether a command was begun and not finished."""
        return self._table.telling is not None and bool(self._table.telling.steps)

    def next_option(self) -> Snapshot:
        """Put the cursor one option further; with no gesture, open the menu."""
        self._table.playing()
        telling = self._table.telling
        if telling is None:
            return self.open_menu()
        return self._table.tell(replace(telling.next_option(), since=self._table.clock()))

    def choose(self) -> Snapshot:
        """Choose the option under the cursor; with no gesture, open the menu."""
        self._table.playing()
        telling = self._table.telling
        if telling is None or not telling.options:
            return self.open_menu()
        return self.pick(telling.options[telling.cursor].pick, {})

    def open_menu(self) -> Snapshot:
        """Begin a gesture from the menu."""
        return self._table.tell(self._telling((), self.menu(), from_menu=True))

    def back(self) -> Snapshot:
        """Take back one step of the gesture; with none, undo the last command."""
        record, telling = self._table.playing(), self._table.telling
        if telling is None:
            return self._play.undo({})
        if len(telling.steps) > 1:
            return self._table.tell(self._narrowed(record, telling.steps[:-1]))
        return self.open_menu() if telling.steps and telling.from_menu else self._table.tell(None)

    def cancel(self, request: Request) -> Snapshot:
        """Drop the gesture."""
        return self._table.tell(None, request)

    def expire(self) -> None:
        """Drop a gesture that nobody goes on with."""
        telling = self._table.telling
        if telling is not None and self._table.clock() - telling.since > self._table.options.gesture_seconds:
            self._table.tell(None)

    # -- narrowing
    def _told(
        self, record: GameRecord, step: str, *, scanned: bool, place: str | None = None
    ) -> Candidate | Telling | None:
        """What one more step, with its place, makes clear, or what is told then, or None where it fits nothing.

        A step that does not go with the steps before it begins a gesture of its own.
        """
        before = self._table.telling.steps if self._table.telling else ()
        said = Telling(before).in_force
        alone = (step,) if place is None else (place, step)
        more = (step,) if place in said else alone
        for steps in ((*before, *more), alone):
            told = Telling(steps)
            left = gestures.fitting(self._candidates(record), told)
            if left:
                return gestures.meant(left, told, scanned=scanned) or self._narrowed(record, steps)
        return None

    def _narrowed(self, record: GameRecord, steps: tuple[str, ...]) -> Telling:
        left = gestures.fitting(self._candidates(record), Telling(steps))
        from_menu = self._table.telling is not None and self._table.telling.from_menu
        return self._telling(steps, gestures.follow(record.game, left, Telling(steps)), from_menu=from_menu)

    def _telling(self, steps: tuple[str, ...], options: tuple[Option, ...], from_menu: bool = False) -> Telling:
        return Telling(steps, options, from_menu=from_menu, since=self._table.clock())

    def _take(self, told: Candidate | Telling | None, request: Request) -> Snapshot:
        if told is None:
            raise Refused("no_such_option")
        if isinstance(told, Telling):
            return self._table.tell(told, request)
        return self._play.known(told.command, request)

    def _candidates(self, record: GameRecord) -> tuple[Candidate, ...]:
        if self._known is None or self._known[0] is not record:
            self._known = record, gestures.candidates(record.line)
        return self._known[1]


def _step(option: str) -> str:
    """A verb or thing in its text form. Refused: no_such_option."""
    try:
        return option if option.startswith(VERB) else str(Thing.parse(option))
    except ValueError:
        raise Refused("no_such_option") from None


def _can_deal(record: GameRecord) -> bool:
    game, state = record.game, record.state
    deals = record.line.dealer is not None
    return deals and (game.due(state) is not None or game.ready_to_deal(state) is not None)


def _why_nothing(record: GameRecord, thing: Thing) -> Phrase:
    """Why a scan fits nothing: a card that cannot come now, or whatever is awaited instead."""
    game, state = record.game, record.state
    if record.outcome is not None:
        return Phrase("refusal.game_over")
    if record.line.dealer is None:
        drawn = (game.mentions(state, command).things for command in draws_due(game, state))
        if any(thing.kind == card.kind for things in drawn for card in things):
            return Phrase("notice.card_not_possible", {"card": thing.name})
    awaited = game.portray(state, ()).awaited
    return Phrase("notice.nothing_fits", {"thing": thing.name, "awaited": awaited})
