"""Who acts for which seat. A seat is no device: phones come and go, several may share one, one may hold several.

Seats never stand in anybody's way: whoever was let in may act for every seat, whoever holds it. They only say what a
phone shows first, and under which name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

GAMES_AT_MOST = 50


@dataclass(frozen=True, slots=True)
class Held:
    """A phone, by its number, holds a seat of a game, by the game's id."""

    game: int
    seat: str
    phone: int


@dataclass(frozen=True, slots=True)
class Seats:
    """All seats that are held, in the order they were taken; those of the oldest games are forgotten."""

    held: tuple[Held, ...] = ()

    def of(self, game: int | None, phone: int) -> frozenset[str]:
        """The seats that a phone holds in a game."""
        return frozenset(one.seat for one in self.held if (one.game, one.phone) == (game, phone))

    def holders(self, game: int, seat: str) -> tuple[int, ...]:
        """The phones that hold a seat."""
        return tuple(one.phone for one in self.held if (one.game, one.seat) == (game, seat))

    def taken(self, game: int, seat: str, phone: int) -> Seats:
        """A phone sits down, beside whoever holds the seat already."""
        fresh = Held(game, seat, phone)
        return self if fresh in self.held else Seats(tuple(_newest((*self.held, fresh))))

    def left(self, game: int, seat: str, phone: int) -> Seats:
        """A phone gets up from one seat."""
        return Seats(tuple(one for one in self.held if one != Held(game, seat, phone)))

    def handed(self, game: int, seat: str, giver: int, taker: int) -> Seats:
        """A phone gives its seat to another."""
        return self.left(game, seat, giver).taken(game, seat, taker)

    def without(self, phone: int) -> Seats:
        """A phone gets up from all its seats, in every game."""
        return Seats(tuple(one for one in self.held if one.phone != phone))

    def passed_on(self, phone: int, heir: int) -> Seats:
        """One phone takes the place of another in every game."""
        changed = (Held(one.game, one.seat, heir) if one.phone == phone else one for one in self.held)
        return Seats(tuple(dict.fromkeys(changed)))


def _newest(held: Iterable[Held]) -> Iterator[Held]:
    every = tuple(held)
    games = sorted({one.game for one in every})[-GAMES_AT_MOST:]
    return (one for one in every if one.game in games)
