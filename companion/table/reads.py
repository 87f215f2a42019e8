"""Two equal reads: how a tag that lies on a reader is told from a reader's ghost. Pure.

A reader that repeats tells the second read itself, a moment after the first. One that sends a code once tells it again
when it is scanned again. Whatever came in between makes the first read a doubtful one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum


class Reading(Enum):
    """What a read comes to: the second equal one in a row is CLEAR."""

    NOTHING = "nothing"
    ONCE = "once"
    CLEAR = "clear"
    CHANGED = "changed"
    TWO = "two"
    GHOST = "ghost"


@dataclass(slots=True)
class Reads:
    """The reads since the last clear one: ``once`` was read last, ``gone`` if it left; ``doubted`` came before it."""

    once: str | None = None
    gone: bool = False
    doubted: set[str] = field(default_factory=set)

    def arrived(self, tag: str) -> Reading:
        """A tag was laid down, or a code scanned."""
        before, lies = self.once, not self.gone
        self.once, self.gone = tag, False
        if tag == before:
            return Reading.CLEAR
        if before is None or not lies:
            return Reading.ONCE
        self.doubted.add(before)
        return Reading.CHANGED

    def again(self, tag: str) -> Reading:
        """The second read of a placement."""
        if tag == self.once:
            return Reading.CLEAR
        if tag not in self.doubted:
            return Reading.NOTHING
        self.once, self.doubted = None, set()
        return Reading.TWO

    def left(self, tag: str) -> Reading:
        """A tag was taken away: one that was read just once may be laid down again to be believed."""
        self.doubted.discard(tag)
        if tag != self.once:
            return Reading.NOTHING
        self.gone = True
        return Reading.GHOST
