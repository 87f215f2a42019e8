"""Who is at the table: the seats with those who hold them, and the phones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.table.seats import Seats
from companion.table.snapshot import Seated


@dataclass(frozen=True, slots=True)
class Guest:
    """A phone as people see it: its number, its name ("" for none), whether it is a host, seconds since it looked."""

    number: int
    name: str
    host: bool
    away: float


@dataclass(frozen=True, slots=True)
class SeatHeld:
    """A seat, its pawn's colour, and who holds it; ``mine`` where the reader's phone does."""

    name: str
    colour: str
    holders: tuple[Guest, ...]
    mine: bool


@dataclass(frozen=True, slots=True)
class People:
    """The seats of the game on the table, all phones, and which of them the reader's is (None: none is)."""

    seats: tuple[SeatHeld, ...]
    guests: tuple[Guest, ...]
    me: Guest | None

    @property
    def mine(self) -> tuple[str, ...]:
        """The reader's own seats."""
        return tuple(seat.name for seat in self.seats if seat.mine)

    @property
    def others(self) -> tuple[Guest, ...]:
        """All phones but the reader's."""
        return tuple(guest for guest in self.guests if guest != self.me)

    def seats_of(self, guest: Guest) -> tuple[str, ...]:
        """The seats that a phone holds."""
        return tuple(seat.name for seat in self.seats if guest in seat.holders)


def people(guests: Sequence[Guest], seats: Seats, seated: Seated | None, me: int | None) -> People:
    """Who is at the table, as the phone with number ``me`` sees them."""
    by_number = {guest.number: guest for guest in guests}
    held = () if seated is None else tuple(_held(seats, seated, by_number, me))
    return People(held, tuple(guests), by_number.get(me) if me is not None else None)


def _held(seats: Seats, seated: Seated, guests: Mapping[int, Guest], me: int | None) -> list[SeatHeld]:
    shown = []
    for seat in seated.game.portray(seated.state, ()).seats:
        numbers = seats.holders(seated.id, seat.name)
        holders = tuple(guests[number] for number in numbers if number in guests)
        shown.append(SeatHeld(seat.name, seat.colour, holders, me in numbers))
    return shown
