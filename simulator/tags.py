"""The tags of a simulated box: every thing has one, and always the same."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

NXP = "04"
"""The first byte of most 7 byte ids: their maker."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A thing of the box with a tag on it; ``label`` is its name in words."""

    tag: str
    kind: str
    name: str
    label: str


def fake_tag(thing: str) -> str:
    """A 7 byte id made from a thing's text form (``tile:watchtower``)."""
    return NXP + hashlib.sha256(thing.encode()).hexdigest()[:12].upper()
