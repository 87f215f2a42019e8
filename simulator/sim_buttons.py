"""Buttons on gpiozero's mock pins: the real button driver listens to them, bounce and all."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from typing import Any

from companion.ports import Button

SHORT_PRESS = 0.08
LONG_PRESS = 1.7
NEXT_PRESS = 0.05
"""Seconds that a finger needs at least from letting go to pressing again."""


class SimButtons:
    """Four buttons whose pins are ``factory``'s: hand that to the driver as its pin factory.

    Presses before the driver has claimed the pins are lost, as on real ones.
    """

    def __init__(self, pins: Mapping[Button, int]) -> None:
        from gpiozero.pins.mock import MockFactory

        self.factory: Any = MockFactory()
        self.pins = dict(pins)
        self._fingers = {button: threading.Lock() for button in pins}

    def press(self, button: Button, *, long: bool = False, bounces: int = 2) -> None:
        """Press and let go; returns after that."""
        self.hold(button, LONG_PRESS if long else SHORT_PRESS, bounces)

    def hold(self, button: Button, seconds: float, bounces: int = 2) -> None:
        """Hold a button down for so long; its contact bounces at both ends."""
        pin = self.factory.pin(self.pins[button])
        with self._fingers[button]:
            _bounce(pin.drive_low, pin.drive_high, bounces)
            time.sleep(seconds)
            _bounce(pin.drive_high, pin.drive_low, bounces)
            time.sleep(NEXT_PRESS)

    def close(self) -> None:
        """Forget the pins."""
        self.factory.reset()


def _bounce(to: Any, back: Any, times: int) -> None:
    """Move a contact that bounces: at once, so that on a busy machine no bounce grows into a press."""
    to()
    for _ in range(times):
        back()
        to()
