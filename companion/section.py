"""One table of a settings file, read key by key with every fault noted and none raised."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

T = TypeVar("T")
Check = Callable[[Any], bool]

_LONGEST_SHOWN = 60
_BARE_KEY = re.compile(r"^[A-Za-z0-9_-]+\Z")


@dataclass(frozen=True, slots=True)
class Faults:
    """What is wrong with a file, one line each."""

    file: str
    lines: list[str] = field(default_factory=list)

    def note(self, where: str, what: str) -> None:
        """Note a fault at a key."""
        self.lines.append(f"{self.file}: {where} {what}")


class Section:
    """A table of the file. A value that is missing or faulty is read as its default.

    Every key that exists must be asked for once: ``finish`` notes the others as unknown.
    """

    def __init__(self, faults: Faults, name: str, found: Any) -> None:
        self._faults = faults
        self._name = name
        self._found: Mapping[str, Any] = found if isinstance(found, dict) else {}
        self._known: list[str] = []
        self.is_table = found is None or isinstance(found, dict)
        if not self.is_table:
            faults.note(name, f"must be a table of keys, not {shown(found)}")

    def __contains__(self, key: str) -> bool:
        return key in self._found

    def note(self, key: str, what: str) -> None:
        """Note a fault of a key's value."""
        self._faults.note(self._at(key), what)

    def flag(self, key: str, default: bool) -> bool:
        """A boolean."""
        return self._read(key, default, lambda value: isinstance(value, bool), "true or false")

    def text(self, key: str, default: T) -> str | T:
        """A string that is not empty and has no control characters."""
        return self._read(key, default, _is_text, _expected_text(self._found.get(key)))

    def texts(self, key: str, form: re.Pattern[str], expected: str) -> tuple[str, ...]:
        """A list of strings that match a form whole, empty by default."""

        def are_texts(value: Any) -> bool:
            return isinstance(value, list) and all(_is_text(each) and form.fullmatch(each) for each in value)

        none: list[str] = []
        return tuple(self._read(key, none, are_texts, expected))

    def one_of(self, key: str, options: Sequence[T], default: T) -> T:
        """One of the options, which are all strings or all numbers."""

        def is_option(value: Any) -> bool:
            return value in options and type(value) is type(options[0])

        near = difflib.get_close_matches(_spelt(self._found.get(key)), map(str, options), n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        return self._read(key, default, is_option, listed(options), hint)

    def whole(self, key: str, default: T, least: int, most: int) -> int | T:
        """A whole number between two, both allowed."""

        def is_whole(value: Any) -> bool:
            return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most

        return self._read(key, default, is_whole, f"a whole number from {least} to {most}")

    def whole_or(self, word: str, key: str, least: int, most: int) -> int | None:
        """A whole number between two, both allowed; None where the value is this word instead, or faulty."""

        def is_right(value: Any) -> bool:
            return value == word or (isinstance(value, int) and not isinstance(value, bool) and least <= value <= most)

        found: object = self._read(key, word, is_right, f'a whole number from {least} to {most}, or "{word}"')
        return found if isinstance(found, int) else None

    def seconds(self, key: str, default: T, least: float, most: float) -> float | T:
        """A number of seconds between two, both allowed."""

        def are_seconds(value: Any) -> bool:
            return isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most

        return self._read(key, default, are_seconds, f"a number of seconds from {least:g} to {most:g}")

    def section(self, key: str) -> Section:
        """A table within, empty where it is missing."""
        self._known.append(key)
        return Section(self._faults, self._at(key), self._found.get(key))

    def sections(self, key: str) -> list[Section]:
        """A list of tables, empty where it is missing; they are numbered from 1 in messages."""
        expected = f"one table a device, each below [[{self._at(key)}]]"
        none: list[Any] = []
        tables = self._read(key, none, lambda value: isinstance(value, list), expected)
        return [Section(self._faults, f"{self._at(key)}[{number}]", each) for number, each in enumerate(tables, 1)]

    def finish(self) -> None:
        """Note every key that nobody asked for."""
        for key in self._found:
            if key not in self._known:
                near = difflib.get_close_matches(key, self._known, n=1)
                hint = f"did you mean {near[0]}?" if near else f"known here: {', '.join(self._known)}"
                self.note(key, f"is unknown; {hint}")

    def _read(self, key: str, default: T, is_right: Check, expected: str, hint: str = "") -> T:
        self._known.append(key)
        if key not in self._found:
            return default
        value: T = self._found[key]
        if is_right(value):
            return value
        self.note(key, f"must be {expected}, not {shown(value)}{hint}")
        return default

    def _at(self, key: str) -> str:
        key = key if _BARE_KEY.match(key) else repr(key)
        return f"{self._name}.{key}" if self._name else key


def shown(value: Any) -> str:
    """A value of the file on one line, cut where it is long."""
    try:
        text = repr(value) if not isinstance(value, bool) else str(value).lower()
    except (ValueError, RecursionError):
        return "a number of too many digits or lists too deep to show"
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


def listed(options: Sequence[object]) -> str:
    """Options in words."""
    *most, last = map(str, options)
    return f"{', '.join(most)} or {last}" if most else last


def _spelt(value: Any) -> str:
    return value if isinstance(value, str) else shown(value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and not _has_controls(value)


def _expected_text(value: Any) -> str:
    has_controls = isinstance(value, str) and _has_controls(value)
    return "a text without control characters" if has_controls else "a text in quotes"


def _has_controls(text: str) -> bool:
    return any(unicodedata.category(letter) in ("Cc", "Zl", "Zp") for letter in text)
