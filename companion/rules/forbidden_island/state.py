"""A position of Forbidden Island."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.rules.decks import Deck, Zone
from companion.rules.forbidden_island.components import (
    HAND_LIMIT,
    Card,
    Condition,
    Loss,
    Phase,
    Role,
    Tile,
    Tracking,
    Treasure,
)
from companion.rules.forbidden_island.island import Island


@dataclass(frozen=True, slots=True)
class Halted:
    """Where the turn stood when the game ended, so that a correction can go on from there."""

    phase: Phase
    draws_left: int


@dataclass(frozen=True, slots=True)
class State:
    """A whole position; the protocol's form of it is in engine-protocol terms (:mod:`.text`).

    ``water`` is the meter's mark, 1 to 10. Hands are sorted; discard piles are oldest first. A pawn in ``swimming``
    still has the sunk tile as its place. The mappings are never changed in place.

    With reduced ``tracking`` pawns and hands are empty, ``pool`` holds (sorted) the cards that are out among the
    players, ``dealt`` says whom the cards of the set-up went to, and ``asked`` is the tile whose flood card was drawn
    while the companion believed it flooded.
    """

    island: Island
    players: tuple[Role, ...]
    active: Role
    turn: int
    phase: Phase
    actions_left: int
    draws_left: int
    flown: bool
    pawns: Mapping[Role, Tile]
    hands: Mapping[Role, tuple[Card, ...]]
    tiles: Mapping[Tile, Condition]
    water: int
    treasure_deck: Deck
    treasure_discard: tuple[Card, ...]
    flood_deck: Deck
    flood_discard: tuple[Tile, ...]
    flood_removed: tuple[Tile, ...] = ()
    captured: tuple[Treasure, ...] = ()
    swimming: tuple[Role, ...] = ()
    lost_by: Loss | None = None
    halted: Halted | None = None
    tracking: Tracking = Tracking.EVERYTHING
    pool: tuple[Card, ...] = ()
    dealt: Mapping[Role, tuple[Card, ...]] = field(default_factory=dict)
    asked: Tile | None = None

    @property
    def over(self) -> bool:
        """Whether the game is won or lost."""
        return self.phase in (Phase.WON, Phase.LOST)

    def stands(self, tile: Tile) -> bool:
        """Whether a tile is still on the island, dry or flooded."""
        return self.tiles[tile] is not Condition.SUNK

    @property
    def standing(self) -> tuple[Tile, ...]:
        """The tiles still on the island, in layout order."""
        return tuple(tile for tile in self.island.layout if self.tiles[tile] is not Condition.SUNK)

    @property
    def flooded(self) -> tuple[Tile, ...]:
        """The flooded tiles, in layout order."""
        return tuple(tile for tile in self.island.layout if self.tiles[tile] is Condition.FLOODED)

    @property
    def over_limit(self) -> tuple[Role, ...]:
        """The players who hold more cards than the hand limit, in seat order."""
        return tuple(role for role in self.players if role in self.hands and len(self.hands[role]) > HAND_LIMIT)

    def holders(self, card: Card) -> tuple[Role, ...]:
        """The players who hold a card of this kind, in seat order."""
        return tuple(role for role in self.players if card in self.hands.get(role, ()))

    def on(self, tile: Tile) -> tuple[Role, ...]:
        """The players whose pawn is on a tile (or swims where it was), in seat order."""
        return tuple(role for role in self.players if self.pawns.get(role) is tile)

    @property
    def next_treasure_cards(self) -> Zone:
        """The treasure cards one of which comes next: the top zone, or the discards where the deck is empty."""
        return self.treasure_deck.top or tuple(sorted(self.treasure_discard))

    @property
    def next_flood_cards(self) -> Zone:
        """The flood cards one of which comes next: the top zone, or the discards where the deck is empty."""
        return self.flood_deck.top or tuple(sorted(self.flood_discard))

    @property
    def next_player(self) -> Role:
        """The player to the left of the active one."""
        return self.players[(self.players.index(self.active) + 1) % len(self.players)]
