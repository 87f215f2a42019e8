"""What happened. Events never refuse and hold every chance that was settled."""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules.forbidden_island.commands import Correct
from companion.rules.forbidden_island.components import Card, Loss, Phase, Role, Tile, Treasure


@dataclass(frozen=True, slots=True)
class Moved:
    """The active pawn walked or dived; one action."""

    player: Role
    to: Tile


@dataclass(frozen=True, slots=True)
class Flew:
    """The Pilot used the flight; one action."""

    player: Role
    to: Tile


@dataclass(frozen=True, slots=True)
class Navigated:
    """The Navigator moved a pawn; one action."""

    navigator: Role
    player: Role
    to: Tile


@dataclass(frozen=True, slots=True)
class ShoredUp:
    """Tiles were turned dry for one action; by no player with reduced tracking."""

    player: Role | None
    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Gave:
    """A treasure card changed hands; one action."""

    giver: Role
    card: Card
    to: Role


@dataclass(frozen=True, slots=True)
class Captured:
    """A treasure was taken for four cards; one action. By no player with reduced tracking."""

    player: Role | None
    treasure: Treasure


@dataclass(frozen=True, slots=True)
class ActionsEnded:
    """The remaining actions were left unused."""

    player: Role


@dataclass(frozen=True, slots=True)
class TreasureCardDrawn:
    """A card went to the active player's hand; a Waters Rise! to the discards."""

    player: Role
    card: Card


@dataclass(frozen=True, slots=True)
class WatersRose:
    """The marker went up to ``water``."""

    water: int


@dataclass(frozen=True, slots=True)
class FloodDiscardsReturned:
    """The flood discards were shuffled and put on top of the flood deck."""


@dataclass(frozen=True, slots=True)
class FloodDeckReshuffled:
    """The flood deck ran out: its discards are the new deck."""


@dataclass(frozen=True, slots=True)
class TreasureDeckReshuffled:
    """The treasure deck ran out: its discards are the new deck."""


@dataclass(frozen=True, slots=True)
class FloodCardDrawn:
    """A flood card was turned up."""

    tile: Tile


@dataclass(frozen=True, slots=True)
class TileFlooded:
    """A dry tile was turned to its flooded side."""

    tile: Tile


@dataclass(frozen=True, slots=True)
class TileSank:
    """A flooded tile and its card left the game."""

    tile: Tile


@dataclass(frozen=True, slots=True)
class TileAsked:
    """Reduced tracking: the companion believes this tile flooded and asks whether it sank."""

    tile: Tile


@dataclass(frozen=True, slots=True)
class TileWasShoredUp:
    """Reduced tracking: the tile had been shored up, so it is now flooded."""

    tile: Tile


@dataclass(frozen=True, slots=True)
class PawnsInWater:
    """These pawns must swim."""

    players: tuple[Role, ...]


@dataclass(frozen=True, slots=True)
class Swam:
    """A pawn got out of the water."""

    player: Role
    to: Tile


@dataclass(frozen=True, slots=True)
class Discarded:
    """A card went to the discards; of no player with reduced tracking."""

    card: Card
    player: Role | None = None


@dataclass(frozen=True, slots=True)
class Sandbagged:
    """Sandbags turned a tile dry."""

    player: Role
    tile: Tile


@dataclass(frozen=True, slots=True)
class Lifted:
    """A helicopter carried pawns."""

    player: Role
    pawns: tuple[Role, ...]
    to: Tile


@dataclass(frozen=True, slots=True)
class LiftedOff:
    """The team flew away with all four treasures."""

    player: Role | None = None


@dataclass(frozen=True, slots=True)
class PhaseBegan:
    """The turn went on to drawing ``draws`` cards."""

    phase: Phase
    draws: int


@dataclass(frozen=True, slots=True)
class TurnBegan:
    """The next player's turn."""

    player: Role
    turn: int


@dataclass(frozen=True, slots=True)
class Lost:
    """The island won."""

    reason: Loss


@dataclass(frozen=True, slots=True)
class Corrected(Correct):
    """The table overruled the engine: the parts named are as they say."""


Event = (
    Moved
    | Flew
    | Navigated
    | ShoredUp
    | Gave
    | Captured
    | ActionsEnded
    | TreasureCardDrawn
    | WatersRose
    | FloodDiscardsReturned
    | FloodDeckReshuffled
    | TreasureDeckReshuffled
    | FloodCardDrawn
    | TileFlooded
    | TileSank
    | TileAsked
    | TileWasShoredUp
    | PawnsInWater
    | Swam
    | Discarded
    | Sandbagged
    | Lifted
    | LiftedOff
    | PhaseBegan
    | TurnBegan
    | Lost
    | Corrected
)
