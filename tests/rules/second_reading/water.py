"""Geometry: who can go where (rules page 1.4, 1.5, 1.10 and rulings A3, A5, A6, A7, A13)."""

from __future__ import annotations

from functools import cache
from itertools import product

from .box import SILHOUETTE, Position

FAR = 99


@cache
def _spots(shape: str) -> tuple[tuple[int, int], ...]:
    rows = SILHOUETTE[shape].split("/")
    return tuple((y, x) for y in range(len(rows)) for x in range(len(rows[0])) if rows[y][x] == "#")


def _spot(p: Position, tile: str) -> tuple[int, int]:
    return _spots(p["island"])[p["layout"].index(tile)]


def touching(p: Position, one: str, other: str, corners: bool = False) -> bool:
    """Whether two places lie next to each other, dry, flooded or missing."""
    (y, x), (v, u) = _spot(p, one), _spot(p, other)
    high, wide = abs(y - v), abs(x - u)
    return high + wide == 1 or (corners and high == wide == 1)


def there(p: Position) -> list[str]:
    """The tiles that exist."""
    return [tile for tile in p["layout"] if p["tiles"][tile] != "sunk"]


def walk(p: Position, role: str) -> set[str]:
    """One step of an ordinary pawn, the Explorer's diagonals among them."""
    here = p["pawns"][role]
    return {tile for tile in there(p) if touching(p, here, tile, corners=role == "explorer")}


def dive(p: Position) -> set[str]:
    """The Diver: next to the start, or next to a lake of wet places that the start touches."""
    here = p["pawns"]["diver"]
    lakes: list[set[str]] = []
    for tile in (tile for tile in p["layout"] if p["tiles"][tile] != "dry" and tile != here):
        joined = [lake for lake in lakes if any(touching(p, tile, wet) for wet in lake)]
        lakes = [lake for lake in lakes if lake not in joined]
        lakes.append({tile}.union(*joined))
    waded = {here}.union(*(lake for lake in lakes if any(touching(p, here, wet) for wet in lake)))
    return {tile for tile in there(p) if tile != here and any(touching(p, tile, wet) for wet in waded)}


def own_move(p: Position, role: str) -> set[str]:
    return dive(p) if role == "diver" else walk(p, role)


def flight(p: Position) -> set[str]:
    """Any existing tile that a walk does not reach."""
    return set(there(p)) - {p["pawns"]["pilot"]} - walk(p, "pilot")


def navigated(p: Position, role: str) -> set[str]:
    """The ends of all paths of one or two steps that this pawn could take; only the Diver passes a missing tile."""
    here = p["pawns"][role]
    existing = there(p)
    stops = p["layout"] if role == "diver" else existing
    corners = role == "explorer"
    one = {end for end in existing if touching(p, here, end, corners)}
    two = {
        end
        for middle, end in product(stops, existing)
        if touching(p, here, middle, corners) and touching(p, middle, end, corners)
    }
    return (one | two) - {here}


@cache
def _distances(shape: str) -> dict[tuple[int, int], int]:
    """Orthogonal steps between all pairs of places over the places of the layout (Floyd and Warshall)."""
    spots = _spots(shape)
    size = range(len(spots))

    def first(i: int, j: int) -> int:
        apart = abs(spots[i][0] - spots[j][0]) + abs(spots[i][1] - spots[j][1])
        return apart if apart < 2 else FAR

    steps = {(i, j): first(i, j) for i, j in product(size, size)}
    for k, i, j in product(size, size, size):
        steps[i, j] = min(steps[i, j], steps[i, k] + steps[k, j])
    return steps


def landfall(p: Position, role: str) -> set[str]:
    """Where a pawn can swim to."""
    existing = there(p)
    if role == "pilot":
        return set(existing)
    if role != "diver":
        return walk(p, role)
    at = p["layout"].index
    here = at(p["pawns"][role])
    away = {tile: _distances(p["island"])[here, at(tile)] for tile in existing}
    nearest = min(away.values(), default=FAR)
    return {tile for tile in existing if away[tile] == nearest < FAR}


def shored(p: Position, role: str) -> list[str]:
    """The flooded tiles that a role can shore up from where it stands."""
    here = p["pawns"][role]
    return [
        tile
        for tile in p["layout"]
        if p["tiles"][tile] == "flooded" and (tile == here or touching(p, here, tile, corners=role == "explorer"))
    ]
