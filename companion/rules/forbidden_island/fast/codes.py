"""Commands as whole numbers: the kind, then up to seven bits that say who or what, then a place or a card.

``code >> 12`` is the kind, ``code >> 5 & 127`` the middle part, ``code & 31`` the place, card or treasure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.rules.forbidden_island import commands as c
from companion.rules.forbidden_island.components import Card, Role, Tile, Treasure

(
    MOVE,
    FLY,
    NAVIGATE,
    SHORE_UP,
    SHORE_UP_TWO,
    GIVE,
    CAPTURE,
    END_ACTIONS,
    DRAW_TREASURE,
    DRAW_FLOOD,
    DISCARD,
    SANDBAGS,
    HELICOPTER_LIFT,
    LIFT_OFF,
    SWIM,
) = range(15)
"""The kinds of command; corrections are none, for they are the table's."""

CARDS = (
    Card.EARTH_STONE,
    Card.STATUE_OF_THE_WIND,
    Card.CRYSTAL_OF_FIRE,
    Card.OCEANS_CHALICE,
    Card.HELICOPTER_LIFT,
    Card.SANDBAGS,
    Card.WATERS_RISE,
)
"""The cards by number; the first four are those of the treasures with the same numbers."""
TREASURES = tuple(Treasure)
HELICOPTER, SANDBAG, WATERS_RISE = 4, 5, 6

PLACES = 24
FULL = (1 << PLACES) - 1

END = END_ACTIONS << 12


def base(kind: int, middle: int = 0) -> int:
    """The code of a kind and a middle part, to which a place or card is added."""
    return kind << 12 | middle << 5


def bits(mask: int) -> tuple[int, ...]:
    """The numbers of the bits that are set, lowest first."""
    return tuple(number for number in range(mask.bit_length()) if mask >> number & 1)


def lift(holder: int, pawns: int) -> int:
    """The base of a Helicopter Lift: the holder's seat and a bit for each seat whose pawn is lifted."""
    return base(HELICOPTER_LIFT, holder << 4 | pawns)


class Names:
    """What the numbers of one game mean: its tiles by place and its roles by seat."""

    def __init__(self, layout: Sequence[Tile], players: Sequence[Role]) -> None:
        self.layout = tuple(layout)
        self.players = tuple(players)
        self.place = {tile: place for place, tile in enumerate(layout)}
        self.seat = {role: seat for seat, role in enumerate(players)}

    def command(self, code: int) -> c.Command:
        """The command that a code stands for."""
        return _READ[code >> 12](self, code >> 5 & 127, code & 31)

    def roles(self, seats: int) -> tuple[Role, ...]:
        """The roles of a set of seats, in seat order."""
        return tuple(role for seat, role in enumerate(self.players) if seats >> seat & 1)


_READ: dict[int, Callable[[Names, int, int], c.Command]] = {
    MOVE: lambda names, _, place: c.Move(names.layout[place]),
    FLY: lambda names, _, place: c.Fly(names.layout[place]),
    NAVIGATE: lambda names, seat, place: c.Navigate(names.players[seat], names.layout[place]),
    SHORE_UP: lambda names, _, place: c.ShoreUp((names.layout[place],)),
    SHORE_UP_TWO: lambda names, other, place: c.ShoreUp(tuple(sorted((names.layout[other], names.layout[place])))),
    GIVE: lambda names, seat, card: c.Give(CARDS[card], names.players[seat]),
    CAPTURE: lambda _names, _, treasure: c.Capture(TREASURES[treasure]),
    END_ACTIONS: lambda _names, _, _card: c.EndActions(),
    DRAW_TREASURE: lambda _names, _, card: c.DrawTreasure(CARDS[card]),
    DRAW_FLOOD: lambda names, _, place: c.DrawFlood(names.layout[place]),
    DISCARD: lambda names, seat, card: c.Discard(CARDS[card], names.players[seat]),
    SANDBAGS: lambda names, seat, place: c.Sandbags(names.players[seat], names.layout[place]),
    HELICOPTER_LIFT: lambda names, who, place: c.HelicopterLift(
        names.players[who >> 4], names.roles(who & 15), names.layout[place]
    ),
    LIFT_OFF: lambda names, seat, _: c.LiftOff(names.players[seat]),
    SWIM: lambda names, seat, place: c.Swim(names.players[seat], names.layout[place]),
}
