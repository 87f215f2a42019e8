"""Every legal command of a position: the only source of legality (``decide`` accepts exactly these)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from companion.rules.forbidden_island import reduced
from companion.rules.forbidden_island.commands import (
    Capture,
    Command,
    Discard,
    DrawFlood,
    DrawTreasure,
    EndActions,
    Fly,
    Give,
    HelicopterLift,
    LiftOff,
    Move,
    Navigate,
    Sandbags,
    ShoreUp,
    Swim,
)
from companion.rules.forbidden_island.components import (
    CARDS_TO_CAPTURE,
    TREASURE_CARD,
    TREASURE_OF_CARD,
    TREASURE_OF_TILE,
    TREASURE_TILES,
    Card,
    Phase,
    Role,
    Tile,
    Tracking,
    Treasure,
)
from companion.rules.forbidden_island.reach import exits, flights, navigations, shorable, walks
from companion.rules.forbidden_island.state import State


def legal(state: State) -> tuple[Command, ...]:
    """Every legal command once; draws name their card. Empty when the game is over."""
    if state.over:
        return ()
    if state.tracking is not Tracking.EVERYTHING:
        return tuple(reduced.legal(state))
    if state.swimming:
        return (*_swims(state), *_lifts(state, state.swimming))
    if state.over_limit:
        return (*_discards(state), *_specials(state))
    return (*_phase_commands(state), *_specials(state))


def _phase_commands(state: State) -> Iterator[Command]:
    if state.phase is Phase.ACTIONS:
        if state.actions_left:
            yield from _actions(state)
        yield EndActions()
    elif state.phase is Phase.TREASURE:
        yield from (DrawTreasure(Card(card)) for card in sorted(set(state.next_treasure_cards)))
    else:
        yield from (DrawFlood(Tile(tile)) for tile in sorted(set(state.next_flood_cards)))


def _actions(state: State) -> Iterator[Command]:
    role = state.active
    yield from (Move(tile) for tile in sorted(walks(state, role)))
    if role is Role.PILOT and not state.flown:
        yield from (Fly(tile) for tile in sorted(flights(state)))
    if role is Role.NAVIGATOR:
        others = (other for other in state.players if other is not role)
        yield from (Navigate(other, tile) for other in others for tile in sorted(navigations(state, other)))
    yield from _shore_ups(state, role)
    yield from _gifts(state, role)
    yield from (Capture(treasure) for treasure in capturable(state, role))


def _shore_ups(state: State, role: Role) -> Iterator[Command]:
    near = shorable(state, role)
    yield from (ShoreUp((tile,)) for tile in near)
    if role is Role.ENGINEER:
        yield from (ShoreUp(pair) for pair in combinations(near, 2))


def _gifts(state: State, role: Role) -> Iterator[Command]:
    cards = [card for card in TREASURE_OF_CARD if card in state.hands[role]]
    yield from (Give(card, other) for other in receivers(state, role) for card in cards)


def receivers(state: State, role: Role) -> tuple[Role, ...]:
    """Whom this role can give cards to: those on its tile, or anyone for the Messenger."""
    here = state.pawns[role]
    return tuple(
        other for other in state.players if other is not role and (role is Role.MESSENGER or state.pawns[other] is here)
    )


def capturable(state: State, role: Role) -> tuple[Treasure, ...]:
    """The treasure that this role can capture here and now, if any."""
    treasure = TREASURE_OF_TILE.get(state.pawns[role])
    if treasure is None or treasure in state.captured:
        return ()
    return (treasure,) if state.hands[role].count(TREASURE_CARD[treasure]) >= CARDS_TO_CAPTURE else ()


def _swims(state: State) -> Iterator[Command]:
    yield from (Swim(role, tile) for role in state.swimming for tile in sorted(exits(state, role)))


def _discards(state: State) -> Iterator[Command]:
    for role in state.over_limit:
        yield from (Discard(card, role) for card in sorted(set(state.hands[role])))


def _specials(state: State) -> Iterator[Command]:
    for holder in state.holders(Card.SANDBAGS):
        yield from (Sandbags(holder, tile) for tile in state.flooded)
    yield from _lifts(state, state.players)
    if can_lift_off(state):
        yield from (LiftOff(holder) for holder in state.holders(Card.HELICOPTER_LIFT))


def _lifts(state: State, passengers: tuple[Role, ...]) -> Iterator[Command]:
    holders = state.holders(Card.HELICOPTER_LIFT)
    if not holders:
        return
    groups = [group for tile in Tile for group in _groups(state, tile, passengers)]
    for holder in holders:
        for start, pawns in groups:
            yield from (HelicopterLift(holder, pawns, tile) for tile in state.standing if tile is not start)


def _groups(state: State, tile: Tile, passengers: tuple[Role, ...]) -> Iterator[tuple[Tile, tuple[Role, ...]]]:
    """Every group of pawns, in seat order, that one helicopter can take from a tile."""
    here = tuple(role for role in state.on(tile) if role in passengers)
    for size in range(1, len(here) + 1):
        yield from ((tile, pawns) for pawns in combinations(here, size))


def can_lift_off(state: State) -> bool:
    """Whether all treasures are captured and all pawns stand on Fools' Landing."""
    return len(state.captured) == len(TREASURE_TILES) and set(state.pawns.values()) == {Tile.FOOLS_LANDING}
