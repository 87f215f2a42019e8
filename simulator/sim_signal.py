"""A light and a buzzer that are words on the simulator's page."""

from __future__ import annotations

from dataclasses import dataclass

from companion.ports import DeviceState, DeviceStatus, Listener, Mood


@dataclass(frozen=True, slots=True)
class Given:
    """A mood that was signalled; ``number`` counts them from 1."""

    number: int
    mood: Mood
    aloud: bool


class SimSignal:
    """Keeps the last mood that was signalled."""

    can_sound = True

    def __init__(self) -> None:
        self.last: Given | None = None

    def start(self, listener: Listener) -> None:
        """Tell that all is well."""
        listener(DeviceStatus("signal", DeviceState.READY))

    def give(self, mood: Mood, *, aloud: bool = True) -> None:
        """Keep a mood in place of the one before."""
        self.last = Given(self.last.number + 1 if self.last else 1, mood, aloud)

    def stop(self) -> None:
        """Do nothing: words need no power."""
