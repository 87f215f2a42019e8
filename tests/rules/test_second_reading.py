"""The companion's rules against an independent second reading of the same pages."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from companion.rules.game import Refused

from .examples import examples
from .positions import GAME, after, key, normal, playout, some_position, some_start
from .second_reading.box import ROLES, SILHOUETTE, Position
from .second_reading.orders import legal, over_limit, sayable
from .second_reading.play import DONE as PLAYED
from .second_reading.play import play
from .second_reading.water import landfall

NUMBERS = st.integers(min_value=0, max_value=2**32)
CODES = {
    "bad_request",
    "not_your_turn",
    "wrong_phase",
    "no_actions_left",
    "not_adjacent",
    "tile_sunk",
    "not_flooded",
    "not_held",
    "hand_full",
    "must_discard",
    "must_swim",
    "not_here",
    "already_captured",
    "not_enough_cards",
    "game_over",
    "card_not_possible",
    "not_allowed",
}
"""What the protocol lets a command be refused with."""


@cache
def _universe() -> dict[str, Any]:
    return {key(order): GAME.read_command(order) for order in sayable()}


def _listed(state: Any) -> list[str]:
    return sorted(key(GAME.command_json(command)) for command in GAME.legal(state))


@examples(150)
@given(NUMBERS)
def test_any_sound_position_can_be_loaded_and_comes_back_the_same(number: int) -> None:
    p = some_position(number)
    state = GAME.read_state(p)
    assert GAME.faults(state) == ()
    assert normal(GAME.state_json(state)) == normal(p)


@examples(250)
@given(NUMBERS)
def test_both_readings_list_the_same_legal_commands_in_any_position(number: int) -> None:
    p = some_position(number)
    assert _listed(GAME.read_state(p)) == sorted(map(key, legal(p)))


@examples(40)
@given(NUMBERS)
def test_of_all_that_can_be_said_exactly_the_legal_commands_are_accepted(number: int) -> None:
    p = some_position(number)
    state = GAME.read_state(p)
    accepted = []
    for text, command in _universe().items():
        try:
            GAME.decide(state, command)
        except Refused as refused:
            assert refused.code in CODES
        else:
            accepted.append(text)
    assert sorted(accepted) == sorted(map(key, legal(p)))
    assert normal(GAME.state_json(state)) == normal(p)


@examples(120)
@given(NUMBERS)
def test_both_readings_agree_on_what_each_legal_command_leads_to(number: int) -> None:
    p = some_position(number)
    state = GAME.read_state(p)
    orders = legal(p)
    for order in Random(number).sample(orders, min(len(orders), 40)):
        result = after(state, GAME.decide(state, GAME.read_command(order)))
        assert normal(GAME.state_json(result)) == normal(play(p, order)), order
        assert GAME.faults(result) == (), order


@examples(12)
@given(NUMBERS)
def test_both_readings_agree_all_through_a_game(number: int) -> None:
    rng = Random(number)
    start = some_start(rng)
    p = GAME.state_json(start)
    for _before, command, _events, result in playout(rng, start):
        p = play(p, GAME.command_json(command))
        assert normal(GAME.state_json(result)) == normal(p)
    assert p["phase"] in ("won", "lost")


def test_the_positions_compared_are_of_every_kind() -> None:
    seen = Counter(kind for number in range(500) for kind in _kinds(some_position(number)))
    assert min(seen[kind] for kind in KINDS_SEEN) >= 3, seen


KINDS_SEEN = (
    *(f"{phase} of {role}" for phase in ("actions", "treasure", "flood") for role in ROLES),
    *(f"{role} swims" for role in ROLES),
    *SILHOUETTE,
    *PLAYED,
    "two swim",
    "a lift while swimming",
    "two hands over the limit",
    "stacked decks",
    "nowhere to swim but a lift",
)


def _kinds(p: Position) -> set[str]:
    orders = legal(p)
    kinds = {f"{p['phase']} of {p['active']}", p["island"], *(f"{role} swims" for role in p["swimming"])}
    kinds |= {order["do"] for order in orders}
    lifts = any(order["do"] == "helicopter_lift" for order in orders)
    found = {
        "two swim": len(p["swimming"]) > 1,
        "a lift while swimming": bool(p["swimming"]) and lifts,
        "two hands over the limit": len(over_limit(p)) > 1,
        "stacked decks": len(p["flood_deck"]) > 1 and len(p["treasure_deck"]) > 1,
        "nowhere to swim but a lift": any(not landfall(p, role) for role in p["swimming"]),
    }
    return kinds | {kind for kind, holds in found.items() if holds}
