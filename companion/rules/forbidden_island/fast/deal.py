"""The dealer's part on fast positions: the first position, and the draws; chance is a stream of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from companion.rules.forbidden_island.components import (
    CARDS_AT_START,
    FLOODED_AT_START,
    START_MARK,
    START_TILE,
    TREASURE_DECK,
    Card,
    Tile,
)
from companion.rules.forbidden_island.fast.board import lay
from companion.rules.forbidden_island.fast.codes import CARDS, DRAW_TREASURE, FULL, base
from companion.rules.forbidden_island.fast.convert import packed
from companion.rules.forbidden_island.fast.listing import FLOODS
from companion.rules.forbidden_island.fast.placed import FLOOD, TREASURE
from companion.rules.forbidden_island.fast.position import Position
from companion.rules.forbidden_island.fast.tables import KINDS, SIZE, at
from companion.rules.forbidden_island.setup import SetUp
from companion.rules.quick import Chance

DRAWS = base(DRAW_TREASURE)
TILES = tuple(Tile)
DEALT: tuple[Card, ...] = tuple(
    sorted(card for card in TREASURE_DECK for _ in range(TREASURE_DECK[card]) if card is not Card.WATERS_RISE)
)
WHOLE_DECK = packed(card for card in CARDS for _ in range(TREASURE_DECK[card]))

T = TypeVar("T")


def deal(setup: SetUp, chance: Chance) -> Position:
    """The first position; picks in the order in which :func:`..setup.complete` picks."""
    layout = setup.layout or _several(TILES, len(TILES), chance)
    flooded = setup.flooded or _several(TILES, FLOODED_AT_START, chance)
    position = Position(lay(setup.island, layout), setup.players)
    place = {tile: number for number, tile in enumerate(layout)}
    position.flooded = position.flood_discard = sum(1 << place[tile] for tile in flooded)
    position.dry = FULL ^ position.flooded
    position.flood_deck = (position.dry,)
    position.pawns = [place[START_TILE[role]] for role in setup.players]
    position.water = START_MARK[setup.difficulty]
    position.hands = _hands(setup, chance)
    position.treasure_deck = (WHOLE_DECK - sum(position.hands),)
    return position


def _hands(setup: SetUp, chance: Chance) -> list[int]:
    left, hands, known = list(DEALT), list[int](), setup.hands or {}
    for hand in known.values():
        for card in hand:
            left.remove(card)
    for role in setup.players:
        cards = known.get(role) or _several(left, CARDS_AT_START, chance)
        for card in cards if role not in known else ():
            left.remove(card)
        hands.append(packed(cards))
    return hands


def _several(options: Sequence[T], number: int, chance: Chance) -> tuple[T, ...]:
    left = list(options)
    return tuple(left.pop(int(chance() * len(left))) for _ in range(number))


def draw(p: Position, chance: Chance) -> int | None:
    """The code of the draw that is due; None while there is none."""
    if p.swimming or p.over:
        return None
    if p.phase == FLOOD:
        zone = p.next_floods
        return FLOODS + _nth(zone, int(chance() * zone.bit_count()))
    if p.phase != TREASURE:
        return None
    zone = p.next_treasures
    nth = int(chance() * (zone >> SIZE))
    for card in range(KINDS):
        nth -= zone >> 4 * card & 15
        if nth < 0:
            return DRAWS + card
    raise AssertionError("a zone holds as many cards as it says")


def _nth(places: int, nth: int) -> int:
    return at(0, places)[nth]
