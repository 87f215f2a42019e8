"""Everything that can be wrong with a position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from companion.rules.forbidden_island.components import (
    ACTIONS_A_TURN,
    FEWEST_PLAYERS,
    FLOOD_CARDS_AT_MARK,
    MOST_PLAYERS,
    SKULL,
    TREASURE_CARDS_A_TURN,
    TREASURE_DECK,
    Card,
    Condition,
    Phase,
    Role,
    Tile,
    Tracking,
)
from companion.rules.forbidden_island.outcome import in_water, judge, won
from companion.rules.forbidden_island.state import State
from companion.rules.portrait import Phrase, Word


def faults(state: State) -> tuple[Phrase, ...]:
    """Every fault of a position, the most basic first; empty for a sound one."""
    basic = tuple(_seat_faults(state))
    if basic:
        return basic
    return (
        *_turn_faults(state),
        *_flood_faults(state),
        *_treasure_faults(state),
        *_pawn_faults(state),
        *_end_faults(state),
    )


def _fault(code: str, **params: Word) -> Phrase:
    return Phrase(f"forbidden_island.fault.{code}", params)


def _seat_faults(state: State) -> Iterator[Phrase]:
    """Faults that make the other questions meaningless."""
    players = state.players
    if not FEWEST_PLAYERS <= len(players) <= MOST_PLAYERS or len(set(players)) != len(players):
        yield _fault("players")
    if state.active not in players:
        yield _fault("active", player=state.active)
    if sorted(state.island.layout) != sorted(Tile):
        yield _fault("layout")
    for tile in sorted(set(Tile) - set(state.tiles)):
        yield _fault("tile_missing", tile=tile)
    seated = set(players) if state.tracking is Tracking.EVERYTHING else set()
    for part, named in (("pawns", set(state.pawns)), ("hands", set(state.hands))):
        if named != seated:
            yield _fault(part)


def _turn_faults(state: State) -> Iterator[Phrase]:
    if state.turn < 1:
        yield _fault("turn", n=state.turn)
    if not 1 <= state.water <= SKULL:
        yield _fault("water", n=state.water)
    if not 0 <= state.actions_left <= ACTIONS_A_TURN:
        yield _fault("actions_left", n=state.actions_left)
    most = {Phase.TREASURE: TREASURE_CARDS_A_TURN, Phase.FLOOD: max(FLOOD_CARDS_AT_MARK)}.get(state.phase, 0)
    if not 0 <= state.draws_left <= most or _stuck(state):
        yield _fault("draws_left", n=state.draws_left)
    if state.flown and state.active is not Role.PILOT:
        yield _fault("flown")
    if len(set(state.captured)) != len(state.captured):
        yield _fault("captured")


def _stuck(state: State) -> bool:
    """Whether no card is left to draw in a phase of drawing, and nothing holds the turn up."""
    held_up = state.swimming or state.over_limit if state.phase is Phase.TREASURE else state.swimming
    drawing = state.phase in (Phase.TREASURE, Phase.FLOOD)
    return drawing and state.draws_left == 0 and not held_up and state.asked is None


def _flood_faults(state: State) -> Iterator[Phrase]:
    """Each tile's card lies in exactly one pile, and out of the game just where the tile sank."""
    places = Counter((*state.flood_deck.cards, *state.flood_discard, *state.flood_removed))
    for tile in Tile:
        if places[tile] != 1:
            yield _fault("flood_card_missing" if places[tile] == 0 else "flood_card_twice", tile=tile)
        elif (state.tiles[tile] is Condition.SUNK) != (tile in state.flood_removed):
            yield _fault("flood_card_of_sunk_tile", tile=tile)


def _treasure_faults(state: State) -> Iterator[Phrase]:
    """28 cards in all, and no Waters Rise! in a hand."""
    held = [card for hand in state.hands.values() for card in hand] + list(state.pool)
    if Card.WATERS_RISE in held:
        yield _fault("waters_rise_held")
    found = Counter((*state.treasure_deck.cards, *state.treasure_discard, *held))
    for card, number in TREASURE_DECK.items():
        if found[card] != number:
            yield _fault("treasure_cards", card=card, n=found[card], expected=number)


def _pawn_faults(state: State) -> Iterator[Phrase]:
    if state.phase is Phase.LOST and not state.swimming:
        return
    wet = in_water(state)
    for role in wet:
        if role not in state.swimming:
            yield _fault("pawn_on_sunk_tile", player=role, tile=state.pawns[role])
    for role in state.swimming:
        if role not in wet:
            yield _fault("swimmer_on_land", player=role)
    if wet and set(wet) == set(state.swimming) and wet != state.swimming:
        yield _fault("swimming_order")


def _end_faults(state: State) -> Iterator[Phrase]:
    if (state.phase is Phase.LOST) != (state.lost_by is not None):
        yield _fault("lost_by")
        return
    loss = judge(replace(state, swimming=in_water(state)))
    if state.lost_by is not None and loss is not state.lost_by:
        yield _fault("lost_otherwise", reason=state.lost_by)
    elif loss is not None and state.lost_by is None:
        yield _fault("lost_already", reason=loss)
    if state.phase is Phase.WON and not won(state):
        yield _fault("won")
