"""The simulated table: everything that stands on a real one, and the ways in which it breaks."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from companion.ports import PanelModel, button_pins
from simulator.sim_buttons import SimButtons
from simulator.sim_reader import SimReader
from simulator.sim_signal import SimSignal
from simulator.software_panel import SoftwarePanel
from simulator.tags import Piece


class SimulatedTable:
    """A box whose every piece has a tag, a reader, four buttons, a light and a buzzer, and a panel.

    The real drivers run on it: open ``reader.port`` with the serial reader, give ``buttons.factory`` and
    ``buttons.pins`` to the buttons, and show pictures on ``panel``. ``folder`` takes the reader's port.
    """

    def __init__(self, pieces: Iterable[Piece], folder: Path, model: PanelModel, *, slowness: float = 1.0) -> None:
        self.pieces = tuple(pieces)
        self.reader = SimReader(folder)
        self.buttons = SimButtons(button_pins(model))
        self.panel = SoftwarePanel(model, slowness=slowness)
        self.signal = SimSignal()

    def close(self) -> None:
        """Put everything away; stop the drivers first."""
        self.reader.close()
        self.buttons.close()
