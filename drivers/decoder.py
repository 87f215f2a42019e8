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
class Bad:
    """Bytes that make no tag; ``reason`` says what was wrong and, where known, the fix."""

    reason: Advice


class Decoder(Protocol):
    """A reader's language. A new one is this protocol and nothing else: the serial reader does the rest."""

    def opened(self) -> bytes:
        """Forget half a message: the port was (re)opened. What to send to the reader first, mostly nothing."""
        ...

    def question(self) -> bytes:
        """What to send before the next read: a poll, for readers that only answer; mostly nothing."""
        ...

    def feed(self, received: bytes) -> list[Read | Bad]:
        """Everything that became complete with these bytes, in order; the rest is kept for the next call."""
        ...

    def silence(self, seconds: float) -> list[Read | Bad]:
        """What the silence since the last byte completes or ruins; called again and again while it lasts."""
        ...
