"""The tags of a table as a file, to keep or to give to the next table with the same box.

JSON, version 1: ``{"format": "table-companion-tags", "version": 1, "tags": [ENTRY, ...]}``. An entry is
``{"tag": TEXT, "thing": "KIND:NAME"}`` for a piece, ``{"tag": TEXT, "command": NAME}`` for a command. Entries are
written one a line, in the order of what they mean, then of their tags.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from companion.rules.game import AnyGame, Thing
from companion.rules.portrait import Phrase
from companion.table.box import box_of
from companion.table.labels import is_label
from companion.table.meaning import Act, Meaning, read_meaning
from companion.table.tags import is_cut, is_fit

FORMAT, VERSION = "table-companion-tags", 1


class TagFileError(Exception):
    """A file cannot be taken in; ``faults`` are all that is wrong with it, in words."""

    def __init__(self, faults: Iterable[Phrase]) -> None:
        self.faults = tuple(faults)
        super().__init__(", ".join(fault.code for fault in self.faults))


def tag_file(tags: Mapping[str, Meaning]) -> str:
    """The text of the file."""
    ordered = sorted(tags.items(), key=lambda known: (isinstance(known[1], Act), str(known[1]), known[0]))
    entries = ",\n".join(f"    {json.dumps(_entry(*known), ensure_ascii=False)}" for known in ordered)
    listed = f"[\n{entries}\n  ]" if entries else "[]"
    return f'{{\n  "format": "{FORMAT}",\n  "version": {VERSION},\n  "tags": {listed}\n}}\n'


def read_tag_file(text: str, games: Mapping[str, AnyGame]) -> Mapping[str, Meaning]:
    """The tags of a file. Raises TagFileError with every fault; an entry is named by its number, from 1."""
    entries = _entries(text)
    reader = _Reader(games)
    for number, entry in enumerate(entries, 1):
        reader.take(number, entry)
    if reader.faults:
        raise TagFileError(reader.faults)
    return reader.tags


def _entry(tag: str, meaning: Meaning) -> dict[str, str]:
    return {"tag": tag, "thing" if isinstance(meaning, Thing) else "command": str(meaning)}


def _entries(text: str) -> list[Any]:
    """The list of entries. Raises TagFileError for a file that is none of ours."""
    try:
        told = json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_once_each)
    except json.JSONDecodeError as wrong:
        fault = Phrase("tags.file.no_json", {"line": wrong.lineno, "column": wrong.colno, "cause": wrong.msg})
        raise TagFileError([fault]) from wrong
    except _Twice as twice:
        raise TagFileError([Phrase("tags.file.key_twice", {"key": twice.args[0]})]) from twice
    except (RecursionError, ValueError) as wrong:
        raise TagFileError([Phrase("tags.file.no_tags")]) from wrong
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        raise TagFileError([Phrase("tags.file.no_tags", {"format": FORMAT})])
    version, entries = told.get("version"), told.get("tags")
    if type(version) is not int or version < 1:
        raise TagFileError([Phrase("tags.file.no_version", {"version": VERSION})])
    if version > VERSION:
        raise TagFileError([Phrase("tags.file.newer", {"version": version})])
    unknown = [key for key in told if key not in ("format", "version", "tags")]
    if unknown or not isinstance(entries, list):
        fault = Phrase("tags.file.unknown_key", {"key": unknown[0]}) if unknown else Phrase("tags.file.no_list")
        raise TagFileError([fault])
    return entries


class _Twice(Exception):
    """A key stands twice in one object."""


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for key, value in pairs:
        if key in told:
            raise _Twice(key)
        told[key] = value
    return told


class _Reader:
    """Takes entries one by one and notes what is wrong with each."""

    def __init__(self, games: Mapping[str, AnyGame]) -> None:
        pieces = (piece.meaning for game in games.values() for piece in box_of(game).pieces)
        self._meanings = {str(meaning): meaning for meaning in pieces}
        self._numbers: dict[str, int] = {}
        self.tags: dict[str, Meaning] = {}
        self.faults: list[Phrase] = []

    def take(self, number: int, entry: Any) -> None:
        """Take an entry, or note its fault."""
        shaped = isinstance(entry, dict) and set(entry) in ({"tag", "thing"}, {"tag", "command"})
        if not shaped or not all(isinstance(value, str) for value in entry.values()):
            self.faults.append(Phrase("tags.file.no_entry", {"entry": number}))
            return
        tag = entry["tag"]
        fault = self._wrong_with(tag) or self._wrong_meaning(entry)
        if fault is not None:
            self.faults.append(Phrase(fault.code, {"entry": number, "tag": tag, **fault.params}))
            return
        self._numbers[tag] = number
        self.tags[tag] = read_meaning(entry.get("thing") or entry["command"])

    def _wrong_with(self, tag: str) -> Phrase | None:
        if not is_fit(tag):
            return Phrase("tags.file.unfit")
        if is_cut(tag):
            return Phrase("tags.file.cut")
        if is_label(tag):
            return Phrase("tags.file.label")
        return Phrase("tags.file.tag_twice", {"other": self._numbers[tag]}) if tag in self._numbers else None

    def _wrong_meaning(self, entry: Mapping[str, str]) -> Phrase | None:
        key = "thing" if "thing" in entry else "command"
        meaning = self._meanings.get(entry[key])
        if meaning is not None and isinstance(meaning, Thing) == (key == "thing"):
            return None
        near = get_close_matches(entry[key], self._meanings, n=1)
        code = "tags.file.unknown_near" if near else "tags.file.unknown"
        return Phrase(code, {"meaning": entry[key], **({"near": near[0]} if near else {})})
