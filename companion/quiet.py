"""Quiet hours: when nothing at the table flashes or beeps by itself."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import time


@dataclass(frozen=True, slots=True)
class QuietHours:
    """From ``begin`` until ``end`` by the clock on the wall, across midnight where ``end`` is the earlier one.

    An hour that summer time skips is not missed, one that comes twice is quiet twice.
    """

    begin: time
    end: time

    def hold(self, now: time) -> bool:
        """Whether it is quiet at a time of the day."""
        if self.begin <= self.end:
            return self.begin <= now < self.end
        return now >= self.begin or now < self.end
