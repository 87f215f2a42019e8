"""Corrections: the table is believed, cards and tiles stay conserved, the outcome is judged anew."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.forbidden_island.state import State
from companion.rules.game import Refused

from .examples import examples
from .positions import CONDITIONS, GAME, after, normal, playout, some_position, some_start, unhalted
from .second_reading.box import ROLES, TILES, TREASURE_DECK, TREASURES, Position
from .second_reading.play import loss

NUMBERS = st.integers(min_value=0, max_value=2**32)


def _some_correction(rng: Random, p: Position) -> dict[str, Any]:
    """Some parts that a table may want, now and then one that cannot be."""
    standing = [tile for tile in TILES if p["tiles"][tile] != "sunk"]
    free = [card for card in TREASURE_DECK if card != "waters_rise"]
    parts: dict[str, Any] = {
        "tiles": {tile: rng.choice(CONDITIONS) for tile in rng.sample(TILES, rng.randint(1, 4))},
        "pawns": {rng.choice(p["players"]): rng.choice(standing)},
        "hands": {role: rng.sample(free, rng.randint(0, 6)) for role in rng.sample(p["players"], rng.randint(1, 2))},
        "water": rng.randint(1, 10),
        "active": rng.choice(p["players"]),
        "actions_left": rng.randint(0, 3),
        "captured": rng.sample(TREASURES, rng.randint(0, 4)),
    }
    named = rng.sample(sorted(parts), rng.randint(1, 3))
    return {"do": "correct", **{name: parts[name] for name in named}}


def _corrected(state: State, correction: dict[str, Any]) -> State:
    return after(state, GAME.decide(state, GAME.read_command(correction)))


def _all_cards(p: Position) -> list[str]:
    held = [card for hand in p["hands"].values() for card in hand]
    return sorted([*held, *p["treasure_discard"], *(card for zone in p["treasure_deck"] for card in zone)])


def _be_as_told(p: Position, before: Position, told: dict[str, Any]) -> None:
    for part in ("tiles", "pawns", "hands"):
        expected = {**before[part], **told.get(part, {})}
        assert normal(p)[part] == normal({**before, part: expected})[part]
    for part in ("water", "active", "captured"):
        assert p[part] == told.get(part, before[part])


@examples(300)
@given(NUMBERS)
def test_a_correction_is_believed_and_judged(number: int) -> None:
    rng = Random(number)
    before = some_position(number)
    state = GAME.read_state(before)
    told = _some_correction(rng, before)
    try:
        corrected = _corrected(state, told)
    except Refused as refused:
        assert refused.code in ("tile_sunk", "card_not_possible")
        return
    p = GAME.state_json(corrected)
    assert GAME.faults(corrected) == ()
    assert p["lost_by"] == loss(p)
    assert _all_cards(p) == TREASURE_DECK
    in_piles = [*p["flood_discard"], *p["flood_removed"], *(tile for zone in p["flood_deck"] for tile in zone)]
    assert sorted(in_piles) == TILES
    assert bool(GAME.legal(corrected)) == (p["phase"] not in ("won", "lost"))
    if p["phase"] != "lost" and p["turn"] == before["turn"]:
        _be_as_told(p, before, told)


@examples(30)
@given(NUMBERS)
def test_a_game_may_be_corrected_at_any_time_and_goes_on(number: int) -> None:
    rng = Random(number)
    state = some_start(rng)
    for _ in range(12):
        played = list(playout(rng, state, rng.randint(1, 30)))
        state = played[-1][-1] if played else state
        try:
            state = _corrected(state, _some_correction(rng, GAME.state_json(state)))
        except Refused:
            continue
        assert GAME.faults(state) == ()
        assert GAME.read_state(GAME.state_json(state)) == unhalted(state)


@examples(60)
@given(NUMBERS)
def test_a_loaded_loss_can_be_corrected_as_well(number: int) -> None:
    p = some_position(number)
    lost = _corrected(GAME.read_state(p), {"do": "correct", "water": 10})
    loaded = GAME.read_state(GAME.state_json(lost))
    live = _corrected(loaded, {"do": "correct", "water": p["water"]})
    assert GAME.faults(live) == ()
    assert GAME.outcome(live) is None
    assert GAME.legal(live)


@pytest.mark.parametrize(("actions", "turn", "phase"), [(2, 1, "actions"), (0, 2, "actions")])
def test_a_loaded_loss_goes_on_with_the_actions_left_or_the_next_turn(actions: int, turn: int, phase: str) -> None:
    start = some_start(Random(1), players=["explorer", "pilot"])
    lost = GAME.state_json(_corrected(start, {"do": "correct", "water": 10})) | {"actions_left": actions}
    live = _corrected(GAME.read_state(lost), {"do": "correct", "water": 5})
    assert (live.phase, live.turn, live.actions_left) == (phase, turn, actions or 3)


@examples(60)
@given(NUMBERS)
def test_a_loss_corrected_away_goes_on_exactly_where_it_stood(number: int) -> None:
    p = some_position(number)
    state = GAME.read_state(p)
    lost = _corrected(state, {"do": "correct", "water": 10})
    assert lost.phase == "lost"
    assert _corrected(lost, {"do": "correct", "water": p["water"]}) == state


@pytest.mark.parametrize(
    ("told", "code"),
    [
        ({}, "bad_request"),
        ({"water": 0}, "bad_request"),
        ({"water": 11}, "bad_request"),
        ({"actions_left": -1}, "bad_request"),
        ({"actions_left": 4}, "bad_request"),
        ({"captured": ["earth_stone", "earth_stone"]}, "bad_request"),
        ({"turn": 4}, "bad_request"),
        ({"phase": "flood"}, "bad_request"),
        ({"pawns": {"pilot": "watchtower"}}, "tile_sunk"),
        ({"pawns": {"pilot": "misty_marsh"}, "tiles": {"misty_marsh": "sunk"}}, "tile_sunk"),
        ({"pawns": {"diver": "gold_gate"}}, "not_allowed"),
        ({"hands": {"diver": []}}, "not_allowed"),
        ({"active": "diver"}, "not_allowed"),
        ({"hands": {"pilot": ["waters_rise"]}}, "not_allowed"),
        ({"hands": {"pilot": ["sandbags"] * 3}}, "card_not_possible"),
        ({"hands": {"pilot": ["earth_stone"] * 5}}, "card_not_possible"),
        ({"hands": {"pilot": ["helicopter_lift"] * 2, "explorer": ["helicopter_lift"] * 2}}, "card_not_possible"),
    ],
)
def test_a_correction_that_cannot_be_is_refused(told: dict[str, Any], code: str) -> None:
    start = some_start(Random(1), players=["explorer", "pilot"])
    state = GAME.arrange(start, {"tiles": {"watchtower": "sunk"}, "hands": {"explorer": ["earth_stone"]}})
    with pytest.raises(Refused) as refused:
        _corrected(state, {"do": "correct", **told})
    assert refused.value.code == code


def test_a_pawn_may_be_put_on_a_tile_that_the_same_correction_brings_back() -> None:
    state = GAME.arrange(some_start(Random(1), players=ROLES[:2]), {"tiles": {"watchtower": "sunk"}})
    told = {"do": "correct", "tiles": {"watchtower": "dry"}, "pawns": {ROLES[0]: "watchtower"}}
    assert _corrected(state, told).pawns[state.players[0]] == "watchtower"


def test_cards_may_change_hands_in_one_correction() -> None:
    state = GAME.arrange(some_start(Random(1), players=["explorer", "pilot"]), {"hands": {"pilot": ["sandbags"] * 2}})
    swapped = _corrected(state, {"do": "correct", "hands": {"pilot": [], "explorer": ["sandbags"] * 2}})
    assert GAME.state_json(swapped)["hands"] == {"explorer": ["sandbags"] * 2, "pilot": []}
    assert (swapped.treasure_deck, swapped.treasure_discard) == (state.treasure_deck, state.treasure_discard)
