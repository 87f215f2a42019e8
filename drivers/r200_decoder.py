"""R200 (M100, QM100) readers of UHF tags, 115200 baud, which answer: every tag in reach that an inventory round meets.

A frame is ``AA type command length(2) parameters checksum DD``; the checksum is the sum of all from type to the last
parameter. It is framed by its length, for parameters may hold AA and DD. A notice of a tag (type 2, command 22) has
RSSI, PC (its upper five bits count the EPC's words), the EPC and the tag's own CRC-16; ``FF 15`` says that no tag
answered. A frame that turns out broken is searched again from its second byte, so that a whole one within it is found.
"""

from __future__ import annotations

from companion.ports import Advice
from drivers.decoder import Bad, Found, NoTag, Read
from drivers.strays import Strays

BAUD = 115200
HEAD, END = 0xAA, 0xDD
COMMAND, ANSWER, NOTICE = 0x00, 0x01, 0x02
POLL, STOP, FAILED = 0x22, 0x28, 0xFF
NO_TAG = 0x15
LONGEST_PARAMETERS = 80
"""A notice has 5 bytes and an EPC of at most 62; anything that claims to be longer is no frame."""

ANSWER_SECONDS = 0.5
DEAF_AFTER = 4
"""After so many polls in a row without any answer the reader is said to be silent."""

STALE_SECONDS = 0.2
_OUTSIDE = 7


class R200Decoder:
    """Polls an R200 and decodes what it tells; one poll meets some of the tags in reach, seldom all."""

    def __init__(self) -> None:
        self._strays = Strays("R200", BAUD)
        self._buffer = bytearray()
        self._recognised = False
        self._asked_at: float | None = None
        self._rested = True
        self._silent = 0.0
        self._unanswered = 0

    @property
    def recognised(self) -> bool:
        """Whether a whole frame with the right checksum came."""
        return self._recognised

    def opened(self) -> bytes:
        """Forget everything; an inventory that another program left running is stopped."""
        self._buffer.clear()
        self._strays.clear()
        self._recognised = False
        self._asked_at, self._rested, self._silent, self._unanswered = None, True, 0.0, 0
        return frame(COMMAND, STOP)

    def question(self) -> bytes:
        """A poll, after a moment's rest since the last answer."""
        if self._asked_at is not None or not self._rested:
            return b""
        self._asked_at = self._silent
        return frame(COMMAND, POLL)

    def feed(self, received: bytes) -> list[Found]:
        """The tags and faults of every frame that these bytes end."""
        self._rested, self._silent = False, 0.0
        if self._asked_at is not None:
            self._asked_at = 0.0
        self._buffer += received
        return self._scan()

    def silence(self, seconds: float) -> list[Found]:
        """A frame that stopped half-way, an answer that does not come."""
        self._rested, self._silent = True, seconds
        found: list[Found] = []
        if self._buffer and seconds >= STALE_SECONDS:
            found = self._broken()
        if self._asked_at is not None and seconds - self._asked_at >= ANSWER_SECONDS:
            self._asked_at = None
            self._unanswered += 1
            if self._unanswered % DEAF_AFTER == 0:
                found.append(Bad(Advice("advice.reader.silent", {"protocol": "R200", "baud": BAUD})))
        return found

    def _scan(self) -> list[Found]:
        found: list[Found] = []
        while self._buffer:
            start = self._buffer.find(HEAD)
            if start:
                found += self._stray(len(self._buffer) if start < 0 else start)
                continue
            size = _size(self._buffer)
            if size is None or (size > 0 and len(self._buffer) < size):
                break
            if size and _whole(self._buffer[:size]):
                found += self._take(bytes(self._buffer[:size]))
                del self._buffer[:size]
            else:
                found += self._reject()
        return found

    def _stray(self, count: int) -> list[Bad]:
        del self._buffer[:count]
        return self._strays.add(count)

    def _reject(self) -> list[Bad]:
        """The first byte begins no frame after all."""
        del self._buffer[:1]
        return [self._strays.broken(1)]

    def _broken(self) -> list[Found]:
        found: list[Found] = [*self._reject(), *self._scan()]
        while self._buffer:
            found += [*self._reject(), *self._scan()]
        return found

    def _take(self, whole: bytes) -> list[Found]:
        self._strays.clear()
        self._recognised = True
        self._unanswered = 0
        kind, command, parameters = whole[1], whole[2], whole[5:-2]
        if (kind, command) == (NOTICE, POLL):
            self._asked_at = None
            return [_tag(parameters)]
        if (kind, command) == (ANSWER, FAILED):
            self._asked_at = None
            return [NoTag()] if parameters[:1] == bytes((NO_TAG,)) else []
        return []


def frame(kind: int, command: int, parameters: bytes = b"") -> bytes:
    """A whole frame."""
    body = bytes((kind, command, *len(parameters).to_bytes(2, "big"))) + parameters
    return bytes((HEAD, *body, sum(body) & 0xFF, END))


def crc16(covered: bytes) -> int:
    """The CRC-16 that a tag sends behind its PC and EPC (ISO/IEC 13239: CCITT, preset FFFF, inverted)."""
    crc = 0xFFFF
    for byte in covered:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ (0x1021 if crc & 0x8000 else 0)) & 0xFFFF
    return crc ^ 0xFFFF


def _size(buffer: bytearray) -> int | None:
    """The bytes of the frame at the start; None while that cannot be told; 0 where it can be none."""
    if len(buffer) > 1 and buffer[1] not in (ANSWER, NOTICE):
        return 0
    if len(buffer) < 5:
        return None
    length = int.from_bytes(buffer[3:5], "big")
    return 0 if length > LONGEST_PARAMETERS else length + _OUTSIDE


def _whole(candidate: bytearray) -> bool:
    return candidate[-1] == END and sum(candidate[1:-2]) & 0xFF == candidate[-2]


def _tag(parameters: bytes) -> Read | Bad:
    """The tag of a notice. A CRC of 0 is one that the reader leaves out."""
    covered, crc = parameters[1:-2], int.from_bytes(parameters[-2:], "big")
    pc, epc = covered[:2], covered[2:]
    if len(pc) < 2 or not epc or len(epc) != 2 * (pc[0] >> 3) or crc not in (0, crc16(covered)):
        return Bad(Advice("advice.frame.checksum", {"protocol": "R200"}))
    return Read(epc.hex().upper())
