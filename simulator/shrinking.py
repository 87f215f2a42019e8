"""Shrinking what failed to a small thing that still fails, by delta debugging (Zeller and Hildebrandt, 2002)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


def shrunk(parts: Sequence[T], fails: Callable[[Sequence[T]], bool], tries: int = 1000) -> tuple[T, ...]:
    """The parts without which it does not fail any more, found in at most so many tries.

    ``fails`` is true of ``parts`` as a whole; it is asked of some of them, in their order.
    """
    left, pieces = tuple(parts), 2
    while len(left) > 1 and tries > 0:
        size = max(1, len(left) // pieces)
        for start in range(0, len(left), size):
            without = left[:start] + left[start + size :]
            tries -= 1
            if without and fails(without):
                left, pieces = without, max(pieces - 1, 2)
                break
            if tries <= 0:
                break
        else:
            if size == 1:
                break
            pieces = min(2 * pieces, len(left))
    return left
