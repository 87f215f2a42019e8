"""Which driver of the inky library serves which panel, how its BUSY line behaves, and how to ask a panel what it is."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

from companion.ports import PANEL_MODELS, Advice, PanelModel

EEPROM_ADDRESS = 0x50
EEPROM_BYTES = 29

NO_LIBRARY = Advice("advice.panel.no_library", {"library": "inky", "command": "pip install 'table-companion[pi]'"})


@dataclass(frozen=True, slots=True)
class InkyDriver:
    """A module of the inky library.

    BUSY is low while the panel works where ``busy_low``, else high. ``waits`` is False where ``show`` returns as soon
    as the refresh began. ``quantises`` drivers match colours; the others take a mode "P" picture's indices as they are.
    """

    module: str
    colour: str | None = None
    busy_low: bool = True
    waits: bool = True
    quantises: bool = False


def _three(name: str, module: str, *, waits: bool) -> dict[str, InkyDriver]:
    return {
        f"{name}-{colour}": InkyDriver(module, colour, busy_low=False, waits=waits)
        for colour in ("black", "red", "yellow")
    }


INKY_DRIVERS: dict[str, InkyDriver] = {
    **_three("phat", "inky.inky", waits=True),
    **_three("phat2", "inky.inky_ssd1608", waits=False),
    **_three("what", "inky.inky", waits=True),
    **_three("what2", "inky.inky_ssd1683", waits=False),
    "phat-four-colour": InkyDriver("inky.inky_jd79661", quantises=True),
    "what-four-colour": InkyDriver("inky.inky_jd79668", quantises=True),
    "what2-four-colour": InkyDriver("inky.inky_ssd2683", quantises=True),
    "impression-5.7": InkyDriver("inky.inky_uc8159"),
    "impression-4-seven-colour": InkyDriver("inky.inky_uc8159"),
    "impression-7.3-seven-colour": InkyDriver("inky.inky_ac073tc1a"),
    "impression-4": InkyDriver("inky.inky_e640", quantises=True),
    "impression-7.3": InkyDriver("inky.inky_e673", quantises=True),
    "impression-13.3": InkyDriver("inky.inky_el133uf1", quantises=True),
}
"""By the name of the model."""

_COLOURS = {1: "black", 2: "red", 3: "yellow"}
_VARIANTS = {
    **dict.fromkeys((1, 4, 5), "phat-{colour}"),
    **dict.fromkeys((10, 11, 12), "phat2-{colour}"),
    **dict.fromkeys((2, 3, 6, 7, 8), "what-{colour}"),
    **dict.fromkeys((17, 18, 19), "what2-{colour}"),
    14: "impression-5.7",
    15: "impression-4-seven-colour",
    16: "impression-4-seven-colour",
    20: "impression-7.3-seven-colour",
    21: "impression-13.3",
    22: "impression-7.3",
    23: "phat-four-colour",
    24: "what-four-colour",
    25: "impression-4",
    26: "impression-7.3",
    27: "impression-13.3",
    28: "what2-four-colour",
}


class PanelMissing(Exception):
    """No panel could be identified; ``advice`` says what to do."""

    def __init__(self, advice: Advice) -> None:
        super().__init__(advice)
        self.advice = advice


def identify(bus: Any = None) -> PanelModel:
    """The model that the panel's EEPROM names, read on I2C bus 1 within milliseconds. Raises PanelMissing.

    ``bus`` is an open smbus2.SMBus, for tests; the real one where None.
    """
    try:
        memory = _read(bus) if bus is not None else _read_bus_1()
    except ImportError:
        raise PanelMissing(NO_LIBRARY) from None
    except FileNotFoundError:
        raise PanelMissing(Advice("advice.panel.bus_off", {"command": "sudo raspi-config nonint do_i2c 0"})) from None
    except PermissionError:
        raise PanelMissing(Advice("advice.panel.bus_forbidden", {"group": "i2c"})) from None
    except OSError:
        raise PanelMissing(Advice("advice.panel.no_answer")) from None
    return model_of(memory)


def model_of(memory: bytes) -> PanelModel:
    """The model in a panel's EEPROM: width, height, colour, board and display variant, date. Raises PanelMissing."""
    _width, _height, colour, _board, variant, _date = struct.unpack("<HHBBB22p", memory)
    name = _VARIANTS.get(variant, "").format(colour=_COLOURS.get(colour))
    if name not in PANEL_MODELS:
        raise PanelMissing(Advice("advice.panel.unknown", {"variant": variant, "colour": colour}))
    return PANEL_MODELS[name]


def _read_bus_1() -> bytes:
    from smbus2 import SMBus

    with SMBus(1) as bus:
        return _read(bus)


def _read(bus: Any) -> bytes:
    bus.write_i2c_block_data(EEPROM_ADDRESS, 0x00, [0x00])
    return bytes(bus.read_i2c_block_data(EEPROM_ADDRESS, 0, EEPROM_BYTES))
