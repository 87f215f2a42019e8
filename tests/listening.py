"""A listener for tests that waits for what devices' threads tell."""

from __future__ import annotations

import queue

from companion.ports import DeviceState, DeviceStatus, Happening, TagReadAgain
from tests.patience import PATIENCE


class Ear:
    """Keeps what was told; every wait takes what it waited for. Second reads, told in their own time, are not kept."""

    def __init__(self) -> None:
        self._told: queue.SimpleQueue[Happening] = queue.SimpleQueue()

    def __call__(self, happening: Happening) -> None:
        if not isinstance(happening, TagReadAgain):
            self._told.put(happening)

    def next(self) -> Happening:
        """The next thing told; AssertionError where nothing is."""
        try:
            return self._told.get(timeout=PATIENCE)
        except queue.Empty:
            raise AssertionError("nothing was told") from None

    def wait_for(self, happening: Happening) -> list[Happening]:
        """Wait until just this is told; what was told before it."""
        before: list[Happening] = []
        while (told := self.next()) != happening:
            before.append(told)
        return before

    def state(self) -> DeviceState:
        """The state in the next thing told, which must be a status."""
        status = self.next()
        assert isinstance(status, DeviceStatus), status
        return status.state

    def quiet(self, seconds: float) -> bool:
        """Whether nothing is told for so long."""
        try:
            self._told.get(timeout=seconds)
        except queue.Empty:
            return True
        return False

    def rest(self) -> list[Happening]:
        """Everything told and not yet taken."""
        told = []
        while not self._told.empty():
            told.append(self._told.get())
        return told
