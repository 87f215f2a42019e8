"""A panel at the far end of GPIO and SPI, so that the inky library's own drivers run without hardware, in no time.

The wires are handed to a driver in place of gpiod's, spidev's and smbus2's objects. They keep every frame that a
refresh was ordered for and turn it back into the picture that the driver was given.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import Enum
from typing import TYPE_CHECKING, Any

from companion.ports import SEVEN_COLOUR, Ink, PanelModel

if TYPE_CHECKING:
    from PIL import Image

BUSY_PIN = 17
DC_PIN = 22
CHIP_SELECTS = {26: 0, 16: 1}
"""Only the 13.3 inch panel has two controllers; every other has one, whatever its chip select."""

_REFRESH = {"low": 0x12, "high": 0x20}
_POWER_OFF = 0x02
_POWER = (_POWER_OFF, 0x04)
_BORDER = {"low": 0x50, "high": 0x3C}
_PLANES = {"low": (0x10,), "high": (0x24, 0x26)}


class Health(Enum):
    """A sound panel, one that is not connected, and one that never gets ready."""

    SOUND = "sound"
    DEAD = "dead"
    STUCK = "stuck"


@dataclass(slots=True)
class VirtualTime:
    """Stands in for the ``time`` module: sleeping only moves the clock."""

    now: float = 0.0

    def monotonic(self) -> float:
        """Seconds slept so far."""
        return self.now

    def sleep(self, seconds: float) -> None:
        """Move the clock."""
        self.now += seconds


@dataclass(frozen=True, slots=True)
class Framing:
    """How a controller is sent its picture: bits a pixel and plane, the size on the wire, turns and rows beyond it.

    ``borders`` are the values of its border register, for controllers that are sent one.
    """

    bits: int
    wire: tuple[int, int]
    turned: bool = False
    overscan: int = 0
    chips: int = 1
    busy: str = "low"
    borders: Mapping[int, Ink] = field(default_factory=dict)


_OLD_BORDERS = {0x00: Ink.BLACK, 0x31: Ink.WHITE, 0x33: Ink.YELLOW, 0x73: Ink.RED}
_SSD_BORDERS = {0x00: Ink.BLACK, 0x01: Ink.WHITE, 0x0F: Ink.YELLOW, 0x06: Ink.RED}
_SEVEN_BORDERS = {index << 5 | 0x17: ink for ink, index in SEVEN_COLOUR.inks}
"""Three bits of the register that also sets the interval of the picture's data."""

FRAMINGS = {
    "phat": Framing(1, (104, 212), turned=True, busy="high", borders=_OLD_BORDERS),
    "phat2": Framing(1, (136, 250), turned=True, overscan=6, busy="high", borders=_SSD_BORDERS),
    "what": Framing(1, (400, 300), busy="high", borders=_OLD_BORDERS),
    "what2": Framing(1, (400, 300), busy="high", borders=_SSD_BORDERS),
    "phat-four-colour": Framing(2, (128, 250), turned=True, overscan=6),
    "what-four-colour": Framing(2, (400, 300)),
    "what2-four-colour": Framing(2, (400, 300)),
    "impression-5.7": Framing(4, (600, 448), borders=_SEVEN_BORDERS),
    "impression-4-seven-colour": Framing(4, (640, 400), borders=_SEVEN_BORDERS),
    "impression-7.3-seven-colour": Framing(4, (800, 480), borders=_SEVEN_BORDERS),
    "impression-4": Framing(4, (400, 600), turned=True),
    "impression-7.3": Framing(4, (800, 480)),
    "impression-13.3": Framing(4, (600, 1600), turned=True, chips=2),
}


def framing_of(model: PanelModel) -> Framing:
    """The framing of a model; those of one board in several colours share theirs."""
    return FRAMINGS.get(model.name) or FRAMINGS[model.name.rpartition("-")[0]]


@dataclass
class FakePanel:
    """A panel of some model; ``gpio``, ``spi`` and ``i2c`` are its wires, ``frames`` the pictures it was told to show.

    ``border`` is the ink of the frame around the last of them, None where its controller is sent none.
    ``variant`` and ``colour`` are what its EEPROM says; without a variant nothing answers on I2C.
    """

    model: PanelModel
    time: VirtualTime = field(default_factory=VirtualTime)
    health: Health = Health.SOUND
    refresh_seconds: float = 2.0
    variant: int | None = None
    colour: int = 0

    def __post_init__(self) -> None:
        self.framing = framing_of(self.model)
        self.frames: list[Image.Image] = []
        self.border: Ink | None = None
        self.gpio = FakeGpio(self)
        self.spi = FakeSpi(self)
        self.i2c = FakeEeprom(self)
        self._busy_until = 0.0
        self._refreshing_until = 0.0

    @property
    def busy_for(self) -> float:
        """Seconds until the panel is ready; infinite for a stuck one."""
        if self.health is Health.STUCK:
            return float("inf")
        return max(0.0, self._busy_until - self.time.now) if self.health is Health.SOUND else 0.0

    def obey(self, command: int, planes: dict[tuple[int, int], bytearray]) -> None:
        """Take the frame that was sent where the command is to refresh; be busy with it, or with the power.

        Power that is switched off in the middle of a refresh latches the panel until it is unplugged (inky#266).
        """
        if self.health is Health.DEAD:
            return
        if command == _POWER_OFF and self.framing.busy == "low" and self.time.now < self._refreshing_until:
            self.health = Health.STUCK
        elif command == _REFRESH[self.framing.busy]:
            self._busy_until = self._refreshing_until = self.time.now + self.refresh_seconds
            self.frames.append(decode(planes, self.framing))
            self.border = border_of(planes, self.framing)
        elif command in _POWER and self.framing.busy == "low":
            self._busy_until = self.time.now + 0.1


class FakeGpio:
    """Like gpiod's LineRequest."""

    def __init__(self, panel: FakePanel) -> None:
        self._panel = panel
        self._levels: dict[int, bool] = {}
        self.released = False

    def set_value(self, pin: int, value: Any) -> None:
        """Drive a pin."""
        self._levels[pin] = bool(value.value)

    def get_value(self, pin: int) -> Any:
        """Read a pin; BUSY tells of the panel."""
        from gpiod.line import Value

        high = self._levels.get(pin, True)
        if pin == BUSY_PIN:
            high = (self._panel.busy_for > 0) is (self._panel.framing.busy == "high")
        return Value.ACTIVE if high else Value.INACTIVE

    def wait_edge_events(self, timeout: timedelta | None = None) -> bool:
        """Wait until BUSY changes, or for the time-out."""
        seconds = timeout.total_seconds() if timeout is not None else float("inf")
        busy_for = self._panel.busy_for
        self._panel.time.sleep(min(seconds, busy_for))
        return 0 < busy_for <= seconds

    def read_edge_events(self) -> list[Edge]:
        """The one edge that was waited for."""
        return [Edge(BUSY_PIN)]

    def release(self) -> None:
        """Give the pins back."""
        self.released = True

    def selected(self) -> tuple[int, ...]:
        """The controllers whose chip select is low; the first where the panel has but one."""
        if self._panel.framing.chips == 1:
            return (0,)
        return tuple(chip for pin, chip in CHIP_SELECTS.items() if not self._levels.get(pin, True))

    @property
    def is_command(self) -> bool:
        """Whether the data/command pin says that a command is sent."""
        return not self._levels.get(DC_PIN, True)


@dataclass(frozen=True, slots=True)
class Edge:
    """Like gpiod's EdgeEvent."""

    line_offset: int


class FakeSpi:
    """Like spidev's SpiDev, and the controller behind it."""

    def __init__(self, panel: FakePanel) -> None:
        self._panel = panel
        self._command = 0
        self._planes: dict[tuple[int, int], bytearray] = {}
        self.max_speed_hz = 0
        self.no_cs = False

    def open(self, bus: int, device: int) -> None:
        """Open the bus."""

    def close(self) -> None:
        """Close the bus."""

    def xfer3(self, values: list[int]) -> None:
        """Send bytes: a command, or the data of the last one. As in spidev, of a larger number the low byte counts."""
        if not self._panel.gpio.is_command:
            sent = bytes(values) if max(values) < 256 else bytes(value & 0xFF for value in values)
            for chip in self._panel.gpio.selected():
                self._planes[chip, self._command] += sent
            return
        (self._command,) = values
        self._panel.obey(self._command, self._planes)
        for chip in self._panel.gpio.selected():
            self._planes[chip, self._command] = bytearray()

    xfer = xfer3


class FakeEeprom:
    """Like smbus2's SMBus, with a panel's EEPROM on it, or nothing."""

    def __init__(self, panel: FakePanel) -> None:
        self._panel = panel

    def write_i2c_block_data(self, _address: int, _register: int, _values: list[int]) -> None:
        """Set the address to read from."""
        if self._panel.variant is None:
            raise OSError(121, "Remote I/O error")

    def read_i2c_block_data(self, _address: int, _register: int, length: int) -> list[int]:
        """What the board says of itself."""
        size, written = self._panel.model.size, b"2026-01-01 00:00:00.0"
        return list(struct.pack("<HHBBB22p", *size, self._panel.colour, 12, self._panel.variant, written)[:length])


def decode(planes: dict[tuple[int, int], bytearray], framing: Framing) -> Image.Image:
    """The picture, in the palette's indices, from what was sent to each controller."""
    from PIL import Image

    width, height = framing.wire
    whole = Image.new("P", (width * framing.chips, height))
    for chip in range(framing.chips):
        sent = [bytes(planes[chip, command]) for command in _PLANES[framing.busy]]
        whole.paste(_decode_chip(sent, framing), (width * chip, 0))
    if framing.turned:
        whole = whole.transpose(Image.Transpose.ROTATE_90)
    return whole.crop((0, framing.overscan, whole.width, whole.height - _rest(framing)))


def border_of(planes: dict[tuple[int, int], bytearray], framing: Framing) -> Ink | None:
    """The ink of the border that was sent; KeyError for a value that is none."""
    if not framing.borders:
        return None
    return framing.borders[planes[0, _BORDER[framing.busy]][-1]]


def _rest(framing: Framing) -> int:
    """Rows below the picture: the first pHAT controller is fed 136 rows for 122, six of them above it."""
    return 8 if framing.wire == (136, 250) else 0


def _decode_chip(sent: list[bytes], framing: Framing) -> Image.Image:
    from PIL import Image

    if framing.bits > 1:
        return Image.frombytes("P", framing.wire, sent[0], "raw", f"P;{framing.bits}")
    not_black, coloured = (Image.frombytes("1", framing.wire, plane) for plane in sent)
    picture = Image.new("P", framing.wire, 1)
    picture.paste(0, None, not_black)
    picture.paste(2, None, coloured)
    return picture
