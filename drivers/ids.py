"""The normal form of a tag's id, the same whichever reader read it.

An id is its bytes in the order in which the tag sends them, two upper-case hexadecimal digits a byte and nothing
between them: ``04A3C6CAE26180`` for a sticker of 7 bytes, ``0E008E4D5A`` for an EM4100 tag (the version byte counts),
24 digits for most EPCs. What a barcode or QR code says is its own normal form.
"""

from __future__ import annotations

from companion.ports import Advice
from drivers.decoder import Bad, Read

ID_BYTES = (4, 5, 7, 8, 10, 12)
"""Lengths of ids: ISO 14443 has 4, 7 and 10 bytes, EM4100 has 5, ISO 15693 has 8, EPC has 12."""

NFC_BYTES = (4, 7, 10)
"""Lengths of ids by ISO 14443-3: single, double and triple."""

CASCADE_TAG = "88"
"""First byte that ISO 14443-3 sends before the first three bytes of a longer id; never the first of a 4 byte id."""

_BRIEF = 40


def nfc_id(uid: bytes) -> Read | Bad:
    """The tag of an ISO 14443 id; Bad for a length that there is not, and for a longer id's cut-off start."""
    return checked(uid.hex().upper(), uid.hex(" ").upper(), NFC_BYTES)


def checked(tag: str, text: str, lengths: tuple[int, ...] = ID_BYTES) -> Read | Bad:
    """The tag of hexadecimal digits, or what is wrong with them; ``text`` is how the reader wrote it."""
    if len(tag) % 2 or len(tag) // 2 not in lengths:
        told = ", ".join(map(str, lengths[:-1]))
        return Bad(Advice("advice.tag.length", {"text": brief(text), "lengths": told, "longest": lengths[-1]}))
    if len(tag) == 8 and tag.startswith(CASCADE_TAG):
        return Bad(Advice("advice.tag.cut", {"text": brief(text)}))
    return Read(tag)


def brief(text: str) -> str:
    """The start of a text, for messages."""
    return f"{text[:_BRIEF]}…" if len(text) > _BRIEF else text
