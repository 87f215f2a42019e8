"""Stray bytes: what comes over a wire outside of any frame, and when it is to be called noise."""

from __future__ import annotations

from companion.ports import Advice
from drivers.decoder import Bad

MANY = 24
"""So many bytes with no whole frame between them are more than a broken frame: another speed, or another tongue."""


class Strays:
    """Counts the bytes that belong to no frame since something whole came."""

    def __init__(self, protocol: str, baud: int) -> None:
        self._protocol = protocol
        self._noise = Bad(Advice("advice.frame.noise", {"protocol": protocol, "baud": baud}))
        self._count = 0

    def clear(self) -> None:
        """Something whole came, or the port was opened."""
        self._count = 0

    def add(self, count: int) -> list[Bad]:
        """More bytes outside of a frame; told each time that there are many more."""
        before, self._count = self._count, self._count + count
        return [self._noise] if before // MANY < self._count // MANY else []

    def broken(self, count: int) -> Bad:
        """A frame that broke off after ``count`` bytes, or noise where so much is stray."""
        self._count += count
        if self._count >= MANY:
            return self._noise
        return Bad(Advice("advice.frame.broken", {"protocol": self._protocol}))

    def wrong(self) -> Bad:
        """A frame that is whole and wrong."""
        return Bad(Advice("advice.frame.checksum", {"protocol": self._protocol}))
