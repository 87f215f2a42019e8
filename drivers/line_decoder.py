"""Readers that send lines of text: sketches around an MFRC522 or PN532, and scanners in serial (CDC) mode.

There is no standard and no checksum. A line ends with CR, LF or both, or, for scanners set to send no ending, with
silence. In the format ``uid`` a line is a tag only where the whole of it, behind an optional label such as
``Card UID:``, is an id of a length that tags have; other readable lines are the sketch's chatter and are passed over.
In the format ``text`` the line is the tag, as it stands.
"""

from __future__ import annotations

import re
from enum import StrEnum

from companion.ports import Advice
from drivers.decoder import Bad, Read

LONGEST_LINE = 256
"""Bytes in a line, ending not counted; a QR code of a game piece is far shorter."""

STALE_SECONDS = 1.0
"""After so long a silence no line goes on: what came of it is thrown away."""

ID_BYTES = (4, 5, 7, 8, 10, 12)
"""Lengths of ids: ISO 14443 has 4, 7 and 10 bytes, EM4100 has 5, ISO 15693 has 8, EPC has 12."""

CASCADE_TAG = "88"
"""First byte that ISO 14443-3 sends before the first three bytes of a longer id; never the first of a 4 byte id."""

_AIM = re.compile(r"^\][A-Za-z][0-9A-Za-z]")
_LABEL = re.compile(
    r"^(?:(?:card|tag|picc|nfc|rfid)\s+)?(?:(?:n?uid|id)(?:\s+(?:tag|value))?|in\s+hex|in\s+dec)\s*[:=]\s*", re.I
)
_ID_LIKE = re.compile(r"^(?:0x)?[0-9A-F]+(?:[ \t:,.-]+(?:0x)?[0-9A-F]+)*$", re.I)
_SEPARATOR = re.compile(r"[ \t:,.-]+")


class LineFormat(StrEnum):
    """What a line holds: an id in hexadecimal bytes (or unmistakably decimal ones), a decimal id, or any text."""

    UID = "uid"
    DECIMAL = "decimal"
    TEXT = "text"


class LineDecoder:
    """Decodes lines of text; ``idle`` is the silence in seconds that ends a line, for scanners that send no ending."""

    def __init__(self, form: LineFormat = LineFormat.UID, idle: float | None = None) -> None:
        self._form = form
        self._idle = idle
        self._line = bytearray()
        self._skipping = False

    def opened(self) -> bytes:
        """Forget half a line; such readers need no greeting."""
        self._line.clear()
        self._skipping = False
        return b""

    def question(self) -> bytes:
        """Such readers speak by themselves."""
        return b""

    def feed(self, received: bytes) -> list[Read | Bad]:
        """The tags and faults of every line that these bytes end."""
        found: list[Read | Bad] = []
        for byte in received:
            if byte in b"\r\n":
                found += self._end()
            elif not self._skipping:
                self._line.append(byte)
                found += self._too_long()
        return found

    def silence(self, seconds: float) -> list[Read | Bad]:
        """A line that ended by silence, or one that stopped half-way."""
        if self._idle is not None and seconds >= self._idle:
            return self._end()
        if seconds < STALE_SECONDS or not self._line:
            return []
        self._line.clear()
        return [Bad(Advice("advice.line.stopped", {"setting": "idle"}))]

    def _too_long(self) -> list[Read | Bad]:
        if len(self._line) <= LONGEST_LINE:
            return []
        self._line.clear()
        self._skipping = True
        return [Bad(Advice("advice.line.long", {"most": LONGEST_LINE}))]

    def _end(self) -> list[Read | Bad]:
        line = bytes(self._line)
        self.opened()
        found = read_line(line, self._form)
        return [] if found is None else [found]


def read_line(line: bytes, form: LineFormat) -> Read | Bad | None:
    """The tag of one line without its ending; None for an empty line and for chatter."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as wrong:
        return Bad(Advice("advice.line.no_text", {"byte": f"0x{line[wrong.start]:02X}"}))
    control = next((letter for letter in text if not (letter.isprintable() or letter == "\t")), None)
    if control is not None:
        return Bad(Advice("advice.line.control", {"byte": f"0x{ord(control):02X}"}))
    text = _AIM.sub("", text.strip()).strip()
    if not text:
        return None
    if form is LineFormat.TEXT:
        return Read(text)
    return _read_id(text, form)


def _read_id(text: str, form: LineFormat) -> Read | Bad | None:
    label, digits = _unlabelled(text)
    parts = _parts(digits)
    if not parts:
        return Bad(Advice("advice.tag.no_id", {"text": _brief(digits)})) if label else None
    three_digits = len(parts) > 1 and any(len(part) == 3 for part in parts)
    if form is LineFormat.DECIMAL or three_digits or "dec" in label:
        return _from_decimal(parts, digits)
    return _whole("".join(parts).upper(), text)


def _unlabelled(text: str) -> tuple[str, str]:
    found = _LABEL.match(text)
    return (found[0].lower(), text[found.end() :]) if found else ("", text)


def _parts(digits: str) -> list[str]:
    """The groups of digits: one whole id, bytes of one to three digits, or groups of one even length; else none."""
    if not _ID_LIKE.match(digits):
        return []
    parts = [re.sub("^0x", "", part, flags=re.I) for part in _SEPARATOR.split(digits)]
    lengths = {len(part) for part in parts}
    if len(parts) == 1 or max(lengths) == 3:
        return parts
    if max(lengths) <= 2:
        return [part.zfill(2) for part in parts]
    return parts if len(lengths) == 1 and max(lengths) % 2 == 0 else []


def _from_decimal(parts: list[str], digits: str) -> Read | Bad:
    if not all(part.isdecimal() for part in parts):
        return Bad(Advice("advice.tag.no_number", {"text": _brief(digits)}))
    numbers = [int(part) for part in parts]
    if len(numbers) > 1:
        if max(numbers) > 255:
            return Bad(Advice("advice.tag.byte", {"text": _brief(digits)}))
        return _whole(bytes(numbers).hex().upper(), digits)
    length = next((length for length in ID_BYTES if numbers[0] < 256**length), None)
    if length is None:
        return Bad(Advice("advice.tag.large", {"text": _brief(digits)}))
    return _whole(f"{numbers[0]:0{2 * length}X}", digits)


def _whole(tag: str, text: str) -> Read | Bad:
    if len(tag) % 2 or len(tag) // 2 not in ID_BYTES:
        lengths = ", ".join(map(str, ID_BYTES[:-1]))
        return Bad(Advice("advice.tag.length", {"text": _brief(text), "lengths": lengths, "longest": ID_BYTES[-1]}))
    if len(tag) == 8 and tag.startswith(CASCADE_TAG):
        return Bad(Advice("advice.tag.cut", {"text": _brief(text)}))
    return Read(tag)


def _brief(text: str) -> str:
    return f"{text[:40]}…" if len(text) > 40 else text
