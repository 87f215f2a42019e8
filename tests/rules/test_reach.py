"""Moves, dives, flights, navigations, shoring up and swims, against a list of all paths on any island."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from companion.rules.forbidden_island import reach
from companion.rules.forbidden_island.components import Role
from companion.rules.forbidden_island.state import State

from .examples import examples
from .positions import GAME, some_position
from .second_reading.box import ROLES, TREASURE_DECK, Position
from .second_reading.water import dive, flight, landfall, navigated, own_move, shored

NUMBERS = st.integers(min_value=0, max_value=2**32)
ANY_ROLE = st.sampled_from(ROLES)


def _alone(number: int, role: str, tile: str | None) -> tuple[Position, State]:
    """A random sea with this role on ``tile`` (None: in the water of a sunk one) and a companion ashore."""
    p = some_position(number)
    mate = "pilot" if role != "pilot" else "diver"
    sunk = [tile for tile, condition in p["tiles"].items() if condition == "sunk"]
    here = tile or (sunk[number % len(sunk)] if sunk else "fools_landing")
    swims = p["tiles"][here] == "sunk"
    p |= {
        "players": [role, mate],
        "active": role,
        "flown": False,
        "phase": "flood" if swims else "actions",
        "actions_left": 0 if swims else 3,
        "draws_left": 1 if swims else 0,
        "pawns": {role: here, mate: "fools_landing"},
        "hands": {role: [], mate: ["helicopter_lift"]},
        "treasure_deck": [_less(TREASURE_DECK, "helicopter_lift")],
        "treasure_discard": [],
        "swimming": [role] if swims else [],
    }
    return p, GAME.read_state(p)


def _less(cards: list[str], card: str) -> list[str]:
    rest = list(cards)
    rest.remove(card)
    return rest


def _ashore(number: int, role: str) -> tuple[Position, State]:
    p = some_position(number)
    standing = [tile for tile, condition in p["tiles"].items() if condition != "sunk"]
    return _alone(number, role, Random(number).choice(standing))


@examples(200)
@given(NUMBERS, ANY_ROLE)
def test_a_role_walks_and_dives_exactly_where_some_path_leads(number: int, role: str) -> None:
    p, state = _ashore(number, role)
    assert reach.walks(state, Role(role)) == own_move(p, role)


@examples(100)
@given(NUMBERS)
def test_the_diver_passes_wet_places_only(number: int) -> None:
    p, state = _ashore(number, "diver")
    assert reach.walks(state, Role.DIVER) == dive(p)


@examples(100)
@given(NUMBERS)
def test_the_pilot_flies_where_no_walk_leads(number: int) -> None:
    p, state = _ashore(number, "pilot")
    flights = reach.flights(state)
    assert flights == flight(p)
    assert not flights & reach.walks(state, Role.PILOT)


@examples(200)
@given(NUMBERS, ANY_ROLE)
def test_the_navigator_moves_a_pawn_along_any_path_of_one_or_two_steps(number: int, role: str) -> None:
    p, state = _ashore(number, role)
    assert reach.navigations(state, Role(role)) == navigated(p, role)


@examples(100)
@given(NUMBERS, ANY_ROLE)
def test_a_role_shores_up_flooded_tiles_within_its_arms(number: int, role: str) -> None:
    p, state = _ashore(number, role)
    assert list(reach.shorable(state, Role(role))) == sorted(shored(p, role))


@examples(200)
@given(NUMBERS, ANY_ROLE)
def test_a_swimmer_gets_out_exactly_where_the_distances_say(number: int, role: str) -> None:
    p, state = _alone(number, role, None)
    if state.swimming:
        assert reach.exits(state, Role(role)) == landfall(p, role)
