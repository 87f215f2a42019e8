"""Tags that lay on a reader already when the companion started again in mid-game: nobody has just laid them down."""

from __future__ import annotations

from collections.abc import Callable

from companion.ports import DeviceState, DeviceStatus, Happening, TagArrived

LYING_SECONDS = 3.0
"""A reader that was switched on with the companion takes up to that long to tell what lies on it."""


class LyingTags:
    """Tells tags that lay there from those laid down, where a game was ``resumed``; ``clock`` gives seconds."""

    def __init__(self, resumed: bool, clock: Callable[[], float]) -> None:
        self._resumed = resumed
        self._clock = clock
        self._ready: dict[str, float] = {}

    def lay_there(self, happening: Happening) -> bool:
        """Whether this is a tag that lay there when its reader was first ready; to be told of everything."""
        if isinstance(happening, DeviceStatus) and happening.state is DeviceState.READY:
            self._ready.setdefault(happening.device, self._clock())
        if not (self._resumed and isinstance(happening, TagArrived)):
            return False
        return self._clock() - self._ready.get(happening.reader, self._clock()) < LYING_SECONDS
