"""The twelve shapes: 24 places each, rows of one width, the silhouettes of the rules page."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from re import finditer

import pytest

from companion.rules.forbidden_island.components import Tile
from companion.rules.forbidden_island.island import MAPS, Island, Shape, cells, extent

from .second_reading.box import AS_PRINTED, SILHOUETTE, TILES

ANY_SHAPE = pytest.mark.parametrize("shape", list(Shape), ids=str)


def test_there_are_the_twelve_shapes_of_the_rules_page() -> None:
    assert {shape.value for shape in Shape} == set(AS_PRINTED) == set(SILHOUETTE)


@ANY_SHAPE
def test_a_shape_has_24_places_in_rows_of_one_width(shape: Shape) -> None:
    rows = MAPS[shape].split("/")
    assert len({len(row) for row in rows}) == 1
    assert MAPS[shape].count("#") == 24 == len(cells(shape))
    assert extent(shape) == (len(rows), len(rows[0]))
    assert all(any(row[column] == "#" for row in rows) for column in range(len(rows[0])))


@ANY_SHAPE
def test_a_shape_is_printed_on_the_rules_page(shape: Shape) -> None:
    assert MAPS[shape] == SILHOUETTE[shape]
    assert MAPS[shape].replace("###", "##") == AS_PRINTED[shape]


def _rows_printed_like(printed: str) -> set[str]:
    """Every row that looks like this where three ``#`` in a row are printed as two."""
    longest = 12
    runs = [match.span() for match in finditer("#+", printed)]
    rows = {""}
    at = 0
    for start, end in runs:
        lengths = [length for length in range(1, longest) if ("#" * length).replace("###", "##") == printed[start:end]]
        rows = {row + printed[at:start] + "#" * length for row, length in product(rows, lengths)}
        at = end
    return {row + printed[at:] for row in rows}


def _read(printed: str) -> Iterator[str]:
    choices = [_rows_printed_like(row) for row in printed.split("/")]
    for width in range(4, 13):
        fitting = [sorted(row for row in rows if len(row) == width) for rows in choices]
        yield from ("/".join(rows) for rows in product(*fitting) if "".join(rows).count("#") == 24)


@ANY_SHAPE
def test_no_other_shape_of_24_places_is_printed_like_it(shape: Shape) -> None:
    assert list(_read(AS_PRINTED[shape])) == [MAPS[shape]]


def test_the_classic_island_is_a_square_with_two_tiles_on_each_side() -> None:
    square = set(product(range(1, 5), range(1, 5)))
    sides = {(row, column) for row, column in product(range(6), range(6)) if {row, column} & {0, 5}}
    middle = {(row, column) for row, column in sides if {row, column} & {2, 3}}
    assert set(cells(Shape.CLASSIC)) == square | middle


@ANY_SHAPE
def test_neighbours_are_those_one_step_away_and_each_others(shape: Shape) -> None:
    tiles = tuple(Tile(tile) for tile in TILES)
    island = Island(shape, tiles)
    spot = dict(zip(tiles, cells(shape), strict=True))
    for one, other in product(tiles, tiles):
        high, wide = (abs(a - b) for a, b in zip(spot[one], spot[other], strict=True))
        assert (other in island.beside[one]) == (high + wide == 1)
        assert (other in island.around[one]) == (max(high, wide) == 1)
