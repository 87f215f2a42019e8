"""A PN532 in HSU mode, as far as a tag reader uses it: asleep until woken, unconfigured until told.

Frames are built here by hand from the manual (NXP UM0701-02), apart from the driver's own code, so that one checks
the other.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

ACK = b"\x00\x00\xff\x00\xff\x00"
NACK = b"\x00\x00\xff\xff\x00\x00"
SYNTAX_ERROR = b"\x00\x00\xff\x01\xff\x7f\x81\x00"
VERSION = bytes((0x32, 0x01, 0x06, 0x07))

ACK_SECONDS, COMMAND_SECONDS, POLL_SECONDS = 0.001, 0.002, 0.03

TYPE_A, CLASSIC, NTAG = b"\x00\x44", 0x08, 0x00


class Pn532Chip:
    """The chip. ``drops`` is the chance that a resting tag misses a poll; ``chance`` decides it."""

    baud: int | None = 115200
    repeat: float | None = None

    def __init__(self, *, drops: float = 0.0, chance: random.Random | None = None) -> None:
        self._drops = drops
        self._chance = chance or random.Random(0)
        self.power()

    def power(self) -> None:
        """A reset: asleep, and all that was set is forgotten."""
        self._awake = False
        self._patient = True
        self._buffer = b""
        self._last = b""

    reset = power

    def arrival(self, _tag: str, /) -> bytes:
        """Nothing: it only answers."""
        return b""

    def presence(self, _tags: Sequence[str], /) -> bytes:
        """Nothing: it only answers."""
        return b""

    def answer(self, asked: bytes, tags: Sequence[str], /) -> list[tuple[float, bytes]]:
        """Acknowledgements and answers to every command that is whole now."""
        if not self._awake:
            if b"\x55\x55" not in asked:
                return []
            self._awake = True
        self._buffer += asked
        answers: list[tuple[float, bytes]] = []
        while (body := self._command()) is not None:
            answers += self._obey(body, tags)
        return answers

    def _command(self) -> bytes | None:
        """The next whole command's body; b"" for a NACK."""
        start = self._buffer.find(b"\x00\xff")
        if start < 0 or len(self._buffer) < start + 4:
            return None
        length, check = self._buffer[start + 2 : start + 4]
        if (length, check) == (0, 0xFF) or ((length + check) & 0xFF and (length, check) != (0xFF, 0)):
            self._buffer = self._buffer[start + 4 :]
            return self._command()
        if (length, check) == (0xFF, 0):
            self._buffer = self._buffer[start + 4 :]
            return b""
        end = start + 4 + length
        if len(self._buffer) < end + 1:
            return None
        body, self._buffer = self._buffer[start + 4 : end], self._buffer[end + 1 :]
        return body

    def _obey(self, body: bytes, tags: Sequence[str]) -> list[tuple[float, bytes]]:
        if not body:
            return [(COMMAND_SECONDS, self._last)]
        told = self._told(body, tags)
        if told is None:
            return [(ACK_SECONDS, ACK)]
        self._last = SYNTAX_ERROR if told == b"" else _frame(b"\xd5" + bytes((body[1] + 1,)) + told[1:])
        return [(ACK_SECONDS, ACK), (POLL_SECONDS if body[1] == 0x4A else COMMAND_SECONDS, self._last)]

    def _told(self, body: bytes, tags: Sequence[str]) -> bytes | None:
        """The answer behind its code, with one byte in front; empty for what it does not know; None for no answer."""
        match body[1]:
            case 0x02:
                return b"." + VERSION
            case 0x14:
                return b"."
            case 0x32 if body[2:3] == b"\x05":
                self._patient = body[5] == 0xFF
                return b"."
            case 0x4A:
                seen = [tag for tag in tags if self._chance.random() >= self._drops][: body[2]]
                if not seen and self._patient:
                    return None
                return b"." + bytes((len(seen),)) + b"".join(_target(n, tag) for n, tag in enumerate(seen, 1))
        return b""


def _target(number: int, tag: str) -> bytes:
    uid = bytes.fromhex(tag)
    return bytes((number,)) + TYPE_A + bytes((CLASSIC if len(uid) == 4 else NTAG, len(uid))) + uid


def _frame(body: bytes) -> bytes:
    length = len(body)
    return b"\x00\x00\xff" + bytes((length, -length & 0xFF)) + body + bytes((-sum(body) & 0xFF, 0))
