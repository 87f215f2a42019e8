"""The frames of a PN532 (NXP UM0701-02, 6.2): ``00 00 FF LEN LCS body DCS 00``, acknowledgements, the error frame.

LEN counts the body; LEN + LCS and the sum of body and DCS are 0 modulo 256. The body begins with D4 towards the chip
and with D5 from it. The extended frames for bodies of more than 255 bytes do not occur with what a table asks for.

A sum of 8 bits lets one broken frame in 256 pass. So the 00 at the end must be there too, and a body that holds the
whole start of another frame is that other frame behind one that was cut.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

ACK = bytes.fromhex("0000FF00FF00")
NACK = bytes.fromhex("0000FFFF0000")
TO_CHIP, FROM_CHIP, ERROR = 0xD4, 0xD5, 0x7F

_START = b"\x00\xff"
_HEADER = 4


class Fault(Enum):
    """What can be wrong: stray bytes, a length that does not match its checksum, a body that does not, a cut."""

    STRAY = "stray"
    LENGTH = "length"
    CHECKSUM = "checksum"
    CUT = "cut"


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """The chip took the command (or, where not ``taken``, wants it again)."""

    taken: bool = True


@dataclass(frozen=True, slots=True)
class Body:
    """A whole frame's body, first byte D5, or 7F for a command that the chip does not understand."""

    octets: bytes


@dataclass(frozen=True, slots=True)
class Broken:
    """``count`` bytes that make no frame."""

    fault: Fault
    count: int = 1


Piece = Acknowledged | Body | Broken


def frame(body: bytes) -> bytes:
    """A whole frame around a body of 1 to 255 bytes."""
    length = len(body)
    return bytes((0, 0, 0xFF, length, -length & 0xFF)) + body + bytes((-sum(body) & 0xFF, 0))


class Frames:
    """Finds frames in a stream; one that turns out broken is searched again from its second byte."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    @property
    def half(self) -> bool:
        """Whether a frame has begun and not ended."""
        return len(self._buffer) > 1

    def clear(self) -> None:
        """Forget half a frame."""
        self._buffer.clear()

    def feed(self, received: bytes) -> list[Piece]:
        """Everything that became complete, in order."""
        self._buffer += received
        pieces: list[Piece] = []
        while (piece := self._next()) is not None:
            pieces.append(piece)
        return pieces

    def cut(self) -> list[Piece]:
        """The half frame will not go on: what is in it otherwise."""
        pieces: list[Piece] = []
        while self.half:
            pieces += [self._drop(Fault.CUT), *self.feed(b"")]
        return pieces

    def _next(self) -> Piece | None:
        start = self._buffer.find(_START)
        if start:
            skipped = self._skip(len(self._buffer) if start < 0 else start)
            if skipped is not None or start < 0:
                return skipped
        if len(self._buffer) < _HEADER:
            return None
        length, check = self._buffer[2:_HEADER]
        if (length, check) in ((0, 0xFF), (0xFF, 0)):
            del self._buffer[:_HEADER]
            return Acknowledged(taken=not length)
        return self._body(length, check)

    def _body(self, length: int, check: int) -> Piece | None:
        if (length + check) & 0xFF or not length:
            return self._drop(Fault.LENGTH)
        end = _HEADER + length + 2
        if len(self._buffer) < end:
            return None
        body, check, postamble = self._buffer[_HEADER : end - 2], self._buffer[end - 2], self._buffer[end - 1]
        if (sum(body) + check) & 0xFF or postamble or _holds_a_start(body):
            return self._drop(Fault.CHECKSUM)
        del self._buffer[:end]
        return Body(bytes(body))

    def _drop(self, fault: Fault) -> Broken:
        """The first byte begins no frame after all."""
        del self._buffer[:1]
        return Broken(fault)

    def _skip(self, count: int) -> Broken | None:
        """Skip bytes before a start code; zeros are the padding around frames, and a last one may begin the next."""
        if self._buffer.endswith(b"\0") and count == len(self._buffer):
            count -= 1
        strays = count - self._buffer.count(0, 0, count)
        del self._buffer[:count]
        return Broken(Fault.STRAY, strays) if strays else None


def _holds_a_start(body: bytearray) -> bool:
    at = body.find(b"\0" + _START)
    while at >= 0:
        length = body[at + 3 : at + 5]
        if len(length) == 2 and length[0] and not sum(length) & 0xFF:
            return True
        at = body.find(b"\0" + _START, at + 1)
    return False
