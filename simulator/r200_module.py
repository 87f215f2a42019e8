"""An R200 UHF module: it answers a poll with one of the tags in reach, each in its turn, or says that there is none."""

from __future__ import annotations

from binascii import crc_hqx
from collections.abc import Sequence

POLL_SECONDS = 0.02
RSSI = 0xC9


class R200Module:
    """The module, with tags of any even number of bytes in reach."""

    baud: int | None = 115200
    repeat: float | None = None

    def __init__(self) -> None:
        self.power()

    def power(self) -> None:
        """It keeps nothing."""
        self._buffer = b""
        self._turn = 0

    def arrival(self, _tag: str, /) -> bytes:
        """Nothing: it only answers."""
        return b""

    def presence(self, _tags: Sequence[str], /) -> bytes:
        """Nothing: it only answers."""
        return b""

    def answer(self, asked: bytes, tags: Sequence[str], /) -> list[tuple[float, bytes]]:
        """An answer to every command that is whole now."""
        self._buffer += asked
        answers: list[tuple[float, bytes]] = []
        while (command := self._command()) is not None:
            answers += self._obey(command, tags)
        return answers

    def _command(self) -> int | None:
        start = self._buffer.find(b"\xaa\x00")
        if start < 0 or len(self._buffer) < start + 5:
            return None
        length = int.from_bytes(self._buffer[start + 3 : start + 5], "big")
        end = start + 7 + length
        if len(self._buffer) < end:
            return None
        command = self._buffer[start + 2]
        self._buffer = self._buffer[end:]
        return command

    def _obey(self, command: int, tags: Sequence[str]) -> list[tuple[float, bytes]]:
        if command == 0x28:
            return [(POLL_SECONDS, r200_frame(1, 0x28, b"\x00"))]
        if command != 0x22:
            return [(POLL_SECONDS, r200_frame(1, 0xFF, b"\x17"))]
        if not tags:
            return [(POLL_SECONDS, r200_frame(1, 0xFF, b"\x15"))]
        self._turn += 1
        return [(POLL_SECONDS, r200_notice(tags[self._turn % len(tags)]))]


def r200_frame(kind: int, command: int, parameters: bytes) -> bytes:
    """A whole frame."""
    body = bytes((kind, command)) + len(parameters).to_bytes(2, "big") + parameters
    return b"\xaa" + body + bytes((sum(body) & 0xFF,)) + b"\xdd"


def r200_notice(tag: str) -> bytes:
    """The notice of a tag, whose id is its EPC; one of odd bytes gets a zero in front."""
    epc = bytes.fromhex(tag)
    epc = bytes(len(epc) % 2) + epc
    covered = bytes((len(epc) // 2 << 3, 0)) + epc
    return r200_frame(2, 0x22, bytes((RSSI,)) + covered + (crc_hqx(covered, 0xFFFF) ^ 0xFFFF).to_bytes(2, "big"))
