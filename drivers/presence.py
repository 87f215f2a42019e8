"""Presence: the many reads of one tag become one arrival and, where it can be known, one departure.

The second read of a placement is told too, once: an id that was read just once may be a reader's ghost.

Pure. ``now`` is in seconds of one monotonic clock. Only valid reads come here, so corrupt bytes change nothing.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

from companion.ports import TagArrived, TagGone, TagReadAgain

MISSED_POLLS = 3
"""A resting tag drops out of single polls (esphome/esphome#9875): so many must fail in a row before it is gone."""

GRACE_SECONDS = 3.0
"""How long a reader may take to boot after it was plugged in again before a tag that lay on it counts as gone."""

DOUBT_SECONDS = 1.0
"""How long the first read of a tag waits for the second."""

DOUBTS = 32
"""So many single reads are remembered at most."""

Change = TagArrived | TagReadAgain | TagGone


class Presence(Protocol):
    """Turns polls of a reader into arrivals and departures."""

    def poll(self, tags: Collection[str], now: float) -> list[Change]:
        """One poll of the reader saw these tags, or none."""
        ...

    def resume(self, now: float) -> None:
        """The reader is back after it was lost."""
        ...


@dataclass(slots=True)
class _Resting:
    seen: float
    missed: int = 0
    again: bool = False


class RestingTags:
    """For readers that repeat a tag as long as it lies there.

    A tag is gone after at least ``MISSED_POLLS`` polls without it and ``gone_after`` seconds of silence. One that lay
    there when the reader was lost is no new arrival when the reader comes back. A tag arrives with its ``reads``-th
    read: where a protocol has only a short checksum, the second keeps ghosts out, for two of them are hardly alike.
    """

    def __init__(self, reader: str, gone_after: float = 0.5, reads: int = 1) -> None:
        self._reader = reader
        self._gone_after = gone_after
        self._reads = reads
        self._there: dict[str, _Resting] = {}
        self._doubtful: list[tuple[str, float]] = []

    def poll(self, tags: Collection[str], now: float) -> list[Change]:
        """One poll of the reader saw these tags, or none; one that it saw twice stands there twice."""
        seen = list(dict.fromkeys(tags))
        again = [tag for tag in seen if tag in self._there and not self._there[tag].again]
        arrived = [tag for tag in seen if tag not in self._there and self._is_sure(tag, tags, now)]
        for tag in seen:
            if tag in self._there or tag in arrived:
                self._there[tag] = _Resting(now, again=tag in self._there or self._reads > 1)
        return [*self._missing(tags, now), *self._told(arrived, again)]

    def _told(self, arrived: Collection[str], again: Collection[str]) -> list[Change]:
        arrivals = [TagArrived(self._reader, tag) for tag in arrived]
        sure = arrived if self._reads > 1 else ()
        return [*arrivals, *(TagReadAgain(self._reader, tag) for tag in (*sure, *again))]

    def _is_sure(self, tag: str, tags: Collection[str], now: float) -> bool:
        """Whether a tag that is new was read often enough by now."""
        lately = [(read, at) for read, at in self._doubtful if now - at < max(self._gone_after, DOUBT_SECONDS)]
        self._doubtful = [*lately, *((read, now) for read in tags if read == tag)][-DOUBTS:]
        return sum(read == tag for read, _ in self._doubtful) >= self._reads

    def _missing(self, tags: Collection[str], now: float) -> list[Change]:
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
        self._there = {tag: _Resting(now + GRACE_SECONDS, again=True) for tag in self._there}


class PassingTags:
    """For readers that send a tag once a scan: every line is a placement.

    A tag that comes again within ``repeat_gap`` seconds of its last line is the same placement (a scanner in
    continuous mode). Such a reader cannot know when a tag leaves, so nothing is ever told as gone.
    """

    def __init__(self, reader: str, repeat_gap: float = 1.0) -> None:
        self._reader = reader
        self._repeat_gap = repeat_gap
        self._last: dict[str, float] = {}
        self._again: set[str] = set()

    def poll(self, tags: Collection[str], now: float) -> list[Change]:
        """One poll of the reader saw these tags, or none."""
        self._last = {tag: seen for tag, seen in self._last.items() if now - seen < self._repeat_gap}
        self._again &= self._last.keys()
        changes: list[Change] = []
        for tag in tags:
            if now - self._last.get(tag, float("-inf")) >= self._repeat_gap:
                changes.append(TagArrived(self._reader, tag))
            elif tag not in self._again:
                self._again.add(tag)
                changes.append(TagReadAgain(self._reader, tag))
            self._last[tag] = now
        return changes

    def resume(self, now: float) -> None:
        """Nothing lies on such a reader, so there is nothing to keep."""
