"""The chance to win from a position, guessed at a glance: a weighed sum of what stands well and badly.

The weights were fitted to games of :mod:`.steady` against how they ended (``docs/bots.md``).
"""

from __future__ import annotations

from math import exp
from operator import mul

from companion.rules.forbidden_island.components import CARDS_TO_CAPTURE, Role
from companion.rules.forbidden_island.fast.codes import HELICOPTER, SANDBAG, TREASURES, WATERS_RISE
from companion.rules.forbidden_island.fast.forecast_weights import FITTED
from companion.rules.forbidden_island.fast.placed import WON
from companion.rules.forbidden_island.fast.position import Position
from companion.rules.forbidden_island.fast.tables import SIZE
from companion.rules.forbidden_island.fast.worth import Worth

ROLES = tuple(Role)
MOST = 30.0
FEATURES = (
    "one",
    *(f"captured {number}" for number in range(5)),
    *(f"best hand {number}" for number in range(5)),
    "pooled 2",
    "pooled 3",
    "pooled 4",
    "met",
    "at hand",
    "short",
    "missing",
    "both dry",
    "one flooded",
    "both flooded",
    "last dry",
    "last flooded",
    "last in danger",
    "both in danger",
    "landing flooded",
    "landing in danger",
    "landing far",
    "done",
    "tiles",
    "flooded",
    "plain danger",
    "water",
    "water 6",
    "water 8",
    "water 9",
    "rises in deck",
    "deck",
    "lifts 0",
    "lifts 2",
    "bags",
    "full hands",
    "home",
    *(f"role {role.value}" for role in ROLES),
)


def forecast(p: Position, worth: Worth) -> float:
    """The chance to win; 1 or 0 where the game is over."""
    if p.ended:
        return float(p.phase == WON)
    told = sum(map(mul, FITTED[len(p.players)], features(p, worth)))
    return 1 / (1 + exp(-max(-MOST, min(MOST, told))))


def features(p: Position, worth: Worth) -> list[float]:
    """What is told of a position that goes on, by :data:`FEATURES`."""
    captured = p.captured.bit_count()
    here = [1.0, *(float(captured == number) for number in range(5))]
    here += _hands(p, worth)
    here += _sea(p, worth)
    here += _course(p)
    home = worth.nearness(p, 0, p.board.landing)
    here.append(sum(home[place] for place in p.pawns) / len(p.pawns) if captured == len(TREASURES) else 0.0)
    here += (float(role in p.players) for role in ROLES)
    return here


def _hands(p: Position, worth: Worth) -> list[float]:
    best_of, pooled = [0.0] * 5, [0.0] * 3
    met = at_hand = short = missing = 0.0
    deck = sum(p.treasure_deck) if p.treasure_deck else 0
    standing = p.dry | p.flooded
    for number in range(len(TREASURES)):
        if p.captured >> number & 1:
            continue
        counts = [hand >> 4 * number & 15 for hand in p.hands]
        best, total = min(max(counts), CARDS_TO_CAPTURE), min(sum(counts), CARDS_TO_CAPTURE)
        best_of[best] += 1
        holder = counts.index(max(counts))
        if best == CARDS_TO_CAPTURE:
            at_hand += worth.nearness(p, holder, p.board.pairs[number] & standing)[p.pawns[holder]]
        elif total > best and total >= 2:
            pooled[total - 2] += 1
            row = worth.nearness(p, holder, 1 << p.pawns[holder])
            met += max(row[p.pawns[seat]] for seat, count in enumerate(counts) if count and seat != holder)
        need = CARDS_TO_CAPTURE - total
        missing += need
        short += max(0, need - (deck >> 4 * number & 15))
    return [*best_of, *pooled, met, at_hand, short, missing]


def _sea(p: Position, worth: Worth) -> list[float]:
    standing, flooded = p.dry | p.flooded, p.flooded
    chances = worth.chances(p)
    told = [0.0] * 12
    special = p.board.landing
    done = 0
    for number, pair in enumerate(p.board.pairs):
        special |= pair
        if p.captured >> number & 1:
            done += 1
            continue
        left, wet = pair & standing, pair & flooded
        if left & (left - 1):
            told[2 if wet == pair else 1 if wet else 0] += 1
            if wet == pair:
                low = wet & -wet
                told[6] += _chance(chances, p, low) * _chance(chances, p, wet ^ low)
        elif wet:
            told[4] += 1
            told[5] += _chance(chances, p, wet)
        else:
            told[3] += 1
    if flooded & p.board.landing:
        told[7], told[8] = 1.0, _chance(chances, p, p.board.landing)
    row = worth.nearness(p, 0, p.board.landing)
    told[9] = 1 - max(row[place] for place in p.pawns)
    told[10], told[11] = done, standing.bit_count() / 10
    rest, plain = flooded & ~special, 0.0
    while rest:
        low = rest & -rest
        rest ^= low
        plain += _chance(chances, p, low)
    return [*told, flooded.bit_count() / 10, plain]


def _chance(chances: tuple[int, float, int, float, float], p: Position, bit: int) -> float:
    top, at_top, second, at_second, at_discard = chances
    if bit & top:
        return at_top
    if bit & p.flood_discard:
        return at_discard
    return at_second if bit & second else 0.2


def _course(p: Position) -> list[float]:
    deck = sum(p.treasure_deck) if p.treasure_deck else 0
    size = max(1, deck >> SIZE)
    lifts = sum(hand >> 4 * HELICOPTER & 15 for hand in p.hands)
    bags = sum(hand >> 4 * SANDBAG & 15 for hand in p.hands)
    full = sum(max(0, (hand >> SIZE) - 3) for hand in p.hands)
    rises = deck >> 4 * WATERS_RISE & 15
    return [
        p.water / 10,
        float(p.water >= 6),
        float(p.water >= 8),
        float(p.water >= 9),
        rises / size * 10,
        size / 10,
        float(not lifts),
        float(lifts > 1),
        float(bags),
        full / 5,
    ]
