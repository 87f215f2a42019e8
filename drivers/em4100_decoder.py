"""RDM6300, ID-12LA and ID-20LA: readers of 125 kHz EM4100 tags, 9600 baud, which only speak.

A frame is STX, ten hexadecimal digits (a version byte and the id's four), two of their XOR, and ETX; ID-12LA and
ID-20LA send CR and LF before the ETX. Both sorts are read. A new STX begins a new frame, wherever it comes.
"""

from __future__ import annotations

from functools import reduce
from operator import xor

from drivers.decoder import Bad, Found, NoTag, Read
from drivers.strays import Strays

STX, ETX = 0x02, 0x03
DIGITS = b"0123456789ABCDEFabcdef"
BAUD = 9600
_BODY = 12
_ENDING = b"\r\n"

STALE_SECONDS = 0.3
"""After so long a silence no frame goes on: a whole one takes 17 ms."""


class Em4100Decoder:
    """Decodes the frames of both sorts; ``ending`` is what only one sort sends before the ETX, to be recognised by."""

    def __init__(self, protocol: str = "RDM6300", ending: bytes = b"") -> None:
        self._ending = ending
        self._frame: bytearray | None = None
        self._strays = Strays(protocol, BAUD)
        self._recognised = False

    @classmethod
    def id12(cls) -> Em4100Decoder:
        """The decoder that recognises ID-12LA and ID-20LA."""
        return cls("ID-12LA", _ENDING)

    @property
    def recognised(self) -> bool:
        """Whether a whole frame of the own sort came with the right checksum."""
        return self._recognised

    def opened(self) -> bytes:
        """Forget half a frame; such readers need no greeting."""
        self._frame = None
        self._strays.clear()
        self._recognised = False
        return b""

    def question(self) -> bytes:
        """Such readers speak by themselves."""
        return b""

    def feed(self, received: bytes) -> list[Found]:
        """The tags and faults of every frame that these bytes end."""
        return [found for byte in received for found in self._take(byte)]

    def silence(self, seconds: float) -> list[Found]:
        """No tag, or a frame that stopped half-way."""
        if self._frame is None:
            return [NoTag()]
        return [self._broken()] if seconds >= STALE_SECONDS else []

    def _take(self, byte: int) -> list[Found]:
        frame = self._frame
        if byte == STX:
            found: list[Found] = [self._broken()] if frame else []
            self._frame = bytearray()
            return found
        if frame is None:
            return [*self._strays.add(1)]
        if byte == ETX:
            return [self._end(bytes(frame))]
        frame.append(byte)
        return [] if _goes_on(frame) else [self._broken()]

    def _end(self, body: bytes) -> Read | Bad:
        digits, ending = body[:_BODY], body[_BODY:]
        if len(digits) < _BODY or ending not in (b"", _ENDING):
            return self._broken()
        self._frame = None
        raw = bytes.fromhex(digits.decode("ascii"))
        if reduce(xor, raw):
            return self._strays.wrong()
        self._strays.clear()
        self._recognised = self._recognised or ending == self._ending
        return Read(raw[:-1].hex().upper())

    def _broken(self) -> Bad:
        lost, self._frame = self._frame or b"", None
        return self._strays.broken(1 + len(lost))


def _goes_on(body: bytearray) -> bool:
    """Whether what came so far can be the start of a frame."""
    if len(body) <= _BODY:
        return body[-1] in DIGITS
    return _ENDING.startswith(bytes(body[_BODY:]))
