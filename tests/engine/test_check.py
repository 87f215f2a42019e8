"""``companion check``: what it prints, what it exits with, and that no file can upset it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from companion.engine.scenario import Checker
from companion.i18n.translator import translator
from companion.rules.registry import GAMES
from tests.rules.examples import examples

from .test_fuzz import spoilt
from .test_scenarios import FOLDER

SETUP = {"players": ["diver", "pilot"], "difficulty": "novice", "seed": 1}
HOLDS: dict[str, Any] = {
    "name": "a walk",
    "game": "forbidden_island",
    "setup": {
        **SETUP,
        "set": {
            "pawns": {"diver": "watchtower"},
            "tiles": {"observatory": "sunk", "misty_marsh": "flooded"},
            "hands": {"pilot": ["sandbags"]},
            "flood_deck": [["gold_gate"], ["iron_gate"]],
        },
    },
    "steps": [
        {"do": {"do": "move", "to": "observatory"}, "error": "tile_sunk", "state": {"actions_left": 3}},
        {"do": {"do": "end_actions"}, "state": {"phase": "treasure", "hands": {"pilot": ["sandbags"]}}},
        {
            "legal_has": [{"do": "draw_treasure", "card": "sandbags"}],
            "legal_lacks": [{"do": "end_actions"}],
        },
        {"deal": True},
    ],
}


@pytest.fixture(scope="module")
def checker() -> Checker:
    return Checker(GAMES, translator("en"))


def _check(*arguments: Path | str) -> tuple[int, list[str], str]:
    done = subprocess.run(
        [sys.executable, "-m", "companion", "check", *map(str, arguments)], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout.splitlines(), done.stderr


def _file(folder: Path, name: str, scenario: Any) -> Path:
    path = folder / name
    path.write_text(json.dumps(scenario), encoding="utf-8")
    return path


def _with_step(step: Any) -> dict[str, Any]:
    return {**HOLDS, "steps": [step]}


def test_all_scenarios_of_the_project_pass() -> None:
    status, lines, errors = _check(FOLDER)
    number = len(list(FOLDER.rglob("*.json")))
    assert (status, errors) == (0, "")
    assert lines[-1] == f"{number} passed, 0 failed"
    assert len(lines) == number + 1


def test_a_failure_names_the_step_and_what_differed_and_exits_with_1(tmp_path: Path) -> None:
    good = _file(tmp_path, "good.json", HOLDS)
    bad = _file(tmp_path, "bad.json", {**HOLDS, "name": "a dive", "steps": [{}, {"state": {"water": 4}}]})
    status, lines, errors = _check(good, bad)
    assert (status, errors) == (1, "")
    assert "a walk" in lines[0]
    assert "a dive" in lines[1]
    assert "step 2" in lines[1]
    assert "water is 1; expected 4" in lines[1]
    assert lines[2:] == ["1 passed, 1 failed"]


def test_a_file_that_cannot_be_played_fails_and_the_others_are_played(tmp_path: Path) -> None:
    missing = tmp_path / "missing.json"
    text = tmp_path / "text.json"
    text.write_text("not JSON", encoding="utf-8")
    latin = tmp_path / "latin.json"
    latin.write_bytes('{"name": "água"}'.encode("latin-1"))
    good = _file(tmp_path, "good.json", HOLDS)
    status, lines, errors = _check(missing, text, latin, good)
    assert (status, errors) == (1, "")
    assert [line.split(":")[0].split("/")[-1] for line in lines[:3]] == ["missing.json", "text.json", "latin.json"]
    assert lines[-1] == "1 passed, 3 failed"


def test_a_scenario_is_one_line_whatever_its_name(tmp_path: Path) -> None:
    odd = _file(tmp_path, "odd.json", {**HOLDS, "name": "a\nb \ud800 água ⚓ \u001b[2J"})
    status, lines, errors = _check(odd)
    assert (status, errors) == (0, "")
    assert len(lines) == 2
    assert "água" in lines[0]
    assert "\x1b" not in lines[0]


def test_what_else_an_author_notes_in_a_scenario_is_passed_over(checker: Checker) -> None:
    assert not checker.check({**HOLDS, "ruling": "A7", "author": "Ana"}, "here").fault


def test_a_file_without_a_scenario_fails(checker: Checker, tmp_path: Path) -> None:
    (verdict,) = checker.check_file(_file(tmp_path, "empty.json", []))
    assert "no scenario" in verdict.fault


def test_without_a_file_the_usage_is_shown() -> None:
    status, _lines, errors = _check()
    assert status == 2
    assert "usage:" in errors


@pytest.mark.parametrize(
    ("step", "told"),
    [
        ({"do": {"do": "end_actions"}, "error": "wrong_phase"}, "expected to be refused with wrong_phase"),
        ({"do": {"do": "move", "to": "observatory"}}, "tile_sunk"),
        ({"do": {"do": "move", "to": "observatory"}, "error": "not_adjacent"}, "expected not_adjacent"),
        ({"do": {"do": "hop"}}, "unknown_command"),
        ({"do": {"do": "move"}}, "bad_request"),
        ({"state": {"waters": 1}}, "waters"),
        ({"state": {"pawns": {"diver": "observatory"}}}, "pawns.diver"),
        ({"state": {"flown": 0}}, "flown"),
        ({"state": {"actions_left": True}}, "actions_left"),
        ({"state": {"layout": []}}, "layout"),
        ({"state": {"flood_discard": ["misty_marsh", "misty_marsh"]}}, "flood_discard"),
        ({"state": {"flood_deck": [["iron_gate"], ["gold_gate"]]}}, "flood_deck"),
        ({"state": []}, "state"),
        ({"legal_has": [{"do": "move", "to": "observatory"}]}, "is not legal"),
        ({"legal_lacks": [{"do": "end_actions"}]}, "is legal"),
        ({"legal_lacks": [{"do": "draw_treasures"}]}, "unknown_command"),
        ({"legal_has": {"do": "end_actions"}}, "legal_has"),
        ({"legal_has": 5}, "legal_has"),
        ({"legal_hass": []}, "legal_hass"),
        ({"undo": True}, "nothing_to_undo"),
        ({"redo": True}, "nothing_to_redo"),
        ({"deal": True}, "wrong_phase"),
        (5, "step"),
    ],
)
def test_each_kind_of_expectation_can_fail(checker: Checker, step: Any, told: str) -> None:
    fault = checker.check(_with_step(step), "here").fault
    assert fault.startswith("step 1: ")
    assert told in fault


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"game": "chess"}, "unknown_game"),
        ({"game": None}, "bad_request"),
        ({"setup": None}, "setup"),
        ({"setup": {**SETUP, "set": 5}}, "set"),
        ({"setup": {**SETUP, "players": ["diver"]}}, "bad_request"),
        ({"setup": {**SETUP, "set": {"tide": 1}}}, "tide"),
        ({"setup": {**SETUP, "set": {"pawns": {"diver": "atlantis"}}}}, "pawns.diver"),
        ({"setup": {**SETUP, "set": {"hands": {"diver": ["sandbags"] * 3}}}}, "bad_state"),
        ({"setup": {**SETUP, "set": {"pawns": {"diver": "gold_gate"}, "tiles": {"gold_gate": "sunk"}}}}, "bad_state"),
        ({"steps": {}}, "steps"),
        ({"steps": None}, "steps"),
    ],
)
def test_a_scenario_that_is_no_scenario_is_told_why(checker: Checker, changed: Any, told: str) -> None:
    fault = checker.check({**HOLDS, **changed}, "here").fault
    assert told in fault


def test_lists_are_compared_whole_but_hands_and_discards_in_any_order(checker: Checker) -> None:
    put = {"hands": {"pilot": ["sandbags", "earth_stone"]}, "treasure_discard": ["earth_stone", "sandbags"]}
    told = {"hands": {"pilot": ["earth_stone", "sandbags"]}, "treasure_discard": ["sandbags", "earth_stone"]}
    scenario = {**HOLDS, "setup": {**SETUP, "set": put}, "steps": [{"state": told}]}
    assert not checker.check(scenario, "here").fault
    for part in ({"hands": {"pilot": ["earth_stone"]}}, {"treasure_discard": ["sandbags"]}):
        assert checker.check({**scenario, "steps": [{"state": part}]}, "here").fault


def test_a_command_is_found_whatever_the_order_of_its_tiles_and_pawns(checker: Checker) -> None:
    scenario = {
        **HOLDS,
        "setup": {
            "players": ["engineer", "pilot"],
            "difficulty": "novice",
            "layout": sorted(GAMES["forbidden_island"].tagged()[0].names),
            "set": {
                "pawns": {"engineer": "fools_landing"},
                "hands": {"pilot": ["helicopter_lift"]},
                "tiles": {"fools_landing": "flooded"},
            },
        },
        "steps": [
            {"legal_has": [{"do": "helicopter_lift", "player": "pilot", "pawns": pawns, "to": "watchtower"}]}
            for pawns in (["pilot", "engineer"], ["engineer", "pilot"])
        ],
    }
    assert not checker.check(scenario, "here").fault


def test_the_parts_that_set_names_are_put_in_place_in_the_order_they_are_named(checker: Checker) -> None:
    sunk = ["twilight_hollow", "breakers_bridge"]
    scenario = {
        **HOLDS,
        "setup": {**SETUP, "set": {"tiles": dict.fromkeys(sunk, "sunk")}},
        "steps": [{"state": {"flood_removed": sunk}}],
    }
    assert not checker.check(scenario, "here").fault


@examples(300)
@given(scenario=spoilt(HOLDS))
def test_no_scenario_upsets_the_checker(scenario: Any) -> None:
    verdict = Checker(GAMES, translator("en")).check(scenario, "here")
    assert "\n" not in str(verdict)
