"""The file of results: a head that says which tournament it is, then a line a game. Only whole lines count.

The one process that writes it appends; it may be killed at any time, and the next goes on after the last whole line.
"""

from __future__ import annotations

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
            self._take_up(terms)
        except OSError as failure:
            raise LedgerError(f"{path}: cannot be used: {failure.strerror}") from None

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
        for line in lines:
            result = self._read(line)
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

    def _read(self, line: bytes) -> Result:
        try:
            told: dict[str, Any] = json.loads(line)
            return Result(match=Match(**told.pop("match")), **told)
        except (ValueError, TypeError, KeyError, AttributeError):
            raise LedgerError(f"{self.path}: has a line that is no result: {line[:60]!r}") from None

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


def _head(terms: Terms) -> bytes:
    return json.dumps({"tournament": terms.json()}).encode()
