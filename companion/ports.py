"""The protocols that devices and their simulated stand-ins meet. No device library is imported here.

Device threads hand over values by calling the listener they were given; the composition root wraps it with
``loop.call_soon_threadsafe``, so a listener never blocks and may be called from any thread.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from PIL import Image


class DeviceState(StrEnum):
    """How a device is: ``waiting`` for it to appear, ``ready``, ``lost`` after it was ready, ``failed`` for good."""

    WAITING = "waiting"
    READY = "ready"
    LOST = "lost"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Advice:
    """One sentence saying what is wrong with a device and what to do, as a message code ``advice.<what>``.

    ``params`` fill it in: a path, a pin, a command to type, the raw cause; what is the same in every language.
    """

    code: str
    params: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DeviceStatus:
    """A device's state; ``advice`` says what to do about it, or, of one that is ready, what was found out."""

    device: str
    state: DeviceState
    advice: Advice | None = None


@dataclass(frozen=True, slots=True)
class TagArrived:
    """A tag was put on a reader: one value a placement, however often the reader repeats it."""

    reader: str
    tag: str


@dataclass(frozen=True, slots=True)
class TagReadAgain:
    """A tag was read a second time in one placement: told once, for those who trust only two equal reads."""

    reader: str
    tag: str


@dataclass(frozen=True, slots=True)
class TagGone:
    """A tag was taken off a reader."""

    reader: str
    tag: str


@dataclass(frozen=True, slots=True)
class Misread:
    """Bytes that make no tag; ``reason`` says what was wrong and, where known, what to do."""

    reader: str
    reason: Advice


class Button(StrEnum):
    """The four buttons beside the panel, named as on the Inky Impression."""

    A = "A"
    B = "B"
    C = "C"
    D = "D"


@dataclass(frozen=True, slots=True)
class Press:
    """A button was pressed: told on release for a short press, after the hold time for a long one."""

    button: Button
    long: bool = False


@dataclass(frozen=True, slots=True)
class Muted:
    """The buzzer was silenced at the table, or lets itself be heard again."""

    on: bool


Happening = TagArrived | TagReadAgain | TagGone | Misread | Press | Muted | DeviceStatus
Listener = Callable[[Happening], None]


class Running(Protocol):
    """A thread, as far as drivers and the panel's worker use one."""

    def start(self) -> None:
        """Begin."""
        ...

    def join(self, timeout: float | None = None) -> None:
        """Wait for its end, at most for so many seconds."""
        ...

    def is_alive(self) -> bool:
        """Whether it has begun and not ended."""
        ...


class Scanner(Protocol):
    """A tag reader."""

    @property
    def name(self) -> str:
        """The name in the settings, used in every message about it."""
        ...

    @property
    def alive(self) -> bool:
        """Whether it reads, or waits for its device; False before the start and where a fault ended its thread."""
        ...

    def start(self, listener: Listener) -> None:
        """Begin to read in a thread of its own; never fails for a missing device, which is told as a status."""
        ...

    def stop(self) -> None:
        """Stop reading and release the device; may be called twice."""
        ...


class Buttons(Protocol):
    """The buttons of the table."""

    def start(self, listener: Listener) -> None:
        """Begin to listen; buttons that cannot be had are told as a status, not raised."""
        ...

    def stop(self) -> None:
        """Release the pins; may be called twice."""
        ...


class Ink(StrEnum):
    """A colour that a panel can show."""

    BLACK = "black"
    WHITE = "white"
    RED = "red"
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"
    ORANGE = "orange"


RGB = dict[Ink, tuple[int, int, int]]

SCREEN_RGB: RGB = {
    Ink.BLACK: (0, 0, 0),
    Ink.WHITE: (255, 255, 255),
    Ink.RED: (200, 20, 20),
    Ink.YELLOW: (240, 200, 0),
    Ink.GREEN: (20, 130, 50),
    Ink.BLUE: (20, 60, 180),
    Ink.ORANGE: (230, 110, 0),
}
"""How each ink looks on a screen, for pictures of the panel."""


@dataclass(frozen=True, slots=True)
class Palette:
    """A panel's inks with the index that its driver knows each by, in the order of the mode "P" picture's palette."""

    name: str
    inks: tuple[tuple[Ink, int], ...]

    def index(self, ink: Ink) -> int:
        """The driver's index of an ink; KeyError where the panel has none."""
        return dict(self.inks)[ink]

    def __contains__(self, ink: Ink) -> bool:
        return any(ink == known for known, _ in self.inks)


BLACK_WHITE = Palette("black-white", ((Ink.WHITE, 0), (Ink.BLACK, 1)))
BLACK_WHITE_RED = Palette("black-white-red", ((Ink.WHITE, 0), (Ink.BLACK, 1), (Ink.RED, 2)))
BLACK_WHITE_YELLOW = Palette("black-white-yellow", ((Ink.WHITE, 0), (Ink.BLACK, 1), (Ink.YELLOW, 2)))
FOUR_COLOUR = Palette("four-colour", ((Ink.BLACK, 0), (Ink.WHITE, 1), (Ink.YELLOW, 2), (Ink.RED, 3)))
SPECTRA_SIX = Palette(
    "spectra-six",
    ((Ink.BLACK, 0), (Ink.WHITE, 1), (Ink.YELLOW, 2), (Ink.RED, 3), (Ink.BLUE, 5), (Ink.GREEN, 6)),
)
SEVEN_COLOUR = Palette(
    "seven-colour",
    (
        (Ink.BLACK, 0),
        (Ink.WHITE, 1),
        (Ink.GREEN, 2),
        (Ink.BLUE, 3),
        (Ink.RED, 4),
        (Ink.YELLOW, 5),
        (Ink.ORANGE, 6),
    ),
)
PALETTES = {
    palette.name: palette
    for palette in (BLACK_WHITE, BLACK_WHITE_RED, BLACK_WHITE_YELLOW, FOUR_COLOUR, SPECTRA_SIX, SEVEN_COLOUR)
}


INKY_PINS = frozenset({2, 3, 8, 10, 11, 17, 22, 27})
"""The BCM pins that every Inky panel uses: I2C for its EEPROM, SPI, chip select, busy, data/command and reset."""


@dataclass(frozen=True, slots=True)
class PanelModel:
    """A panel that can be named in the settings; ``refresh_seconds`` is what one picture typically takes."""

    name: str
    size: tuple[int, int]
    palette: Palette
    refresh_seconds: float
    pins: frozenset[int] = INKY_PINS


PANEL_MODELS = {
    model.name: model
    for model in (
        PanelModel("phat-black", (212, 104), BLACK_WHITE, 8.0),
        PanelModel("phat-red", (212, 104), BLACK_WHITE_RED, 15.0),
        PanelModel("phat-yellow", (212, 104), BLACK_WHITE_YELLOW, 15.0),
        PanelModel("phat2-black", (250, 122), BLACK_WHITE, 5.0),
        PanelModel("phat2-red", (250, 122), BLACK_WHITE_RED, 15.0),
        PanelModel("phat2-yellow", (250, 122), BLACK_WHITE_YELLOW, 15.0),
        PanelModel("phat-four-colour", (250, 122), FOUR_COLOUR, 20.0),
        PanelModel("what-black", (400, 300), BLACK_WHITE, 8.0),
        PanelModel("what-red", (400, 300), BLACK_WHITE_RED, 15.0),
        PanelModel("what-yellow", (400, 300), BLACK_WHITE_YELLOW, 15.0),
        PanelModel("what2-black", (400, 300), BLACK_WHITE, 5.0),
        PanelModel("what2-red", (400, 300), BLACK_WHITE_RED, 15.0),
        PanelModel("what2-yellow", (400, 300), BLACK_WHITE_YELLOW, 15.0),
        PanelModel("what-four-colour", (400, 300), FOUR_COLOUR, 20.0),
        PanelModel("what2-four-colour", (400, 300), FOUR_COLOUR, 20.0),
        PanelModel("impression-5.7", (600, 448), SEVEN_COLOUR, 30.0),
        PanelModel("impression-4-seven-colour", (640, 400), SEVEN_COLOUR, 30.0),
        PanelModel("impression-7.3-seven-colour", (800, 480), SEVEN_COLOUR, 41.0),
        PanelModel("impression-4", (600, 400), SPECTRA_SIX, 30.0),
        PanelModel("impression-7.3", (800, 480), SPECTRA_SIX, 30.0),
        PanelModel("impression-13.3", (1600, 1200), SPECTRA_SIX, 20.0, INKY_PINS | {16, 26}),
    )
}
"""The Inky panels by name. A ``2`` marks the later controller of a panel that was sold with two."""


def button_pins(model: PanelModel | None) -> dict[Button, int]:
    """The BCM pins of the buttons beside a panel; the 13.3 inch panel needs pin 16 itself and has C on 25."""
    taken = model is not None and 16 in model.pins
    return {Button.A: 5, Button.B: 6, Button.C: 25 if taken else 16, Button.D: 24}


@dataclass(frozen=True, slots=True)
class ShowResult:
    """What became of a picture; ``ok`` is False where the panel gave no sign of life; ``advice`` says what to do."""

    ok: bool
    seconds: float
    advice: Advice | None = None


class Panel(Protocol):
    """An e-ink panel. All calls come from one thread; ``show`` blocks for the whole refresh."""

    @property
    def name(self) -> str:
        """The model, for messages."""
        ...

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        ...

    @property
    def palette(self) -> Palette:
        """The inks and their indices."""
        ...

    @property
    def refresh_seconds(self) -> float:
        """How long one picture takes."""
        ...

    def show(self, picture: Image.Image) -> ShowResult:
        """Show a mode "P" picture of exactly ``size`` whose pixels are the palette's indices. Never raises."""
        ...

    def close(self) -> None:
        """Release the device."""
        ...


class Mood(StrEnum):
    """What a light or a beep says at once, because e-ink cannot.

    The first three answer a scan or a press. The others tell what the game brought: a danger grew, something is gone
    for good, the game is won or lost.
    """

    TAKEN = "taken"
    ASKING = "asking"
    REFUSED = "refused"
    ALARM = "alarm"
    LOSS = "loss"
    WON = "won"
    LOST = "lost"


class Signal(Protocol):
    """A light or a buzzer that answers every scan and press at once."""

    @property
    def can_sound(self) -> bool:
        """Whether there is a buzzer, which can be muted."""
        ...

    def start(self, listener: Listener) -> None:
        """Claim the pins; those that cannot be had are told as a status, not raised."""
        ...

    def give(self, mood: Mood, *, aloud: bool = True) -> None:
        """Signal a mood, by light only where not ``aloud``; returns at once, never raises."""
        ...

    def stop(self) -> None:
        """Release the device."""
        ...
