"""Every device and every stand-in meets its protocol (checked by mypy; run so that the names stay true)."""

from __future__ import annotations

from companion.ports import PANEL_MODELS, Buttons, Panel, Scanner, Signal, button_pins
from drivers.buttons import GpioButtons
from drivers.inky_panel import InkyPanel
from drivers.interpreter import OneTongue, Tongue
from drivers.line_decoder import LineDecoder
from drivers.presence import RestingTags
from drivers.serial_reader import SerialReader
from drivers.signal import GpioSignal
from simulator.software_panel import SoftwarePanel


def test_devices_meet_their_protocols() -> None:
    scanner: Scanner = SerialReader(
        "reader", "/dev/x", OneTongue(Tongue("line", 9600, LineDecoder(), RestingTags("reader")))
    )
    buttons: Buttons = GpioButtons(button_pins(None))
    panels: list[Panel] = [InkyPanel(model) for model in PANEL_MODELS.values()]
    panels += [SoftwarePanel(model) for model in PANEL_MODELS.values()]
    signals: list[Signal] = [GpioSignal(light=13)]
    assert scanner.name == "reader"
    scanner.stop()
    buttons.stop()
    for device in signals:
        device.stop()
    assert {panel.size for panel in panels} == {model.size for model in PANEL_MODELS.values()}


def test_every_panel_has_room_for_its_buttons() -> None:
    for model in PANEL_MODELS.values():
        pins = button_pins(model).values()
        assert len(set(pins)) == 4
        assert not set(pins) & model.pins
