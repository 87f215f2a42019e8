"""Scenario files: a position, steps, and what must hold after each."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.engine.opening import open_game
from companion.i18n.translator import Translator
from companion.rules.game import AnyGame, JsonObject, Refused
from companion.rules.portrait import Phrase
from companion.table.line import Line

PLAYS = ("do", "deal", "undo", "redo")
CHECKS = ("error", "state", "legal_has", "legal_lacks")


class Differs(Exception):
    """What a scenario expected and did not find."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a scenario went; ``fault`` names the step and what differed, empty where it passed."""

    name: str
    fault: str = ""

    def __str__(self) -> str:
        """One line, whatever a file's author put into the name."""
        told = f"FAILED  {self.name}: {self.fault}" if self.fault else f"passed  {self.name}"
        line = " ".join(told.encode(errors="backslashreplace").decode().splitlines())
        return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in line)


class Checker:
    """Plays scenarios. ``translator`` words refusals."""

    def __init__(self, games: Mapping[str, AnyGame], translator: Translator) -> None:
        self._games = games
        self._translator = translator

    def check_file(self, path: Path) -> Iterator[Verdict]:
        """Play the scenario (or the list of scenarios) of a file; one verdict each. Never raises for its content."""
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            yield Verdict(str(path), f"cannot be read: {error.strerror}")
        except (ValueError, RecursionError) as error:
            yield Verdict(str(path), f"is not JSON: {error}")
        else:
            scenarios = content if isinstance(content, list) else [content]
            if not scenarios:
                yield Verdict(str(path), "holds no scenario")
            yield from (self.check(scenario, str(path)) for scenario in scenarios)

    def check(self, scenario: Any, where: str) -> Verdict:
        """Play one scenario; ``where`` names it where it has no name."""
        name = where
        try:
            _be_object(scenario, "the scenario", None)
            name = str(scenario.get("name", where))
            self._play(scenario)
        except Differs as differs:
            return Verdict(name, str(differs))
        return Verdict(name)

    def _play(self, scenario: JsonObject) -> None:
        line = self._open(scenario)
        steps = scenario.get("steps")
        if not isinstance(steps, list):
            raise Differs('"steps" must be a list of steps')
        for number, step in enumerate(steps, 1):
            try:
                self._step(line, step)
            except Differs as differs:
                raise Differs(f"step {number}: {differs}") from None

    def _open(self, scenario: JsonObject) -> Line:
        setup = scenario.get("setup")
        _be_object(setup, '"setup"', None)
        assert isinstance(setup, dict)
        parts = setup.get("set", {})
        _be_object(parts, '"set"', None)
        request = {**{key: value for key, value in setup.items() if key != "set"}, "game": scenario.get("game")}
        try:
            return open_game(self._games, request, parts)
        except Refused as refused:
            raise Differs(f"setup: {self._worded(refused)}") from None

    def _worded(self, refused: Refused) -> str:
        return f"{refused.code}: {self._translator.say(Phrase(f'refusal.{refused.code}', refused.params))}"

    def _step(self, line: Line, step: Any) -> None:
        _be_object(step, "the step", (*PLAYS, *CHECKS, "comment"))
        self._act(line, step)
        if "state" in step:
            _compare(step["state"], line.game.state_json(line.state), "state")
        legal = [line.game.command_json(command) for command in line.game.legal(line.state)]
        for wanted in _listed(step, "legal_has"):
            if not any(map(self._matcher(line.game, wanted), legal)):
                raise Differs(f"{json.dumps(wanted)} is not legal")
        for unwanted in _listed(step, "legal_lacks"):
            if any(map(self._matcher(line.game, unwanted), legal)):
                raise Differs(f"{json.dumps(unwanted)} is legal")

    def _act(self, line: Line, step: JsonObject) -> None:
        """Play what the step plays; it must be refused just where the step names an error."""
        refused = self._refusal(line, step)
        expected = step.get("error")
        if refused is None and expected is not None:
            raise Differs(f"was played; expected to be refused with {expected}")
        if refused is not None and refused.code != expected:
            told = f"; expected {expected}" if expected is not None else ""
            raise Differs(f"refused with {self._worded(refused)}{told}")

    def _refusal(self, line: Line, step: JsonObject) -> Refused | None:
        try:
            if "do" in step:
                _be_object(step["do"], '"do"', None)
                line.do(line.game.read_command(step["do"]))
            for name, play in (("deal", line.deal), ("undo", line.undo), ("redo", line.redo)):
                if name in step:
                    play()
        except Refused as refused:
            return refused
        return None

    def _matcher(self, game: AnyGame, wanted: Any) -> Any:
        """A test for legal commands; a draw that names no card stands for any draw from that deck."""
        _be_object(wanted, "a command", None)
        try:
            command = game.read_command(wanted)
        except Refused as refused:
            raise Differs(f"{json.dumps(wanted)}: {self._worded(refused)}") from None
        if game.needs_card(command):
            return lambda listed: listed["do"] == wanted["do"]
        told = _settled(game.command_json(command))
        return lambda listed: _settled(listed) == told


def _be_object(value: Any, what: str, keys: tuple[str, ...] | None) -> None:
    if not isinstance(value, dict):
        raise Differs(f"{what} must be a JSON object")
    for key in value:
        if keys is not None and key not in keys:
            raise Differs(f"{what} has an unknown key {key!r}; known are {', '.join(keys)}")


def _listed(step: JsonObject, key: str) -> list[Any]:
    listed = step.get(key, [])
    if not isinstance(listed, list):
        raise Differs(f'"{key}" must be a list of commands')
    return listed


def _settled(value: Any) -> Any:
    """A command's JSON without the order of its lists."""
    if isinstance(value, dict):
        return {key: _settled(entry) for key, entry in value.items()}
    return sorted(value) if isinstance(value, list) else value


def _compare(expected: Any, found: Any, where: str) -> None:
    """Dicts by the keys given; lists whole, but hands, discard piles and the cards of a zone in any order."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key, value in expected.items():
            if key not in found:
                raise Differs(f"{where} has no {key!r}")
            _compare(value, found[key], f"{where}.{key}")
    elif isinstance(expected, bool) is not isinstance(found, bool) or _differ(expected, found, where):
        raise Differs(f"{where} is {json.dumps(found)}; expected {json.dumps(expected)}")


def _differ(expected: Any, found: Any, where: str) -> bool:
    return bool(_in_order(expected, where) != _in_order(found, where))


def _in_order(value: Any, where: str) -> Any:
    if not isinstance(value, list):
        return value
    if all(isinstance(zone, list) for zone in value):
        return [sorted(zone, key=str) for zone in value]
    unordered = where.startswith("state.hands.") or where.endswith("_discard")
    return sorted(value, key=str) if unordered else value
