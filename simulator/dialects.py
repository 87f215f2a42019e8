"""What simulated readers say, a protocol each: on a tag's arrival, while it lies there, and when they are asked.

Each keeps the timing of the real thing: how often it repeats a tag, and how long it takes to answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import xor
from typing import Protocol

REPEAT_OF_SKETCH, REPEAT_OF_RDM6300 = 0.1, 0.065


class Dialect(Protocol):
    """A protocol as its readers speak it; ``baud`` is None where they take any speed, as USB devices do."""

    @property
    def baud(self) -> int | None:
        """The speed it is spoken at."""
        ...

    @property
    def repeat(self) -> float | None:
        """Seconds between two messages about a tag that lies there; None where nothing more is said of it."""
        ...

    def arrival(self, tag: str, /) -> bytes:
        """What is sent at once for a tag that is laid on the reader."""
        ...

    def presence(self, tags: Sequence[str], /) -> bytes:
        """What is sent each ``repeat`` seconds while tags lie there, first laid first."""
        ...

    def answer(self, asked: bytes, tags: Sequence[str], /) -> list[tuple[float, bytes]]:
        """What is answered to bytes from the driver: each with the seconds before it."""
        ...

    def power(self) -> None:
        """The reader was switched on: it knows nothing of what was before."""
        ...


class Speaking:
    """A reader that only speaks."""

    def answer(self, _asked: bytes, _tags: Sequence[str], /) -> list[tuple[float, bytes]]:
        """Nothing: it does not listen."""
        return []

    def power(self) -> None:
        """It keeps nothing."""


class Lines(Speaking):
    """A sketch around an MFRC522 on a USB board: a line for each tag that lies there, again and again."""

    baud: int | None = None

    def __init__(self, repeat: float = REPEAT_OF_SKETCH, *, label: str = "", ending: str = "\r\n") -> None:
        self.repeat: float | None = repeat
        self._label = label
        self._ending = ending

    def arrival(self, tag: str, /) -> bytes:
        """One line."""
        return line_of(tag, self._label, self._ending)

    def presence(self, tags: Sequence[str], /) -> bytes:
        """A line for each tag."""
        return b"".join(map(self.arrival, tags))


class Codes(Speaking):
    """A barcode or QR scanner in serial mode: what a code says, once a trigger, with its AIM identifier in front."""

    baud: int | None = None
    repeat: float | None = None

    def __init__(self, *, prefix: str = "]Q3", ending: str = "\r") -> None:
        self._prefix = prefix
        self._ending = ending

    def arrival(self, tag: str, /) -> bytes:
        """One line."""
        return f"{self._prefix}{tag}{self._ending}".encode()

    def presence(self, _tags: Sequence[str], /) -> bytes:
        """Nothing: a code is read once."""
        return b""


class Rdm6300(Speaking):
    """An RDM6300: the frame of the one tag that it sees, every 65 ms. Its field has room for one tag only."""

    baud: int | None = 9600
    repeat: float | None = REPEAT_OF_RDM6300

    def arrival(self, tag: str, /) -> bytes:
        """One frame."""
        return em4100_frame(tag)

    def presence(self, tags: Sequence[str], /) -> bytes:
        """The frame of the tag that came first; the others it cannot see."""
        return em4100_frame(tags[0]) if tags else b""


class Id12(Speaking):
    """An ID-12LA or ID-20LA: one frame when a tag comes, and no more while it stays."""

    baud: int | None = 9600
    repeat: float | None = None

    def arrival(self, tag: str, /) -> bytes:
        """One frame, with CR and LF in it."""
        return em4100_frame(tag, b"\r\n")

    def presence(self, _tags: Sequence[str], /) -> bytes:
        """Nothing."""
        return b""


def line_of(tag: str, label: str = "", ending: str = "\r\n") -> bytes:
    """The line that a sketch prints for a tag: its bytes in hexadecimal; a text that is no id as it stands."""
    try:
        text = bytes.fromhex(tag).hex(" ").upper()
    except ValueError:
        text = tag
    return f"{label}{text}{ending}".encode()


def em4100_frame(tag: str, ending: bytes = b"") -> bytes:
    """The frame for a tag of five bytes; of longer ids the last five, as these tags have no more."""
    raw = bytes.fromhex(tag)[-5:].rjust(5, b"\0")
    digits = (raw + bytes((reduce(xor, raw),))).hex().upper().encode()
    return b"\x02" + digits + ending + b"\x03"
