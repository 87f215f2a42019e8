"""Texts that say what they are stuck to, for printed codes: known without being taught.

``TABLE:TILE:WATCHTOWER`` is a piece, ``TABLE:TREASURE:SANDBAGS/2`` the second card of its name, ``TABLE:DO:SHORE-UP`` a
verb and ``TABLE:UNDO`` a command. They keep to the letters of a QR code's alphanumeric mode, which makes small codes,
and are read in any case, with hyphens or underscores and behind whatever a scanner puts around them. Letters beyond F
and colons keep them apart from the id of every tag, which is hexadecimal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from companion.table.box import Box
from companion.table.meaning import Meaning

PREFIX = "TABLE:"
_LABEL = re.compile(r"^(?:\][A-Z][0-9A-Z])?\s*(TABLE:[A-Z0-9:_-]+?)(?:/[1-9][0-9]{0,2})?$")
"""The AIM identifier of a code's type, the text, and which of several copies it is."""


def label_text(meaning: Meaning, copy: int = 1) -> str:
    """The text of the code for a meaning; ``copy`` from 1 tells several pieces of one name apart."""
    text = f"{PREFIX}{meaning}".upper().replace("_", "-")
    return text if copy == 1 else f"{text}/{copy}"


def is_label(tag: str) -> bool:
    """Whether a text is a label's, be it for this box or another."""
    return _bare(tag) is not None


class Labels:
    """The labels of some boxes."""

    def __init__(self, boxes: Iterable[Box]) -> None:
        pieces = (piece for box in boxes for piece in box.pieces)
        self._meanings: Mapping[str, Meaning] = {label_text(piece.meaning): piece.meaning for piece in pieces}

    def meaning(self, tag: str) -> Meaning | None:
        """What a label says; None for any other text."""
        text = _bare(tag)
        return None if text is None else self._meanings.get(text)


def _bare(tag: str) -> str | None:
    found = _LABEL.match(tag.strip().upper())
    return found[1].replace("_", "-") if found else None
