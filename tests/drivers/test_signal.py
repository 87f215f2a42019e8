"""The light and the buzzer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

from companion.ports import DeviceState, Mood
from drivers import signal
from drivers.signal import GpioSignal, SilentSignal
from tests.listening import Ear


@pytest.fixture
def factory() -> Iterator[Any]:
    made = MockFactory()
    yield made
    made.reset()


@pytest.fixture
def ear() -> Ear:
    return Ear()


@pytest.mark.parametrize(("mood", "flashes"), [(Mood.TAKEN, 1), (Mood.ASKING, 2), (Mood.REFUSED, 1)])
def test_each_mood_has_its_own_flashes(
    factory: Any, ear: Ear, monkeypatch: pytest.MonkeyPatch, mood: Mood, flashes: int
) -> None:
    monkeypatch.setattr(signal, "BLINKS", {each: (0.002, times) for each, (_, times) in signal.BLINKS.items()})
    light = GpioSignal(light=13, buzzer=12, pin_factory=factory)
    light.start(ear)
    assert ear.state() is DeviceState.READY
    light.give(mood)
    for device in light._devices:
        device._blink_thread.join()
    for pin in (12, 13):
        assert [state.state for state in factory.pin(pin).states].count(True) == flashes
    light.stop()


def test_a_signal_without_its_pins_stays_silent_and_says_so(factory: Any, ear: Ear) -> None:
    first = GpioSignal(light=13, pin_factory=factory)
    first.start(ear)
    assert ear.state() is DeviceState.READY
    second = GpioSignal(light=13, pin_factory=factory)
    second.start(ear)
    assert ear.state() is DeviceState.FAILED
    second.give(Mood.TAKEN)
    second.stop()
    first.stop()
    first.stop()
    first.give(Mood.TAKEN)


def test_a_table_without_a_signal_has_a_silent_one() -> None:
    silent = SilentSignal()
    silent.start(Ear())
    silent.give(Mood.REFUSED)
    silent.stop()
