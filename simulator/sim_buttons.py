"""Buttons on gpiozero's mock pins: the real button driver listens to them, bounce and all."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from typing import Any

from companion.ports import Button
from simulator.fingers import LONG_PRESS, NEXT_PRESS, SHORT_PRESS, strokes


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
        """Hold a button down for so long; its contact bounces at both ends.

        At once, so that on a busy machine no bounce grows into a press.
        """
        with self._fingers[button]:
            for pause, closed in strokes(seconds, bounces, bounce=0.0):
                time.sleep(pause)
                self.touch(button, closed)
            time.sleep(NEXT_PRESS)

    def touch(self, button: Button, closed: bool) -> None:
        """Close or open a contact."""
        pin = self.factory.pin(self.pins[button])
        (pin.drive_low if closed else pin.drive_high)()

    def close(self) -> None:
        """Forget the pins."""
        self.factory.reset()
