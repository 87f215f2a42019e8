"""Between wire and table: what a port's bytes come to, in a protocol that is known beforehand.

An interpreter has no port and no thread; the serial reader asks it what to send, and hands it what came.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from companion.ports import Advice, DeviceState
from drivers.decoder import Bad, Decoder, Found, NoTag, Read
from drivers.presence import Change, Presence

Told = Change | Bad


@dataclass(frozen=True, slots=True)
class Standing:
    """How a reader is whose port is open."""

    state: DeviceState
    advice: Advice | None = None


READY = Standing(DeviceState.READY)


class Interpreter(Protocol):
    """Makes a port's bytes into arrivals, departures and misreads."""

    @property
    def baud(self) -> int:
        """The speed to listen at now; it may change with what is heard."""
        ...

    @property
    def standing(self) -> Standing:
        """How the reader is, as far as its bytes tell."""
        ...

    def opened(self, now: float) -> bytes:
        """The port was (re)opened: what to send first."""
        ...

    def question(self) -> bytes:
        """What to send before the next read."""
        ...

    def hear(self, received: bytes, silent: float, now: float) -> list[Told]:
        """What one read came to; ``silent`` is the time since the last byte in seconds, 0 where some came."""
        ...


@dataclass(frozen=True, slots=True)
class Tongue:
    """A protocol at a speed, with what one placement is in it; ``asks`` where the reader only answers."""

    protocol: str
    baud: int
    decoder: Decoder
    presence: Presence
    asks: bool = False

    def decoded(self, received: bytes, silent: float) -> list[Found]:
        """What the decoder makes of one read."""
        return self.decoder.feed(received) if received else self.decoder.silence(silent)

    def settled(self, found: list[Found], now: float) -> list[Told]:
        """What one read changes. Half a message and a misread are no poll: they change nobody's presence."""
        told: list[Told] = [each for each in found if isinstance(each, Bad)]
        tags = [each.tag for each in found if isinstance(each, Read)]
        if tags or any(isinstance(each, NoTag) for each in found):
            told += self.presence.poll(tags, now)
        return told


class OneTongue:
    """The interpreter of a port whose protocol and speed the settings name."""

    def __init__(self, tongue: Tongue) -> None:
        self._tongue = tongue

    @property
    def baud(self) -> int:
        """The speed in the settings."""
        return self._tongue.baud

    @property
    def standing(self) -> Standing:
        """Ready: what the bytes are is told by what becomes of them."""
        return READY

    def opened(self, now: float) -> bytes:
        """The port was (re)opened: what to send first."""
        self._tongue.presence.resume(now)
        return self._tongue.decoder.opened()

    def question(self) -> bytes:
        """The decoder's question."""
        return self._tongue.decoder.question()

    def hear(self, received: bytes, silent: float, now: float) -> list[Told]:
        """What one read came to."""
        return self._tongue.settled(self._tongue.decoded(received, silent), now)
