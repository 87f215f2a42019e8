"""An island in numbers: what lies next to what, and what is where."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from companion.rules.forbidden_island.components import TREASURE_TILES, Tile
from companion.rules.forbidden_island.fast.codes import TREASURES
from companion.rules.forbidden_island.island import DIAGONAL, STRAIGHT, Cell, Shape, cells

NOTHING = 4
"""The number of no treasure, where a place has none."""


@dataclass(frozen=True, slots=True)
class Ground:
    """A shape: for each place the set of places beside it, around it (diagonals too), and within two steps."""

    beside: tuple[int, ...]
    around: tuple[int, ...]
    two_beside: tuple[int, ...]


@cache
def ground(shape: Shape) -> Ground:
    """The ground of a shape."""
    places = {cell: place for place, cell in enumerate(cells(shape))}
    beside = tuple(_mask(places, cell, STRAIGHT) for cell in places)
    around = tuple(_mask(places, cell, STRAIGHT + DIAGONAL) for cell in places)
    two = tuple(near | spread(beside, near) for near in beside)
    return Ground(beside, around, two)


def _mask(places: dict[Cell, int], cell: Cell, steps: Iterable[Cell]) -> int:
    row, column = cell
    near = (places.get((row + down, column + right)) for down, right in steps)
    return sum(1 << place for place in near if place is not None)


def spread(next_to: Sequence[int], places: int) -> int:
    """All that is next to any of these places."""
    reached = 0
    while places:
        low = places & -places
        reached |= next_to[low.bit_length() - 1]
        places ^= low
    return reached


def dive(beside: Sequence[int], place: int, standing: int, dry: int) -> int:
    """Where a dive from a place can end: on land, through all that is not dry."""
    seen = edge = 1 << place
    while edge:
        reached = spread(beside, edge) & ~seen
        seen |= reached
        edge = reached & ~dry
    return seen & standing & ~(1 << place)


@dataclass(frozen=True, slots=True)
class Board:
    """A laid island: its ground, where Fools' Landing is (a set of one), and the treasures' places.

    ``pairs`` are the two places of each treasure as a set; ``treasure`` is the treasure's number at each place, or
    NOTHING.
    """

    shape: Shape
    layout: tuple[Tile, ...]
    ground: Ground
    landing: int
    pairs: tuple[int, ...]
    treasure: tuple[int, ...]


@cache
def _treasure_numbers() -> dict[Tile, int]:
    return {tile: TREASURES.index(treasure) for treasure, tiles in TREASURE_TILES.items() for tile in tiles}


def lay(shape: Shape, layout: Sequence[Tile]) -> Board:
    """The board of a layout, left to right and top row first."""
    numbers = _treasure_numbers()
    treasure = tuple(numbers.get(tile, NOTHING) for tile in layout)
    pairs = [0] * len(TREASURES)
    for place, number in enumerate(treasure):
        if number != NOTHING:
            pairs[number] |= 1 << place
    landing = 1 << layout.index(Tile.FOOLS_LANDING)
    return Board(shape, tuple(layout), ground(shape), landing, tuple(pairs), treasure)
