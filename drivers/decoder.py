"""What every reader protocol offers to the serial reader: bytes in, reads out, no clock and no port."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from companion.ports import Advice


@dataclass(frozen=True, slots=True)
class Read:
    """A whole tag id in its normal form."""

    tag: str


@dataclass(frozen=True, slots=True)
class NoTag:
    """The reader looked and saw no tag: it said so, or it was silent although it speaks while a tag lies there."""


@dataclass(frozen=True, slots=True)
class Bad:
    """Bytes that make no tag; ``reason`` says what was wrong and, where known, the fix."""

    reason: Advice


Found = Read | NoTag | Bad


class Decoder(Protocol):
    """A reader's language. A new one is this protocol and nothing else: the serial reader does the rest."""

    def opened(self) -> bytes:
        """Forget half a message: the port was (re)opened. What to send to the reader first, mostly nothing."""
        ...

    def question(self) -> bytes:
        """What to send before the next read: a poll, for readers that only answer; mostly nothing."""
        ...

    def feed(self, received: bytes) -> list[Found]:
        """Everything that became complete with these bytes, in order; the rest is kept for the next call."""
        ...

    def silence(self, seconds: float) -> list[Found]:
        """What the silence since the last byte completes, ruins or tells; called again and again while it lasts."""
        ...

    @property
    def recognised(self) -> bool:
        """Whether a message came since the port was opened that no other protocol could have sent."""
        ...
