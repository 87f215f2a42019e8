"""Corrections: the table overrules the engine, and cards and tiles stay conserved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from companion.rules.decks import Deck
from companion.rules.forbidden_island.commands import Correct
from companion.rules.forbidden_island.components import (
    ACTIONS_A_TURN,
    SKULL,
    Card,
    Condition,
    Phase,
    Role,
    Tile,
    Tracking,
)
from companion.rules.forbidden_island.events import Corrected
from companion.rules.forbidden_island.outcome import in_water, island_lost, won
from companion.rules.forbidden_island.state import Halted, State
from companion.rules.game import Refused


def check_correction(state: State, wanted: Correct) -> None:
    """Refuse a correction that cannot be. Codes: bad_request, not_allowed, tile_sunk, card_not_possible."""
    if wanted == Correct():
        raise Refused("bad_request", field="correct")
    _check_numbers(wanted)
    named = {*(wanted.pawns or ()), *(wanted.hands or ())} | ({wanted.active} if wanted.active else set())
    for role in named - set(state.players):
        raise Refused("not_allowed", player=role)
    if state.tracking is not Tracking.EVERYTHING and (wanted.pawns or wanted.hands):
        raise Refused("not_allowed")
    tiles = {**state.tiles, **(wanted.tiles or {})}
    for tile in (wanted.pawns or {}).values():
        if tiles[tile] is Condition.SUNK:
            raise Refused("tile_sunk", tile=tile)
    if wanted.hands:
        _check_hands(state, wanted.hands)


def _check_numbers(wanted: Correct) -> None:
    if wanted.water is not None and not 1 <= wanted.water <= SKULL:
        raise Refused("bad_request", field="water")
    if wanted.actions_left is not None and not 0 <= wanted.actions_left <= ACTIONS_A_TURN:
        raise Refused("bad_request", field="actions_left")
    if wanted.captured is not None and len(set(wanted.captured)) != len(wanted.captured):
        raise Refused("bad_request", field="captured")


def _check_hands(state: State, hands: Mapping[Role, tuple[Card, ...]]) -> None:
    wanted = Counter(card for hand in hands.values() for card in hand)
    if Card.WATERS_RISE in wanted:
        raise Refused("not_allowed", card=Card.WATERS_RISE)
    free = Counter((*state.treasure_deck.cards, *state.treasure_discard))
    free.update(card for role in hands for card in state.hands[role])
    for card, number in wanted.items():
        if number > free[card]:
            raise Refused("card_not_possible", card=card, free=free[card])


def apply_correction(state: State, told: Corrected) -> State:
    """The position with the parts as the table says; an ended game goes on, to be judged anew."""
    corrected = _with_hands(state, told.hands or {})
    corrected = _with_tiles(corrected, told.tiles or {})
    corrected = replace(
        corrected,
        pawns={**state.pawns, **(told.pawns or {})},
        water=state.water if told.water is None else told.water,
        captured=state.captured if told.captured is None else told.captured,
        active=told.active or state.active,
        flown=state.flown and told.active in (None, state.active),
    )
    corrected = _going_on(corrected)
    corrected = replace(corrected, swimming=in_water(corrected))
    return corrected if told.actions_left is None else _with_actions(corrected, told.actions_left)


def _with_hands(state: State, hands: Mapping[Role, tuple[Card, ...]]) -> State:
    """Cards taken out of hands go to the discards; cards put in come from the discards, else from the deck."""
    discard = list(state.treasure_discard)
    deck = state.treasure_deck
    wanted = {role: Counter(cards) for role, cards in hands.items()}
    for role, cards in wanted.items():
        discard.extend((Counter(state.hands[role]) - cards).elements())
    for role, cards in wanted.items():
        for card in (cards - Counter(state.hands[role])).elements():
            if card in discard:
                discard.remove(card)
            else:
                deck = deck.without(card)
    kept = {role: tuple(sorted(cards)) for role, cards in hands.items()}
    return replace(state, hands={**state.hands, **kept}, treasure_discard=tuple(discard), treasure_deck=deck)


def _with_tiles(state: State, tiles: Mapping[Tile, Condition]) -> State:
    """A tile that sank takes its card out of the game; one that is back has its card on the discards."""
    sunk = {tile for tile, condition in tiles.items() if condition is Condition.SUNK} - set(state.flood_removed)
    back = {tile for tile in state.flood_removed if tiles.get(tile, Condition.SUNK) is not Condition.SUNK}
    return replace(
        state,
        tiles={**state.tiles, **tiles},
        flood_deck=Deck.of(*([tile for tile in zone if tile not in sunk] for zone in state.flood_deck.zones)),
        flood_discard=(*(tile for tile in state.flood_discard if tile not in sunk), *sorted(back)),
        flood_removed=(*(tile for tile in state.flood_removed if tile not in back), *sorted(sunk)),
        asked=None if state.asked in tiles else state.asked,
    )


def _going_on(state: State) -> State:
    """An ended game as it stood before its end, unless it is a win that still holds."""
    if not state.over or (state.phase is Phase.WON and won(state) and island_lost(state) is None):
        return state
    before = state.halted or Halted(Phase.ACTIONS if state.actions_left else Phase.FLOOD, 0)
    return replace(state, phase=before.phase, draws_left=before.draws_left, lost_by=None, halted=None)


def _with_actions(state: State, actions: int) -> State:
    """The active player has this many actions left, whatever the engine thought the phase was."""
    if state.over or (actions == 0 and state.phase is not Phase.ACTIONS):
        return state
    return replace(state, phase=Phase.ACTIONS, actions_left=actions, draws_left=0)
