"""The tiny game keeps every promise of the game protocol, so that the tests above it can lean on it."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest

from companion.rules.game import AnyGame, Outcome, Refused
from companion.table.dealer import Dealer
from companion.table.line import Line
from tests.tiny_game import TinyGame

GAME: AnyGame = TinyGame()


def begin(seed: int, **setup: object) -> Line:
    dealer = Dealer(seed)
    return Line(GAME, GAME.start(GAME.complete(setup, dealer.chance)), dealer)


def play_out(line: Line, chance: random.Random) -> Outcome:
    while (outcome := GAME.outcome(line.state)) is None:
        line.do(chance.choice(GAME.legal(line.state)))
        assert GAME.faults(line.state) == ()
    return outcome


def test_random_games_are_lost_in_both_ways_without_a_fault() -> None:
    outcomes = Counter(play_out(begin(seed), random.Random(seed)).reason for seed in range(100))
    assert set(outcomes) >= {"storm", "tower"}


def test_the_game_can_be_won() -> None:
    line = begin(1, players=["otter"], dark="mill")
    for told in (
        {"do": "walk", "places": ["dune"]},
        {"do": "light", "places": ["mill"]},
        {"do": "draw", "card": "flare"},
        {"do": "draw", "card": "pier"},
        {"do": "flare", "places": ["pier"], "seat": "otter"},
        {"do": "walk", "places": ["mill"]},
        {"do": "walk", "places": ["tower"]},
        {"do": "draw", "card": "flare"},
        {"do": "draw", "card": "mill"},
        {"do": "light", "places": ["mill"]},
        {"do": "signal"},
    ):
        line.do(GAME.read_command(told))
    assert GAME.outcome(line.state) == Outcome(True)


def test_every_command_and_event_survives_its_text_form() -> None:
    line = begin(4)
    play_out(line, random.Random(4))
    for move in line.moves:
        assert GAME.read_command(json.loads(json.dumps(GAME.command_json(move.command)))) == move.command
        assert GAME.read_state(json.loads(json.dumps(GAME.state_json(move.after)))) == move.after
        for event in move.events:
            assert GAME.read_event(json.loads(json.dumps(GAME.event_json(event)))) == event


def test_decide_refuses_what_legal_does_not_list() -> None:
    line = begin(1)
    with pytest.raises(Refused, match="wrong_phase"):
        line.do(GAME.read_command({"do": "draw", "card": "pier"}))


def test_a_correction_is_taken_at_any_time() -> None:
    line = begin(1)
    line.do(GAME.read_command({"do": "correct", "storm": 3, "lamps": {"mill": "lost"}, "at": {"heron": "tower"}}))
    assert (line.state.storm, line.state.lamps[2], line.state.at) == (3, "lost", ("pier", "tower"))
