"""What a position's decks and sea let expect: each place's chance to be drawn, and how far apart places are.

It serves all ways to play a turn, for it does not depend on pawns and hands, nor (but for the Diver) on what is dry.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.rules.forbidden_island.components import SKULL, TREASURE_CARDS_A_TURN, Role
from companion.rules.forbidden_island.fast.board import dive, ground
from companion.rules.forbidden_island.fast.codes import PLACES, WATERS_RISE
from companion.rules.forbidden_island.fast.placed import ACTIONS, FLOOD, TREASURE
from companion.rules.forbidden_island.fast.position import DRAWS_AT, Position
from companion.rules.forbidden_island.fast.tables import SIZE
from companion.rules.forbidden_island.island import Shape

Floats = NDArray[np.floating[Any]]
Whole = NDArray[np.int64]

FAR = 6
"""Everything as far away as this, or farther, or out of reach, is equally far."""
EACH = np.arange(PLACES)


@dataclass(frozen=True, slots=True)
class Outlook:
    """The chances by place, in one flood phase and in two, and that the water rises before; distances by seat.

    ``treasures_due`` and ``floods_due`` are the cards still to be drawn this turn as far as they are known: before the
    flood phase no flood card is due yet. ``distances[seat]`` has the actions that each way takes, shape (24, 24).
    """

    soon: Floats
    later: Floats
    rise: float
    treasures_due: int
    floods_due: int
    distances: Whole


def outlook(p: Position) -> Outlook:
    """The outlook of a position; one in the action phase is seen as if the actions were over."""
    due = {ACTIONS: TREASURE_CARDS_A_TURN, TREASURE: p.draws}
    treasures, floods = due.get(p.phase, 0), p.draws if p.phase == FLOOD else 0
    now, raised = DRAWS_AT[p.water], DRAWS_AT[min(p.water + 1, SKULL - 1)]
    rise, rise_later = _rise(p, treasures), _rise(p, treasures + TREASURE_CARDS_A_TURN)
    deck = p.flood_deck[::-1]
    after_rise = (p.flood_discard, *deck) if p.flood_discard else deck
    in_flood = treasures == 0
    first = floods if in_flood else now
    soon = _drawn(deck, first) if in_flood else (1 - rise) * _drawn(deck, first) + rise * _drawn(after_rise, raised)
    later = (1 - rise_later) * _drawn(deck, first + now) + rise_later * _drawn(after_rise, first + raised)
    distances = np.stack([_distances(p, role) for role in p.players])
    return Outlook(soon, np.maximum(soon, later), rise, treasures, floods, distances)


def _rise(p: Position, draws: int) -> float:
    """The chance of Waters Rise! among so many treasure cards."""
    deck, none = p.next_treasures, 1.0
    size, rises = deck >> SIZE, deck >> 4 * WATERS_RISE & 15
    for drawn in range(min(draws, size)):
        none *= max(0, size - drawn - rises) / (size - drawn)
    return 1 - none


def _drawn(zones: Sequence[int], number: int) -> Floats:
    """The chance of each place's card to be among the next ones, from the top zone down."""
    chances = np.zeros(PLACES, np.float64)
    for zone in zones:
        size = zone.bit_count()
        chances += (zone >> EACH & 1) * np.float64(min(1.0, number / size))
        number -= size
        if number <= 0:
            break
    return chances


def _distances(p: Position, role: Role) -> Whole:
    standing = p.dry | p.flooded
    if role is Role.DIVER:
        return _dives(p.board.shape, standing, p.dry)
    walks = _walks(p.board.shape, standing, role is Role.EXPLORER)
    if role is not Role.PILOT:
        return walks
    flights = np.where(standing >> EACH & 1, 1, FAR)
    return np.where(walks > 1, flights[None, :], walks)


@lru_cache(4096)
def _walks(shape: Shape, standing: int, diagonal: bool) -> Whole:
    land = ground(shape)
    next_to = land.around if diagonal else land.beside
    return _steps(np.array([near & standing for near in next_to]))


@lru_cache(4096)
def _dives(shape: Shape, standing: int, dry: int) -> Whole:
    beside = ground(shape).beside
    return _steps(np.array([dive(beside, place, standing, dry) for place in range(len(beside))]))


def _steps(reach: Whole) -> Whole:
    """How many steps each place is from each, where one step leads from a place to a set of places."""
    leads = (reach[:, None] >> EACH & 1).astype(np.float64)
    ring = np.eye(len(reach), dtype=np.float64)
    steps = np.full((len(reach), len(reach)), FAR)
    for number in range(FAR):
        new = (ring > 0) & (steps == FAR)
        steps[new] = number
        ring = np.where(new, ring, 0) @ leads
    return steps
