"""Play with reduced tracking: *cards only* keeps water and piles, *island* the tiles too; the rest is the table's."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.rules.decks import Deck
from companion.rules.forbidden_island.components import Card, Condition, Role, Tile, Treasure
from companion.rules.forbidden_island.state import State
from companion.rules.game import Refused

from .positions import GAME, after, some_start
from .second_reading.box import TREASURE_DECK, TREASURES

SETUP = {"players": ["explorer", "pilot"], "difficulty": "novice", "island": "classic"}
HANDS = {"explorer": ["earth_stone", "earth_stone"], "pilot": ["earth_stone", "helicopter_lift"]}
FLOODED = ["watchtower", "observatory", "misty_marsh", "lost_lagoon", "gold_gate", "iron_gate"]
BOTH = pytest.mark.parametrize("tracking", ["cards", "island"])


def start(tracking: str, **changes: Any) -> State:
    state = some_start(Random(1), **SETUP, tracking=tracking, hands=HANDS, flooded=FLOODED)
    return replace(state, **changes)


def do(state: State, verb: str, **fields: Any) -> State:
    return after(state, GAME.decide(state, GAME.read_command({"do": verb, **fields})))


def code(state: State, verb: str, **fields: Any) -> str:
    with pytest.raises(Refused) as refused:
        do(state, verb, **fields)
    return refused.value.code


def verbs(state: State) -> set[str]:
    return {GAME.command_json(command)["do"] for command in GAME.legal(state)}


def drawing(tracking: str, *zones: list[str], left: int = 2, **changes: Any) -> State:
    """In the flood phase, these zones on top of the flood deck (a flooded tile's card is back in it)."""
    state = do(start(tracking), "end_actions")
    state = do(do(state, "draw_treasure", card="sandbags"), "draw_treasure", card="earth_stone")
    named = [tile for zone in zones for tile in zone]
    below = [tile for tile in state.flood_deck.cards if tile not in named]
    discard = tuple(tile for tile in state.flood_discard if tile not in named)
    return replace(state, flood_deck=Deck.of(*zones, below), flood_discard=discard, draws_left=left, **changes)


@BOTH
def test_hands_lie_in_one_pool_and_pawns_nowhere(tracking: str) -> None:
    state = start(tracking)
    assert (state.pawns, state.hands) == ({}, {})
    assert state.pool == ("earth_stone", "earth_stone", "earth_stone", "helicopter_lift")
    assert state.dealt[Role.PILOT] == ("earth_stone", "helicopter_lift")
    drawn = do(do(state, "end_actions"), "draw_treasure", card="sandbags")
    assert drawn.pool.count(Card.SANDBAGS) == 1
    assert drawn.draws_left == 1


@BOTH
def test_a_turn_goes_from_the_actions_to_the_cards_to_the_next_player(tracking: str) -> None:
    state = start(tracking)
    assert "draw_treasure" not in verbs(state)
    assert "end_actions" in verbs(state)
    state = do(state, "end_actions")
    assert (state.phase, state.draws_left) == ("treasure", 2)
    assert {"draw_treasure", "draw_flood", "end_actions"} & verbs(state) == {"draw_treasure"}
    state = do(do(state, "draw_treasure", card="waters_rise"), "draw_treasure", card="sandbags")
    assert (state.phase, state.draws_left, state.water) == ("flood", 2, 2)
    assert {"draw_treasure", "draw_flood", "end_actions"} & verbs(state) == {"draw_flood"}


@BOTH
@pytest.mark.parametrize(
    "command",
    [
        {"do": "move", "to": "watchtower"},
        {"do": "fly", "to": "watchtower"},
        {"do": "give", "card": "earth_stone", "to": "pilot"},
        {"do": "sandbags", "player": "pilot", "tile": "watchtower"},
        {"do": "helicopter_lift", "player": "pilot", "pawns": ["pilot"], "to": "watchtower"},
        {"do": "swim", "player": "pilot", "to": "watchtower"},
        {"do": "navigate", "player": "pilot", "to": "watchtower"},
        {"do": "correct", "pawns": {"pilot": "gold_gate"}},
        {"do": "correct", "hands": {"pilot": []}},
    ],
    ids=lambda command: command["do"],
)
def test_what_is_not_tracked_is_the_tables_own_business(tracking: str, command: dict[str, Any]) -> None:
    fields = {key: value for key, value in command.items() if key != "do"}
    assert code(start(tracking), command["do"], **fields) == "not_allowed"


def test_with_island_tracking_the_table_tells_which_tiles_are_shored_up() -> None:
    state = start("island")
    shored = do(state, "shore_up", tiles=["watchtower"])
    assert shored.tiles[Tile.WATCHTOWER] is Condition.DRY
    assert shored.actions_left == state.actions_left
    assert code(shored, "shore_up", tiles=["watchtower"]) == "not_flooded"
    sunk = do(shored, "correct", tiles={"watchtower": "sunk"})
    assert code(sunk, "shore_up", tiles=["watchtower"]) == "tile_sunk"
    assert code(start("cards"), "shore_up", tiles=["watchtower"]) == "not_allowed"


def test_with_island_tracking_a_flooded_tile_whose_card_comes_sinks() -> None:
    state = do(drawing("island", ["watchtower"]), "draw_flood", card="watchtower")
    assert state.tiles[Tile.WATCHTOWER] is Condition.SUNK
    assert state.flood_removed == ("watchtower",)
    assert state.asked is None


@pytest.mark.parametrize(("sank", "condition"), [(True, "sunk"), (False, "flooded")])
def test_with_cards_only_a_card_of_a_flooded_tile_asks_what_became_of_it(sank: bool, condition: str) -> None:
    asked = do(drawing("cards", ["watchtower"]), "draw_flood", card="watchtower")
    assert asked.asked == "watchtower"
    assert verbs(asked) == {"settle"}
    assert GAME.due(asked) is None
    for verb, fields in (("draw_flood", {"card": "gold_gate"}), ("end_actions", {}), ("discard", {"card": "sandbags"})):
        assert code(asked, verb, **fields) == "must_settle"
    assert code(asked, "settle", tile="observatory", sank=True) == "must_settle"
    settled = do(asked, "settle", tile="watchtower", sank=sank)
    assert settled.tiles[Tile.WATCHTOWER] == condition
    assert (Tile.WATCHTOWER in settled.flood_discard) is not sank
    assert (Tile.WATCHTOWER in settled.flood_removed) is sank
    assert (settled.asked, settled.phase, settled.draws_left) == (None, "flood", 1)
    assert code(settled, "settle", tile="watchtower", sank=True) == "not_allowed"


def test_the_turn_waits_for_the_answer_about_its_last_card() -> None:
    asked = do(drawing("cards", ["watchtower"], left=1), "draw_flood", card="watchtower")
    assert (asked.phase, asked.turn, asked.draws_left) == ("flood", 1, 0)
    assert GAME.faults(asked) == ()
    assert do(asked, "settle", tile="watchtower", sank=False).turn == 2


def test_with_cards_only_a_dry_tile_is_just_flooded() -> None:
    state = do(drawing("cards", ["phantom_rock"]), "draw_flood", card="phantom_rock")
    assert (state.tiles[Tile.PHANTOM_ROCK], state.asked) == ("flooded", None)


def test_the_flood_deck_that_runs_out_waits_for_the_answer() -> None:
    state = drawing("cards", ["watchtower"])
    state = replace(state, flood_deck=Deck.of(["watchtower"]), flood_discard=tuple(_all_but("watchtower")))
    asked = do(state, "draw_flood", card="watchtower")
    assert asked.flood_deck == Deck()
    settled = do(asked, "settle", tile="watchtower", sank=True)
    assert settled.flood_deck == Deck.of(_all_but("watchtower"))
    assert settled.flood_discard == ()


def _all_but(tile: str) -> list[Tile]:
    return [each for each in Tile if each != tile]


@BOTH
def test_a_treasure_takes_four_cards_of_the_pool(tracking: str) -> None:
    state = start(tracking)
    assert code(state, "capture", treasure="earth_stone") == "not_enough_cards"
    ready = do(do(state, "end_actions"), "draw_treasure", card="earth_stone")
    taken = do(ready, "capture", treasure="earth_stone")
    assert taken.captured == (Treasure.EARTH_STONE,)
    assert taken.pool == ("helicopter_lift",)
    assert taken.treasure_discard == ("earth_stone",) * 4
    assert code(taken, "capture", treasure="earth_stone") == "already_captured"


@BOTH
def test_a_card_of_the_pool_may_be_discarded_at_any_time(tracking: str) -> None:
    state = do(start(tracking), "discard", card="helicopter_lift")
    assert (state.pool, state.treasure_discard) == (("earth_stone",) * 3, ("helicopter_lift",))
    assert code(state, "discard", card="helicopter_lift") == "not_held"


@BOTH
def test_the_team_lifts_off_with_four_treasures_and_a_helicopter_in_the_pool(tracking: str) -> None:
    state = start(tracking, captured=tuple(Treasure(treasure) for treasure in TREASURES))
    assert "lift_off" in verbs(state)
    won = do(state, "lift_off")
    assert (won.phase, won.treasure_discard) == ("won", ("helicopter_lift",))
    assert GAME.faults(won) == ()
    assert code(do(state, "discard", card="helicopter_lift"), "lift_off") == "not_allowed"
    assert code(start(tracking), "lift_off") == "not_allowed"


@BOTH
def test_when_the_treasure_deck_runs_out_the_table_tells_the_discards_and_shuffles(tracking: str) -> None:
    state = do(start(tracking), "end_actions")
    rest = list(TREASURE_DECK)
    for card in (*state.pool, "sandbags"):
        rest.remove(card)
    pool = tuple(sorted((*state.pool, *(Card(card) for card in rest if card != "waters_rise"))))
    state = replace(state, treasure_deck=Deck.of(["sandbags"]), pool=pool, treasure_discard=(Card.WATERS_RISE,) * 3)
    assert GAME.faults(state) == ()
    assert code(state, "reshuffle") == "not_allowed"
    empty = do(state, "draw_treasure", card="sandbags")
    assert "draw_treasure" not in verbs(empty)
    assert GAME.due(empty) is None
    assert code(empty, "draw_treasure", card="waters_rise") == "card_not_possible"
    told = do(empty, "discard", card="crystal_of_fire")
    shuffled = do(told, "reshuffle")
    assert shuffled.treasure_deck == Deck.of(["crystal_of_fire", *["waters_rise"] * 3])
    assert shuffled.treasure_discard == ()
    assert "reshuffle" not in verbs(shuffled)


@pytest.mark.parametrize(("tracking", "lost"), [("island", "treasure_sank"), ("cards", None)])
def test_with_cards_only_the_table_judges_the_treasures_itself(tracking: str, lost: str | None) -> None:
    state = do(start(tracking), "correct", tiles={"coral_palace": "sunk", "tidal_palace": "sunk"})
    assert state.lost_by == lost


@BOTH
def test_fools_landing_and_the_skull_end_the_game_however_little_is_tracked(tracking: str) -> None:
    assert do(start(tracking), "correct", tiles={"fools_landing": "sunk"}).lost_by == "fools_landing_sank"
    state = do(start(tracking, water=9), "end_actions")
    lost = do(state, "draw_treasure", card="waters_rise")
    assert (lost.phase, lost.lost_by, lost.water) == ("lost", "water_level", 10)
    assert code(lost, "draw_treasure", card="sandbags") == "game_over"


@BOTH
def test_a_draw_out_of_its_time_or_of_a_card_that_cannot_come_is_refused(tracking: str) -> None:
    state = start(tracking)
    assert code(state, "draw_treasure", card="sandbags") == "wrong_phase"
    assert code(state, "draw_flood", card="watchtower") == "wrong_phase"
    state = do(state, "end_actions")
    assert code(state, "end_actions") == "wrong_phase"
    assert code(state, "draw_flood", card="phantom_rock") == "wrong_phase"
    assert code(state, "draw_treasure") == "bad_request"
    flood = drawing(tracking, ["phantom_rock"])
    assert code(flood, "draw_flood", card="watchtower") == "card_not_possible"
    assert code(flood, "draw_treasure", card="sandbags") == "wrong_phase"


def test_a_reduced_position_survives_json() -> None:
    asked = do(drawing("cards", ["watchtower"]), "draw_flood", card="watchtower")
    assert GAME.read_state(GAME.state_json(asked)) == asked
    told = GAME.state_json(asked)
    assert (told["tracking"], told["asked"]) == ("cards", "watchtower")
    assert not {"tracking", "pool", "dealt", "asked"} & set(GAME.state_json(some_start(Random(1))))
