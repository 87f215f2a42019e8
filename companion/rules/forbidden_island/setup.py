"""Setting the game up: what a host chooses, what chance settles, the first position (rules page 1.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.rules.decks import Deck
from companion.rules.forbidden_island.components import (
    ACTIONS_A_TURN,
    CARDS_AT_START,
    FEWEST_PLAYERS,
    FLOODED_AT_START,
    MOST_PLAYERS,
    START_MARK,
    START_TILE,
    TREASURE_DECK,
    Card,
    Condition,
    Difficulty,
    Phase,
    Role,
    Tile,
    Tracking,
)
from companion.rules.forbidden_island.island import Island, Shape
from companion.rules.forbidden_island.state import State
from companion.rules.game import Choice, JsonObject, Pick, Refused
from companion.rules.wire import Malformed, plain, read, write


@dataclass(frozen=True, slots=True)
class SetUp:
    """A set-up as the protocol's ``new`` names it; what is None is left to chance."""

    players: tuple[Role, ...]
    difficulty: Difficulty
    island: Shape = Shape.CLASSIC
    tracking: Tracking = Tracking.EVERYTHING
    layout: tuple[Tile, ...] | None = None
    flooded: tuple[Tile, ...] | None = None
    hands: Mapping[Role, tuple[Card, ...]] | None = None


def choices() -> tuple[Choice, ...]:
    """What a host is asked; the island may lie already, left to right and the top row first."""
    tiles = tuple(Tile)
    return (
        Choice("players", tuple(Role), (Role.EXPLORER, Role.PILOT), FEWEST_PLAYERS, MOST_PLAYERS, ordered=True),
        Choice("difficulty", tuple(Difficulty), (Difficulty.NOVICE,)),
        Choice("tracking", tuple(Tracking), (Tracking.EVERYTHING,)),
        Choice("island", tuple(Shape), (Shape.CLASSIC,)),
        Choice("layout", tiles, (), len(tiles), len(tiles), ordered=True, optional=True),
        Choice("flooded", tiles, (), FLOODED_AT_START, FLOODED_AT_START, optional=True),
    )


def read_setup(json: JsonObject) -> SetUp:
    """Read and check a set-up. Refused: bad_request naming the field."""
    try:
        setup = read(SetUp, json)
    except Malformed as malformed:
        raise Refused("bad_request", field=malformed.where) from None
    field = _wrong_field(setup)
    if field:
        raise Refused("bad_request", field=field)
    return setup


def _wrong_field(setup: SetUp) -> str | None:
    players = setup.players
    if not FEWEST_PLAYERS <= len(players) <= MOST_PLAYERS or len(set(players)) != len(players):
        return "players"
    if setup.layout is not None and sorted(setup.layout) != sorted(Tile):
        return "layout"
    if setup.flooded is not None and not len(set(setup.flooded)) == len(setup.flooded) == FLOODED_AT_START:
        return "flooded"
    if setup.hands is not None and not _dealable(setup.hands, players):
        return "hands"
    return None


def _dealable(hands: Mapping[Role, tuple[Card, ...]], players: tuple[Role, ...]) -> bool:
    dealt = Counter(card for hand in hands.values() for card in hand)
    return (
        set(hands) <= set(players)
        and all(len(hand) == CARDS_AT_START for hand in hands.values())
        and Card.WATERS_RISE not in dealt
        and all(number <= TREASURE_DECK[card] for card, number in dealt.items())
    )


def complete(json: JsonObject, pick: Pick) -> dict[str, Any]:
    """The set-up with every chance settled: the layout, the six flooded tiles, each hand."""
    setup = read_setup(json)
    return {
        **write(setup),
        "layout": plain(setup.layout or _several(pick, "layout", tuple(Tile), len(Tile))),
        "flooded": plain(setup.flooded or _several(pick, "flooded", tuple(Tile), FLOODED_AT_START)),
        "hands": plain(_deal(setup, pick)),
    }


def _several(pick: Pick, purpose: str, options: Sequence[str], number: int) -> tuple[str, ...]:
    """``number`` different picks, in order."""
    left = list(options)
    picked: list[str] = []
    for _ in range(number):
        picked.append(pick(purpose, tuple(left)))
        left.remove(picked[-1])
    return tuple(picked)


def _deal(setup: SetUp, pick: Pick) -> dict[Role, tuple[Card, ...]]:
    """Two cards each; a Waters Rise! would be replaced and shuffled back in, so it is never picked."""
    hands = dict(setup.hands or {})
    taken = Counter(card for hand in hands.values() for card in hand)
    left = sorted((Counter(TREASURE_DECK) - taken - Counter({Card.WATERS_RISE: len(Tile)})).elements())
    for role in setup.players:
        if role not in hands:
            hands[role] = tuple(Card(card) for card in _several(pick, "hands", left, CARDS_AT_START))
            for card in hands[role]:
                left.remove(card)
    return hands


def start(json: JsonObject) -> State:
    """The first position of a completed set-up."""
    setup = read_setup(json)
    if setup.layout is None or setup.flooded is None or setup.hands is None:
        raise Refused("bad_request", field="layout")
    tracked = setup.tracking is Tracking.EVERYTHING
    hands = {role: tuple(sorted(setup.hands[role])) for role in setup.players}
    dealt = Counter(card for hand in hands.values() for card in hand)
    flooded = set(setup.flooded)
    return State(
        island=Island(setup.island, setup.layout),
        players=setup.players,
        active=setup.players[0],
        turn=1,
        phase=Phase.ACTIONS,
        actions_left=ACTIONS_A_TURN,
        draws_left=0,
        flown=False,
        pawns={role: START_TILE[role] for role in setup.players} if tracked else {},
        hands=hands if tracked else {},
        tiles={tile: Condition.FLOODED if tile in flooded else Condition.DRY for tile in setup.layout},
        water=START_MARK[setup.difficulty],
        treasure_deck=Deck.of((Counter(TREASURE_DECK) - dealt).elements()),
        treasure_discard=(),
        flood_deck=Deck.of(tile for tile in Tile if tile not in flooded),
        flood_discard=setup.flooded,
        tracking=setup.tracking,
        pool=() if tracked else tuple(sorted(dealt.elements())),
        dealt={} if tracked else hands,
    )
