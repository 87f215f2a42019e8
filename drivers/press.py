"""One button's contact, with its bounce, as presses. Pure; times are seconds of a monotonic clock."""

from __future__ import annotations

from dataclasses import dataclass

from companion.ports import Button, Press


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds: a contact counts once it ``settle``s, a press is long at ``hold``, a button is stuck at ``stuck``."""

    settle: float = 0.025
    hold: float = 1.5
    stuck: float = 10.0


@dataclass(frozen=True, slots=True)
class Stuck:
    """A button has been down for so long that something must be lying on it."""

    button: Button


@dataclass(frozen=True, slots=True)
class Freed:
    """A stuck button was let go."""

    button: Button


PressEvent = Press | Stuck | Freed


class PressMachine:
    """Turns the edges of one contact into short presses (told on release) and long ones (told once, while held).

    A button that is down at the start says nothing until it was let go. Edges and ticks may come late, even in one
    burst: what is told depends on their times only. ``contact`` is how the contact was last known to be.
    """

    def __init__(self, button: Button, *, down: bool, now: float, timing: Timing | None = None) -> None:
        self._button = button
        self._timing = timing or Timing()
        self.contact = down
        self._contact_since = now
        self._down = down
        self._down_since = now
        self._silent = down
        self._stuck = False

    def edge(self, down: bool, now: float) -> list[PressEvent]:
        """The contact closed or opened."""
        told = self.tick(now)
        if down != self.contact:
            self.contact = down
            self._contact_since = now
        return told

    def sample(self, down: bool, now: float) -> list[PressEvent]:
        """The contact was looked at: one that changed unseen, as a bouncing one can, is taken to have done so now."""
        if down == self.contact:
            return self.tick(now)
        self.contact = down
        self._contact_since = now
        return []

    def tick(self, now: float) -> list[PressEvent]:
        """What the time alone has decided by now."""
        told: list[PressEvent] = []
        if self.contact != self._down and now >= self._contact_since + self._timing.settle:
            told += self._settle()
        if self._down and self.contact:
            told += self._held(now)
        return told

    @property
    def due(self) -> float | None:
        """When ``tick`` may next have something to tell; None while the button rests."""
        if self.contact != self._down:
            return self._contact_since + self._timing.settle
        if not self._down or self._stuck:
            return None
        return self._down_since + (self._timing.stuck if self._silent else self._timing.hold)

    def _settle(self) -> list[PressEvent]:
        self._down = self.contact
        if self._down:
            self._down_since = self._contact_since
            return []
        told: list[PressEvent] = [] if self._silent else [Press(self._button)]
        told += [Freed(self._button)] if self._stuck else []
        self._silent = self._stuck = False
        return told

    def _held(self, now: float) -> list[PressEvent]:
        told: list[PressEvent] = []
        if not self._silent and now >= self._down_since + self._timing.hold:
            self._silent = True
            told.append(Press(self._button, long=True))
        if not self._stuck and now >= self._down_since + self._timing.stuck:
            self._stuck = True
            told.append(Stuck(self._button))
        return told
