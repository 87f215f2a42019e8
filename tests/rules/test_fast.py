"""The fast positions are the rules: command by command, from any position, to the end of any game."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.forbidden_island.fast.codes import Names
from companion.rules.forbidden_island.fast.convert import differences, fast, names
from companion.rules.forbidden_island.fast.count import count
from companion.rules.forbidden_island.fast.placed import LOST
from companion.rules.forbidden_island.fast.position import Position
from companion.rules.forbidden_island.state import State

from .examples import examples
from .positions import GAME, after, some_position, some_start

NUMBERS = st.integers(min_value=0, max_value=2**32)
POSITIONS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "perft.json").read_text(encoding="utf-8"))


def listed(known: Names, codes: list[int]) -> list[str]:
    return sorted(repr(known.command(code)) for code in codes)


def agree(state: State, position: Position) -> None:
    assert differences(state, position) == ()
    assert listed(names(state), position.legal()) == sorted(map(repr, GAME.legal(state)))


def done(state: State, position: Position, code: int) -> State:
    """One command in both."""
    state = after(state, GAME.decide(state, names(state).command(code)))
    position.play(code)
    agree(state, position)
    return state


@examples(150)
@given(NUMBERS)
def test_every_command_of_any_position_does_the_same(number: int) -> None:
    state = GAME.read_state(some_position(number))
    position = fast(state)
    agree(state, position)
    saved, codes = position.save(), position.legal()
    for code in Random(number).sample(codes, min(len(codes), 8)):
        done(state, position, code)
        position.restore(saved)
    agree(state, position)


@examples(25)
@given(NUMBERS)
def test_a_whole_game_goes_the_same_way(number: int) -> None:
    rng = Random(number)
    state = some_start(rng)
    position = fast(state)
    while codes := position.legal():
        state = done(state, position, rng.choice(codes))
    assert state.over


@pytest.mark.parametrize("position", POSITIONS, ids=[position["name"] for position in POSITIONS])
def test_the_golden_counts_are_the_same(position: dict[str, Any]) -> None:
    start = fast(GAME.arrange(GAME.start(position["setup"]), position["set"]))
    before = start.save()
    nodes = [*position["nodes"], *position.get("deeper", ())]
    assert [count(start, depth + 1) for depth in range(len(nodes))] == nodes
    assert start.save() == before


def test_a_game_that_ends_with_a_full_hand_asks_for_no_discard() -> None:
    position = fast(some_start(Random(1)))
    position.over, position.phase = 1, LOST
    assert position.legal() == []


def test_a_copy_goes_its_own_way() -> None:
    start = fast(some_start(Random(1)))
    twin = start.copy()
    twin.play(twin.legal()[0])
    assert twin.save() != start.save()
    assert start.save() == fast(some_start(Random(1))).save()


def test_a_game_without_pawns_and_hands_is_refused_with_its_reason() -> None:
    with pytest.raises(ValueError, match="tracks island"):
        fast(some_start(Random(1), tracking="island"))
