"""The protocol, request by request, spoken to a process."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from tests.rules.positions import key, normal, some_position
from tests.rules.second_reading.box import ROLES, SILHOUETTE, START, START_MARK, TILES, TREASURE_DECK
from tests.rules.second_reading.orders import legal

from .peer import NEW, Peer

FIELDS = (
    "game island players active turn phase actions_left draws_left flown pawns hands layout tiles water "
    "treasure_deck treasure_discard flood_deck flood_discard flood_removed captured swimming lost_by"
)


@pytest.fixture(scope="module")
def peer() -> Iterator[Peer]:
    peer = Peer()
    yield peer
    assert peer.alive
    assert peer.leave() == (0, "")


def _load(peer: Peer, **changes: Any) -> dict[str, Any]:
    """A new game with some fields of its state changed."""
    state = peer.new()["state"] | changes
    assert peer.told("load", state=state, seed=1)["state"]
    return dict(peer.state)


# -- new ----------------------------------------------------------------------------------------------------------
def test_a_new_game_answers_with_its_whole_state(peer: Peer) -> None:
    answer = peer.new()
    assert list(answer) == ["ok", "state"]
    state = answer["state"]
    assert list(state) == FIELDS.split()
    assert state["game"] == "forbidden_island"
    assert state["island"] == "classic"
    assert (state["players"], state["active"], state["turn"]) == (["explorer", "pilot"], "explorer", 1)
    assert (state["phase"], state["actions_left"], state["draws_left"], state["flown"]) == ("actions", 3, 0, False)
    assert state["pawns"] == {"explorer": "copper_gate", "pilot": "fools_landing"}
    assert (state["captured"], state["swimming"], state["lost_by"]) == ([], [], None)


@pytest.mark.parametrize("players", [ROLES[:2], ROLES[1:4], ROLES[2:6]])
@pytest.mark.parametrize("difficulty", START_MARK)
def test_the_set_up_follows_the_rulebook(peer: Peer, players: list[str], difficulty: str) -> None:
    state = peer.new(players=players, difficulty=difficulty)["state"]
    flooded = [tile for tile, condition in state["tiles"].items() if condition == "flooded"]
    assert sorted(state["layout"]) == sorted(state["tiles"]) == TILES
    assert len(flooded) == 6
    assert sorted(state["flood_discard"]) == sorted(flooded)
    assert state["flood_deck"] == [sorted(set(TILES) - set(flooded))]
    assert (state["flood_removed"], state["treasure_discard"]) == ([], [])
    assert state["water"] == START_MARK[difficulty]
    assert state["pawns"] == {role: START[role] for role in players}
    assert list(state["hands"]) == players
    dealt = [card for hand in state["hands"].values() for card in hand]
    assert all(len(hand) == 2 for hand in state["hands"].values())
    assert "waters_rise" not in dealt
    (deck,) = state["treasure_deck"]
    assert deck == sorted(deck)
    assert deck.count("waters_rise") == 3
    assert sorted(deck + dealt) == TREASURE_DECK


@pytest.mark.parametrize("island", SILHOUETTE)
def test_every_island_can_be_played(peer: Peer, island: str) -> None:
    state = peer.new(island=island)["state"]
    assert state["island"] == island
    assert sorted(state["layout"]) == TILES
    assert sorted(map(key, peer.told("legal")["legal"])) == sorted(map(key, legal(state)))


def test_what_lies_on_the_table_is_taken_as_it_lies(peer: Peer) -> None:
    layout, flooded = TILES[::-1], ["watchtower", "fools_landing", *TILES[1:5]]
    hands = {"pilot": ["sandbags", "helicopter_lift"], "explorer": ["earth_stone", "earth_stone"]}
    state = peer.new(layout=layout, flooded=flooded, hands=hands, decks="table")["state"]
    assert state["layout"] == layout
    assert {tile for tile, condition in state["tiles"].items() if condition == "flooded"} == set(flooded)
    assert sorted(state["flood_discard"]) == sorted(flooded)
    assert {role: sorted(hand) for role, hand in state["hands"].items()} == {
        role: sorted(hand) for role, hand in hands.items()
    }


@pytest.mark.parametrize(
    "changes",
    [
        {"players": None},
        {"players": []},
        {"players": ["pilot"]},
        {"players": ["pilot", "pilot"]},
        {"players": ["pilot", "cook"]},
        {"players": ROLES[:5]},
        {"players": "pilot"},
        {"difficulty": "easy"},
        {"difficulty": None},
        {"difficulty": 1},
        {"island": "atlantis"},
        {"layout": TILES[:23]},
        {"layout": [*TILES[:23], TILES[0]]},
        {"layout": [*TILES, "watchtower"]},
        {"flooded": TILES[:5]},
        {"flooded": [*TILES[:5], TILES[0]]},
        {"flooded": [*TILES[:5], "atlantis"]},
        {"hands": {"diver": ["sandbags", "sandbags"]}},
        {"hands": {"pilot": ["waters_rise", "sandbags"]}},
        {"hands": {"pilot": ["sandbags"] * 2, "explorer": ["sandbags"] * 2}},
        {"decks": "mine"},
        {"seed": []},
        {"seed": 1.5},
        {"seed": True},
        {"seed": "\ud800"},
        {"wind": "north"},
        {"game": 5},
    ],
)
def test_a_set_up_that_cannot_be_is_refused_and_the_game_goes_on(peer: Peer, changes: dict[str, Any]) -> None:
    before = peer.new()["state"]
    assert peer.new(**changes)["error"]["code"] == "bad_request"
    assert peer.state == before


@pytest.mark.parametrize("field", ["players", "difficulty", "game"])
def test_a_set_up_needs_its_players_difficulty_and_game(peer: Peer, field: str) -> None:
    request = {name: value for name, value in NEW.items() if name != field}
    assert peer.send(json.dumps(request).encode())["error"]["code"] == "bad_request"


def test_an_unknown_game_is_called_that(peer: Peer) -> None:
    assert peer.new(game="chess")["error"]["code"] == "unknown_game"
    assert peer.refused("load", state={**peer.new()["state"], "game": "chess"}) == "unknown_game"


# -- seeds, dealing, undo -----------------------------------------------------------------------------------------
def _turns(peer: Peer, number: int) -> list[Any]:
    """What is dealt in some turns of a game in which nobody moves."""
    seen: list[Any] = []
    for _ in range(number):
        peer.do("end_actions")
        while (answer := peer.ask("deal"))["ok"]:
            seen.append(answer["events"])
        for order in peer.told("legal")["legal"]:
            if order["do"] in ("discard", "swim"):
                peer.ask("do", command=order)
                break
    return seen


@pytest.mark.parametrize("seed", [7, 0, -3, "a table of friends", 10**40])
def test_a_seed_repeats_every_chance(peer: Peer, seed: Any) -> None:
    first, dealt = peer.new(seed=seed)["state"], _turns(peer, 6)
    assert peer.new(seed=seed)["state"] == first
    assert _turns(peer, 6) == dealt
    assert dealt


def test_other_seeds_and_no_seed_give_other_games(peer: Peer) -> None:
    games = [peer.new(seed=seed)["state"]["layout"] for seed in (1, 2, 3, None, None)]
    assert len({tuple(layout) for layout in games}) == 5


def test_a_draw_without_a_card_is_dealt_just_as_deal_would(peer: Peer) -> None:
    peer.new()
    peer.do("end_actions")
    dealt = peer.told("deal")["events"]
    peer.told("undo")
    assert peer.do("draw_treasure")["events"] == dealt
    peer.told("undo")
    assert peer.do("draw_flood")["error"]["code"] == "wrong_phase"


def _drawn(answer: dict[str, Any]) -> Any:
    return next(event["card"] for event in answer["events"] if "card" in event)


@pytest.mark.parametrize("seed", range(8))
def test_an_undo_gains_nobody_a_second_try(peer: Peer, seed: int) -> None:
    peer.new(seed=seed, hands={"explorer": ["sandbags", "helicopter_lift"], "pilot": ["sandbags", "helicopter_lift"]})
    peer.do("end_actions")
    first, second = _drawn(peer.told("deal")), _drawn(peer.told("deal"))
    for _ in range(3):
        peer.told("undo")
    walk = next(order for order in peer.told("legal")["legal"] if order["do"] == "move")
    assert peer.ask("do", command=walk)["ok"]
    peer.do("end_actions")
    wet = next(order for order in peer.told("legal")["legal"] if order["do"] == "sandbags")
    assert peer.ask("do", command=wet)["ok"]
    assert _drawn(peer.told("deal")) == first
    lift = next(order for order in peer.told("legal")["legal"] if order["do"] == "helicopter_lift")
    assert peer.ask("do", command=lift)["ok"]
    assert _drawn(peer.told("deal")) == second


def test_undo_and_redo_walk_the_whole_game_back_and_forth(peer: Peer) -> None:
    states = [peer.new(seed=5)["state"]]
    rng = Random(5)
    for _ in range(40):
        orders = peer.told("legal")["legal"]
        if not orders:
            break
        states.append(peer.told("do", command=rng.choice(orders))["state"])
    for state in reversed(states[:-1]):
        assert peer.told("undo")["ok"]
        assert peer.state == state
    assert peer.refused("undo") == "nothing_to_undo"
    for state in states[1:]:
        peer.told("redo")
        assert peer.state == state
    assert peer.refused("redo") == "nothing_to_redo"


def test_a_new_command_ends_what_could_be_redone(peer: Peer) -> None:
    peer.new()
    peer.do("end_actions")
    peer.told("undo")
    assert peer.do("fly", to="watchtower")["error"]["code"] == "not_allowed"
    peer.told("redo")
    peer.told("undo")
    move = next(order for order in peer.told("legal")["legal"] if order["do"] == "move")
    peer.told("do", command=move)
    assert peer.refused("redo") == "nothing_to_redo"


def test_where_the_decks_are_the_tables_every_draw_names_its_card(peer: Peer) -> None:
    peer.new(decks="table")
    peer.do("end_actions")
    assert peer.refused("deal") == "not_allowed"
    assert peer.do("draw_treasure")["error"]["code"] == "bad_request"
    assert peer.do("draw_treasure", card="waters_rise")["ok"]
    assert peer.do("draw_treasure", card="earth_stone")["ok"]
    assert peer.do("draw_flood")["error"]["code"] == "bad_request"
    top = peer.state["flood_deck"][0]
    assert peer.do("draw_flood", card=top[0])["ok"]


def test_where_no_draw_is_due_nothing_is_dealt_and_the_code_says_why(peer: Peer) -> None:
    state = peer.new()["state"]
    assert peer.refused("deal") == "wrong_phase"
    rest = [card for card in state["treasure_deck"][0] if card != "crystal_of_fire"]
    drawing = {"phase": "treasure", "actions_left": 0, "draws_left": 1, "treasure_deck": [rest]}
    fire = state["treasure_deck"][0].count("crystal_of_fire")
    hands = {**state["hands"], "pilot": [*state["hands"]["pilot"], *["crystal_of_fire"] * fire]}
    _load(peer, **drawing, hands=hands)
    assert peer.refused("deal") == "must_discard"
    peer.new()
    peer.do("correct", tiles={state["pawns"]["explorer"]: "sunk"})
    assert peer.refused("deal") == "must_swim"
    _load(peer, phase="lost", lost_by="water_level", water=10)
    assert peer.refused("deal") == "game_over"


# -- legal, do, state ---------------------------------------------------------------------------------------------
def test_a_played_command_answers_with_its_events_and_the_state(peer: Peer) -> None:
    peer.new()
    answer = peer.do("end_actions")
    assert list(answer) == ["ok", "events", "state"]
    assert all(isinstance(event["event"], str) for event in answer["events"])
    assert answer["state"] == peer.state
    assert list(peer.told("legal")) == ["ok", "legal"]
    assert list(peer.told("state")) == ["ok", "state"]


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ({"do": "hop"}, "unknown_command"),
        ({"do": "Move", "to": "watchtower"}, "unknown_command"),
        ({"do": 5}, "bad_request"),
        ({}, "bad_request"),
        ([], "bad_request"),
        ("end_actions", "bad_request"),
        (None, "bad_request"),
        ({"do": "move"}, "bad_request"),
        ({"do": "move", "to": "atlantis"}, "bad_request"),
        ({"do": "move", "to": ["watchtower"]}, "bad_request"),
        ({"do": "move", "to": "watchtower", "by": "boat"}, "bad_request"),
        ({"do": "end_actions", "now": True}, "bad_request"),
        ({"do": "shore_up", "tiles": "watchtower"}, "bad_request"),
        ({"do": "shore_up", "tiles": []}, "bad_request"),
        ({"do": "shore_up", "tiles": TILES[:3]}, "bad_request"),
        ({"do": "helicopter_lift", "player": "pilot", "pawns": [], "to": "watchtower"}, "bad_request"),
        ({"do": "helicopter_lift", "player": "pilot", "pawns": ["pilot", "pilot"], "to": "watchtower"}, "bad_request"),
        ({"do": "discard", "card": "sandbags"}, "bad_request"),
        ({"do": "lift_off"}, "bad_request"),
        ({"do": "correct"}, "bad_request"),
        ({"do": "correct", "tide": 1}, "bad_request"),
        ({"do": "correct", "water": "3"}, "bad_request"),
        ({"do": "correct", "captured": ["earth_stone", "earth_stone"]}, "bad_request"),
    ],
)
def test_a_command_that_cannot_be_read_is_refused(peer: Peer, command: Any, code: str) -> None:
    before = peer.new(hands={"pilot": ["helicopter_lift", "sandbags"]})["state"]
    assert peer.refused("do", command=command) == code
    assert peer.state == before


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"   ",
        b"legal",
        b"{}",
        b"[]",
        b'"state"',
        b"null",
        b'{"cmd": "quit"}',
        b'{"cmd": "State"}',
        b'{"cmd": ["state"]}',
        b'{"cmd": null}',
        b'{"cmd": "state"',
        b'{"cmd": "state"} {"cmd": "state"}',
        b"{'cmd': 'state'}",
        b'{"cmd": "perft"}',
        b'{"cmd": "perft", "depth": -1}',
        b'{"cmd": "perft", "depth": "2"}',
        b'{"cmd": "perft", "depth": true}',
        b'{"cmd": "perft", "depth": 1.5}',
        b'{"cmd": "do"}',
        b'{"cmd": "load"}',
        b'{"cmd": "load", "state": 5}',
        b'{"cmd": "perft", "depth": Infinity}',
        b'\xef\xbb\xbf{"cmd": "state"}',
        b"\xff",
    ],
)
def test_a_line_that_is_no_request_is_refused_and_the_session_goes_on(peer: Peer, raw: bytes) -> None:
    peer.new()
    assert peer.send(raw)["error"]["code"] == "bad_request"
    assert peer.told("state")


def test_spaces_around_a_request_and_windows_line_ends_do_not_matter(peer: Peer) -> None:
    peer.new()
    assert peer.send(b'  {"cmd":\t"state"}  \r')["ok"]


def test_many_lines_at_once_get_an_answer_each_in_their_order(peer: Peer) -> None:
    peer.new()
    peer.write(b'{"cmd": "state"}\nx\n\n{"cmd": "legal"}\n{"cmd": "perft", "depth": 1}')
    answers = [peer.read() for _ in range(5)]
    assert [answer["ok"] for answer in answers] == [True, False, False, True, True]
    assert answers[4]["nodes"] == len(answers[3]["legal"])


def test_before_a_game_there_is_nothing_to_ask_about() -> None:
    peer = Peer()
    for cmd in ("state", "legal", "deal", "undo", "redo"):
        assert peer.refused(cmd) == "bad_request"
    assert peer.refused("do", command={"do": "end_actions"}) == "bad_request"
    assert peer.refused("perft", depth=1) == "bad_request"
    assert peer.new()["ok"]
    assert peer.leave() == (0, "")


def test_a_last_line_without_an_end_is_answered_too() -> None:
    import subprocess
    import sys

    command = [sys.executable, "-m", "companion", "engine"]
    done = subprocess.run(command, input=json.dumps(NEW).encode(), capture_output=True, check=True)
    assert json.loads(done.stdout)["ok"]
    assert done.stderr == b""


# -- load ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("number", range(25))
def test_any_position_can_be_loaded_played_and_loaded_again(peer: Peer, number: int) -> None:
    p = some_position(number)
    assert normal(peer.told("load", state=p)["state"]) == normal(p)
    orders = peer.told("legal")["legal"]
    assert sorted(map(key, orders)) == sorted(map(key, legal(p)))
    assert len({key(order) for order in orders}) == len(orders)
    after = peer.told("do", command=orders[number % len(orders)])["state"]
    assert peer.told("load", state=after)["state"] == after
    assert peer.refused("undo") == "nothing_to_undo"


def test_a_loaded_position_can_be_dealt_from_again_and_again_alike(peer: Peer) -> None:
    state = peer.new()["state"] | {"phase": "treasure", "draws_left": 2, "actions_left": 0}
    cards = set()
    for _ in range(2):
        peer.told("load", state=state, seed=3)
        cards.add(_drawn(peer.told("deal")))
    assert len(cards) == 1
    peer.told("load", state=state, decks="table")
    assert peer.refused("deal") == "not_allowed"


def test_a_broken_position_is_refused_with_its_first_fault_and_the_game_goes_on(peer: Peer) -> None:
    before = peer.new()["state"]
    broken = deepcopy(before)
    broken["treasure_discard"] = ["sandbags"]
    answer = peer.ask("load", state=broken)
    assert answer["error"]["code"] == "bad_state"
    assert "Sandbags" in answer["error"]["message"]
    assert peer.state == before


# -- perft --------------------------------------------------------------------------------------------------------
def test_perft_counts_sequences_and_a_game_that_ends_early_as_one(peer: Peer) -> None:
    peer.new()
    assert peer.told("perft", depth=0) == {"ok": True, "nodes": 1}
    orders = peer.told("legal")["legal"]
    assert peer.told("perft", depth=1)["nodes"] == len(orders)
    total = 0
    for order in orders:
        peer.told("do", command=order)
        total += len(peer.told("legal")["legal"]) or 1
        peer.told("undo")
    assert peer.told("perft", depth=2)["nodes"] == total
    state = peer.state
    _load(peer, phase="lost", lost_by="water_level", water=10)
    assert peer.told("perft", depth=5)["nodes"] == 1
    last = ["waters_rise"]
    rest = list(state["treasure_deck"][0])
    rest.remove("waters_rise")
    _load(peer, phase="treasure", draws_left=1, actions_left=0, water=9, treasure_deck=[last, rest])
    assert peer.told("perft", depth=1)["nodes"] == len(peer.told("legal")["legal"])
