"""A game looked back at, and taken away as files."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.engine.scenario import Checker
from companion.i18n import translator
from companion.rules.game import Refused
from companion.table.course import as_json, as_scenario
from companion.table.session import Session
from tests.table.sittings import ALL_GAMES, refused, seated, sit_down, tiny_session

CHECKER = Checker(ALL_GAMES, translator("en"))


def play_to_the_end(session: Session, seed: int) -> None:
    """Deal and do whatever is legal, with an undo now and then, until the game is over."""
    rng = Random(seed)
    while session.legal():
        if rng.random() < 0.05 and seated(session).can_undo:
            session.undo()
        elif rng.random() < 0.5:
            try:
                session.deal()
            except Refused:
                session.play(rng.choice(session.legal()))
        else:
            session.play(rng.choice(session.legal()))


def begun(game: str, seed: int | str, **setup: Any) -> Session:
    session = sit_down()
    asked = {"players": ["explorer", "pilot", "engineer"], "difficulty": "normal"} if game != "tiny" else {}
    session.start(game, {"seed": str(seed), **asked, **setup})
    return session


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", sorted(ALL_GAMES))
def test_a_whole_game_taken_away_as_a_scenario_is_accepted_by_the_checker(game: str, seed: int, tmp_path: Path) -> None:
    session = begun(game, seed)
    play_to_the_end(session, seed)
    file = tmp_path / "scenario.json"
    file.write_text(json.dumps(as_scenario(session.course_of(1))), encoding="utf-8")
    assert [verdict.fault for verdict in CHECKER.check_file(file)] == [""]


@pytest.mark.parametrize("tracking", ["cards", "island"])
def test_so_is_a_game_with_reduced_tracking(tracking: str) -> None:
    session = begun("forbidden_island", 4, tracking=tracking)
    play_to_the_end(session, 4)
    assert CHECKER.check(as_scenario(session.course_of(1)), "here").fault == ""


def test_a_scenario_that_was_tampered_with_is_not() -> None:
    session = begun("forbidden_island", 1)
    session.deal()
    scenario = as_scenario(session.course_of(1))
    scenario["steps"][-1]["state"]["water"] = 9
    assert "state.water" in CHECKER.check(scenario, "here").fault


@pytest.mark.parametrize("game", sorted(ALL_GAMES))
def test_a_game_in_which_nothing_was_played_yet_is_a_scenario_too(game: str) -> None:
    assert CHECKER.check(as_scenario(begun(game, 2).course_of(1)), "here").fault == ""


def test_nothing_that_is_taken_away_tells_the_seed() -> None:
    session = begun("forbidden_island", "a seed that nobody may read")
    session.deal()
    course = session.course_of(1)
    assert "nobody may read" not in json.dumps([as_json(course), as_scenario(course)])
    assert "seed" not in as_json(course)["setup"]


def test_what_was_taken_back_is_in_the_log_and_not_among_the_commands() -> None:
    session = tiny_session()
    session.play({"do": "walk", "places": ["dune"]})
    session.undo()
    course = session.course_of(1)
    assert course.commands == ()
    assert [line["retracted"] for line in as_json(course)["log"]] == [True]


def test_the_course_has_the_start_the_end_of_each_turn_and_the_position_now() -> None:
    session = tiny_session(setup={"stacked": ["pier", "dune", "pier", "gale"]})
    assert [moment.turn for moment in session.course_of(1).moments] == [0]
    session.deal()
    session.deal()
    assert [moment.turn for moment in session.course_of(1).moments] == [0, 1, 2]
    session.play({"do": "walk", "places": ["dune"]})
    course = session.course_of(1)
    assert [moment.turn for moment in course.moments] == [0, 1, 2, 3]
    assert course.last == seated(session).state


def test_each_line_of_the_log_says_what_its_command_was() -> None:
    session = tiny_session()
    session.play({"do": "walk", "places": ["dune"]})
    session.deal()
    session.play({"do": "correct", "storm": 2})
    assert [line.kind for line in seated(session).log] == ["action", "draw", "draw", "correction"]


def test_there_is_no_course_of_a_game_that_never_was() -> None:
    refused("no_such_game", tiny_session().course_of, 7)
