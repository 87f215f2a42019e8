"""What holds in every fast position, whatever was played."""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules.forbidden_island.components import FLOOD_CARDS_AT_MARK, HAND_LIMIT
from companion.rules.forbidden_island.fast.deal import WHOLE_DECK
from companion.rules.forbidden_island.fast.listing import ALL_TREASURES
from companion.rules.forbidden_island.fast.placed import ACTIONS, FLOOD, LOST, TREASURE, WON
from companion.rules.forbidden_island.fast.position import Position
from companion.rules.forbidden_island.fast.tables import SIZE


def faults(p: Position) -> tuple[str, ...]:
    """What is wrong with a position, in a few words each; empty for a sound one."""
    return (*_cards(p), *_sea(p), *_turn(p))


def _cards(p: Position) -> Iterator[str]:
    if sum(p.hands) + sum(p.treasure_deck) + p.treasure_discard != WHOLE_DECK:
        yield "treasure cards lost or doubled"
    if any(not zone for zone in (*p.treasure_deck, *p.flood_deck)):
        yield "an empty zone"
    if p.captured & ~ALL_TREASURES:
        yield "a treasure that there is not"
    over = sum(1 << seat for seat, hand in enumerate(p.hands) if hand >> SIZE > HAND_LIMIT)
    if over != p.over:
        yield "hands over the limit not as told"


def _sea(p: Position) -> Iterator[str]:
    standing = p.dry | p.flooded
    if p.dry & p.flooded:
        yield "a place both dry and flooded"
    seen = p.flood_discard
    for zone in p.flood_deck:
        if seen & zone:
            yield "a flood card twice"
        seen |= zone
    if seen != standing:
        yield "flood cards that are not those of the places that stand"
    afloat = (seat for seat, place in enumerate(p.pawns) if not standing >> place & 1)
    if p.phase < WON and any(not p.swimming >> seat & 1 for seat in afloat):
        yield "a pawn where no place is"
    lost = [pair for number, pair in enumerate(p.board.pairs) if not p.captured >> number & 1 and not pair & standing]
    if p.phase < LOST and (lost or not p.board.landing & standing):
        yield "a lost game that goes on"


def _turn(p: Position) -> Iterator[str]:
    if not 0 <= p.phase <= LOST or not 0 <= p.active < len(p.players):
        yield "a phase or player that there is not"
    if (p.phase == LOST) != bool(p.lost_by):
        yield "lost without a reason, or a reason without a loss"
    if not 1 <= p.water <= len(FLOOD_CARDS_AT_MARK) + 1:
        yield "a water level beyond the meter"
    if p.phase == ACTIONS and not 1 <= p.actions <= 3:
        yield "actions left over or missing"
    stuck = p.phase in (TREASURE, FLOOD) and not p.draws and not p.swimming and not p.over
    if stuck:
        yield "a turn that does not go on"
