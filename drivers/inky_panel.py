"""An Inky e-ink panel through Pimoroni's library.

Three habits of that library shape this file. A pin that is in use ends the program with SystemExit (inky#202). An
unplugged panel "succeeds" after a long wait (inky#174), so only its BUSY line tells whether anything happened. And
pictures with other than a panel's own colours are dithered, or fail with a newer Pillow, so pictures are handed over
in the panel's own indices.
"""

from __future__ import annotations

import importlib
import logging
import os
import re
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from companion.ports import PANEL_MODELS, Advice, Ink, Palette, PanelModel, ShowResult
from drivers.inky_models import INKY_DRIVERS, NO_LIBRARY, InkyDriver, PanelMissing, identify

if TYPE_CHECKING:
    from PIL import Image

Rotation = Literal[0, 90, 180, 270]

ASSUMED = PANEL_MODELS["impression-7.3"]
"""What is drawn for until a panel to be recognised was found, so that phones have a picture of it."""

LONG_WAIT = 5.0
"""A wait for BUSY that times out after so many seconds was a refresh; shorter ones fail on healthy panels too."""

NO_LIFE = Advice("advice.panel.no_life")

NEVER_BUSY = "BUSY was never seen at work"

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PanelWires:
    """What a panel hangs on, for tests: objects like gpiod's LineRequest, spidev's SpiDev and smbus2's SMBus."""

    gpio: Any
    spi: Any
    i2c: Any


class InkyPanel:
    """A panel of the Inky family; ``model`` None reads from the panel what it is. All calls come from one thread.

    Nothing is imported or opened before the first ``size`` or ``show``. ``rotation`` turns pictures anticlockwise, for
    a panel that stands on another edge. ``border`` is the ink of the frame around the picture, white where the panel
    lacks it; the drivers of the Spectra 6 and four-colour panels send none.
    """

    def __init__(
        self,
        model: PanelModel | None,
        *,
        rotation: Rotation = 0,
        border: Ink = Ink.WHITE,
        wires: PanelWires | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._model = model
        self._rotation = rotation
        self._border = border
        self._wires = wires
        self._clock = clock
        self._sleep = sleep
        self._display: Any = None
        self._busy: BusyWatch | None = None

    @property
    def name(self) -> str:
        """The model, for messages."""
        return self._model.name if self._model else "Inky panel"

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels of a picture as people see it, after rotation."""
        width, height = self._best_model().size
        return (height, width) if self._rotation in (90, 270) else (width, height)

    @property
    def palette(self) -> Palette:
        """The inks and their indices."""
        return self._best_model().palette

    @property
    def refresh_seconds(self) -> float:
        """How long one picture typically takes."""
        return self._best_model().refresh_seconds

    def show(self, picture: Image.Image) -> ShowResult:
        """Show a mode "P" picture of exactly ``size`` in the palette's indices. Blocks for the whole refresh."""
        started = self._clock()
        try:
            advice = self._show(picture)
        except (Exception, SystemExit) as failure:
            self.close()
            advice = explain(failure, self.name)
        return ShowResult(advice is None, self._clock() - started, advice)

    def close(self) -> None:
        """Release pins and SPI; the next picture opens them again."""
        display, self._display, self._busy = self._display, None, None
        if display is None or self._wires is not None:
            return
        for held, release in ((display._gpio, "release"), (display._spi_bus, "close")):
            if held is not None:
                _release(held, release)

    def _best_model(self) -> PanelModel:
        if self._model is None:
            try:
                self._model = self._identify()
            except PanelMissing:  # the next ``show`` tells the advice
                return ASSUMED
        return self._model

    def _identify(self) -> PanelModel:
        return identify(self._wires.i2c if self._wires else None)

    def _show(self, picture: Image.Image) -> Advice | None:
        if self._model is None:
            self._model = self._identify()
        if picture.mode != "P" or picture.size != self.size:
            return Advice("advice.panel.misfit", {"width": picture.width, "height": picture.height})
        complaints = self._drive(self._turned(picture), self._model, INKY_DRIVERS[self._model.name])
        return NO_LIFE if any(map(_is_fatal, complaints)) else None

    def _drive(self, picture: Image.Image, model: PanelModel, driver: InkyDriver) -> list[str]:
        """Show a picture; what the driver, or its BUSY line, had to complain of."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            display, busy = self._opened(model, driver)
            busy.seen = False
            display.set_image(native_picture(picture, model, driver, display))
            display.show()
        complaints = [str(warning.message) for warning in caught]
        if not driver.waits:
            complaints += self._await_release(busy)
        if complaints:
            _log.info("The panel's library complains: %s", "; ".join(complaints))
        return complaints if busy.seen else [*complaints, NEVER_BUSY]

    def _turned(self, picture: Image.Image) -> Image.Image:
        from PIL.Image import Transpose

        turns = {90: Transpose.ROTATE_90, 180: Transpose.ROTATE_180, 270: Transpose.ROTATE_270}
        return picture.transpose(turns[self._rotation]) if self._rotation else picture

    def _opened(self, model: PanelModel, driver: InkyDriver) -> tuple[Any, BusyWatch]:
        if self._display is None or self._busy is None:
            self._display = display = _construct(model, driver, self._wires)
            display.set_border(model.palette.index(self._border if self._border in model.palette else Ink.WHITE))
            display.setup()
            self._busy = display._gpio = BusyWatch(display._gpio, display.busy_pin, low=driver.busy_low)
        return self._display, self._busy

    def _await_release(self, busy: BusyWatch) -> list[str]:
        """Wait out a refresh that the driver only began: at most 1 s for BUSY to be seen, then 40 s for its end."""
        for seconds, until in ((1.0, True), (40.0, False)):
            started = self._clock()
            while busy.now() is not until and self._clock() - started < seconds:
                self._sleep(0.05)
        return ["Refresh Wait: Timed out after 40.00s"] if busy.now() else []


class BusyWatch:
    """Stands before a GPIO request, passes everything on, and notes whether BUSY was ever seen at work."""

    def __init__(self, gpio: Any, pin: int, *, low: bool) -> None:
        self._gpio = gpio
        self._pin = pin
        self._low = low
        self.seen = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._gpio, name)

    def get_value(self, pin: int) -> Any:
        """The value of a pin, as the request gives it."""
        value = self._gpio.get_value(pin)
        if pin == self._pin:
            self.seen = self.seen or self._is_busy(value)
        return value

    def now(self) -> bool:
        """Whether the panel is at work now."""
        return self._is_busy(self.get_value(self._pin))

    def _is_busy(self, value: Any) -> bool:
        return bool(value.value) is not self._low


def native_picture(picture: Image.Image, model: PanelModel, driver: InkyDriver, display: Any) -> Image.Image:
    """The picture as its driver takes it without a change.

    Drivers that match colours get a palette of exactly their own pure ones, in their own order; then they do not
    dither.
    """
    if not driver.quantises:
        return picture
    table = [0] * 256
    for position, (_, index) in enumerate(model.palette.inks):
        table[index] = position
    ordered = picture.point(table)
    pure = display.DESATURATED_PALETTE[: len(model.palette.inks)]
    ordered.putpalette([channel for colour in pure for channel in colour])
    return ordered


def _construct(model: PanelModel, driver: InkyDriver, wires: PanelWires | None) -> Any:
    os.environ.setdefault("GPIODEVICE_DEBUG", "1")
    module = importlib.import_module(driver.module)
    given: dict[str, Any] = {"colour": driver.colour} if driver.colour else {}
    if wires is not None:
        given |= {"gpio": wires.gpio, "spi_bus": wires.spi, "i2c_bus": wires.i2c}
    display = module.Inky(resolution=model.size, **given)
    if hasattr(display, "cs_pin_0"):
        # The two-chip driver names its chip selects only where it looks the pins up itself.
        display.cs0_pin, display.cs1_pin = display.cs_pin_0, display.cs_pin_1
    return display


def _release(held: Any, how: str) -> None:
    try:
        getattr(held, how)()
    except Exception as failure:
        _log.warning("The panel could not be released: %s", failure)


def _is_fatal(complaint: str) -> bool:
    found = re.search(r"Timed out.* after ([\d.]+)s", complaint)
    return complaint == NEVER_BUSY or (found is not None and float(found[1]) >= LONG_WAIT)


def explain(failure: BaseException, model: str) -> Advice:
    """Why a panel cannot be driven and what to do."""
    if isinstance(failure, PanelMissing):
        return failure.advice
    if isinstance(failure, ImportError):
        return NO_LIBRARY
    if isinstance(failure, FileNotFoundError):
        return Advice("advice.panel.spi_off", {"command": "sudo raspi-config nonint do_spi 0"})
    return _explain_text(str(failure), model)


def _explain_text(text: str, model: str) -> Advice:
    """What the libraries tell in words only."""
    known: tuple[tuple[str, Advice], ...] = (
        ("pins we need are in use", _claimed(text, model)),
        ("No compatible platform", Advice("advice.panel.no_pi", {"software": "software", "none": "none"})),
        ("ermission", Advice("advice.panel.pins_forbidden", {"groups": "gpio, spi, i2c"})),
        ("busy signal", NO_LIFE),
        ("not compatible with your board", Advice("advice.panel.other_model", {"model": model, "auto": "auto"})),
        ("do not match", Advice("advice.panel.other_model", {"model": model, "auto": "auto"})),
    )
    failed = Advice("advice.panel.failed", {"cause": text.strip().partition("\n")[0]})
    return next((advice for part, advice in known if part in text), failed)


def _claimed(text: str, model: str) -> Advice:
    holders = "; ".join(re.findall(r"([\w /]+: \(line .*claimed by .*)", text)).strip()
    if model == "impression-13.3" and "line 16" in holders:
        return Advice("advice.panel.pin_of_button", {"pin": 16, "button": "C", "free": 25})
    return Advice(
        "advice.panel.claimed", {"holders": holders, "line": "dtoverlay=spi0-0cs", "file": "/boot/firmware/config.txt"}
    )
