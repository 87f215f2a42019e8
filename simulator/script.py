"""Scripts: what people do at a table and what must be seen then, one act a line, read into checked acts.

A form's words stand for themselves, what is in brackets may be left out, and what is in capitals is filled in as SLOTS
says. ``#`` begins a comment where a word could begin.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from simulator.faults import Fault


class Sort(Enum):
    """What a line is: how the table is before the first act, an act, or what must be so."""

    SETUP = "set-up"
    ACT = "act"
    EXPECTATION = "expectation"


PLAIN = {
    "deals": "deal",
    "undoes": "undo",
    "redoes": "redo",
    "cancels": "cancel",
    "pauses": "pause",
    "resumes": "resume",
    "leaves": "leave",
}
"""The orders without a word more, by their verbs."""

SLOTS: Mapping[str, tuple[str, str]] = {
    "PIECE": (
        r"tag\s+[0-9A-Fa-f]+|(?!(?:on|from)\b)[a-z_]+(?:[ :][a-z_]+)?",
        "a piece such as `tile watchtower`, or `tag 04A1B2C3`",
    ),
    "READER": (r"[A-Za-z_]\w*", "a reader's name"),
    "PROTOCOL": (r"line|codes|rdm6300|id12|pn532|r200", "line, codes, rdm6300, id12, pn532 or r200"),
    "BUTTON": (r"[ABCD]", "A, B, C or D"),
    "SECONDS": (r"\d+(?:\.\d+)?", "seconds such as `3` or `0.5`"),
    "CHANGE": (r"[+-]?\d+(?:\.\d+)?", "seconds such as `-3600`"),
    "PERCENT": (r"\d+(?:\.\d+)?", "a percentage such as `5`"),
    "N": (r"\d+", "a whole number"),
    "FAULT": ("|".join(Fault), f"one of {', '.join(Fault)}"),
    "ORDER": ("|".join(PLAIN), ", ".join(PLAIN)),
    "JSON": (r"\{.*\}", 'a JSON object such as `{"do": "move"}`'),
    "TEXT": (r'"[^"]+"', 'a text in quotation marks such as `"Watchtower"`'),
    "WORD": (r"[\w:.-]+", "a word"),
    "PATH": (r"[\w.]+", "a part of the table such as `water` or `state.pawns.pilot`"),
    "VALUE": (r".+?", "a value"),
}
"""What may stand for a word in capitals, as a pattern and in words."""

FORMS: Mapping[str, tuple[Sort, str]] = {
    "seed": (Sort.SETUP, "seed N"),
    "language": (Sort.SETUP, "language WORD"),
    "panel_model": (Sort.SETUP, "panel like WORD"),
    "reader": (Sort.SETUP, "reader READER speaks PROTOCOL [standing for WORD]"),
    "place": (Sort.ACT, "place PIECE [on READER]"),
    "lift": (Sort.ACT, "lift [PIECE] [from READER]"),
    "tap": (Sort.ACT, "tap PIECE [on READER] [for SECONDS s]"),
    "press": (Sort.ACT, "press BUTTON [N times]"),
    "hold": (Sort.ACT, "hold BUTTON [for SECONDS s]"),
    "stick": (Sort.ACT, "stick BUTTON"),
    "free": (Sort.ACT, "free BUTTON"),
    "wait": (Sort.ACT, "wait SECONDS s"),
    "unplug": (Sort.ACT, "unplug READER"),
    "plug": (Sort.ACT, "plug READER"),
    "reset": (Sort.ACT, "reset READER"),
    "noise": (Sort.ACT, "noise on READER"),
    "cut_power": (Sort.ACT, "cut the power"),
    "kill": (Sort.ACT, "kill the process"),
    "fill_disk": (Sort.ACT, "fill the disk"),
    "empty_disk": (Sort.ACT, "empty the disk"),
    "panel_dies": (Sort.ACT, "panel dies"),
    "panel_revives": (Sort.ACT, "panel revives"),
    "panel_ages": (Sort.ACT, "panel takes PERCENT % of its time"),
    "clock_jumps": (Sort.ACT, "clock jumps CHANGE s"),
    "order_play": (Sort.ACT, "phone N does JSON"),
    "order_plain": (Sort.ACT, "phone N ORDER"),
    "order_pick": (Sort.ACT, "phone N picks WORD"),
    "order_start": (Sort.ACT, "phone N starts WORD JSON"),
    "order_raw": (Sort.ACT, "phone N sends JSON"),
    "repeat": (Sort.ACT, "phone N repeats"),
    "sleep": (Sort.ACT, "phone N sleeps"),
    "wake": (Sort.ACT, "phone N wakes"),
    "fault": (Sort.ACT, "fault FAULT PERCENT %"),
    "no_fault": (Sort.ACT, "fault FAULT off"),
    "panel_shows": (Sort.EXPECTATION, "panel shows TEXT [within SECONDS s]"),
    "panel_lacks": (Sort.EXPECTATION, "panel shows no TEXT [within SECONDS s]"),
    "panel_clean": (Sort.EXPECTATION, "panel is clean [within SECONDS s]"),
    "panel_current": (Sort.EXPECTATION, "panel is up to date [within SECONDS s]"),
    "phone_sees": (Sort.EXPECTATION, "phone N sees PATH VALUE [within SECONDS s]"),
    "phone_taken": (Sort.EXPECTATION, "phone N was answered"),
    "phone_refused": (Sort.EXPECTATION, "phone N was refused [WORD]"),
    "table": (Sort.EXPECTATION, "table: PATH VALUE [within SECONDS s]"),
    "moves_on": (Sort.EXPECTATION, "revision moves on [within SECONDS s]"),
    "stays": (Sort.EXPECTATION, "revision stays [for SECONDS s]"),
    "sound": (Sort.EXPECTATION, "all is well"),
}
"""Every line that a script can have, by the name of what it does."""


class ScriptError(Exception):
    """A script that cannot be read; one line a fault, each with its number and what is expected there."""


@dataclass(frozen=True, slots=True)
class Act:
    """One line: what it does, and what was filled in, by the slot's name in small letters."""

    name: str
    given: Mapping[str, str]
    text: str
    line: int = 0

    @property
    def sort(self) -> Sort:
        """What sort of line it is."""
        return FORMS[self.name][0]

    def number(self, slot: str, default: float) -> float:
        """A number that was given, or the usual one."""
        return float(self.given.get(slot, default))

    def __str__(self) -> str:
        return self.text


def _pattern(form: str) -> re.Pattern[str]:
    pattern = ""
    for word in form.split():
        bare = word.strip("[]")
        told = f"(?P<{bare.lower()}>{SLOTS[bare][0]})" if bare in SLOTS else re.escape(bare)
        pattern += ("(?:" if word.startswith("[") else "") + (r"\s+" if pattern else "") + told
        pattern += ")?" if word.endswith("]") else ""
    return re.compile(pattern)


_PATTERNS = {name: _pattern(form) for name, (_, form) in FORMS.items()}


def read_script(text: str, pieces: Collection[str] | None = None) -> tuple[Act, ...]:
    """The acts of a script. Raises ScriptError, with every fault that is in it.

    ``pieces`` are the text forms of everything that has a tag; None where that is not looked at.
    """
    acts: list[Act] = []
    faults: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        told = _uncommented(line)
        if not told:
            continue
        try:
            act = read_act(told, number)
            _check_order(act, acts)
            acts.append(act)
            if pieces is not None:
                piece_of(act, pieces)
        except ScriptError as fault:
            faults.append(f"line {number}: {fault}")
    if faults:
        raise ScriptError("\n".join(faults))
    return tuple(acts)


def read_act(text: str, line: int = 0) -> Act:
    """One line. Raises ScriptError."""
    for name, pattern in _PATTERNS.items():
        found = pattern.fullmatch(text)
        if found:
            given = {slot: value for slot, value in found.groupdict().items() if value is not None}
            _check_json(given)
            return Act(name, given, text, line)
    raise ScriptError(_expected(text))


def piece_of(act: Act, pieces: Collection[str]) -> str | None:
    """The text form of the piece that an act names; None where it names none or a bare tag. Raises ScriptError."""
    told = " ".join(act.given.get("piece", "").split())
    if not told or told.startswith("tag "):
        return None
    piece = told.replace(" ", ":")
    if piece not in pieces:
        near = [each for each in sorted(pieces) if piece.rpartition(":")[2] in each]
        hint = f"; did you mean {' or '.join(near[:3]).replace(':', ' ')}?" if near else ""
        raise ScriptError(f"{act}: no box has a {told}{hint}")
    return piece


def _uncommented(line: str) -> str:
    return re.sub(r"(?:^|\s)#.*$", "", line).strip()


def _check_json(given: Mapping[str, str]) -> None:
    if "json" in given:
        try:
            json.loads(given["json"])
        except ValueError as fault:
            raise ScriptError(f"{given['json']}: is no JSON: {fault}") from None


def _check_order(act: Act, before: Iterable[Act]) -> None:
    if act.sort is Sort.SETUP and any(each.sort is not Sort.SETUP for each in before):
        raise ScriptError(f"{act}: must stand before the first act")


def _expected(text: str) -> str:
    forms = [form for _, form in FORMS.values()]
    first = text.split(maxsplit=1)[0]
    near = [form for form in forms if form.split()[0].rstrip(":") == first.rstrip(":")]
    if not near:
        words = sorted({form.split()[0] for form in forms})
        meant = difflib.get_close_matches(first, words, 1)
        near = [form for form in forms if meant and form.split()[0] == meant[0]]
    if not near:
        return f"{text}: expected a line that begins with one of {', '.join(words)}"
    second = text.split()[2:3] if first == "phone" else text.split()[1:2]
    closer = [form for form in near if second and second[0] in form.split()]
    shown = closer or near
    slots = dict.fromkeys(slot for form in shown for slot in re.findall(r"\b[A-Z]{2,}\b|\bN\b", form))
    where = "; ".join(f"{slot} is {SLOTS[slot][1]}" for slot in slots) if len(shown) <= 2 else ""
    return f"{text}: expected {' or '.join(f'`{form}`' for form in shown)}{f', where {where}' if where else ''}"
