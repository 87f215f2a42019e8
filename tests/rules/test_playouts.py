"""What holds all through any game, however it is tracked."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.forbidden_island.state import State
from companion.rules.game import Refused

from .examples import examples
from .positions import GAME, after, playout, some_start, unhalted
from .second_reading.box import TILES, TREASURE_DECK, TREASURES
from .second_reading.orders import sayable

NUMBERS = st.integers(min_value=0, max_value=2**32)
TRACKINGS = st.sampled_from(("everything", "everything", "island", "cards"))
LONGEST = 5000
UNTRACKED = ("helicopter_lift", "navigate", "sandbags", "swim", "fly", "move")


def _said(value: Any) -> Any:
    """What arrives at the other end of a line of JSON."""
    return json.loads(json.dumps(value))


def _cards(state: State) -> list[str]:
    held = [card for hand in state.hands.values() for card in hand]
    return sorted([*state.treasure_deck.cards, *state.treasure_discard, *held, *state.pool])


@examples(40)
@given(NUMBERS, TRACKINGS)
def test_cards_and_tiles_are_conserved_and_no_position_has_a_fault(number: int, tracking: str) -> None:
    rng = Random(number)
    for _before, _command, _events, state in playout(rng, some_start(rng, tracking=tracking)):
        assert GAME.faults(state) == ()
        assert _cards(state) == TREASURE_DECK
        assert sorted([*state.flood_deck.cards, *state.flood_discard, *state.flood_removed]) == TILES
        assert all(
            zone == tuple(sorted(zone)) and zone for zone in (*state.flood_deck.zones, *state.treasure_deck.zones)
        )
        sunk = {tile for tile, condition in state.tiles.items() if condition == "sunk"}
        assert set(state.flood_removed) == sunk
        assert not set(state.pawns.values()) & sunk or state.swimming or state.phase == "lost"


@examples(25)
@given(NUMBERS, TRACKINGS)
def test_a_game_ends_or_goes_on(number: int, tracking: str) -> None:
    rng = Random(number)
    start = some_start(rng, tracking=tracking)
    state, turn = start, 1
    for _before, _command, _events, state in playout(rng, start, LONGEST):
        assert (GAME.outcome(state) is None) == bool(GAME.legal(state))
        assert GAME.turn(state) in (turn, turn + 1)
        turn = GAME.turn(state)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.won == (state.phase == "won")
    assert outcome.reason == state.lost_by


@examples(15)
@given(NUMBERS, TRACKINGS)
def test_positions_commands_and_events_survive_json(number: int, tracking: str) -> None:
    rng = Random(number)
    start = some_start(rng, tracking=tracking)
    folded = start
    for _before, command, events, state in playout(rng, start):
        assert GAME.read_command(_said(GAME.command_json(command))) == command
        read = tuple(GAME.read_event(_said(GAME.event_json(event))) for event in events)
        assert read == events
        folded = after(folded, read)
        assert folded == state
        if rng.random() < 0.2 or state.over:
            assert GAME.read_state(_said(GAME.state_json(state))) == unhalted(state)


@examples(12)
@given(NUMBERS, TRACKINGS)
def test_every_legal_command_is_listed_once_and_accepted(number: int, tracking: str) -> None:
    rng = Random(number)
    for before, _command, _events, _state in playout(rng, some_start(rng, tracking=tracking), 60):
        commands = GAME.legal(before)
        assert len({str(GAME.command_json(command)) for command in commands}) == len(commands)
        for command in commands:
            assert GAME.decide(before, command)


def _reduced_universe() -> list[Any]:
    orders = [order for order in sayable() if order["do"] not in UNTRACKED or crc32(str(order).encode()) % 50 == 0]
    loose = [{key: value for key, value in order.items() if key != "player"} for order in orders]
    loose = [order for order in loose if order["do"] in ("discard", "lift_off")]
    settled = [{"do": "settle", "tile": tile, "sank": sank} for tile in TILES for sank in (True, False)]
    unique = {str(order): order for order in (*orders, *loose, *settled, {"do": "reshuffle"})}
    return [GAME.read_command(order) for order in unique.values()]


@pytest.mark.parametrize("tracking", ["island", "cards"])
@pytest.mark.parametrize("number", range(2))
def test_with_reduced_tracking_exactly_the_listed_commands_are_accepted(tracking: str, number: int) -> None:
    rng = Random(number)
    universe = _reduced_universe()
    for before, _command, _events, _state in playout(rng, some_start(rng, tracking=tracking), 40):
        listed = Counter(GAME.legal(before))
        assert listed <= Counter(universe)
        for command in universe:
            try:
                GAME.decide(before, command)
            except Refused:
                assert command not in listed
            else:
                assert command in listed


@pytest.mark.parametrize("number", range(4))
def test_a_finished_game_refuses_everything_but_corrections(number: int) -> None:
    rng = Random(number)
    *_, (before, command, _events, state) = playout(rng, some_start(rng), LONGEST)
    for late in (command, *GAME.legal(before)):
        with pytest.raises(Refused) as refused:
            GAME.decide(state, late)
        assert refused.value.code == "game_over"
    assert GAME.decide(state, GAME.read_command({"do": "correct", "water": 1}))


def test_all_ways_to_end_are_met_in_random_games() -> None:
    met = set()
    for number in range(40):
        rng = Random(number)
        start = some_start(rng)
        home = (
            {"captured": TREASURES, "pawns": dict.fromkeys(start.players, "fools_landing")} if number % 4 == 0 else {}
        )
        start = GAME.arrange(start, {"water": 4 + number % 6, **home})
        *_, (_before, _command, _events, state) = playout(rng, start, LONGEST)
        met.add(state.lost_by or state.phase)
    assert met == {"won", "fools_landing_sank", "treasure_sank", "drowned", "water_level"}
