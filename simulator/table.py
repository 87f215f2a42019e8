"""The simulated table: everything that stands on a real one, and the ways in which it breaks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from companion.ports import PanelModel, button_pins
from simulator.dialects import Codes, Dialect, Id12, Lines, Rdm6300
from simulator.faults import Chances
from simulator.pn532_chip import Pn532Chip
from simulator.r200_module import R200Module
from simulator.sim_buttons import SimButtons
from simulator.sim_reader import DEVICE, SimReader
from simulator.sim_signal import SimSignal
from simulator.software_panel import SoftwarePanel
from simulator.tags import Piece

READER, LINE = "reader", "line"

DIALECTS: Mapping[str, type[Dialect]] = {
    LINE: Lines,
    "codes": Codes,
    "rdm6300": Rdm6300,
    "id12": Id12,
    "pn532": Pn532Chip,
    "r200": R200Module,
}
"""The simulated readers by the protocol that they speak; ``codes`` are the lines of a code scanner."""

ONE_READER: Mapping[str, str] = {READER: LINE}


class SimulatedTable:
    """A box whose every piece has a tag, readers, four buttons, a light and a buzzer, and a panel.

    The real drivers run on it: open the port of each of ``readers`` with the serial reader, give ``buttons.factory``
    and ``buttons.pins`` to the buttons, and show pictures on ``panel``. ``folder`` takes the readers' ports.
    ``speaking`` is each reader's protocol by its name. ``chances`` are what befalls messages and contacts.
    """

    def __init__(
        self,
        pieces: Iterable[Piece],
        folder: Path,
        model: PanelModel,
        *,
        slowness: float = 1.0,
        speaking: Mapping[str, str] = ONE_READER,
    ) -> None:
        self.pieces = tuple(pieces)
        self.chances = Chances()
        self.speaking = dict(speaking)
        self.readers = {
            name: SimReader(folder, DIALECTS[protocol](), device=_device(name, at), chances=self.chances)
            for at, (name, protocol) in enumerate(speaking.items())
        }
        self.buttons = SimButtons(button_pins(model))
        self.panel = SoftwarePanel(model, slowness=slowness)
        self.signal = SimSignal()

    @property
    def reader(self) -> SimReader:
        """The first reader."""
        return next(iter(self.readers.values()))

    def swap(self, name: str, protocol: str) -> None:
        """Put a reader of another protocol in one's place."""
        self.readers[name].swap(DIALECTS[protocol]())
        self.speaking[name] = protocol

    def close(self) -> None:
        """Put everything away; stop the drivers first."""
        for reader in self.readers.values():
            reader.close()
        self.buttons.close()


def _device(name: str, at: int) -> str:
    """The name of a reader's device; the first keeps the one that it always had."""
    return DEVICE if at == 0 else f"usb-Simulated_Tag_Reader_{at + 1:04}-{name}-if00"
