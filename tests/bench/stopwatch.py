"""Timing: the median of several rounds, and a yardstick to compare with on any machine."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

ROUNDS = 7
LEAST_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class Figure:
    """What one call takes in seconds, the median of the rounds, and what it is compared with."""

    name: str
    seconds: float
    yardstick: str
    ratio: float

    def __str__(self) -> str:
        return f"{self.name:<58} {self.seconds * 1000:>10.3f} ms   {self.ratio:>9.2f} x {self.yardstick}"


def seconds(call: Callable[[], object]) -> float:
    """The median time of one call; each round repeats the call until it can be measured."""
    repeats = _repeats(call)
    return statistics.median(_time(call, repeats) / repeats for _ in range(ROUNDS))


def _repeats(call: Callable[[], object]) -> int:
    repeats = 1
    while _time(call, repeats) < LEAST_SECONDS:
        repeats *= 2
    return repeats


def _time(call: Callable[[], object], repeats: int) -> float:
    started = time.perf_counter()
    for _ in range(repeats):
        call()
    return time.perf_counter() - started


def compare(name: str, call: Callable[[], object], yardstick: str, other: Callable[[], object]) -> Figure:
    """Time a call and its yardstick in turn."""
    base = seconds(other)
    taken = seconds(call)
    return Figure(name, taken, yardstick, taken / base)
