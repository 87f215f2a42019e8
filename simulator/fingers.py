"""What a finger does to a button's contact: the edges, bounce and all."""

from __future__ import annotations

from collections.abc import Iterator

SHORT_PRESS = 0.08
LONG_PRESS = 1.7
NEXT_PRESS = 0.05
"""Seconds that a finger needs at least from letting go to pressing again."""

BOUNCE_SECONDS = 0.0012
"""From one bounce of a contact to the next; ten of them are over before a press is believed."""


def strokes(seconds: float, bounces: int, bounce: float = BOUNCE_SECONDS) -> Iterator[tuple[float, bool]]:
    """The edges of one press: how long to wait, and whether the contact is closed then."""
    for closed, pause in ((True, 0.0), (False, seconds)):
        yield pause, closed
        for _ in range(bounces):
            yield bounce, not closed
            yield bounce, closed
