"""The devices that the settings name."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from typing import Any

import pytest
import smbus2
from gpiozero.pins.mock import MockFactory

import drivers.buttons
from companion.cli.devices import real_devices
from companion.ports import PANEL_MODELS, Button, Buttons, DeviceState, DeviceStatus, Press, Signal
from companion.settings import ButtonSettings, PanelSettings, Settings, SignalSettings
from simulator.fake_spi import FakePanel
from tests.listening import Ear
from tests.wording import worded

Plug = Callable[[str, int], list[int]]

AUTO = Settings(panel=PanelSettings("auto"), buttons=ButtonSettings(enabled=True))


@pytest.fixture
def pins(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The pins of a Raspberry Pi, mocked."""
    factory = MockFactory()
    monkeypatch.setattr(drivers.buttons, "lgpio_factory", lambda _chip: factory)
    yield factory
    factory.reset()


@pytest.fixture
def plug(monkeypatch: pytest.MonkeyPatch) -> Plug:
    """Put a panel on the wire; the buses that were opened to ask it what it is."""

    def on_the_wire(name: str, variant: int) -> list[int]:
        asked: list[int] = []

        def open_bus(number: int) -> AbstractContextManager[Any]:
            asked.append(number)
            return nullcontext(FakePanel(PANEL_MODELS[name], variant=variant, colour=6).i2c)

        monkeypatch.setattr(smbus2, "SMBus", open_bus)
        return asked

    return on_the_wire


@contextmanager
def pressable(settings: Settings) -> Iterator[Ear]:
    """The buttons of these settings at work; what they tell."""
    buttons, ear = real_devices(settings).buttons, Ear()
    assert buttons is not None
    buttons.start(ear)
    assert ear.state() is DeviceState.READY
    yield ear
    buttons.stop()


def press(contact: Any) -> None:
    contact.drive_low()
    time.sleep(0.04)
    contact.drive_high()


def claimed(pins: Any) -> set[str]:
    return {info.name for info in pins.pins}


def test_the_large_panel_is_recognised_and_its_button_c_is_where_it_has_it(pins: Any, plug: Plug) -> None:
    asked = plug("impression-13.3", 27)
    with pressable(AUTO) as ear:
        assert asked == [1]
        assert claimed(pins) == {"GPIO5", "GPIO6", "GPIO25", "GPIO24"}
        press(pins.pin(25))
        assert ear.next() == Press(Button.C)


def test_another_panel_that_is_recognised_leaves_the_buttons_where_they_mostly_are(pins: Any, plug: Plug) -> None:
    plug("impression-7.3", 22)
    with pressable(AUTO) as ear:
        press(pins.pin(16))
        assert ear.next() == Press(Button.C)


def test_a_panel_that_says_nothing_keeps_nobody_from_pressing(pins: Any, plug: Plug) -> None:
    plug("impression-7.3", 99)
    with pressable(AUTO):
        assert claimed(pins) == {"GPIO5", "GPIO6", "GPIO16", "GPIO24"}


def test_a_pin_that_the_settings_name_goes_before_what_the_panel_says(pins: Any, plug: Plug) -> None:
    plug("impression-13.3", 27)
    with pressable(replace(AUTO, buttons=ButtonSettings(enabled=True, named={Button.C: 13}))):
        assert claimed(pins) == {"GPIO5", "GPIO6", "GPIO13", "GPIO24"}


@pytest.mark.parametrize(
    "settings",
    [
        replace(AUTO, buttons=ButtonSettings()),
        replace(AUTO, panel=PanelSettings("impression-7.3")),
        replace(AUTO, panel=PanelSettings("none")),
    ],
    ids=["no buttons", "a named panel", "no panel"],
)
def test_a_panel_is_asked_only_where_that_decides_the_pins(plug: Plug, settings: Settings) -> None:
    asked = plug("impression-13.3", 27)
    real_devices(settings)
    assert asked == []


@pytest.mark.usefixtures("pins")
def test_a_button_on_a_pin_of_the_panel_that_is_recognised_is_refused_by_name(plug: Plug) -> None:
    plug("impression-13.3", 27)
    buttons = real_devices(replace(AUTO, buttons=ButtonSettings(enabled=True, named={Button.C: 26}))).buttons
    assert buttons is not None
    assert told_by(buttons) == "buttons.pins.C is on pin 26, which the panel needs"


def test_a_light_on_a_pin_of_the_panel_that_is_recognised_is_refused_by_name(plug: Plug) -> None:
    plug("impression-13.3", 27)
    signal = real_devices(replace(AUTO, buttons=ButtonSettings(), signal=SignalSettings(light=16))).signal
    assert signal is not None
    assert told_by(signal) == "signal.light is on pin 16, which the panel needs"


def told_by(device: Buttons | Signal) -> str:
    """What a device that cannot be had complains of, between what is missing and what to do."""
    ear = Ear()
    device.start(ear)
    status = ear.next()
    assert isinstance(status, DeviceStatus)
    assert status.state is DeviceState.FAILED
    return worded(status.advice).partition(": ")[2].partition(";")[0]


def test_a_table_may_have_two_buttons(plug: Plug, pins: Any) -> None:
    plug("impression-7.3", 22)
    with pressable(replace(AUTO, buttons=ButtonSettings(enabled=True, named={Button.C: None, Button.D: None}))):
        assert claimed(pins) == {"GPIO5", "GPIO6"}
