"""Ready-made answers, so that the hot path looks up and adds instead of looping.

A hand, a treasure deck and its discards are counts packed in one whole number: four bits for each kind of card, and
the number of all cards from bit 28 up. Adding ``ONE[card]`` is one card more.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import combinations

from companion.rules.forbidden_island.fast.codes import (
    DISCARD,
    DRAW_TREASURE,
    GIVE,
    PLACES,
    SHORE_UP_TWO,
    base,
    bits,
)

SIZE = 28
KINDS = 7
COUNTS = (1 << SIZE) - 1

ONE = tuple(1 << 4 * card | 1 << SIZE for card in range(KINDS))
FOUR = tuple(4 * one for one in ONE)

_PART = 8
_PARTS = PLACES // _PART
_BYTE = (1 << _PART) - 1

SEATS = tuple(bits(mask) for mask in range(16))
"""The seats of each set of seats."""
GROUPS = tuple(tuple(group for group in range(1, 16) if group & mask == group) for mask in range(16))
"""The groups that can be taken of each set of seats."""

_Part = tuple[tuple[int, ...], ...]
_placed: dict[int, tuple[_Part, _Part, _Part]] = {}


def at(first: int, places: int) -> tuple[int, ...]:
    """A code for each place of a set: ``first`` is the code at place 0."""
    try:
        low, middle, high = _placed[first]
    except KeyError:
        low, middle, high = _placed[first] = _parts(first)
    return low[places & _BYTE] + middle[places >> 8 & _BYTE] + high[places >> 16]


def _parts(first: int) -> tuple[_Part, _Part, _Part]:
    low, middle, high = (
        tuple(tuple(first + part * _PART + place for place in bits(mask)) for mask in range(_BYTE + 1))
        for part in range(_PARTS)
    )
    return low, middle, high


@lru_cache(1 << 14)
def numbers(places: int) -> tuple[int, ...]:
    """The numbers of a set of places, lowest first; quickest where few sets come again and again."""
    return at(0, places)


@lru_cache(1 << 16)
def gifts(hand: int, seat: int) -> tuple[int, ...]:
    """The codes of giving one treasure card of a hand (its four lowest counts) to the player at a seat."""
    return tuple(base(GIVE, seat) + card for card in range(4) if hand >> 4 * card & 15)


@lru_cache(1 << 16)
def discards(hand: int, seat: int) -> tuple[int, ...]:
    """The codes of discarding one card of a hand."""
    return tuple(base(DISCARD, seat) + card for card in range(KINDS) if hand >> 4 * card & 15)


@lru_cache(1 << 17)
def draws(deck: int) -> tuple[int, ...]:
    """The codes of drawing each kind of card that lies in a treasure deck."""
    return tuple(base(DRAW_TREASURE) + card for card in range(KINDS) if deck >> 4 * card & 15)


@cache
def pairs(places: int) -> tuple[int, ...]:
    """The codes of shoring up two places of a set."""
    return tuple(base(SHORE_UP_TWO, low) + high for low, high in combinations(bits(places), 2))
