"""The chances of the rest of this turn, exact, from the zones of the decks.

The treasure cards that are due settle how often the waters rise; nothing else about them matters to the island. For
each number of rises the flood deck lies in known zones, and a turn draws whole zones, which is certain, and a part of
one more, which is a fair choice of so many cards out of that zone. A pile that runs out on the way has all its cards
drawn, so that what the new one holds is certain too. So every chance is a closed form, and nothing is simulated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb

from companion.rules.decks import Deck
from companion.rules.forbidden_island.components import (
    SKULL,
    TREASURE_CARDS_A_TURN,
    TREASURE_TILES,
    Card,
    Condition,
    Phase,
    Tile,
    Tracking,
    flood_cards_at,
)
from companion.rules.forbidden_island.state import State
from companion.rules.odds import Alarm, Fate, NextCard, Odds, Prospect, Risk
from companion.rules.portrait import Tone

NEVER, SURE = Fraction(0), Fraction(1)

Rises = Mapping[int, Fraction]
"""The chance of each number of Waters Rise! among the treasure cards that are due."""


def odds(state: State) -> Odds | None:
    """The chances of the rest of this turn; None for a game that is over."""
    if state.over:
        return None
    treasure_draws, rises = _treasure_draws(state), _rises(state)
    floods = {number: _flooding(state, number) for number in rises}
    return Odds(
        prospects=(*_next_treasure(state, treasure_draws), *_next_flood(state, rises, floods)),
        risks=_risks(state, rises, floods),
        alarms=_alarms(state, rises, floods),
    )


# -- the treasure cards -----------------------------------------------------------------------------------------------
def _treasure_draws(state: State) -> int:
    """How many treasure cards are still due this turn."""
    if state.phase is Phase.ACTIONS:
        return TREASURE_CARDS_A_TURN
    return state.draws_left if state.phase is Phase.TREASURE else 0


def _rises(state: State) -> Rises:
    piles = (*(_split(zone) for zone in state.treasure_deck.zones), _split(state.treasure_discard))
    rises: dict[int, Fraction] = {}
    for number, chance in _drawn(piles, _treasure_draws(state)):
        rises[number] = rises.get(number, NEVER) + chance
    return dict(sorted(rises.items()))


Split = tuple[int, int]
"""Of some cards, how many are Waters Rise! and how many are not."""


def _split(cards: Sequence[str]) -> Split:
    rises = sum(card == Card.WATERS_RISE for card in cards)
    return rises, len(cards) - rises


def _drawn(piles: Sequence[Split], draws: int) -> list[tuple[int, Fraction]]:
    """Each way to draw, as its rises and its chance; the last pile is the discards, which follow an empty deck."""
    zones, discard = [zone for zone in piles[:-1] if sum(zone)], piles[-1]
    if not zones:
        zones, discard = [discard], (0, 0)
    (rises, others), rest = zones[0], zones[1:]
    if not draws or not rises + others:
        return [(0, SURE)]
    ways = []
    for of_kind, number, left, laid in (
        (rises, 1, (rises - 1, others), (discard[0] + 1, discard[1])),
        (others, 0, (rises, others - 1), discard),
    ):
        share = Fraction(of_kind, rises + others)
        if of_kind:
            ways += [(number + more, share * chance) for more, chance in _drawn((left, *rest, laid), draws - 1)]
    return ways


def _next_treasure(state: State, draws: int) -> tuple[Prospect, ...]:
    return (Prospect("treasure", draws, _shares(state.next_treasure_cards)),) if draws else ()


def _shares(zone: Sequence[str], of: Fraction = SURE) -> tuple[NextCard, ...]:
    cards = (NextCard(card, n, of * Fraction(n, len(zone))) for card, n in Counter(map(str, zone)).items())
    return tuple(sorted(cards, key=lambda card: (-card.chance, card.card)))


# -- the flood cards --------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Flooding:
    """One turn's flood cards after a number of rises: how many, which can be first, what becomes of each tile.

    ``lost`` is the chance that the tiles that sink lose the game; pawns may still drown.
    """

    draws: int
    first: tuple[str, ...]
    flooded: Mapping[Tile, Fraction]
    sunk: Mapping[Tile, Fraction]
    lost: Fraction


@dataclass(frozen=True, slots=True)
class _Course:
    """How the flood cards lie and the tiles stand, as far as that is certain."""

    deck: Deck
    discard: frozenset[Tile]
    tiles: Mapping[Tile, Condition]
    flooded: frozenset[Tile] = frozenset()


def _flooding(state: State, rises: int) -> Flooding:
    mark = min(state.water + rises, SKULL)
    draws = state.draws_left if state.phase is Phase.FLOOD else flood_cards_at(mark)
    deck, discard = state.flood_deck, state.flood_discard
    if rises and mark < SKULL:
        deck, discard = deck.topped(discard), ()
    course, left = _Course(deck, frozenset(discard), state.tiles), draws
    first = deck.top or tuple(sorted(discard))
    while left and (zone := _top(course)) and left >= len(zone):
        course, left = _with_all(course, zone), left - len(zone)
    return _last_zone(state, course, left, Flooding(draws, tuple(first) if draws else (), {}, {}, NEVER))


def _top(course: _Course) -> tuple[Tile, ...]:
    """The zone that the next card comes from: the top one, or the discards as a new deck."""
    return tuple(map(Tile, course.deck.top)) or tuple(course.discard)


def _with_all(course: _Course, zone: Sequence[Tile]) -> _Course:
    """All cards of the top zone are drawn: the dry tiles flood and the flooded ones sink."""
    if not course.deck.zones:
        course = replace(course, deck=Deck.of(course.discard), discard=frozenset())
    dry = frozenset(tile for tile in zone if course.tiles[tile] is Condition.DRY)
    turned = {tile: Condition.FLOODED if tile in dry else Condition.SUNK for tile in zone}
    return _Course(Deck(course.deck.zones[1:]), course.discard | dry, {**course.tiles, **turned}, course.flooded | dry)


def _last_zone(state: State, course: _Course, draws: int, flooding: Flooding) -> Flooding:
    """What is certain by now, and ``draws`` cards, fewer than all, of one more zone."""
    zone = _top(course) if draws else ()
    share = Fraction(draws, len(zone)) if zone else NEVER
    flooded = dict.fromkeys(course.flooded, SURE)
    sunk = {tile: SURE for tile in Tile if course.tiles[tile] is Condition.SUNK and state.stands(tile)}
    for tile in zone:
        (flooded if course.tiles[tile] is Condition.DRY else sunk)[tile] = share
    at_risk = frozenset(tile for tile in zone if course.tiles[tile] is Condition.FLOODED)
    lost = _loss(state, frozenset(sunk) - at_risk, at_risk, (draws, len(zone)))
    return replace(flooding, flooded=flooded, sunk=sunk, lost=lost)


def _loss(state: State, sunk: frozenset[Tile], at_risk: frozenset[Tile], drawn: tuple[int, int]) -> Fraction:
    """The chance that Fools' Landing or the last tile of a treasure sinks; ``drawn`` cards out of so many come."""
    draws, cards = drawn
    alone, pairs = 0, 0
    for group in _needed(state):
        standing = [tile for tile in group if state.stands(tile) and tile not in sunk]
        if not standing:
            return SURE
        if at_risk.issuperset(standing):
            alone, pairs = alone + (len(standing) == 1), pairs + (len(standing) == 2)
    free = cards - alone - 2 * pairs
    harmless = sum(comb(pairs, one) * 2**one * comb(free, draws - one) for one in range(min(pairs, draws) + 1))
    return SURE - Fraction(harmless, comb(cards, draws))


def _needed(state: State) -> list[tuple[Tile, ...]]:
    """The tiles of which, group by group, one must stand."""
    if state.tracking is Tracking.CARDS:
        return [(Tile.FOOLS_LANDING,)]
    open_treasures = (tiles for treasure, tiles in TREASURE_TILES.items() if treasure not in state.captured)
    return [(Tile.FOOLS_LANDING,), *open_treasures]


# -- put together -----------------------------------------------------------------------------------------------------
def _next_flood(state: State, rises: Rises, floods: Mapping[int, Flooding]) -> tuple[Prospect, ...]:
    chances: dict[str, Fraction] = {}
    for number, chance in rises.items():
        for card in floods[number].first:
            chances[card] = chances.get(card, NEVER) + chance / len(floods[number].first)
    likeliest = sorted(chances, key=lambda card: (-chances[card], card))
    cards = tuple(NextCard(card, 1, chances[card]) for card in likeliest)
    draws = state.draws_left if state.phase is Phase.FLOOD else flood_cards_at(state.water)
    return (Prospect("flood", draws, cards),) if cards else ()


def _risks(state: State, rises: Rises, floods: Mapping[int, Flooding]) -> tuple[Risk, ...]:
    found = []
    for tile in state.standing:
        sinks = sum((rises[n] * flood.sunk.get(tile, NEVER) for n, flood in floods.items()), NEVER)
        stays = sum((rises[n] * flood.flooded.get(tile, NEVER) for n, flood in floods.items()), NEVER)
        fates = (Fate("sank", Tone.DANGER, sinks), Fate("flooded", Tone.WARNING, stays))
        found.append(Risk(tile.value, tuple(fate for fate in fates if fate.chance)))
    feared = [risk for risk in found if risk.fates]
    return tuple(sorted(feared, key=lambda risk: (-_of(risk, "sank"), -_of(risk, "flooded"))))


def _of(risk: Risk, effect: str) -> Fraction:
    return next((fate.chance for fate in risk.fates if fate.effect == effect), NEVER)


def _alarms(state: State, rises: Rises, floods: Mapping[int, Flooding]) -> tuple[Alarm, ...]:
    risen = [Alarm("waters_rise", Tone.WARNING, SURE - rises.get(0, NEVER))] if _treasure_draws(state) else []
    skull = sum((chance for number, chance in rises.items() if state.water + number >= SKULL), NEVER)
    lost = skull + sum((chance * floods[number].lost for number, chance in rises.items()), NEVER)
    return (*risen, Alarm("lost", Tone.DANGER, lost))
