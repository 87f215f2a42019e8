"""Commands ask, events tell: what a command leads to, or why it is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.rules.forbidden_island import commands as c
from companion.rules.forbidden_island import events as e
from companion.rules.forbidden_island import reduced
from companion.rules.forbidden_island.check import check
from companion.rules.forbidden_island.components import (
    SKULL,
    TREASURE_CARDS_A_TURN,
    Card,
    Condition,
    Loss,
    Phase,
    Role,
    Tile,
    Tracking,
    flood_cards_at,
)
from companion.rules.forbidden_island.correct import check_correction
from companion.rules.forbidden_island.evolve import evolve
from companion.rules.forbidden_island.outcome import drowned, in_water, island_lost
from companion.rules.forbidden_island.state import State


class Telling:
    """The events of one command, each evolving the position that the next is decided on."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: tuple[e.Event, ...] = ()

    def tell(self, *events: e.Event) -> None:
        """Let these happen."""
        for event in events:
            self.state = evolve(self.state, event)
        self.events += events


def decide(state: State, command: c.Command) -> tuple[e.Event, ...]:
    """The events that ``command`` leads to. Raises Refused with the protocol's code."""
    telling = Telling(state)
    if isinstance(command, c.Correct):
        check_correction(state, command)
        telling.tell(e.Corrected(**{key: getattr(command, key) for key in c.Correct.__slots__}))
    elif state.tracking is not Tracking.EVERYTHING:
        reduced.check(state, command)
        _happen(telling, command)
    else:
        check(state, command)
        _happen(telling, command)
    _conclude(telling)
    return telling.events


def _happen(telling: Telling, command: c.Command) -> None:
    """What the command itself does, before its consequences."""
    match command:
        case c.DrawTreasure(card):
            assert card is not None
            _draw_treasure(telling, card)
        case c.DrawFlood(card):
            assert card is not None
            _draw_flood(telling, card)
        case c.Settle(tile, sank):
            telling.tell(e.TileSank(tile) if sank else e.TileWasShoredUp(tile))
        case _:
            telling.tell(EVENT_OF[type(command)](telling.state, command))


def _draw_treasure(telling: Telling, card: Card) -> None:
    if not telling.state.treasure_deck:
        telling.tell(e.TreasureDeckReshuffled())
    telling.tell(e.TreasureCardDrawn(telling.state.active, card))
    if card is not Card.WATERS_RISE:
        return
    telling.tell(e.WatersRose(min(telling.state.water + 1, SKULL)))
    if telling.state.water < SKULL and telling.state.flood_discard:
        telling.tell(e.FloodDiscardsReturned())


def _draw_flood(telling: Telling, tile: Tile) -> None:
    if not telling.state.flood_deck:
        telling.tell(e.FloodDeckReshuffled())
    telling.tell(e.FloodCardDrawn(tile))
    if telling.state.tiles[tile] is Condition.DRY:
        telling.tell(e.TileFlooded(tile))
    elif telling.state.tracking is Tracking.CARDS:
        telling.tell(e.TileAsked(tile))
    else:
        telling.tell(e.TileSank(tile))


def _conclude(telling: Telling) -> None:
    """The consequences of any command: losses, swimming, run-out decks, the next phase or turn."""
    if telling.state.over:
        return
    loss = island_lost(telling.state)
    if loss and loss is not Loss.WATER_LEVEL:
        telling.tell(e.Lost(loss))
        return
    wet = in_water(telling.state)
    if wet != telling.state.swimming:
        telling.tell(e.PawnsInWater(wet))
    if loss or drowned(telling.state):
        telling.tell(e.Lost(Loss.DROWNED if drowned(telling.state) else Loss.WATER_LEVEL))
        return
    _reshuffle(telling)
    while (event := _next_step(telling.state)) is not None:
        telling.tell(event)


def _reshuffle(telling: Telling) -> None:
    """A deck that ran out is made anew at once (rulings A8 to A10)."""
    state = telling.state
    if not state.flood_deck and state.flood_discard and state.asked is None:
        telling.tell(e.FloodDeckReshuffled())
    if not state.treasure_deck and state.treasure_discard and state.tracking is Tracking.EVERYTHING:
        telling.tell(e.TreasureDeckReshuffled())


def _next_step(state: State) -> e.Event | None:
    """How the turn goes on by itself from here, if it does."""
    if state.swimming or state.asked:
        return None
    if state.phase is Phase.ACTIONS and state.actions_left == 0:
        return e.PhaseBegan(Phase.TREASURE, TREASURE_CARDS_A_TURN)
    if state.draws_left:
        return None
    if state.phase is Phase.TREASURE and not state.over_limit:
        return e.PhaseBegan(Phase.FLOOD, flood_cards_at(state.water))
    if state.phase is Phase.FLOOD:
        return e.TurnBegan(state.next_player, state.turn + 1)
    return None


def _actor(state: State) -> Role | None:
    """Who acts, where the companion can know it."""
    return state.active if state.tracking is Tracking.EVERYTHING else None


def _lifted(state: State, command: c.HelicopterLift) -> e.Event:
    return e.Lifted(command.player, tuple(role for role in state.players if role in command.pawns), command.to)


EVENT_OF: dict[type, Callable[[State, Any], e.Event]] = {
    c.Move: lambda state, command: e.Moved(state.active, command.to),
    c.Fly: lambda state, command: e.Flew(state.active, command.to),
    c.Navigate: lambda state, command: e.Navigated(state.active, command.player, command.to),
    c.ShoreUp: lambda state, command: e.ShoredUp(_actor(state), command.tiles),
    c.Give: lambda state, command: e.Gave(state.active, command.card, command.to),
    c.Capture: lambda state, command: e.Captured(_actor(state), command.treasure),
    c.EndActions: lambda state, _command: e.ActionsEnded(state.active),
    c.Discard: lambda _state, command: e.Discarded(command.card, command.player),
    c.Sandbags: lambda _state, command: e.Sandbagged(command.player, command.tile),
    c.HelicopterLift: _lifted,
    c.LiftOff: lambda _state, command: e.LiftedOff(command.player),
    c.Swim: lambda _state, command: e.Swam(command.player, command.to),
    c.Reshuffle: lambda _state, _command: e.TreasureDeckReshuffled(),
}
"""The event that each command but the draws leads to first."""
