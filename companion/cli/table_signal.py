"""Light and buzzer at the table: what they answer, what they call out, and when the buzzer holds its tongue."""

from __future__ import annotations

from collections.abc import Callable

from companion.cli.device_memory import DeviceMemory
from companion.ports import Button, Mood, Muted, Press, Signal
from companion.table.snapshot import Snapshot
from companion.views.mood import answer_to, news_of

MUTING = Press(Button.B, long=True)
"""What mutes the buzzer and lets it be heard again."""


class TableSignal:
    """Speaks through a signal, where the table has one: every scan and press is answered, the game's news called out.

    A buzzer that is muted, or that the hour is too ``quiet`` for, leaves it to the light.
    """

    def __init__(
        self, signal: Signal | None, memory: DeviceMemory, quiet: Callable[[], bool], *, muted: bool, begin: Snapshot
    ) -> None:
        self._signal = signal
        self._memory = memory
        self._quiet = quiet
        self._muted = muted if memory.muted is None else memory.muted
        self._last = begin

    def can_mute(self, press: object) -> bool:
        """Whether a press is the one that mutes, at a table with something to mute."""
        return press == MUTING and self._signal is not None and self._signal.can_sound

    def toggle(self) -> Muted:
        """Mute the buzzer, or let it be heard again; kept for the next evening."""
        self._muted = not self._muted
        self._memory.mute(self._muted)
        return Muted(self._muted)

    def follow(self, snapshot: Snapshot) -> None:
        """Call out what the game brought, whoever brought it; hears of every snapshot."""
        news, self._last = news_of(self._last, snapshot), snapshot
        if news is not None:
            self._give(news)

    def answer(self, before: Snapshot, after: Snapshot) -> None:
        """Answer a scan or press, unless what came of it was called out already."""
        if news_of(before, after) is None:
            self._give(answer_to(before, after))

    def _give(self, mood: Mood) -> None:
        if self._signal is not None:
            self._signal.give(mood, aloud=not (self._muted or self._quiet()))
