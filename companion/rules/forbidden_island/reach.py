"""Where pawns can go and what they can shore up (rules page 1.4, 1.5 and 1.10)."""

from __future__ import annotations

from companion.rules.forbidden_island.components import Condition, Role, Tile
from companion.rules.forbidden_island.state import State

NAVIGATOR_STEPS = 2


def steps(state: State, role: Role, tile: Tile) -> tuple[Tile, ...]:
    """The places next to ``tile`` for this role: the Explorer's include the diagonals."""
    return (state.island.around if role is Role.EXPLORER else state.island.beside)[tile]


def walks(state: State, role: Role) -> frozenset[Tile]:
    """Where the role's own move of one action can end."""
    if role is Role.DIVER:
        return _dives(state, state.pawns[role])
    return frozenset(tile for tile in steps(state, role, state.pawns[role]) if state.stands(tile))


def _dives(state: State, start: Tile) -> frozenset[Tile]:
    """Through any number of flooded or missing tiles to any tile still standing; a dry tile ends the dive."""
    seen = {start}
    edge = [start]
    while edge:
        for tile in state.island.beside[edge.pop()]:
            if tile not in seen:
                seen.add(tile)
                if state.tiles[tile] is not Condition.DRY:
                    edge.append(tile)
    return frozenset(tile for tile in seen if tile is not start and state.stands(tile))


def flights(state: State) -> frozenset[Tile]:
    """Where the Pilot can fly: every standing tile that a walk does not reach (ruling A13)."""
    walked = walks(state, Role.PILOT)
    here = state.pawns[Role.PILOT]
    return frozenset(tile for tile in state.standing if tile is not here and tile not in walked)


def navigations(state: State, role: Role) -> frozenset[Tile]:
    """Where the Navigator can move this pawn with one action: one or two steps, not back to its start (ruling A3)."""
    here = state.pawns[role]
    through = {here}
    for _ in range(NAVIGATOR_STEPS):
        through |= {
            tile for place in through for tile in steps(state, role, place) if role is Role.DIVER or state.stands(tile)
        }
    return frozenset(tile for tile in through if tile is not here and state.stands(tile))


def exits(state: State, role: Role) -> frozenset[Tile]:
    """Where a swimming pawn can get out of the water."""
    if role is Role.PILOT:
        return frozenset(state.standing)
    if role is Role.DIVER:
        return _nearest(state, state.pawns[role])
    return frozenset(tile for tile in steps(state, role, state.pawns[role]) if state.stands(tile))


def _nearest(state: State, start: Tile) -> frozenset[Tile]:
    """The standing tiles of the first ring of orthogonal steps that has any (ruling A6)."""
    seen = {start}
    ring = {start}
    while ring:
        ring = {tile for place in ring for tile in state.island.beside[place]} - seen
        seen |= ring
        landfall = frozenset(tile for tile in ring if state.stands(tile))
        if landfall:
            return landfall
    return frozenset()


def shorable(state: State, role: Role) -> tuple[Tile, ...]:
    """The flooded tiles that this role can shore up from where it stands: its own and those next to it, sorted."""
    here = state.pawns[role]
    near = (here, *steps(state, role, here))
    return tuple(sorted(tile for tile in near if state.tiles[tile] is Condition.FLOODED))
