"""What is published of the table: one JSON object that every entity reads its part of. Pure."""

from __future__ import annotations

from collections import Counter
from typing import Any

from companion.i18n import Translator
from companion.ports import DeviceState
from companion.rules.portrait import Board, Meter, Phrase, Portrait, Result
from companion.table.snapshot import Snapshot
from companion.views.table import table_view

LONGEST = 255
"""Letters that a state of Home Assistant holds at most."""

STATUSES = ("none", "playing", "paused", "won", "lost")


def reading(snapshot: Snapshot, words: Translator) -> dict[str, Any]:
    """The table at one revision, worded in the table's language; without a game the game's parts are empty."""
    view, seated = table_view(snapshot), snapshot.seated
    troubles = [status for status in snapshot.devices if status.state is not DeviceState.READY]
    return {
        "revision": view.revision,
        "game": words.name(view.game) if view.game else None,
        "game_id": seated.id if seated else None,
        "status": _status(view.portrait, view.paused),
        "awaited": words.say(view.awaited)[:LONGEST],
        "told": " ".join(map(words.say, view.told))[:LONGEST] or None,
        "troubles": [words.text(f"device.{status.state}", device=status.device) for status in troubles],
        **_position(view.portrait, words),
    }


def _status(portrait: Portrait | None, paused: bool) -> str:
    if portrait is None:
        return "none"
    if portrait.ending is not None:
        return "won" if portrait.ending.won else "lost"
    return "paused" if paused else "playing"


def _position(portrait: Portrait | None, words: Translator) -> dict[str, Any]:
    if portrait is None:
        return {"turn": None, "player": None, "reason": None, "gone": None, "goals": None, "meters": {}, "piles": {}}
    return {
        "turn": portrait.turn,
        "player": words.name(portrait.active) if portrait.active else None,
        "reason": words.say(portrait.ending.reason)[:LONGEST] if portrait.ending else None,
        **_board(portrait.board, words),
        "goals": sum(goal.reached for goal in portrait.goals),
        "goal_names": [words.name(goal.name) for goal in portrait.goals if goal.reached],
        "meters": {meter.name: _meter(meter) for meter in portrait.meters},
        "piles": {pile.name: _pile(pile.name, pile.left, portrait, words) for pile in portrait.piles},
    }


def _board(board: Board | None, words: Translator) -> dict[str, Any]:
    if board is None:
        return {"gone": None}
    conditions = Counter(space.condition for space in board.spaces)
    gone = [words.name(space.name) for space in board.spaces if space.gone]
    return {"gone": len(gone), "gone_names": gone, "conditions": dict(sorted(conditions.items()))}


def _meter(meter: Meter) -> dict[str, Any]:
    """``value`` counts the marks from 1, so that it can be drawn and compared whatever the marks are called."""
    return {
        "value": meter.at + 1,
        "mark": meter.marks[meter.at],
        "of": len(meter.marks),
        "reading": meter.reading,
        "alarming": meter.at >= meter.danger,
    }


def _pile(name: str, left: int, portrait: Portrait, words: Translator) -> dict[str, Any]:
    results = [result for result in portrait.results if result.group == name]
    told = [_result(result, words) for result in results]
    return {"left": left, "last": told[-1][:LONGEST] if told else None, "cards": told}


def _result(result: Result, words: Translator) -> str:
    code = f"effect.{result.effect}"
    effect = words.say(Phrase(code)) if code in words else words.name(result.effect)
    return f"{words.name(result.card)}: {effect}"
