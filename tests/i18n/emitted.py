"""The message codes that the program can emit: literals found in its source, and those it puts together."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from companion.rules.forbidden_island import events
from companion.rules.forbidden_island.components import Condition, Loss, Phase, Tracking
from companion.rules.forbidden_island.game import ForbiddenIsland
from companion.rules.forbidden_island.people import UNTOLD
from companion.rules.forbidden_island.text import COMMANDS, EVENTS, message_code
from companion.rules.game import Choice
from companion.views.log import KINDS

SOURCE = Path(__file__).parents[2] / "companion"
FAMILIES = (
    "refusal|phase|condition|effect|verb|choice|option|help|panel|web|notice|device|mqtt|meter|pile|forbidden_island"
)
CODE = re.compile(rf"(?:{FAMILIES})(?:\.[a-z_]+)+")
IN_TEMPLATE = re.compile(rf"""text\(\s*["']({CODE.pattern})["']""")
TALKING = {"Refused": "refusal", "_fault": "forbidden_island.fault", "_say": "forbidden_island.await"}
"""Calls whose first argument is the end of a code."""


def literal_codes() -> set[str]:
    """Codes that stand whole in the source or in a template."""
    found = {code for path in sorted(SOURCE.rglob("*.py")) for code in _in_python(ast.parse(path.read_text("utf-8")))}
    for path in sorted(SOURCE.rglob("*.html")):
        found |= set(IN_TEMPLATE.findall(path.read_text("utf-8")))
    return found


def _in_python(tree: ast.Module) -> Iterator[str]:
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            if CODE.fullmatch(node.value):
                yield node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in TALKING:
            for ending in _endings(node):
                yield f"{TALKING[node.func.id]}.{ending}"


def _endings(call: ast.Call) -> Iterator[str]:
    """The texts that a call's first argument can be."""
    for node in ast.walk(call.args[0]) if call.args else ():
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def forbidden_island_codes() -> set[str]:
    """Codes that the first game puts together, and those that the layers above make of its words."""
    game = ForbiddenIsland()
    things = frozenset(name for tagged in game.tagged() for name in tagged.names)
    return {
        *(message_code(event) for event in map(_blank, EVENTS.values()) if not isinstance(event, UNTOLD)),
        *(f"{message_code(event)}_by_table" for event in map(_blank, _told_of_the_table())),
        *(f"forbidden_island.word.{verb}" for verb in COMMANDS if verb not in ("settle", "correct")),
        *(f"forbidden_island.word.{verb}" for verb in ("settle_sank", "settle_shored_up")),
        *(f"forbidden_island.word.{verb}_of_table" for verb in ("discard", "lift_off")),
        *(f"verb.{verb}" for verb in (*COMMANDS, "deal", "undo", "redo", "cancel")),
        *(f"forbidden_island.ending.{end}" for end in (*Loss, "won")),
        *(f"forbidden_island.await.{phase}" for phase in ("actions", "treasure", "flood")),
        *(f"phase.{phase}" for phase in Phase),
        *(f"condition.{condition}" for condition in Condition),
        *(f"effect.{effect}" for effect in ("drawn", "rise", "flooded", "sank", "asked")),
        *(f"choice.{choice.key}" for choice in game.choices()),
        *(code for choice in game.choices() for code in _option_codes(choice, things)),
        *(f"option.tracking.{tracking}" for tracking in Tracking),
        *(f"name.{thing}" for thing in things),
        "choice.layout.how",
        *(f"name.part.{part}" for part in events.Corrected.__slots__),
        *("name.forbidden_island", "name.skull", "name.landing", "meter.water", "meter.water.reading"),
        *("pile.treasure", "pile.flood"),
        *("forbidden_island.odds.waters_rise", "forbidden_island.odds.lost", "meter.water.next", "meter.water.last"),
        *(f"web.log.kind.{kind}" for kind in KINDS),
    }


def _option_codes(choice: Choice, things: frozenset[str]) -> Iterator[str]:
    """Things of the box are worded by their names, any other option by a message of its own."""
    for option in choice.options:
        yield f"name.{option}" if option in things else f"option.{choice.key}.{option}"


def _told_of_the_table() -> tuple[type, ...]:
    return (events.ShoredUp, events.Captured, events.Discarded, events.LiftedOff)


def _blank(kind: type) -> events.Event:
    """An event of which only the kind matters."""
    blank: events.Event = object.__new__(kind)
    return blank
