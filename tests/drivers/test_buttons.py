"""The buttons on gpiozero's mock pins."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

import drivers.buttons
from companion.ports import PANEL_MODELS, Button, DeviceState, DeviceStatus, Happening, Press, button_pins
from drivers.buttons import GpioButtons
from drivers.clockwork import Clockwork
from drivers.press import Timing
from tests.listening import Ear
from tests.patience import PATIENCE
from tests.wording import worded

PINS = button_pins(None)
PATIENT = Timing(settle=0.02, hold=30.0, stuck=60.0)
QUICK = Timing(settle=0.02, hold=0.2, stuck=0.3)


class Quick(threading.Thread):
    """A thread so quick that something is told before its start returns."""

    def __init__(self, work: Callable[[], None], told: threading.Event) -> None:
        super().__init__(target=work, daemon=True)
        self._told = told

    def start(self) -> None:
        super().start()
        assert self._told.wait(PATIENCE)


@pytest.fixture
def factory() -> Iterator[Any]:
    made = MockFactory()
    yield made
    made.reset()


@pytest.fixture
def ear() -> Ear:
    return Ear()


@pytest.fixture
def buttons(factory: Any, ear: Ear) -> Iterator[GpioButtons]:
    made = GpioButtons(PINS, pin_factory=factory, timing=PATIENT)
    made.start(ear)
    assert ear.state() is DeviceState.READY
    yield made
    made.stop()


@pytest.fixture
def quick_buttons(factory: Any, ear: Ear) -> Iterator[GpioButtons]:
    made = GpioButtons(PINS, pin_factory=factory, timing=QUICK)
    made.start(ear)
    assert ear.state() is DeviceState.READY
    yield made
    made.stop()


@pytest.mark.usefixtures("buttons")
@pytest.mark.parametrize("button", Button)
def test_each_button_tells_its_own_press(factory: Any, ear: Ear, button: Button) -> None:
    pin = factory.pin(PINS[button])
    pin.drive_low()
    assert ear.quiet(0.04)
    pin.drive_high()
    assert ear.next() == Press(button)


def test_a_burst_of_bounces_is_one_press(factory: Any, ear: Ear) -> None:
    now = 0.0
    buttons = GpioButtons(PINS, pin_factory=factory, clockwork=Clockwork(clock=lambda: now), timing=QUICK)
    buttons.start(ear)
    assert ear.state() is DeviceState.READY
    pin = factory.pin(PINS[Button.B])
    for settle, there in ((pin.drive_low, pin.drive_high), (pin.drive_high, pin.drive_low)):
        for _ in range(5):
            settle()
            there()
        settle()
        assert ear.quiet(0.04)
        now += QUICK.settle
    assert ear.next() == Press(Button.B)
    assert ear.quiet(0.05)
    buttons.stop()


@pytest.mark.usefixtures("quick_buttons")
def test_holding_is_one_long_press_then_a_stuck_button_then_all_well(factory: Any, ear: Ear) -> None:
    pin = factory.pin(PINS[Button.D])
    pin.drive_low()
    assert ear.next() == Press(Button.D, long=True)
    stuck = ear.next()
    assert isinstance(stuck, DeviceStatus)
    assert stuck.state is DeviceState.LOST
    assert "seconds: D;" in worded(stuck.advice)
    pin.drive_high()
    assert ear.next() == DeviceStatus("buttons", DeviceState.READY)
    assert ear.quiet(0.05)


def test_a_press_whose_last_edge_is_lost_in_the_bounce_is_not_a_long_one(factory: Any, ear: Ear) -> None:
    now = 0.0
    buttons = GpioButtons(PINS, pin_factory=factory, clockwork=Clockwork(clock=lambda: now), timing=QUICK)
    buttons.start(ear)
    assert ear.state() is DeviceState.READY
    pin = factory.pin(PINS[Button.A])
    pin.drive_low()
    now = QUICK.settle
    assert ear.quiet(0.1)
    pin._state = True
    now = QUICK.hold
    assert ear.quiet(0.3)
    now += QUICK.settle
    assert ear.next() == Press(Button.A)
    buttons.stop()


def test_a_press_is_not_lost_where_its_release_is_seen_before_its_edge_comes(
    factory: Any, ear: Ear, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drivers.buttons, "EDGE_DELAY", 0.5)
    now = 0.0
    buttons = GpioButtons(PINS, pin_factory=factory, clockwork=Clockwork(clock=lambda: now), timing=QUICK)
    buttons.start(ear)
    assert ear.state() is DeviceState.READY
    pin = factory.pin(PINS[Button.A])
    pin.drive_low()
    pin._state = True
    now = QUICK.settle
    assert ear.quiet(0.1)
    pin._call_when_changed()
    assert ear.quiet(0.6)
    now += QUICK.settle
    assert ear.next() == Press(Button.A)
    buttons.stop()


def test_a_button_down_at_the_start_is_no_press(factory: Any, ear: Ear) -> None:
    held = factory.pin(PINS[Button.A])
    held.pull = "up"
    held.drive_low()
    held._set_pull = lambda _: None
    buttons = GpioButtons(PINS, pin_factory=factory, timing=PATIENT)
    buttons.start(ear)
    assert ear.state() is DeviceState.READY
    held.drive_high()
    assert ear.quiet(0.05)
    buttons.stop()


def test_a_button_that_is_stuck_from_the_start_is_told_after_the_buttons_are(factory: Any, ear: Ear) -> None:
    factory.pin(PINS[Button.A]).drive_low()
    factory.pin(PINS[Button.A])._set_pull = lambda _: None
    told = threading.Event()

    def listen(happening: Happening) -> None:
        ear(happening)
        told.set()

    clockwork = Clockwork(thread=lambda work, _: Quick(work, told))
    buttons = GpioButtons(PINS, pin_factory=factory, clockwork=clockwork, timing=Timing(stuck=0.0))
    buttons.start(listen)
    assert [ear.state(), ear.state()] == [DeviceState.READY, DeviceState.LOST]
    buttons.stop()


def test_stopping_frees_the_pins_for_another_start(factory: Any, ear: Ear) -> None:
    buttons = GpioButtons(PINS, pin_factory=factory, timing=QUICK)
    for _ in range(2):
        buttons.start(ear)
        assert ear.state() is DeviceState.READY
        buttons.stop()
        buttons.stop()


@pytest.mark.usefixtures("buttons")
def test_pins_that_are_in_use_are_told_as_a_status_with_the_fix(factory: Any) -> None:
    ear = Ear()
    second = GpioButtons(PINS, pin_factory=factory)
    second.start(ear)
    status = ear.next()
    assert isinstance(status, DeviceStatus)
    assert status.state is DeviceState.FAILED
    assert "settings" in worded(status.advice)
    second.stop()


def test_a_machine_without_lgpio_is_told_as_a_status_with_the_fix(ear: Ear, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "lgpio", None)
    buttons = GpioButtons(PINS)
    buttons.start(ear)
    status = ear.next()
    assert isinstance(status, DeviceStatus)
    assert status.state is DeviceState.FAILED
    assert "apt install python3-lgpio" in worded(status.advice)
    assert "phone" in worded(status.advice)
    buttons.stop()


@pytest.mark.parametrize(
    ("model", "pins", "told"),
    [
        ("impression-7.3", {Button.A: 5, Button.B: 8}, "buttons.pins.B is on pin 8, which the panel needs"),
        ("impression-13.3", PINS, "buttons.pins.C is on pin 16, which the panel needs"),
    ],
)
def test_a_button_on_a_pin_of_the_panel_is_refused_by_name(
    factory: Any, ear: Ear, model: str, pins: dict[Button, int], told: str
) -> None:
    buttons = GpioButtons(pins, taken=PANEL_MODELS[model].pins, pin_factory=factory)
    buttons.start(ear)
    status = ear.next()
    assert isinstance(status, DeviceStatus)
    assert status.state is DeviceState.FAILED
    assert told in worded(status.advice)
    assert not factory.pins
    buttons.stop()


def test_the_large_panel_has_its_button_c_elsewhere(factory: Any, ear: Ear) -> None:
    large = PANEL_MODELS["impression-13.3"]
    buttons = GpioButtons(button_pins(large), taken=large.pins, pin_factory=factory)
    buttons.start(ear)
    assert ear.state() is DeviceState.READY
    buttons.stop()


def test_two_buttons_on_one_pin_are_told_with_the_fix(factory: Any, ear: Ear) -> None:
    buttons = GpioButtons({Button.A: 5, Button.B: 5}, pin_factory=factory)
    buttons.start(ear)
    status = ear.next()
    assert isinstance(status, DeviceStatus)
    assert "correct the pins" in worded(status.advice)
    buttons.stop()
