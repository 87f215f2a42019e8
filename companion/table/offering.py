"""What one player can do, told in steps that the asking page keeps: nothing here changes the table or any other page.

The steps are verbs and things in their text forms, as in a gesture, after the seat they are told for. Each way leads
to a whole command, or to steps that ask on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.rules.game import JsonObject, Thing
from companion.rules.portrait import Phrase
from companion.table import gestures
from companion.table.gestures import COMMAND, Candidate, Telling
from companion.table.meaning import VERB
from companion.table.record import GameRecord
from companion.table.snapshot import Option

MOST_STEPS = 20


@dataclass(frozen=True, slots=True)
class Way:
    """One thing to choose: the ``command`` that it plays, else None and the ``steps`` that it leads to."""

    label: Phrase
    command: JsonObject | None
    steps: tuple[str, ...] = ()
    verb: str = ""


@dataclass(frozen=True, slots=True)
class Offer:
    """What can be done in the name of one seat (None: in nobody's, by anybody)."""

    seat: str | None
    ways: tuple[Way, ...]


class Offering:
    """The commands of a position, sorted by the seat that gives them."""

    def __init__(self, record: GameRecord, among: Sequence[Candidate]) -> None:
        self._game, self._state = record.game, record.state
        self._among = tuple(among)

    def offers(self) -> tuple[Offer, ...]:
        """What each seat can do, in the order of the legal commands; a seat that can do nothing is left out."""
        seats = dict.fromkeys(one.mentions.seat for one in self._among)
        awaited = self._awaited()
        return tuple(Offer(seat, self._first(seat, verbs=seat not in awaited)) for seat in seats)

    def ways(self, seats: frozenset[str | None], steps: Sequence[str]) -> tuple[Way, ...]:
        """How to go on after steps that were told for these seats; none where the steps fit nothing (any more)."""
        told = _telling(steps)
        left = gestures.fitting(self._of(seats), told) if told and steps else ()
        if told is None or not left:
            return ()
        options = gestures.follow(self._game, left, told)
        return tuple(self._way(left, told, option) for option in options)

    def places(self, seats: frozenset[str | None], steps: Sequence[str]) -> Mapping[str, Way]:
        """By its name, each thing that can be pointed at next; names that several kinds of thing have are left out."""
        told = _telling(steps)
        if told is None:
            return {}
        left = gestures.fitting(self._of(seats), told)
        things = self._askable(left, told)
        alone = [thing for thing in things if sum(thing.name == other.name for other in things) == 1]
        return {thing.name: self._way(left, told, Option(str(thing), Phrase(f"name.{thing.name}"))) for thing in alone}

    def _askable(self, left: Sequence[Candidate], told: Telling) -> set[Thing]:
        if not told.steps:
            return {thing for one in left for thing in one.mentions.things | one.mentions.implied}
        picks = [option.pick for option in gestures.follow(self._game, left, told)] if left else []
        return {Thing.parse(pick) for pick in picks if not pick.startswith((VERB, COMMAND))}

    def _of(self, seats: frozenset[str | None]) -> tuple[Candidate, ...]:
        return tuple(one for one in self._among if one.mentions.seat in seats)

    def _awaited(self) -> frozenset[str | None]:
        """Whose answer the table waits for: what they do is told beside them, so that their choice needs no verb."""
        seats = self._game.portray(self._state, ()).seats
        return frozenset({None, *(seat.name for seat in seats if seat.alert)})

    def _first(self, seat: str | None, verbs: bool) -> tuple[Way, ...]:
        among, told = self._of(frozenset({seat})), Telling()
        options = gestures.first_options(self._game, among, verbs=verbs)
        return tuple(self._way(among, told, option) for option in options)

    def _way(self, left: Sequence[Candidate], told: Telling, option: Option) -> Way:
        if option.pick.startswith(COMMAND):
            one = next(one for one in left if f"{COMMAND}{one.index}" == option.pick)
            return self._whole(one)
        steps = (*told.steps, option.pick)
        then = Telling(steps)
        fitting = gestures.fitting(left, then)
        clear = gestures.meant(fitting, then, scanned=False)
        if clear is not None:
            return self._whole(clear, option)
        return Way(option.label, None, steps, then.verb or "")

    def _whole(self, one: Candidate, option: Option | None = None) -> Way:
        """A way to a command: worded as the thing it was asked for, else as the whole command."""
        label = self._game.word(one.command) if option is None or option.pick.startswith(VERB) else option.label
        return Way(label, self._game.command_json(one.command), verb=one.mentions.verb)


def _telling(steps: Sequence[str]) -> Telling | None:
    """The steps as a gesture; None for texts that are none."""
    try:
        told = Telling(tuple(steps))
        things = told.things
    except ValueError:
        return None
    return told if len(steps) <= MOST_STEPS and len(things) <= len(steps) else None
