"""Putting the parts of a position in place that a scenario names, with cards and tiles conserved.

Tiles that are not named are dry and have their card in the flood deck; a named flooded tile's card lies on the
discards and a sunk one's is out of the game, unless the piles are named too. Listed zones lie on top of a deck, its
other cards below them as one zone. With hands named, the unnamed are empty; otherwise hands stay as dealt, but a card
that a named pile needs is swapped for one that is free.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, get_type_hints

from companion.rules.decks import Deck
from companion.rules.forbidden_island.components import (
    ACTIONS_A_TURN,
    TREASURE_CARDS_A_TURN,
    TREASURE_DECK,
    Card,
    Condition,
    Loss,
    Phase,
    Role,
    Tile,
    flood_cards_at,
)
from companion.rules.forbidden_island.outcome import judge
from companion.rules.forbidden_island.state import State
from companion.rules.forbidden_island.text import StateText, checked, island_of, malformed_field
from companion.rules.game import JsonObject
from companion.rules.wire import Malformed, convert

AS_NAMED = ("active", "turn", "flown", "water", "captured", "actions_left", "draws_left", "lost_by")
FITTED_IN = ("island", "layout", "phase", "pawns", "hands", "tiles", "swimming", "treasure_deck", "treasure_discard")
FLOOD_PILES = ("flood_deck", "flood_discard", "flood_removed")
ARRANGEABLE = {*AS_NAMED, *FITTED_IN, *FLOOD_PILES}

Parts = Mapping[str, Any]


def arrange(state: State, json: JsonObject) -> State:
    """The position with the named parts in place. Refused: bad_state naming what is wrong."""
    parts = _read(json)
    island = island_of(parts.get("island", state.island.shape), parts.get("layout", state.island.layout))
    arranged = replace(state, island=island, **{key: parts[key] for key in AS_NAMED if key in parts})
    arranged = replace(arranged, **_phase(arranged, parts), **_flood(parts), **_treasure(state, parts))
    arranged = replace(arranged, pawns={**state.pawns, **parts.get("pawns", {})})
    swimming = parts.get("swimming", ())
    arranged = replace(arranged, swimming=tuple(role for role in state.players if role in swimming))
    return checked(_judged(arranged))


def _read(json: JsonObject) -> Parts:
    hints = get_type_hints(StateText)
    for key in json:
        if key not in ARRANGEABLE:
            raise malformed_field(key)
    try:
        return {key: convert(hints[key], value, key) for key, value in json.items()}
    except Malformed as malformed:
        raise malformed_field(malformed.where) from None


def _phase(state: State, parts: Parts) -> dict[str, Any]:
    """A named phase with the counts that go with it, unless they are named too."""
    if "phase" not in parts:
        return {}
    phase = parts["phase"]
    draws = {Phase.TREASURE: TREASURE_CARDS_A_TURN, Phase.FLOOD: flood_cards_at(state.water)}.get(phase, 0)
    actions = ACTIONS_A_TURN if phase is Phase.ACTIONS else 0
    return {
        "phase": phase,
        "draws_left": parts.get("draws_left", draws),
        "actions_left": parts.get("actions_left", actions),
    }


def _flood(parts: Parts) -> dict[str, Any]:
    sunk = dict.fromkeys(parts.get("flood_removed", ()), Condition.SUNK)
    tiles = {**dict.fromkeys(Tile, Condition.DRY), **sunk, **parts.get("tiles", {})}
    removed = tuple(tile for tile in {**sunk, **parts.get("tiles", {})} if tiles[tile] is Condition.SUNK)
    zones = [[tile for tile in zone if tile not in removed] for zone in parts.get("flood_deck", ())]
    listed = {tile for zone in zones for tile in zone}
    drawn = tuple(tile for tile in Tile if tiles[tile] is Condition.FLOODED and tile not in listed)
    discard = tuple(tile for tile in parts.get("flood_discard", drawn) if tile not in removed)
    below = [tile for tile in Tile if tile not in listed and tile not in discard and tile not in removed]
    return {
        "tiles": tiles,
        "flood_deck": Deck.of(*zones, below),
        "flood_discard": discard,
        "flood_removed": removed,
    }


def _treasure(state: State, parts: Parts) -> dict[str, Any]:
    zones = parts.get("treasure_deck", ())
    discard = parts.get("treasure_discard", ())
    free = Counter(TREASURE_DECK) - Counter(card for zone in zones for card in zone) - Counter(discard)
    empty: dict[Role, tuple[Card, ...]] = dict.fromkeys(state.hands, ())
    hands = {**empty, **parts["hands"]} if "hands" in parts else _hands_as_dealt(state, free)
    held = Counter(card for hand in hands.values() for card in hand)
    return {
        "hands": {role: tuple(sorted(cards)) for role, cards in hands.items()},
        "treasure_deck": Deck.of(*zones, (free - held).elements()),
        "treasure_discard": discard,
    }


def _hands_as_dealt(state: State, free: Counter[Card]) -> dict[Role, tuple[Card, ...]]:
    """The dealt hands, with cards that a named pile needs swapped for free ones."""
    left = Counter(free)
    hands: dict[Role, tuple[Card, ...]] = {}
    for role, dealt in state.hands.items():
        hand: list[Card] = []
        for card in dealt:
            spare = next((card for card in sorted(left) if left[card] and card is not Card.WATERS_RISE), card)
            hand.append(card if left[card] else spare)
            left[hand[-1]] -= 1
        hands[role] = tuple(hand)
    return hands


def _judged(state: State) -> State:
    """A position that is lost as it stands is over."""
    loss = None if state.over else judge(state)
    if loss is None:
        return state
    swimming = state.swimming if loss is Loss.DROWNED else ()
    return replace(state, phase=Phase.LOST, lost_by=loss, draws_left=0, swimming=swimming)
