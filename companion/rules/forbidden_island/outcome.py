"""When the game is lost (rules page 1.11)."""

from __future__ import annotations

from companion.rules.forbidden_island.components import (
    SKULL,
    TREASURE_TILES,
    Card,
    Loss,
    Role,
    Tile,
    Tracking,
)
from companion.rules.forbidden_island.reach import exits
from companion.rules.forbidden_island.state import State


def in_water(state: State) -> tuple[Role, ...]:
    """The players whose pawn is where a tile sank, in seat order."""
    return tuple(role for role in state.players if role in state.pawns and not state.stands(state.pawns[role]))


def island_lost(state: State) -> Loss | None:
    """The losses that do not depend on pawns, in the order in which they are judged.

    With *cards only* tracking the companion does not hear of captures, so it does not judge the treasures.
    """
    if not state.stands(Tile.FOOLS_LANDING):
        return Loss.FOOLS_LANDING_SANK
    if state.tracking is not Tracking.CARDS and any(
        treasure not in state.captured and not any(map(state.stands, tiles))
        for treasure, tiles in TREASURE_TILES.items()
    ):
        return Loss.TREASURE_SANK
    return Loss.WATER_LEVEL if state.water >= SKULL else None


def drowned(state: State) -> bool:
    """Whether a swimming pawn has no tile to swim to and nobody holds a Helicopter Lift (ruling A1)."""
    if state.holders(Card.HELICOPTER_LIFT):
        return False
    return any(not exits(state, role) for role in state.swimming)


def won(state: State) -> bool:
    """Whether all four treasures are captured and every pawn (that is tracked) is on Fools' Landing."""
    return len(state.captured) == len(TREASURE_TILES) and set(state.pawns.values()) <= {Tile.FOOLS_LANDING}


def judge(state: State) -> Loss | None:
    """How a position is lost, if it is: Fools' Landing, treasures, drowning, then the water level."""
    loss = island_lost(state)
    if loss in (None, Loss.WATER_LEVEL) and drowned(state):
        return Loss.DROWNED
    return loss
