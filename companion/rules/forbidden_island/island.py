"""The island's shapes and what lies next to what on them (rules page 1.13)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from companion.rules.forbidden_island.components import Tile


class Shape(StrEnum):
    """The classic island and eleven others; each has 24 places."""

    CLASSIC = "classic"
    TREASURE_ISLAND = "treasure_island"
    ISLAND_OF_SHADOWS = "island_of_shadows"
    VOLCANO_ISLAND = "volcano_island"
    ISLAND_OF_DEATH = "island_of_death"
    BAY_OF_GULLS = "bay_of_gulls"
    BONE_ISLAND = "bone_island"
    CORAL_REEF = "coral_reef"
    SKULL_ISLAND = "skull_island"
    BRIDGE_OF_HORRORS = "bridge_of_horrors"
    ATOLL_OF_DECISIONS = "atoll_of_decisions"
    ARCH_OF_FATE = "arch_of_fate"


MAPS = {
    Shape.CLASSIC: "..##../.####./######/######/.####./..##..",
    Shape.TREASURE_ISLAND: "##...##/.#####./..###../..###../.#####./##...##",
    Shape.ISLAND_OF_SHADOWS: "######/######/######/######",
    Shape.VOLCANO_ISLAND: "#####/#####/##.##/#####/#####",
    Shape.ISLAND_OF_DEATH: "..###../#######/.#####./..###../..###../..###..",
    Shape.BAY_OF_GULLS: "...##.../...##.../#..##..#/########/.######./...##...",
    Shape.BONE_ISLAND: ".##..##./########/########/.##..##.",
    Shape.CORAL_REEF: ".##..../####.../######./.######/...####/....##.",
    Shape.SKULL_ISLAND: "######/#.##.#/######/.####./.####.",
    Shape.BRIDGE_OF_HORRORS: "###...####/##########/####...###",
    Shape.ATOLL_OF_DECISIONS: "..###../.##.##./##...##/#.....#/##...##/.##.##./..###..",
    Shape.ARCH_OF_FATE: "...###.../..#####../.###.###./###...###/##.....##",
}
"""Rows from the top, ``#`` a place with a tile, ``.`` open sea."""

Cell = tuple[int, int]

STRAIGHT = ((-1, 0), (0, -1), (0, 1), (1, 0))
DIAGONAL = ((-1, -1), (-1, 1), (1, -1), (1, 1))


def cells(shape: Shape) -> tuple[Cell, ...]:
    """The (row, column) of each of a shape's 24 places, left to right, top row first."""
    return tuple(
        (row, column)
        for row, line in enumerate(MAPS[shape].split("/"))
        for column, mark in enumerate(line)
        if mark == "#"
    )


def extent(shape: Shape) -> tuple[int, int]:
    """How many rows and columns a shape spans."""
    lines = MAPS[shape].split("/")
    return len(lines), len(lines[0])


@dataclass(frozen=True, slots=True)
class Island:
    """A shape with its 24 tiles laid, left to right, top row first.

    ``beside`` and ``around`` name the tiles that lie (or lay, before they sank) orthogonally next to a tile, and
    next to it in any of the eight directions. Open sea is nobody's neighbour.
    """

    shape: Shape
    layout: tuple[Tile, ...]
    beside: dict[Tile, tuple[Tile, ...]] = field(init=False, repr=False, compare=False)
    around: dict[Tile, tuple[Tile, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        places = dict(zip(cells(self.shape), self.layout, strict=True))
        object.__setattr__(self, "beside", _neighbours(places, STRAIGHT))
        object.__setattr__(self, "around", _neighbours(places, STRAIGHT + DIAGONAL))


def _neighbours(places: dict[Cell, Tile], steps: tuple[Cell, ...]) -> dict[Tile, tuple[Tile, ...]]:
    return {
        tile: tuple(
            places[row + down, column + right] for down, right in steps if (row + down, column + right) in places
        )
        for (row, column), tile in places.items()
    }
