"""Check the board: what should lie on the table, place by place, and the correction that puts each difference right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.rules.game import Adjustable, JsonObject
from companion.rules.portrait import Space
from companion.table.snapshot import Seated
from companion.views.table import Counted, PileView, counted, grid, pile_view

MOST_BUTTONS = 12
"""With more options than these a value is chosen from a list."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One way a value could really be: ``believed`` is how the companion has it; ``command`` makes it so."""

    option: str
    believed: bool
    command: JsonObject


@dataclass(frozen=True, slots=True)
class Counter:
    """How many of one option are held, and the corrections to one more and one fewer, where there can be."""

    option: str
    n: int
    more: JsonObject | None
    fewer: JsonObject | None


@dataclass(frozen=True, slots=True)
class Check:
    """One value to compare: ``offers`` for one of few, ``counters`` where it holds many; with neither it is a list."""

    adjustable: Adjustable
    offers: tuple[Offer, ...] = ()
    counters: tuple[Counter, ...] = ()

    @property
    def value(self) -> str | None:
        """What the companion believes, where it is one thing."""
        return self.adjustable.value[0] if self.adjustable.value else None

    @property
    def held(self) -> Counted:
        """What the companion believes, where it is many."""
        return counted(self.adjustable.value)


@dataclass(frozen=True, slots=True)
class Lying:
    """A place of the board with what can be wrong about it."""

    space: Space
    check: Check | None


@dataclass(frozen=True, slots=True)
class Sitting:
    """A seat with what can be wrong about it."""

    name: str
    checks: tuple[Check, ...]


@dataclass(frozen=True, slots=True)
class Inspection:
    """All there is to compare: the board row by row, single values, seats, piles."""

    rows: tuple[tuple[Lying, ...], ...]
    values: tuple[Check, ...]
    seats: tuple[Sitting, ...]
    piles: tuple[PileView, ...]


def inspection(seated: Seated) -> Inspection:
    """What should lie on the table now."""
    portrait = seated.game.portray(seated.state, ())
    adjustables: tuple[Adjustable, ...] = seated.game.adjustables(seated.state)
    rows = grid(portrait.board) if portrait.board else ()
    return Inspection(
        rows=tuple(_row(row, adjustables) for row in rows),
        values=tuple(_check(adjustable) for adjustable in adjustables if adjustable.key is None),
        seats=tuple(Sitting(seat.name, _checks_of(seat.name, adjustables)) for seat in portrait.seats),
        piles=tuple(map(pile_view, portrait.piles)),
    )


def _row(row: Sequence[Space | None], adjustables: Sequence[Adjustable]) -> tuple[Lying, ...]:
    spaces = (space for space in row if space is not None)
    return tuple(Lying(space, next(iter(_checks_of(space.name, adjustables)), None)) for space in spaces)


def _checks_of(key: str, adjustables: Sequence[Adjustable]) -> tuple[Check, ...]:
    return tuple(_check(adjustable) for adjustable in adjustables if adjustable.key == key)


def _check(adjustable: Adjustable) -> Check:
    if adjustable.many:
        return Check(adjustable, counters=tuple(_counter(adjustable, option) for option in adjustable.options))
    if len(adjustable.options) > MOST_BUTTONS:
        return Check(adjustable)
    return Check(adjustable, offers=tuple(_offer(adjustable, option) for option in adjustable.options))


def _offer(adjustable: Adjustable, option: str) -> Offer:
    told: Any = int(option) if adjustable.number else option
    return Offer(option, option in adjustable.value, _correct(adjustable, told))


def _counter(adjustable: Adjustable, option: str) -> Counter:
    held = list(adjustable.value)
    n = held.count(option)
    more = _correct(adjustable, [*held, option]) if n < adjustable.most_each else None
    if not n:
        return Counter(option, n, more, None)
    at = held.index(option)
    return Counter(option, n, more, _correct(adjustable, held[:at] + held[at + 1 :]))


def _correct(adjustable: Adjustable, value: Any) -> JsonObject:
    told = value if adjustable.key is None else {adjustable.key: value}
    return {"do": "correct", adjustable.part: told}
