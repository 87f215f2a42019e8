"""A PN532 on a serial wire (HSU mode, 115200 baud), which answers: woken, checked, set up, then asked for tags.

The set-up is wake-up, GetFirmwareVersion, SAMConfiguration (normal mode), and RFConfiguration so that a poll gives up
after one retry instead of waiting for a tag for ever. Then InListPassiveTarget asks for up to two tags of ISO 14443 A
again and again. A chip that does not answer, or does not understand, may have been reset: it is set up anew.
"""

from __future__ import annotations

from companion.ports import Advice
from drivers.decoder import Bad, Found, NoTag, Read
from drivers.ids import nfc_id
from drivers.pn532_frames import ACK, ERROR, FROM_CHIP, NACK, TO_CHIP, Acknowledged, Body, Fault, Frames, Piece, frame
from drivers.strays import Strays

BAUD = 115200
CHIP = 0x32
FIRMWARE, SAM, RF_CONFIGURATION, LIST_TARGETS = 0x02, 0x14, 0x32, 0x4A

WAKE = b"\x55\x55" + bytes(14)
SET_UP = (
    bytes((FIRMWARE,)),
    bytes((SAM, 0x01, 0x14, 0x01)),
    bytes((RF_CONFIGURATION, 0x05, 0xFF, 0x01, 0x01)),
)
POLL = bytes((LIST_TARGETS, 2, 0))

ANSWER_SECONDS = 1.0
"""A poll with one retry takes some 30 ms; activating a tag with an application on it some 100 ms more."""

CUT_SECONDS = 0.1
REPEATS = 2
"""So often a broken answer is asked for again."""

DEAF_AFTER = 3
"""After so many commands in a row without an answer the chip is said to be silent."""

SPEAKS_14443_4 = 0x20
"""The bit of SEL_RES that tells of an ATS behind the id."""


class Pn532Decoder:
    """Asks a PN532 for tags and decodes its answers."""

    def __init__(self) -> None:
        self._frames = Frames()
        self._strays = Strays("PN532", BAUD)
        self._recognised = False
        self._begin()
        self._unanswered = 0

    @property
    def recognised(self) -> bool:
        """Whether a PN532 told its firmware's version."""
        return self._recognised

    def opened(self) -> bytes:
        """Forget everything; the questions begin with the wake-up."""
        self._frames.clear()
        self._strays.clear()
        self._recognised = False
        self._unanswered = 0
        self._begin()
        return b""

    def _begin(self, *, at_once: bool = True) -> None:
        """Set the chip up from the beginning; where not ``at_once``, after a moment's rest."""
        self._step = 0
        self._pending: bytes | None = None
        self._asked_at = self._silent = 0.0
        self._rested = at_once
        self._say = b""
        self._repeats = 0

    def question(self) -> bytes:
        """The next command: of the set-up, then a poll after a moment's rest since the last answer."""
        if self._say or self._pending is not None:
            said, self._say = self._say, b""
            return said
        if self._step in (0, len(SET_UP)) and not self._rested:
            return b""
        self._pending = SET_UP[self._step] if self._step < len(SET_UP) else POLL
        self._asked_at, self._repeats = self._silent, 0
        greeting = WAKE + ACK if self._step == 0 else b""
        return greeting + command(self._pending)

    def feed(self, received: bytes) -> list[Found]:
        """The tags and faults of every answer that these bytes end."""
        self._rested, self._silent = False, 0.0
        self._asked_at = 0.0
        return self._understood(self._frames.feed(received))

    def silence(self, seconds: float) -> list[Found]:
        """An answer that stopped half-way or does not come."""
        self._rested, self._silent = True, seconds
        found: list[Found] = []
        if self._frames.half and seconds >= CUT_SECONDS:
            found = self._understood(self._frames.cut())
        if self._pending is not None and seconds - self._asked_at >= ANSWER_SECONDS:
            found += self._unheard()
        return found

    def _unheard(self) -> list[Found]:
        """No answer: the chip may have been reset, so that everything begins anew."""
        silent = self._silent
        self._begin()
        self._silent = silent
        self._unanswered += 1
        if self._unanswered % DEAF_AFTER:
            return []
        return [Bad(Advice("advice.reader.silent", {"protocol": "PN532", "baud": BAUD}))]

    def _understood(self, pieces: list[Piece]) -> list[Found]:
        found: list[Found] = []
        for piece in pieces:
            match piece:
                case Acknowledged(taken):
                    self._say = self._say if taken or self._pending is None else command(self._pending)
                case Body(octets):
                    self._strays.clear()
                    found += self._answered(octets)
                case _:
                    found += self._mended(piece.fault, piece.count)
        return found

    def _mended(self, fault: Fault, count: int) -> list[Bad]:
        """Ask for a broken answer once more."""
        if fault is Fault.STRAY:
            return self._strays.add(count)
        if self._pending is not None and self._repeats < REPEATS:
            self._repeats += 1
            self._say = NACK
        return [self._strays.broken(count)]

    def _answered(self, body: bytes) -> list[Found]:
        if body[0] == ERROR:
            self._begin(at_once=False)
            return []
        if body[0] != FROM_CHIP or len(body) < 2:
            return []
        if self._pending is not None and body[1] == self._pending[0] + 1:
            self._pending, self._unanswered, self._say = None, 0, b""
            self._step = min(self._step + 1, len(SET_UP))
        match body[1] - 1:
            case 0x02:
                return self._identified(body[2:])
            case 0x4A:
                return targets(body[2:])
        return []

    def _identified(self, version: bytes) -> list[Found]:
        if version[:1] == bytes((CHIP,)):
            self._recognised = True
            return []
        self._begin(at_once=False)
        return [Bad(Advice("advice.reader.chip", {"chip": version[:1].hex().upper()}))]


def command(body: bytes) -> bytes:
    """The frame of a command."""
    return frame(bytes((TO_CHIP,)) + body)


def targets(listed: bytes) -> list[Found]:
    """The tags that InListPassiveTarget lists: how many, then each with number, SENS_RES, SEL_RES, id and ATS."""
    if not listed:
        return [_broken()]
    count, rest = listed[0], listed[1:]
    found: list[Found] = []
    for _ in range(count):
        if len(rest) < 5 or len(rest) < 5 + rest[4]:
            return [_broken()]
        selected, end = rest[3], 5 + rest[4]
        found.append(nfc_id(rest[5:end]))
        rest = rest[end:]
        if selected & SPEAKS_14443_4 and rest:
            rest = rest[max(rest[0], 1) :]
    return [_broken()] if rest else found or [NoTag()]


def _broken() -> Read | Bad:
    return Bad(Advice("advice.frame.broken", {"protocol": "PN532"}))
