"""How long a picture truly takes on each panel: it depends on the panel's age and the room's warmth."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from statistics import median

REMEMBERED = 5
"""The median of so many refreshes counts, so that one odd one does not."""

EARLY, LATE = 0.5, 4.0
"""Parts of the usual time that no refresh is below or above: a driver that is faster did not wait for its panel, and a
simulated panel of the same name keeps another time."""

NOTICEABLE = 0.05
"""A median that moved by less than this part is not worth a write to the card."""


def _forget(_times: Mapping[str, float]) -> None:
    """Keep nothing beyond this run."""


class RefreshTimes:
    """Seconds that a picture takes, by the panel's name.

    ``kept`` is what ``keep`` was given in an earlier run; ``keep`` is called only where a time has changed noticeably.
    """

    def __init__(
        self, kept: Mapping[str, float] | None = None, keep: Callable[[Mapping[str, float]], None] = _forget
    ) -> None:
        self._kept = dict(kept or {})
        self._keep = keep
        self._seen = {name: deque([seconds], REMEMBERED) for name, seconds in self._kept.items()}

    def of(self, name: str, usual: float) -> float:
        """What a picture takes on a panel, as far as it is known; ``usual`` is said of its model."""
        seen = [seconds for seconds in self._seen.get(name, ()) if _is_likely(seconds, usual)]
        return median(seen) if seen else usual

    def learn(self, name: str, usual: float, seconds: float) -> None:
        """Take in how long a picture took, unless that cannot be."""
        if not _is_likely(seconds, usual):
            return
        self._seen.setdefault(name, deque(maxlen=REMEMBERED)).append(seconds)
        now, before = self.of(name, usual), self._kept.get(name)
        if before is None or abs(now - before) > NOTICEABLE * before:
            self._kept[name] = round(now, 2)
            self._keep(dict(self._kept))


def _is_likely(seconds: float, usual: float) -> bool:
    return EARLY * usual <= seconds <= LATE * usual
