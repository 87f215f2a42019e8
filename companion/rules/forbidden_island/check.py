"""Why a command is refused: the same rules as ``legal``, asked of one command."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.rules.forbidden_island import commands as c
from companion.rules.forbidden_island.components import (
    CARDS_TO_CAPTURE,
    TREASURE_CARD,
    TREASURE_OF_CARD,
    TREASURE_TILES,
    Card,
    Condition,
    Phase,
    Role,
    Tile,
)
from companion.rules.forbidden_island.legal import receivers
from companion.rules.forbidden_island.reach import exits, flights, navigations, shorable, walks
from companion.rules.forbidden_island.state import State
from companion.rules.game import Refused

SPECIALS = (c.Sandbags, c.HelicopterLift, c.LiftOff)
ACTIONS = (c.Move, c.Fly, c.Navigate, c.ShoreUp, c.Give, c.Capture)
MOST_TILES_SHORED = 2


def check(state: State, command: c.Command) -> None:
    """Raise Refused unless ``command`` is legal."""
    if state.over:
        raise Refused("game_over")
    _check_players(state, command)
    _check_pressing(state, command)
    if isinstance(command, (*ACTIONS, c.EndActions)) and state.phase is not Phase.ACTIONS:
        raise Refused("wrong_phase", phase=state.phase)
    if isinstance(command, ACTIONS) and state.actions_left == 0:
        raise Refused("no_actions_left")
    CHECKS[type(command)](state, command)


def _check_players(state: State, command: c.Command) -> None:
    """Every role that is named must play in this game."""
    named = [getattr(command, "player", state.active), *getattr(command, "pawns", ())]
    if isinstance(command, c.Give):
        named.append(command.to)
    for role in named:
        if role is None:
            raise Refused("bad_request", field="player")
        if role not in state.players:
            raise Refused("not_allowed", player=role)


def _check_pressing(state: State, command: c.Command) -> None:
    """Swimming comes before all, then hands over the limit."""
    if state.swimming:
        if isinstance(command, c.Swim) and command.player in state.swimming:
            return
        if isinstance(command, c.HelicopterLift) and set(command.pawns) <= set(state.swimming):
            return
        raise Refused("must_swim", players=state.swimming)
    if state.over_limit:
        if isinstance(command, c.Discard) and command.player in state.over_limit:
            return
        if not isinstance(command, SPECIALS):
            raise Refused("must_discard", players=state.over_limit)


def _hold(state: State, role: Role | None, card: Card) -> None:
    if role is None or card not in state.hands[role]:
        raise Refused("not_held", card=card)


def _stand(state: State, tile: Tile) -> None:
    if not state.stands(tile):
        raise Refused("tile_sunk", tile=tile)


def _be_flooded(state: State, tile: Tile) -> None:
    _stand(state, tile)
    if state.tiles[tile] is not Condition.FLOODED:
        raise Refused("not_flooded", tile=tile)


def _check_move(state: State, command: c.Move) -> None:
    _stand(state, command.to)
    if command.to not in walks(state, state.active):
        raise Refused("not_adjacent", tile=command.to)


def _check_fly(state: State, command: c.Fly) -> None:
    if state.active is not Role.PILOT or state.flown:
        raise Refused("not_allowed")
    _stand(state, command.to)
    if command.to not in flights(state):
        raise Refused("not_allowed", tile=command.to)


def _check_navigate(state: State, command: c.Navigate) -> None:
    if state.active is not Role.NAVIGATOR or command.player is state.active:
        raise Refused("not_allowed")
    _stand(state, command.to)
    if command.to not in navigations(state, command.player):
        raise Refused("not_adjacent", tile=command.to)


def _check_shore_up(state: State, command: c.ShoreUp) -> None:
    if not 1 <= len(command.tiles) <= MOST_TILES_SHORED or len(set(command.tiles)) != len(command.tiles):
        raise Refused("bad_request", field="tiles")
    if len(command.tiles) > 1 and state.active is not Role.ENGINEER:
        raise Refused("not_allowed")
    near = shorable(state, state.active)
    for tile in command.tiles:
        _be_flooded(state, tile)
        if tile not in near:
            raise Refused("not_adjacent", tile=tile)


def _check_give(state: State, command: c.Give) -> None:
    if command.card not in TREASURE_OF_CARD or command.to is state.active:
        raise Refused("not_allowed")
    _hold(state, state.active, command.card)
    if command.to not in receivers(state, state.active):
        raise Refused("not_here", player=command.to)


def _check_capture(state: State, command: c.Capture) -> None:
    if command.treasure in state.captured:
        raise Refused("already_captured", treasure=command.treasure)
    if state.pawns[state.active] not in TREASURE_TILES[command.treasure]:
        raise Refused("not_here", treasure=command.treasure)
    if state.hands[state.active].count(TREASURE_CARD[command.treasure]) < CARDS_TO_CAPTURE:
        raise Refused("not_enough_cards", treasure=command.treasure)


def _check_end_actions(_state: State, _command: c.EndActions) -> None:
    """The phase is all that matters."""


def check_draw(state: State, command: c.DrawTreasure | c.DrawFlood) -> None:
    """Refuse a draw out of its phase or of a card that cannot come next."""
    treasure = isinstance(command, c.DrawTreasure)
    if state.phase is not (Phase.TREASURE if treasure else Phase.FLOOD) or state.draws_left == 0:
        raise Refused("wrong_phase", phase=state.phase)
    if command.card is None:
        raise Refused("bad_request", field="card")
    if command.card not in (state.next_treasure_cards if treasure else state.next_flood_cards):
        raise Refused("card_not_possible", card=command.card)


def _check_discard(state: State, command: c.Discard) -> None:
    if command.player not in state.over_limit:
        raise Refused("not_allowed")
    _hold(state, command.player, command.card)


def _check_sandbags(state: State, command: c.Sandbags) -> None:
    _hold(state, command.player, Card.SANDBAGS)
    _be_flooded(state, command.tile)


def _check_helicopter_lift(state: State, command: c.HelicopterLift) -> None:
    if not command.pawns or len(set(command.pawns)) != len(command.pawns):
        raise Refused("bad_request", field="pawns")
    _hold(state, command.player, Card.HELICOPTER_LIFT)
    starts = {state.pawns[role] for role in command.pawns}
    if len(starts) > 1:
        raise Refused("not_here", player=command.pawns[1])
    _stand(state, command.to)
    if command.to in starts:
        raise Refused("not_allowed", tile=command.to)


def _check_lift_off(state: State, command: c.LiftOff) -> None:
    _hold(state, command.player, Card.HELICOPTER_LIFT)
    if len(state.captured) < len(TREASURE_TILES):
        raise Refused("not_allowed")
    for role, tile in state.pawns.items():
        if tile is not Tile.FOOLS_LANDING:
            raise Refused("not_here", player=role)


def _check_swim(state: State, command: c.Swim) -> None:
    if command.player not in state.swimming:
        raise Refused("not_allowed")
    _stand(state, command.to)
    if command.to not in exits(state, command.player):
        raise Refused("not_adjacent", tile=command.to)


def _refuse(_state: State, _command: c.Command) -> None:
    raise Refused("not_allowed")


CHECKS: dict[type, Callable[[State, Any], None]] = {
    c.Move: _check_move,
    c.Fly: _check_fly,
    c.Navigate: _check_navigate,
    c.ShoreUp: _check_shore_up,
    c.Give: _check_give,
    c.Capture: _check_capture,
    c.EndActions: _check_end_actions,
    c.DrawTreasure: check_draw,
    c.DrawFlood: check_draw,
    c.Discard: _check_discard,
    c.Sandbags: _check_sandbags,
    c.HelicopterLift: _check_helicopter_lift,
    c.LiftOff: _check_lift_off,
    c.Swim: _check_swim,
    c.Settle: _refuse,
    c.Reshuffle: _refuse,
}
