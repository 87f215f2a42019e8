"""What a table can ask for. The field names are the protocol's keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.rules.forbidden_island.components import Card, Condition, Role, Tile, Treasure


@dataclass(frozen=True, slots=True)
class Move:
    """The active player walks (or dives)."""

    to: Tile


@dataclass(frozen=True, slots=True)
class Fly:
    """The Pilot's flight, once a turn."""

    to: Tile


@dataclass(frozen=True, slots=True)
class Navigate:
    """The Navigator moves another player's pawn."""

    player: Role
    to: Tile


@dataclass(frozen=True, slots=True)
class ShoreUp:
    """One flooded tile, or two for the Engineer (sorted)."""

    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Give:
    """The active player gives one treasure card."""

    card: Card
    to: Role


@dataclass(frozen=True, slots=True)
class Capture:
    """The active player takes a treasure for four of its cards."""

    treasure: Treasure


@dataclass(frozen=True, slots=True)
class EndActions:
    """The active player leaves the remaining actions unused."""


@dataclass(frozen=True, slots=True)
class DrawTreasure:
    """One card of the treasure deck; without ``card`` the dealer is to name it."""

    card: Card | None = None


@dataclass(frozen=True, slots=True)
class DrawFlood:
    """One card of the flood deck; without ``card`` the dealer is to name it."""

    card: Tile | None = None


@dataclass(frozen=True, slots=True)
class Discard:
    """A card of a hand over the limit; with reduced tracking a card that left the players' hands, of no player."""

    card: Card
    player: Role | None = None


@dataclass(frozen=True, slots=True)
class Sandbags:
    """A player shores up any flooded tile."""

    player: Role
    tile: Tile


@dataclass(frozen=True, slots=True)
class HelicopterLift:
    """A player has pawns (in seat order) lifted from one tile to another."""

    player: Role
    pawns: tuple[Role, ...]
    to: Tile


@dataclass(frozen=True, slots=True)
class LiftOff:
    """The team flies away and wins; with reduced tracking of no player."""

    player: Role | None = None


@dataclass(frozen=True, slots=True)
class Swim:
    """A pawn leaves a tile that sank."""

    player: Role
    to: Tile


@dataclass(frozen=True, slots=True)
class Settle:
    """Reduced tracking: the answer to "sank, or was it shored up?"."""

    tile: Tile
    sank: bool


@dataclass(frozen=True, slots=True)
class Reshuffle:
    """Reduced tracking: the table has told which cards lie in the treasure discards; they become the new deck."""


@dataclass(frozen=True, slots=True)
class Correct:
    """The table overrules the engine in the parts that are named."""

    tiles: Mapping[Tile, Condition] | None = None
    pawns: Mapping[Role, Tile] | None = None
    hands: Mapping[Role, tuple[Card, ...]] | None = None
    water: int | None = None
    active: Role | None = None
    actions_left: int | None = None
    captured: tuple[Treasure, ...] | None = None


Command = (
    Move
    | Fly
    | Navigate
    | ShoreUp
    | Give
    | Capture
    | EndActions
    | DrawTreasure
    | DrawFlood
    | Discard
    | Sandbags
    | HelicopterLift
    | LiftOff
    | Swim
    | Settle
    | Reshuffle
    | Correct
)
