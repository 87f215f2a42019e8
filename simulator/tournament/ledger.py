"""The file of results: a head that says which tournament it is, then a line a game. Only whole lines count.

The one process that writes it appends, under a lock that ends with it; it may be killed at any time, and the next goes
on after the last whole line.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any

from simulator.tournament.match import Match, Result, Terms


class LedgerError(Exception):
    """The file cannot be used; the text says in one line why and what to do."""


class Ledger:
    """The results of one tournament on disk. Raises LedgerError where the file is something else's."""

    def __init__(self, path: Path, terms: Terms) -> None:
        self.path = path
        self.results: dict[Match, Result] = {}
        try:
            self._file = path.open("a+b")
        except OSError as failure:
            raise LedgerError(f"{path}: cannot be used: {failure.strerror}") from None
        try:
            self._lock()
            self._take_up(terms)
        except OSError as failure:
            self._file.close()
            raise LedgerError(f"{path}: cannot be used: {failure.strerror}") from None
        except LedgerError:
            self._file.close()
            raise

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise LedgerError(
                f"{self.path}: another companion tournament is writing it, perhaps in another window; "
                "wait until it is done or stop it, or choose another file with --results"
            ) from None

    def _take_up(self, terms: Terms) -> None:
        self._file.seek(0)
        head, *lines = self._file.read().split(b"\n")
        if not lines:
            if head and not _head(terms).startswith(head):
                raise LedgerError(f"{self.path}: is not a file of results; choose another with --results")
            self._file.truncate(0)
            self._append([_head(terms)])
            return
        self._check(head, terms)
        torn = lines.pop()
        if torn:
            self._file.truncate(self._file.tell() - len(torn))
        for number, line in enumerate(lines, 2):
            result = self._read(number, line)
            self.results[result.match] = result

    def _check(self, head: bytes, terms: Terms) -> None:
        try:
            known = dict(json.loads(head)["tournament"])
        except (ValueError, TypeError, KeyError):
            raise LedgerError(f"{self.path}: is not a file of results; choose another with --results") from None
        differing = [f"{key} {known.get(key)!r}" for key, value in terms.json().items() if known.get(key) != value]
        if differing:
            raise LedgerError(
                f"{self.path}: holds another tournament ({', '.join(differing)}); choose another file with --results"
            )

    def _read(self, number: int, line: bytes) -> Result:
        try:
            told: dict[str, Any] = json.loads(line)
            result = Result(match=Match(**told.pop("match")), **told)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            result = None
        if result is None or not _sound(result):
            raise LedgerError(
                f"{self.path}: line {number} is no result: {line[:60]!r}; delete that line, and the same command "
                "goes on (a game that is missing is played again)"
            )
        return result

    def add(self, results: Iterable[Result]) -> None:
        """Keep what is new; a game that was played twice counts once."""
        new = [result for result in results if result.match not in self.results]
        self.results.update({result.match: result for result in new})
        self._append([json.dumps(asdict(result)).encode() for result in new])

    def _append(self, lines: list[bytes]) -> None:
        self._file.write(b"".join(line + b"\n" for line in lines))
        self._file.flush()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()


def _sound(result: Result) -> bool:
    """Whether all is of the kind that it says it is: what was read may be anything."""
    match = result.match
    whole = all(type(number) is int for number in (match.players, match.number, result.turns, result.commands))
    words = isinstance(match.difficulty, str) and isinstance(result.fault, str)
    reason = result.reason is None or isinstance(result.reason, str)
    return whole and words and reason and isinstance(result.won, bool) and isinstance(result.progress, int | float)


def _head(terms: Terms) -> bytes:
    return json.dumps({"tournament": terms.json()}).encode()
