"""What a script expects to be seen at a table, and what was there instead."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.cli.simulation.performer import Performer
from simulator.script import Act

PATIENCE_SECONDS = 60.0
"""How long an expectation may take to come true, where it says nothing else: the slowest panel takes 41 s."""

STAYS_SECONDS = 3.0

_NOTHING = object()


class Missed(Exception):
    """An expectation that did not come true; the text says what was there."""


class Expectations:
    """Checks a script's expectations at the table of a performer."""

    def __init__(self, performer: Performer) -> None:
        self._performer = performer
        self._table = table = performer.table
        self._true: dict[str, Callable[[Act], bool]] = {
            "panel_shows": lambda act: _says(table.panel_words(), act.given["text"]),
            "panel_lacks": lambda act: not _says(table.panel_words(), act.given["text"]),
            "panel_clean": lambda _act: not table.panel_has_ghost(),
            "panel_current": lambda _act: table.panel_is_current(),
            "phone_sees": lambda act: _holds(table.seen(int(act.given["n"])), act),
            "table": lambda act: _holds(table.look(), act),
            "moves_on": lambda _act: table.revision() > performer.since,
        }

    def meet(self, act: Act) -> None:
        """Let an expectation come true. Raises Missed where it does not."""
        if act.name == "stays":
            self._stay(act)
        elif act.name == "sound":
            self._be_sound(act)
        elif act.name in ("phone_taken", "phone_refused"):
            self._be_answered(act)
        elif not self._table.live_until(lambda: self._true[act.name](act), act.number("seconds", PATIENCE_SECONDS)):
            raise Missed(f"{act}: {self._instead(act)}")

    def _stay(self, act: Act) -> None:
        self._table.live(act.number("seconds", STAYS_SECONDS))
        now = self._table.revision()
        if now != self._performer.since:
            raise Missed(f"{act}: it went on from {self._performer.since} to {now}")

    def _be_sound(self, act: Act) -> None:
        troubles = self._table.troubles()
        if troubles:
            raise Missed(f"{act}: {troubles[0]}")

    def _be_answered(self, act: Act) -> None:
        answer = self._performer.answers.get(int(act.given["n"]))
        code = answer.body.get("code") if answer else None
        wanted = act.given.get("word")
        met = answer is not None and answer.taken is (act.name == "phone_taken") and wanted in (None, code)
        if not met:
            told = "it asked for nothing" if answer is None else f"its answer was {answer.status}, {dict(answer.body)}"
            raise Missed(f"{act}: {told}")

    def _instead(self, act: Act) -> str:
        if act.name.startswith("panel"):
            ghost = ", with an earlier picture shining through" if self._table.panel_has_ghost() else ""
            return f"the panel shows {' | '.join(self._table.panel_words()) or 'nothing'}{ghost}"
        if act.name == "moves_on":
            return f"it is still {self._performer.since}"
        shown = self._table.look() if act.name == "table" else self._table.seen(int(act.given["n"]))
        path = act.given["path"]
        found = [value for value in _found(shown, path) if value is not _NOTHING]
        if found:
            return f"{path} is {found[0]}"
        known = sorted({*shown, *(shown.get("state") or {}), *_named(shown)})
        return f"there is no {path}; there are {', '.join(known) or 'no parts at all'}"


def _says(words: Sequence[str], text: str) -> bool:
    wanted = " ".join(text.strip('"').split()).casefold()
    return wanted in " ".join(" ".join(words).split()).casefold()


def _holds(shown: Mapping[str, Any], act: Act) -> bool:
    wanted = act.given["value"].strip('"')
    return any(_is(value, wanted) for value in _found(shown, act.given["path"]))


def _is(value: Any, wanted: str) -> bool:
    if value is _NOTHING:
        return False
    if isinstance(value, list | tuple):
        return wanted in map(_text, value)
    if isinstance(value, Mapping):
        return wanted in value
    return _text(value) == wanted


def _text(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "nothing", True: "yes", False: "no"}[value]
    return str(value)


def _found(shown: Mapping[str, Any], path: str) -> list[Any]:
    """What a path may mean: a name that people use, a part of the position, or a part of the whole."""
    places = (_named(shown), shown.get("state") or {}, shown)
    return [value for value in (_at(place, path) for place in places) if value is not _NOTHING]


def _at(place: Any, path: str) -> Any:
    for step in path.split("."):
        if isinstance(place, Mapping) and step in place:
            place = place[step]
        elif isinstance(place, list) and step.isdecimal() and int(step) < len(place):
            place = place[int(step)]
        else:
            return _NOTHING
    return place


def _named(shown: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of the table by the names that people have for them, the same in every game."""
    portrait, notice = shown.get("portrait") or {}, shown.get("notice")
    named: dict[str, Any] = {
        "turn": portrait.get("active"),
        "notice": notice["phrase"]["code"].removeprefix("notice.").removeprefix("refusal.") if notice else None,
        "unsaved": shown.get("unsaved") is not None,
        "asking": shown.get("gesture") is not None,
        "over": portrait.get("ending") is not None,
    }
    named |= {seat["name"]: seat["cards"] for seat in portrait.get("seats") or ()}
    named |= {device["device"]: device["state"] for device in shown.get("devices") or ()}
    return named
