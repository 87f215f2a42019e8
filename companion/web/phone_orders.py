"""Orders that concern phones, seats and the house's rules instead of the game."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from companion.rules.game import Refused
from companion.web.desk import Desk
from companion.web.orders import GREATEST, BaseOrder, Text
from companion.web.phones import Phone, UndoRule

PhoneNumber = Annotated[int, Field(ge=0, le=GREATEST)]
Name = Annotated[str, StringConstraints(max_length=200)]


class Sit(BaseOrder):
    """Take a seat of the game on the table, or get up from it."""

    kind: Literal["sit", "get_up"]
    seat: Text

    def carry_out(self, desk: Desk, phone: Phone) -> None:
        """Change the seat. Refused: no_game, no_such_seat."""
        game = _game_with(desk, self.seat)
        act = desk.phones.house.seats.taken if self.kind == "sit" else desk.phones.house.seats.left
        desk.phones.seat(lambda _seats: act(game, self.seat, phone.number))


class HandOver(BaseOrder):
    """Give a seat to another phone."""

    kind: Literal["hand_over"]
    seat: Text
    phone: PhoneNumber

    def carry_out(self, desk: Desk, phone: Phone) -> None:
        """Change the seat. Refused: no_game, no_such_seat, no_such_phone."""
        game, taker = _game_with(desk, self.seat), desk.phones.phone(self.phone)
        desk.phones.seat(lambda seats: seats.handed(game, self.seat, phone.number, taker.number))


class Call(BaseOrder):
    """Give the own phone a name; an empty one takes it away."""

    kind: Literal["call"]
    name: Name

    def carry_out(self, desk: Desk, phone: Phone) -> None:
        """Change the name."""
        desk.phones.call(phone.number, self.name)


class Own(BaseOrder):
    """Become a host where none is there, or take the own phone off the list."""

    kind: Literal["succeed", "go"]

    def carry_out(self, desk: Desk, phone: Phone) -> None:
        """Change the list. Refused: host_is_here."""
        if self.kind == "succeed":
            desk.phones.succeed(phone.number)
        else:
            desk.phones.strike(phone.number)


class Appoint(BaseOrder):
    """Make a phone a host or a player, or strike it off the list."""

    kind: Literal["appoint", "dismiss", "strike"]
    phone: PhoneNumber

    def carry_out(self, desk: Desk) -> None:
        """Change the list. Refused: no_such_phone, last_host."""
        if self.kind == "strike":
            desk.phones.strike(self.phone)
        else:
            desk.phones.appoint(self.phone, self.kind == "appoint")


class Door(BaseOrder):
    """Strike all other phones off the list, or make a new PIN."""

    kind: Literal["strike_all", "new_pin"]

    def carry_out(self, desk: Desk, phone: Phone | None) -> None:
        """Change the list, or the PIN; all other phones are struck off with a new PIN at once."""
        if self.kind == "strike_all":
            desk.phones.strike_others(phone)
        desk.pins.renew()


class Rule(BaseOrder):
    """Say who may take moves back on a phone."""

    kind: Literal["undo_rule"]
    undo: Literal["all", "host"]

    def carry_out(self, desk: Desk) -> None:
        """Change the rule."""
        desk.phones.rule(UndoRule(self.undo))


PhoneOrder = Sit | HandOver | Call | Own | Appoint | Door | Rule


def _game_with(desk: Desk, seat: str) -> int:
    """The id of the game on the table. Refused: no_game, no_such_seat."""
    seated = desk.session.snapshot.seated
    if seated is None:
        raise Refused("no_game")
    if seat not in (one.name for one in seated.game.portray(seated.state, ()).seats):
        raise Refused("no_such_seat")
    return seated.id
