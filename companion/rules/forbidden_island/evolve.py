"""The position after an event. Never refuses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from companion.rules.decks import Deck
from companion.rules.forbidden_island import events as e
from companion.rules.forbidden_island.components import (
    ACTIONS_A_TURN,
    CARDS_TO_CAPTURE,
    TREASURE_CARD,
    Card,
    Condition,
    Loss,
    Phase,
    Role,
    Tile,
    Tracking,
)
from companion.rules.forbidden_island.correct import apply_correction
from companion.rules.forbidden_island.state import Halted, State


def evolve(state: State, event: e.Event) -> State:
    """The position after ``event``."""
    return EVOLVE[type(event)](state, event)


def without(cards: tuple[Card, ...], *gone: Card) -> tuple[Card, ...]:
    """A hand less the given cards; a card that is not there is passed over."""
    left = list(cards)
    for card in gone:
        if card in left:
            left.remove(card)
    return tuple(left)


def with_card(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """A sorted hand with one card more."""
    return tuple(sorted((*cards, card)))


def _placed(state: State, role: Role, tile: Tile) -> dict[Role, Tile]:
    return {**state.pawns, role: tile}


def _turned(state: State, condition: Condition, *tiles: Tile) -> dict[Tile, Condition]:
    return {**state.tiles, **dict.fromkeys(tiles, condition)}


def _spend(state: State) -> int:
    return max(0, state.actions_left - 1)


def _play_card(state: State, role: Role | None, *cards: Card) -> dict[str, Any]:
    """The parts that change when cards go from a hand (or the pool) to the discards."""
    discard = (*state.treasure_discard, *cards)
    if role is None or state.tracking is not Tracking.EVERYTHING:
        return {"pool": without(state.pool, *cards), "treasure_discard": discard}
    return {"hands": {**state.hands, role: without(state.hands[role], *cards)}, "treasure_discard": discard}


def _moved(state: State, event: e.Moved) -> State:
    return replace(state, pawns=_placed(state, event.player, event.to), actions_left=_spend(state))


def _flew(state: State, event: e.Flew) -> State:
    return replace(state, pawns=_placed(state, event.player, event.to), actions_left=_spend(state), flown=True)


def _navigated(state: State, event: e.Navigated) -> State:
    return replace(state, pawns=_placed(state, event.player, event.to), actions_left=_spend(state))


def _shored_up(state: State, event: e.ShoredUp) -> State:
    tracked = state.tracking is Tracking.EVERYTHING
    left = _spend(state) if tracked else state.actions_left
    return replace(state, tiles=_turned(state, Condition.DRY, *event.tiles), actions_left=left)


def _gave(state: State, event: e.Gave) -> State:
    hands = {
        **state.hands,
        event.giver: without(state.hands[event.giver], event.card),
        event.to: with_card(state.hands[event.to], event.card),
    }
    return replace(state, hands=hands, actions_left=_spend(state))


def _captured(state: State, event: e.Captured) -> State:
    cards = (TREASURE_CARD[event.treasure],) * CARDS_TO_CAPTURE
    left = _spend(state) if state.tracking is Tracking.EVERYTHING else state.actions_left
    parts = _play_card(state, event.player, *cards)
    return replace(state, captured=(*state.captured, event.treasure), actions_left=left, **parts)


def _actions_ended(state: State, _event: e.ActionsEnded) -> State:
    return replace(state, actions_left=0)


def _treasure_card_drawn(state: State, event: e.TreasureCardDrawn) -> State:
    drawn = replace(
        state, treasure_deck=state.treasure_deck.without(event.card), draws_left=max(0, state.draws_left - 1)
    )
    if event.card is Card.WATERS_RISE:
        return replace(drawn, treasure_discard=(*state.treasure_discard, event.card))
    if state.tracking is not Tracking.EVERYTHING:
        return replace(drawn, pool=with_card(state.pool, event.card))
    return replace(drawn, hands={**state.hands, event.player: with_card(state.hands[event.player], event.card)})


def _waters_rose(state: State, event: e.WatersRose) -> State:
    return replace(state, water=event.water)


def _flood_discards_returned(state: State, _event: e.FloodDiscardsReturned) -> State:
    return replace(state, flood_deck=state.flood_deck.topped(state.flood_discard), flood_discard=())


def _treasure_deck_reshuffled(state: State, _event: e.TreasureDeckReshuffled) -> State:
    return replace(state, treasure_deck=Deck.of(state.treasure_discard), treasure_discard=())


def _flood_card_drawn(state: State, event: e.FloodCardDrawn) -> State:
    return replace(
        state,
        flood_deck=state.flood_deck.without(event.tile),
        flood_discard=(*state.flood_discard, event.tile),
        draws_left=max(0, state.draws_left - 1),
    )


def _tile_flooded(state: State, event: e.TileFlooded) -> State:
    return replace(state, tiles=_turned(state, Condition.FLOODED, event.tile))


def _tile_sank(state: State, event: e.TileSank) -> State:
    return replace(
        state,
        tiles=_turned(state, Condition.SUNK, event.tile),
        flood_discard=tuple(tile for tile in state.flood_discard if tile is not event.tile),
        flood_removed=(*state.flood_removed, event.tile),
        asked=None,
    )


def _tile_asked(state: State, event: e.TileAsked) -> State:
    return replace(state, asked=event.tile)


def _tile_was_shored_up(state: State, _event: e.TileWasShoredUp) -> State:
    return replace(state, asked=None)


def _pawns_in_water(state: State, event: e.PawnsInWater) -> State:
    return replace(state, swimming=event.players)


def _swam(state: State, event: e.Swam) -> State:
    swimming = tuple(role for role in state.swimming if role is not event.player)
    return replace(state, pawns=_placed(state, event.player, event.to), swimming=swimming)


def _discarded(state: State, event: e.Discarded) -> State:
    return replace(state, **_play_card(state, event.player, event.card))


def _sandbagged(state: State, event: e.Sandbagged) -> State:
    parts = _play_card(state, event.player, Card.SANDBAGS)
    return replace(state, tiles=_turned(state, Condition.DRY, event.tile), **parts)


def _lifted(state: State, event: e.Lifted) -> State:
    pawns = {**state.pawns, **dict.fromkeys(event.pawns, event.to)}
    swimming = tuple(role for role in state.swimming if role not in event.pawns)
    return replace(state, pawns=pawns, swimming=swimming, **_play_card(state, event.player, Card.HELICOPTER_LIFT))


def _lifted_off(state: State, event: e.LiftedOff) -> State:
    return _ended(replace(state, **_play_card(state, event.player, Card.HELICOPTER_LIFT)), Phase.WON)


def _phase_began(state: State, event: e.PhaseBegan) -> State:
    return replace(state, phase=event.phase, draws_left=event.draws, actions_left=0)


def _turn_began(state: State, event: e.TurnBegan) -> State:
    return replace(
        state,
        active=event.player,
        turn=event.turn,
        phase=Phase.ACTIONS,
        actions_left=ACTIONS_A_TURN,
        draws_left=0,
        flown=False,
    )


def _lost(state: State, event: e.Lost) -> State:
    swimming = state.swimming if event.reason is Loss.DROWNED else ()
    return replace(_ended(state, Phase.LOST), lost_by=event.reason, swimming=swimming)


def _ended(state: State, phase: Phase) -> State:
    return replace(state, phase=phase, draws_left=0, halted=Halted(state.phase, state.draws_left))


EVOLVE: dict[type, Callable[[State, Any], State]] = {
    e.Moved: _moved,
    e.Flew: _flew,
    e.Navigated: _navigated,
    e.ShoredUp: _shored_up,
    e.Gave: _gave,
    e.Captured: _captured,
    e.ActionsEnded: _actions_ended,
    e.TreasureCardDrawn: _treasure_card_drawn,
    e.WatersRose: _waters_rose,
    e.FloodDiscardsReturned: _flood_discards_returned,
    e.FloodDeckReshuffled: _flood_discards_returned,
    e.TreasureDeckReshuffled: _treasure_deck_reshuffled,
    e.FloodCardDrawn: _flood_card_drawn,
    e.TileFlooded: _tile_flooded,
    e.TileSank: _tile_sank,
    e.TileAsked: _tile_asked,
    e.TileWasShoredUp: _tile_was_shored_up,
    e.PawnsInWater: _pawns_in_water,
    e.Swam: _swam,
    e.Discarded: _discarded,
    e.Sandbagged: _sandbagged,
    e.Lifted: _lifted,
    e.LiftedOff: _lifted_off,
    e.PhaseBegan: _phase_began,
    e.TurnBegan: _turn_began,
    e.Lost: _lost,
    e.Corrected: apply_correction,
}
