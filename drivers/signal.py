"""A light or a buzzer that answers every scan and press at once, because e-ink cannot."""

from __future__ import annotations

import logging
from typing import Any

from companion.ports import DeviceState, DeviceStatus, Listener, Mood
from drivers.gpio import explain, lgpio_factory

DEVICE = "signal"

BLINKS = {Mood.TAKEN: (0.08, 1), Mood.ASKING: (0.08, 2), Mood.REFUSED: (0.4, 1)}
"""Seconds on (and off) and how often: one short for taken, two short for a question, one long for refused."""

_log = logging.getLogger(__name__)


class SilentSignal:
    """The signal of a table that has none."""

    def start(self, listener: Listener) -> None:
        """Do nothing."""

    def give(self, mood: Mood) -> None:
        """Do nothing."""

    def stop(self) -> None:
        """Do nothing."""


class GpioSignal:
    """A light, a buzzer or both on BCM pins, through gpiozero."""

    def __init__(
        self,
        *,
        light: int | None = None,
        buzzer: int | None = None,
        chip: int | None = None,
        pin_factory: Any = None,
    ) -> None:
        self._light = light
        self._buzzer = buzzer
        self._chip = chip
        self._given_factory = pin_factory
        self._own_factory: Any = None
        self._devices: list[Any] = []

    def start(self, listener: Listener) -> None:
        """Claim the pins; where they cannot be had that is told as a status and the signal stays silent."""
        try:
            self._claim()
        except Exception as failure:
            self.stop()
            listener(DeviceStatus(DEVICE, DeviceState.FAILED, explain(failure, "signal")))
            return
        listener(DeviceStatus(DEVICE, DeviceState.READY))

    def give(self, mood: Mood) -> None:
        """Signal a mood in the background; a newer one cuts an older one short."""
        seconds, times = BLINKS[mood]
        for device in self._devices:
            try:
                device.blink(seconds, seconds, times)
            except Exception as failure:
                _log.warning("The signal could not be given: %s", failure)

    def stop(self) -> None:
        """Release the pins; may be called twice."""
        for device in self._devices:
            device.close()
        self._devices.clear()
        if self._own_factory is not None:
            self._own_factory.close()
            self._own_factory = None

    def _claim(self) -> None:
        from gpiozero import LED
        from gpiozero import Buzzer as GpioBuzzer

        factory = self._given_factory
        if factory is None:
            factory = self._own_factory = lgpio_factory(self._chip)
        if self._light is not None:
            self._devices.append(LED(self._light, pin_factory=factory))
        if self._buzzer is not None:
            self._devices.append(GpioBuzzer(self._buzzer, pin_factory=factory))
