"""Play with reduced tracking: *cards only* or *island*, where pawns and hands are the table's own business.

The companion deals and keeps the water and the piles. Cards that were dealt lie in one pool, whoever holds them. With
*island* tracking the table tells every tile that is shored up; with *cards only* it need not, and a flood card whose
tile is believed flooded asks whether it sank. When the treasure deck runs out the table tells which cards lie in the
discards (``discard``), then has them shuffled (``reshuffle``).
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules.forbidden_island import commands as c
from companion.rules.forbidden_island.components import (
    CARDS_TO_CAPTURE,
    TREASURE_CARD,
    TREASURE_TILES,
    Card,
    Phase,
    Tile,
    Tracking,
    Treasure,
)
from companion.rules.forbidden_island.state import State
from companion.rules.game import Refused


def legal(state: State) -> Iterator[c.Command]:
    """Every legal command once, of a game that is not over."""
    if state.asked is not None:
        yield from (c.Settle(state.asked, sank) for sank in (True, False))
        return
    yield from _phase_commands(state)
    if state.tracking is Tracking.ISLAND:
        yield from (c.ShoreUp((tile,)) for tile in state.flooded)
    yield from (c.Capture(treasure) for treasure in Treasure if _capturable(state, treasure))
    yield from (c.Discard(card) for card in sorted(set(state.pool)))
    if _can_lift_off(state):
        yield c.LiftOff()


def _phase_commands(state: State) -> Iterator[c.Command]:
    if state.phase is Phase.ACTIONS:
        yield c.EndActions()
    elif state.phase is Phase.TREASURE and state.treasure_deck:
        yield from (c.DrawTreasure(Card(card)) for card in sorted(set(state.treasure_deck.top)))
    elif state.phase is Phase.FLOOD:
        yield from (c.DrawFlood(Tile(tile)) for tile in sorted(set(state.next_flood_cards)))
    if not state.treasure_deck and state.treasure_discard:
        yield c.Reshuffle()


def _capturable(state: State, treasure: Treasure) -> bool:
    return treasure not in state.captured and state.pool.count(TREASURE_CARD[treasure]) >= CARDS_TO_CAPTURE


def _can_lift_off(state: State) -> bool:
    return len(state.captured) == len(TREASURE_TILES) and Card.HELICOPTER_LIFT in state.pool


def check(state: State, command: c.Command) -> None:
    """Raise Refused unless ``command`` is legal."""
    if state.over:
        raise Refused("game_over")
    if command in tuple(legal(state)):
        return
    if state.asked is not None:
        raise Refused("must_settle", tile=state.asked)
    raise Refused(_reason(state, command))


def _reason(state: State, command: c.Command) -> str:
    if isinstance(command, c.DrawTreasure | c.DrawFlood) and command.card is None:
        return "bad_request"
    match command:
        case c.EndActions():
            return "wrong_phase"
        case c.DrawTreasure() | c.DrawFlood():
            due = Phase.TREASURE if isinstance(command, c.DrawTreasure) else Phase.FLOOD
            return "card_not_possible" if state.phase is due else "wrong_phase"
        case c.Discard(player=None):
            return "not_held"
        case c.Capture(treasure):
            return "already_captured" if treasure in state.captured else "not_enough_cards"
    return _shore_up_reason(state, command)


def _shore_up_reason(state: State, command: c.Command) -> str:
    match command:
        case c.ShoreUp((tile,)) if state.tracking is Tracking.ISLAND:
            return "not_flooded" if state.stands(tile) else "tile_sunk"
    return "not_allowed"
