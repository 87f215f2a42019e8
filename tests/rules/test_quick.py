"""The game for programs: the dealer deals as the rules do, no answer is illegal, nothing is ever lost or doubled."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.forbidden_island.fast.convert import differences, fast, state
from companion.rules.forbidden_island.fast.position import Position
from companion.rules.forbidden_island.fast.tables import ONE
from companion.rules.game import Refused
from companion.rules.registry import QUICK

from .examples import examples
from .positions import GAME, some_position

NUMBERS = st.integers(min_value=0, max_value=2**32)
QUICKLY = QUICK[GAME.name]
ROLES = ("diver", "engineer", "explorer", "messenger", "navigator", "pilot")


def some_setup(rng: Random) -> dict[str, Any]:
    return {
        "players": rng.sample(ROLES, rng.randint(2, 4)),
        "difficulty": rng.choice(("novice", "normal", "elite", "legendary")),
        "island": rng.choice(("classic", "atoll_of_decisions", "volcano_island", "skull_island")),
    }


@examples(40)
@given(NUMBERS)
def test_the_first_position_is_what_the_rules_make_of_the_same_chances(number: int) -> None:
    setup = some_setup(Random(number))
    chance = Random(number).random

    def pick(_purpose: str, options: Sequence[str]) -> str:
        return options[int(chance() * len(options))]

    dealt = QUICKLY.deal(setup, Random(number).random)
    assert differences(GAME.start(GAME.complete(setup, pick)), dealt) == ()


def test_named_tiles_floods_and_hands_are_dealt_as_named() -> None:
    setup = GAME.complete({"players": ["diver", "pilot"], "difficulty": "elite"}, lambda _, options: options[-1])
    assert differences(GAME.start(setup), QUICKLY.deal(setup, Random(1).random)) == ()
    with pytest.raises(Refused):
        QUICKLY.deal({"players": ["diver"], "difficulty": "novice"}, Random(1).random)


@examples(100)
@given(NUMBERS)
def test_a_position_becomes_a_state_of_the_rules_and_that_the_same_position(number: int) -> None:
    position = fast(GAME.read_state(some_position(number)))
    again = state(position)
    assert differences(again, position) == ()
    assert GAME.faults(again) == ()


@examples(60)
@given(NUMBERS)
def test_draws_come_from_the_zone_that_is_next_each_card_as_often_as_it_lies_there(number: int) -> None:
    position = fast(GAME.read_state(some_position(number)))
    code = QUICKLY.draw(position, Random(number).random)
    if code is None:
        assert GAME.due(state(position)) is None
    else:
        assert code in position.legal()
        assert QUICKLY.draws(code)


@examples(150)
@given(NUMBERS)
def test_the_rules_of_thumb_always_have_a_legal_answer(number: int) -> None:
    position = fast(GAME.read_state(some_position(number)))
    policy, before = QUICKLY.policy(), position.save()
    own = tuple(policy.choose(position))
    options = policy.options(position, 12)
    assert options[0] == own
    assert len(set(options)) == len(options) <= 12
    assert 0 <= policy.forecast(position) <= 1
    assert position.save() == before
    for codes in options:
        position.restore(before)
        played(position, codes)


def played(position: Position, codes: Sequence[int]) -> None:
    """Play an answer; every code of it must be legal until something else comes first."""
    if not codes:
        assert QUICKLY.draw(position, lambda: 0.0) is not None
    for code in codes:
        assert code in position.legal(), QUICKLY.command(position, code)
        position.play(code)
        if QUICKLY.interrupted(position):
            return


@examples(25)
@given(NUMBERS)
def test_a_whole_game_of_it_is_sound_at_every_step(number: int) -> None:
    rng, policy = Random(number), QUICKLY.policy()
    position = QUICKLY.deal(some_setup(rng), rng.random)
    while not position.ended:
        codes = policy.choose(position)
        if codes:
            played(position, codes)
        else:
            position.play(QUICKLY.draw(position, rng.random) or 0)
        assert QUICKLY.faults(position) == ()
    outcome = QUICKLY.outcome(position)
    assert outcome == GAME.outcome(state(position))


@pytest.mark.parametrize(
    ("part", "value", "told"),
    [
        ("hands", [ONE[0] * 3, 0], "treasure cards"),
        ("flood_discard", 0, "flood cards"),
        ("flooded", 1, "dry and flooded"),
        ("flood_deck", (0,), "empty zone"),
        ("over", 1, "over the limit"),
        ("lost_by", 2, "reason"),
        ("actions", 0, "actions"),
        ("captured", 16, "treasure that there is not"),
        ("water", 11, "meter"),
        ("active", 7, "player"),
    ],
)
def test_what_cannot_be_is_found(part: str, value: Any, told: str) -> None:
    position = QUICKLY.deal({"players": ["diver", "pilot"], "difficulty": "novice"}, Random(5).random)
    if part == "flooded":
        value = position.dry & -position.dry | position.flooded
    setattr(position, part, value)
    assert any(told in fault for fault in QUICKLY.faults(position)), QUICKLY.faults(position)
