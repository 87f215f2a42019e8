"""What a line of text says: an id, a code, or a sketch's chatter.

In the format ``uid`` a line is a tag only where the whole of it, behind an optional label such as ``Card UID:``, is an
id of a length that tags have; other readable lines are chatter and are passed over. In the format ``text`` the line is
the tag, as it stands. Both were made after what the sketches and libraries for MFRC522 and PN532 really print: with and
without labels, zeros and spaces between the bytes, and, by the MFRC522 library's own example, the tag's whole memory.
"""

from __future__ import annotations

import re
from enum import StrEnum

from companion.ports import Advice
from drivers.decoder import Bad, Read
from drivers.ids import ID_BYTES, brief, checked

_AIM = re.compile(r"^\][A-Za-z][0-9A-Za-z]")
_LABEL = re.compile(
    r"^(?:(?:scanned|read|new|card|tag|picc|nfc|rfid|iso14443a)(?:['’]s)?\s+){0,3}"
    r"(?:n?uid|id|tag|card|rfid|serial(?:\s+number)?|in\s+hex|in\s+dec)"
    r"(?:\s+(?:tag|value|number|is|\(?hex\)?|\(?dec\)?))?\s*[:=]\s*",
    re.I,
)
_ID_LIKE = re.compile(r"^(?:0x)?[0-9A-F]+(?:[ \t:,.-]+(?:0x)?[0-9A-F]+)*$", re.I)
_SEPARATOR = re.compile(r"[ \t:,.-]+")
_COLUMNS = re.compile(r"\S[ \t]{2,}\S")
_UNEVEN = re.compile(r"^[0-9A-F]+( [0-9A-F]+)+$", re.I)


class LineFormat(StrEnum):
    """What a line holds: an id in hexadecimal bytes (or unmistakably decimal ones), a decimal id, or any text."""

    UID = "uid"
    DECIMAL = "decimal"
    TEXT = "text"


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


def is_scanned(line: bytes) -> bool:
    """Whether a line begins with an AIM identifier (``]Q3``), which only code scanners send."""
    return bool(_AIM.match(line.decode("utf-8", "replace")))


def _read_id(text: str, form: LineFormat) -> Read | Bad | None:
    label, digits = _unlabelled(text)
    if not digits or (not label and _COLUMNS.search(digits)):
        return None
    parts = _parts(digits)
    if not parts:
        return Bad(Advice("advice.tag.no_id", {"text": brief(digits)})) if label else None
    three_digits = len(parts) > 1 and any(len(part) == 3 for part in parts)
    if form is LineFormat.DECIMAL or three_digits or "dec" in label:
        return _from_decimal(parts, digits)
    return checked("".join(parts).upper(), text)


def _unlabelled(text: str) -> tuple[str, str]:
    found = _LABEL.match(text)
    return (found[0].lower(), text[found.end() :]) if found else ("", text)


def _parts(digits: str) -> list[str]:
    """The groups of digits: one whole id, bytes of one to three digits, or groups of whole bytes; else none."""
    if not _ID_LIKE.match(digits):
        return []
    parts = [re.sub("^0x", "", part, flags=re.I) for part in _SEPARATOR.split(digits)]
    lengths = {len(part) for part in parts}
    if len(parts) == 1 or max(lengths) == 3:
        return parts
    if max(lengths) <= 2:
        return [part.zfill(2) for part in parts]
    if any(length % 2 for length in lengths):
        return []
    return parts if len(lengths) == 1 or _UNEVEN.match(digits) else []


def _from_decimal(parts: list[str], digits: str) -> Read | Bad:
    if not all(part.isdecimal() for part in parts):
        return Bad(Advice("advice.tag.no_number", {"text": brief(digits)}))
    numbers = [int(part) for part in parts]
    if len(numbers) > 1:
        if max(numbers) > 255:
            return Bad(Advice("advice.tag.byte", {"text": brief(digits)}))
        return checked(bytes(numbers).hex().upper(), digits)
    length = next((length for length in ID_BYTES if numbers[0] < 256**length), None)
    if length is None:
        return Bad(Advice("advice.tag.large", {"text": brief(digits)}))
    return checked(f"{numbers[0]:0{2 * length}X}", digits)
