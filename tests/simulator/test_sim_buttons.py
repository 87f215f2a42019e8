"""The simulated buttons, heard by the real button driver."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from companion.ports import Button, DeviceState, Press, button_pins
from drivers.buttons import GpioButtons
from drivers.clockwork import Clockwork
from drivers.press import Timing
from simulator import sim_buttons
from simulator.sim_buttons import SimButtons
from tests.listening import Ear


@pytest.fixture
def ear() -> Ear:
    return Ear()


@pytest.fixture
def sim(ear: Ear, monkeypatch: pytest.MonkeyPatch) -> Iterator[SimButtons]:
    monkeypatch.setattr(sim_buttons, "SHORT_PRESS", 0.06)
    monkeypatch.setattr(sim_buttons, "LONG_PRESS", 0.6)
    now = 0.0

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    monkeypatch.setattr(sim_buttons, "time", SimpleNamespace(sleep=sleep))
    made = SimButtons(button_pins(None))
    clockwork = Clockwork(clock=lambda: now)
    listening = GpioButtons(made.pins, pin_factory=made.factory, clockwork=clockwork, timing=Timing(hold=0.4))
    listening.start(ear)
    assert ear.state() is DeviceState.READY
    yield made
    listening.stop()
    made.close()


@pytest.mark.parametrize("button", Button)
def test_a_press_with_its_bounces_is_one_press(sim: SimButtons, ear: Ear, button: Button) -> None:
    sim.press(button, bounces=3)
    assert ear.next() == Press(button)
    assert ear.quiet(0.05)


def test_a_long_press_is_one_long_press(sim: SimButtons, ear: Ear) -> None:
    sim.press(Button.A, long=True)
    assert ear.next() == Press(Button.A, long=True)
    assert ear.quiet(0.05)


def test_presses_follow_each_other_in_order(sim: SimButtons, ear: Ear) -> None:
    for button in (Button.B, Button.B, Button.C):
        sim.press(button)
    assert [ear.next() for _ in range(3)] == [Press(Button.B), Press(Button.B), Press(Button.C)]
