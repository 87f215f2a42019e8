"""The project's own scenario files: all hold, all rulings are among them, and none holds vacuously."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from companion.engine.scenario import Checker
from companion.i18n.translator import translator
from companion.rules.registry import GAMES

FOLDER = Path(__file__).parent.parent / "scenarios"
FILES = sorted(FOLDER.rglob("*.json"))
RULINGS = [f"A{number}" for number in range(1, 18)]
SECTIONS = ["1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "1.7", "1.8", "1.9", "1.10", "1.11", "1.12", "1.13", "1.14"]
MADE_EXACT = ["A1 (made exact)", "A10 (made exact)", "A13 (made exact)", "order of losses (made exact)"]
ROLES = ["diver", "engineer", "explorer", "messenger", "navigator", "pilot"]


def _scenario(path: Path) -> dict[str, Any]:
    scenario: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return scenario


SCENARIOS = {path: _scenario(path) for path in FILES}
COMMENTS = "\n".join(scenario["comment"] for scenario in SCENARIOS.values())


@pytest.fixture(scope="module")
def checker() -> Checker:
    return Checker(GAMES, translator("en"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_scenario_holds(checker: Checker, path: Path) -> None:
    (verdict,) = checker.check_file(path)
    assert not verdict.fault, verdict.fault
    assert verdict.name == SCENARIOS[path]["name"]


def test_there_are_scenarios_enough() -> None:
    assert len(FILES) >= 80


@pytest.mark.parametrize("reference", [*RULINGS, *SECTIONS, *MADE_EXACT])
def test_a_ruling_has_a_scenario(reference: str) -> None:
    assert re.search(rf"(?<![\w.]){re.escape(reference)}(?![\w])(?!\.\d)", COMMENTS)


@pytest.mark.parametrize("role", ROLES)
def test_a_role_plays_in_scenarios_of_its_own(role: str) -> None:
    assert sum(scenario["setup"]["players"][0] == role for scenario in SCENARIOS.values()) >= 2


def test_a_file_is_called_what_its_scenario_is_called() -> None:
    for path, scenario in SCENARIOS.items():
        spoken = scenario["name"].lower().replace("'", "")
        assert path.stem == re.sub(r"[^a-z0-9]+", "_", spoken).strip("_")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_expectation_of_a_scenario_is_vacuous(checker: Checker, path: Path) -> None:
    spoilt = list(_spoilt(SCENARIOS[path]))
    assert spoilt
    for number, scenario in spoilt:
        assert checker.check(scenario, "spoilt").fault.startswith(f"step {number}: ")


def _spoilt(scenario: dict[str, Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The scenario with one expectation turned wrong, for each of them, and the number of its step."""
    for number, step in enumerate(scenario["steps"]):
        for wrong in _wrong_steps(step):
            steps = [*scenario["steps"][:number], wrong, *scenario["steps"][number + 1 :]]
            yield number + 1, {**scenario, "steps": steps}


def _wrong_steps(step: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if "error" in step:
        yield {**step, "error": "nothing_to_undo" if step["error"] != "nothing_to_undo" else "game_over"}
        yield {key: value for key, value in step.items() if key != "error"}
    elif {"do", "deal", "undo", "redo"} & set(step):
        yield {**step, "error": "not_allowed"}
    for listed, other in (("legal_has", "legal_lacks"), ("legal_lacks", "legal_has")):
        for command in step.get(listed, ()):
            yield {**{key: value for key, value in step.items() if key != listed}, other: [command]}
    for part in step.get("state", {}):
        wrong = deepcopy(step)
        wrong["state"][part] = _other(step["state"][part])
        yield wrong


def _other(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, list):
        return [*value, "atlantis"]
    if isinstance(value, dict):
        key = next(iter(value))
        return {**value, key: _other(value[key])}
    return "atlantis"
