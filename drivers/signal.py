"""A light or a buzzer that answers every scan and press at once, because e-ink cannot."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass
from typing import Any, Protocol

from companion.ports import DeviceState, DeviceStatus, Listener, Mood
from drivers.gpio import explain, lgpio_factory, refuse_taken

DEVICE = "signal"

RHYTHMS = {
    Mood.TAKEN: ".",
    Mood.ASKING: "..",
    Mood.REFUSED: "-",
    Mood.ALARM: ".-.-.-",
    Mood.LOSS: "--",
    Mood.WON: "..-..-",
    Mood.LOST: "----",
}
"""Short and long, each after a pause: the rhythm alone tells the moods apart, for a light or a buzzer of one tone."""

TUNES = {
    Mood.TAKEN: "A5",
    Mood.ASKING: "E5 A5",
    Mood.REFUSED: "A4",
    Mood.ALARM: "A5 E6 A5 E6 A5 E6",
    Mood.LOSS: "E5 A4",
    Mood.WON: "C5 E5 G5 C6 E6 A6",
    Mood.LOST: "G5 E5 C5 A4",
}
"""The notes of the same beats, for a passive buzzer, within an octave of ``MIDDLE``."""

MIDDLE = "A5"
"""gpiozero's passive buzzer plays the octaves below and above this note."""

SECONDS = {".": 0.08, "-": 0.4}
PAUSE = 0.1

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Beat:
    """On for so many seconds, at a note where the buzzer has notes."""

    seconds: float
    note: str


def beats(mood: Mood) -> tuple[Beat, ...]:
    """A mood as beats, with ``PAUSE`` seconds between them."""
    return tuple(Beat(SECONDS[sign], note) for sign, note in zip(RHYTHMS[mood], TUNES[mood].split(), strict=True))


class _Voice(Protocol):
    """Something that is on, at a note where it has notes, or off."""

    def on(self, note: str, /) -> None: ...

    def off(self) -> None: ...

    def close(self) -> None: ...


class _Plain:
    """A light, or a buzzer of one tone."""

    def __init__(self, device: Any) -> None:
        self._device = device
        self.close = device.close
        self.off = device.off

    def on(self, _note: str, /) -> None:
        self._device.on()


class _Tonal:
    """A passive buzzer."""

    def __init__(self, device: Any) -> None:
        self._device = device
        self.close = device.close

    def off(self) -> None:
        """End the tone, and the current: where the tone is cut off the pin may be left high."""
        self._device.stop()
        self._device.pwm_device.off()

    def on(self, note: str, /) -> None:
        self._device.play(note)


@dataclass(frozen=True, slots=True)
class _Order:
    mood: Mood
    aloud: bool


class GpioSignal:
    """A light, a buzzer or both on BCM pins, through gpiozero; a thread of its own plays the rhythms.

    A buzzer with ``tones`` is a passive one, which sounds only when it is sent a tone. ``taken`` are pins that others
    use, the panel's say. ``chip`` is the number of the gpiochip where the usual one is wrong. ``pin_factory`` is
    gpiozero's; lgpio's where None.
    """

    def __init__(
        self,
        *,
        light: int | None = None,
        buzzer: int | None = None,
        tones: bool = False,
        taken: frozenset[int] = frozenset(),
        chip: int | None = None,
        pin_factory: Any = None,
    ) -> None:
        pins = {"signal.light": light, "signal.buzzer": buzzer}
        self._pins = {key: pin for key, pin in pins.items() if pin is not None}
        self._tones = tones
        self._taken = taken
        self._chip = chip
        self._given_factory = pin_factory
        self._own_factory: Any = None
        self._voices: dict[str, _Voice] = {}
        self._changed = threading.Condition()
        self._order: _Order | None = None
        self._stopping = False
        self._thread: threading.Thread | None = None

    @property
    def can_sound(self) -> bool:
        """Whether there is a buzzer."""
        return "signal.buzzer" in self._pins

    def start(self, listener: Listener) -> None:
        """Claim the pins; where they cannot be had that is told as a status and the signal stays silent."""
        try:
            self._claim()
        except Exception as failure:
            self._release()
            listener(DeviceStatus(DEVICE, DeviceState.FAILED, explain(failure, "signal")))
            return
        self._order, self._stopping = None, False
        self._thread = threading.Thread(target=self._run, name=DEVICE, daemon=True)
        self._thread.start()
        listener(DeviceStatus(DEVICE, DeviceState.READY))

    def give(self, mood: Mood, *, aloud: bool = True) -> None:
        """Signal a mood in the background; a newer one cuts an older one short."""
        with self._changed:
            self._order = _Order(mood, aloud)
            self._changed.notify()

    def stop(self) -> None:
        """Fall silent and release the pins; may be called twice."""
        with self._changed:
            self._stopping = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join(timeout=5.0)
            self._thread = None
        self._release()

    def _claim(self) -> None:
        import gpiozero

        refuse_taken(self._pins, self._taken)
        factory = self._given_factory
        if factory is None:
            factory = self._own_factory = lgpio_factory(self._chip)
        for key, pin in self._pins.items():
            if key == "signal.buzzer" and self._tones:
                self._voices[key] = _Tonal(gpiozero.TonalBuzzer(pin, mid_tone=MIDDLE, pin_factory=factory))
            else:
                self._voices[key] = _Plain(gpiozero.DigitalOutputDevice(pin, pin_factory=factory))

    def _release(self) -> None:
        for voice in self._voices.values():
            voice.close()
        self._voices.clear()
        if self._own_factory is not None:
            self._own_factory.close()
            self._own_factory = None

    def _run(self) -> None:
        while (order := self._next()) is not None:
            try:
                self._play(order)
            except Exception as failure:
                _log.warning("The signal could not be given: %s", failure)

    def _next(self) -> _Order | None:
        with self._changed:
            self._changed.wait_for(self._is_called)
            order, self._order = self._order, None
            return None if self._stopping else order

    def _play(self, order: _Order) -> None:
        voices = [voice for key, voice in self._voices.items() if order.aloud or key != "signal.buzzer"]
        for beat in beats(order.mood):
            for voice in voices:
                voice.on(beat.note)
            called = self._rest(beat.seconds)
            for voice in voices:
                voice.off()
            if called or self._rest(PAUSE):
                return

    def _rest(self, seconds: float) -> bool:
        """Wait; whether something else was asked for meanwhile."""
        with self._changed:
            return self._changed.wait_for(self._is_called, seconds)

    def _is_called(self) -> bool:
        return self._order is not None or self._stopping
