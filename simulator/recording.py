"""Records: a real table's bytes and edges with their times, and what the drivers told of them; text, of bounded size.

A record is lines of a time in seconds and what happened then, below a first line that names the format::

    companion record 1
    reader box rdm6300 uid 9600 repeat 0.5 1.0 -
    0.000 open box 9600
    1.234 < box 02303030
    1.240 > TagArrived box 0E008E4D5A
    2.000 button A down
    2.100 > Press A short

``<`` are bytes from a reader, ``>`` is what the drivers told then.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

FIRST_LINE = "companion record 1"
MOST_BYTES = 4_000_000
"""A record ends there; an evening at a reader that repeats ten times a second fits in."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line: seconds since the record began, and the words of what happened."""

    at: float
    words: tuple[str, ...]
    number: int = 0


class Recorder:
    """Writes a record; may be called from any thread. ``clock`` gives seconds that never go back."""

    def __init__(self, path: Path, clock: Callable[[], float], most: int = MOST_BYTES) -> None:
        self._clock = clock
        self._began = clock()
        self._left = most
        self._writing = threading.Lock()
        self._file: TextIO | None = path.open("w", encoding="utf-8", buffering=1)
        self._put(FIRST_LINE)

    def head(self, *words: str) -> None:
        """Write a line about the table itself."""
        self._put(" ".join(words))

    def note(self, *words: str) -> None:
        """Write what happens now."""
        self._put(f"{self._clock() - self._began:.3f} {' '.join(words)}")

    def close(self) -> None:
        """End the record; may be called twice."""
        with self._writing:
            if self._file is not None:
                self._file.close()
                self._file = None

    def _put(self, line: str) -> None:
        with self._writing:
            if self._file is None:
                return
            self._left -= len(line) + 1
            if self._left >= 0:
                self._file.write(line + "\n")
                return
            self._file.close()
            self._file = None


class RecordError(Exception):
    """A record that cannot be read; the text names the line."""


def read_record(text: str) -> tuple[list[tuple[str, ...]], list[Line]]:
    """The lines about the table, and those of what happened, in order. Raises RecordError."""
    first, *rest = text.splitlines() or [""]
    if first != FIRST_LINE:
        raise RecordError(f"line 1: expected `{FIRST_LINE}`")
    heads: list[tuple[str, ...]] = []
    lines: list[Line] = []
    for number, line in enumerate(rest, 2):
        words = tuple(line.split())
        if not words or words[0] == "#":
            continue
        if words[0] in ("reader", "buttons"):
            heads.append(words)
            continue
        lines.append(_line(words, number))
    _check_times(lines)
    return heads, lines


def _line(words: tuple[str, ...], number: int) -> Line:
    try:
        return Line(float(words[0]), words[1:], number)
    except ValueError:
        raise RecordError(f"line {number}: expected a time in seconds, not {words[0]!r}") from None


def _check_times(lines: Iterable[Line]) -> None:
    before = 0.0
    for line in lines:
        if line.at < before:
            raise RecordError(f"line {line.number}: {line.at} is before {before}: times never go back")
        before = line.at
