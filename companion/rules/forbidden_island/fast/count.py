"""Counting command sequences on fast positions."""

from __future__ import annotations

from companion.rules.forbidden_island.fast.position import Position


def count(position: Position, depth: int) -> int:
    """How many legal command sequences of length ``depth`` there are; a game that ends early counts as one.

    The position is left as it was.
    """
    if depth == 0:
        return 1
    codes = position.legal()
    if depth == 1 or not codes:
        return len(codes) or 1
    saved, total = position.save(), 0
    for code in codes:
        position.play(code)
        total += count(position, depth - 1)
        position.restore(saved)
    return total
