"""Presence: the many reads of one tag become one arrival and, where it can be known, one departure.

Pure. ``now`` is in seconds of one monotonic clock. Only valid reads come here, so corrupt bytes change nothing.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

from companion.ports import TagArrived, TagGone

MISSED_POLLS = 3
"""A resting tag drops out of single polls (esphome/esphome#9875): so many must fail in a row before it is gone."""

GRACE_SECONDS = 3.0
"""How long a reader may take to boot after it was plugged in again before a tag that lay on it counts as gone."""


class Presence(Protocol):
    """Turns polls of a reader into arrivals and departures."""

    def poll(self, tags: Collection[str], now: float) -> list[TagArrived | TagGone]:
        """One poll of the reader saw these tags, or none."""
        ...

    def resume(self, now: float) -> None:
        """The reader is back after it was lost."""
        ...


@dataclass(slots=True)
class _Resting:
    seen: float
    missed: int = 0


class RestingTags:
    """For readers that repeat a tag as long as it lies there.

    A tag is gone after at least ``MISSED_POLLS`` polls without it and ``gone_after`` seconds of silence. One that lay
    there when the reader was lost is no new arrival when the reader comes back.
    """

    def __init__(self, reader: str, gone_after: float = 0.5) -> None:
        self._reader = reader
        self._gone_after = gone_after
        self._there: dict[str, _Resting] = {}

    def poll(self, tags: Collection[str], now: float) -> list[TagArrived | TagGone]:
        """One poll of the reader saw these tags, or none."""
        arrived = [tag for tag in dict.fromkeys(tags) if tag not in self._there]
        for tag in tags:
            self._there[tag] = _Resting(now)
        return [*self._missing(tags, now), *(TagArrived(self._reader, tag) for tag in arrived)]

    def _missing(self, tags: Collection[str], now: float) -> list[TagArrived | TagGone]:
        for tag, resting in self._there.items():
            if tag not in tags:
                resting.missed += 1
        gone = [tag for tag, resting in self._there.items() if self._is_gone(resting, now)]
        for tag in gone:
            del self._there[tag]
        return [TagGone(self._reader, tag) for tag in gone]

    def _is_gone(self, resting: _Resting, now: float) -> bool:
        return resting.missed >= MISSED_POLLS and now - resting.seen >= self._gone_after

    def resume(self, now: float) -> None:
        """The reader is back: what lay there is believed to lie there still, for ``GRACE_SECONDS`` at least."""
        self._there = {tag: _Resting(now + GRACE_SECONDS) for tag in self._there}


class PassingTags:
    """For readers that send a tag once a scan: every line is a placement.

    A tag that comes again within ``repeat_gap`` seconds of its last line is the same placement (a scanner in
    continuous mode). Such a reader cannot know when a tag leaves, so nothing is ever told as gone.
    """

    def __init__(self, reader: str, repeat_gap: float = 1.0) -> None:
        self._reader = reader
        self._repeat_gap = repeat_gap
        self._last: dict[str, float] = {}

    def poll(self, tags: Collection[str], now: float) -> list[TagArrived | TagGone]:
        """One poll of the reader saw these tags, or none."""
        self._last = {tag: seen for tag, seen in self._last.items() if now - seen < self._repeat_gap}
        changes: list[TagArrived | TagGone] = []
        for tag in tags:
            if now - self._last.get(tag, float("-inf")) >= self._repeat_gap:
                changes.append(TagArrived(self._reader, tag))
            self._last[tag] = now
        return changes

    def resume(self, now: float) -> None:
        """Nothing lies on such a reader, so there is nothing to keep."""
