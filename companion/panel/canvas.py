"""A picture in the making, in the panel's own inks: no antialiasing, no dithering, every pixel an index of the palette.

Every text goes through :meth:`Canvas.write`, which keeps to its box and notes a :class:`Label`, so that tests can see
what was shortened and that nothing overlaps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from PIL import Image, ImageDraw

from companion.panel.box import Box
from companion.panel.metrics import Metrics, metrics_for
from companion.panel.patterns import dots_of, waves_of
from companion.panel.symbols import SHAPES, mask_of, outline_of
from companion.panel.typeface import Fitted, descent_of, fit, fit_lines, font, largest_for
from companion.ports import SCREEN_RGB, Ink, Palette

_SMALLEST = 6
"""A text that would have to be smaller is left out."""

_UNUSED = (128, 128, 128)
"""The screen colour of indices that no ink has."""


class Align(Enum):
    """Where a text stands in its box."""

    LEFT = 0.0
    CENTRE = 0.5
    RIGHT = 1.0


@dataclass(frozen=True, slots=True)
class Pen:
    """How a text is set: from the largest size down to the least."""

    size: int
    least: int
    ink: Ink = Ink.BLACK
    bold: bool = False
    align: Align = Align.LEFT
    struck: bool = False


@dataclass(frozen=True, slots=True)
class Label:
    """A text as it was drawn: what it says, the box it was given, the box of its ink, whether an ellipsis cut it."""

    text: str
    given: Box
    inked: Box
    cut: bool
    size: int


class Canvas:
    """A mode "P" picture of a panel's size with the drawing words of this room."""

    def __init__(self, size: tuple[int, int], palette: Palette) -> None:
        self.metrics: Metrics = metrics_for(size)
        self.labels: list[Label] = []
        self.palette = palette
        self._index = dict(palette.inks)
        self.image = Image.new("P", size, self._index[Ink.WHITE])
        self.image.putpalette(_screen_colours(palette))
        self._draw = ImageDraw.Draw(self.image)
        self._draw.fontmode = "1"

    @property
    def box(self) -> Box:
        """The whole picture."""
        return Box(0, 0, *self.image.size)

    # -- inks ---------------------------------------------------------------------------------------------------
    def best(self, *wanted: Ink) -> Ink:
        """The first ink that this panel has, else black."""
        return next((ink for ink in wanted if ink in self._index), Ink.BLACK)

    @property
    def danger(self) -> Ink:
        """Red where there is red."""
        return self.best(Ink.RED)

    @property
    def water(self) -> Ink:
        """Blue where there is blue."""
        return self.best(Ink.BLUE)

    @property
    def good(self) -> Ink:
        """Green where there is green."""
        return self.best(Ink.GREEN)

    @staticmethod
    def on(ground: Ink) -> Ink:
        """The ink that reads on a ground."""
        return Ink.BLACK if ground in (Ink.WHITE, Ink.YELLOW, Ink.ORANGE) else Ink.WHITE

    # -- shapes -------------------------------------------------------------------------------------------------
    def fill(self, box: Box, ink: Ink, radius: int = 0) -> None:
        """A full area."""
        if box.width and box.height:
            self._draw.rounded_rectangle(box.corners, min(radius, box.height // 2), fill=self._index[ink])

    def frame(self, box: Box, ink: Ink, width: int = 1, radius: int = 0) -> None:
        """The edge of an area."""
        if box.width > 1 and box.height > 1:
            radius = min(radius, box.height // 2)
            self._draw.rounded_rectangle(box.corners, radius, outline=self._index[ink], width=width)

    def waves(self, box: Box, ink: Ink) -> None:
        """The pattern of water."""
        self._stamp(waves_of(box.width, box.height, self.metrics.least), box, ink)

    def dots(self, box: Box, ink: Ink) -> None:
        """A dotted edge, for what is gone."""
        self._stamp(dots_of(box.width, box.height, self.metrics.line), box, ink)

    def symbol(self, name: str, box: Box, ink: Ink = Ink.BLACK, *, hollow: bool = False) -> None:
        """A known symbol as large as fits the box."""
        place = box.square()
        if place.width > 0:
            mask = (outline_of if hollow else mask_of)(name, place.width)
            self._stamp(mask, place, ink)

    def card(self, name: str, initial: str, box: Box, ink: Ink = Ink.BLACK, *, hollow: bool = False) -> None:
        """The symbol of a thing, or a plate with its initial where it has none."""
        if name in SHAPES:
            self.symbol(name, box, ink, hollow=hollow)
        else:
            self.plate(initial, box, ink, hollow=hollow)

    def plate(self, initial: str, box: Box, ground: Ink, *, hollow: bool = False) -> None:
        """A rounded plate with a letter or two."""
        place = box.square()
        radius = place.width // 4
        if hollow:
            self.fill(place, Ink.WHITE, radius)
            self.frame(place, ground, self.metrics.line, radius)
        else:
            self.fill(place, ground, radius)
        ink = ground if hollow else self.on(ground)
        size = max(8, round(place.height * (0.86 if len(initial) == 1 else 0.6)))
        self.write(initial, place, Pen(size, 7, ink, bold=True, align=Align.CENTRE))

    def matrix(self, cells: Image.Image, box: Box) -> None:
        """A one-bit picture (a QR code) in black on white."""
        self._stamp(cells, Box(box.left, box.top, box.left + cells.width, box.top + cells.height), Ink.BLACK)

    def _stamp(self, mask: Image.Image, box: Box, ink: Ink) -> None:
        self._draw.bitmap((box.left, box.top), mask, fill=self._index[ink])

    # -- text ---------------------------------------------------------------------------------------------------
    def write(self, wordings: str | Sequence[str], box: Box, pen: Pen) -> Fitted:
        """One line in the middle of the box's height; shrunk, shortened or ended with an ellipsis to fit.

        ``wordings`` are ways to say the same, the fullest first.
        """
        known = (wordings,) if isinstance(wordings, str) else wordings
        fitted = fit(known, box.width, min(pen.size, largest_for(box.height, pen.least)), pen.least, bold=pen.bold)
        if fitted.face.size >= _SMALLEST:
            self.set(fitted, box, pen)
        return fitted

    def set(self, fitted: Fitted, box: Box, pen: Pen) -> None:
        """Draw a text that was made to fit."""
        face = fitted.face
        left = box.left + round((box.width - fitted.width) * pen.align.value)
        baseline = min(box.top + (box.height + face.cap) // 2, box.bottom - descent_of(fitted.text, face))
        self._print(fitted, Box(left, baseline, left, baseline), box, pen)

    def write_lines(self, wordings: str | Sequence[str], box: Box, pen: Pen, *, top: bool = False) -> int:
        """A text in as many lines as it takes, in the middle of the box's height or from its top; its height."""
        known = (wordings,) if isinstance(wordings, str) else wordings
        lines = fit_lines(known, (box.width, box.height), pen.size, pen.least, bold=pen.bold)
        leading = min(lines[0].face.leading, box.height // len(lines))
        used = leading * len(lines)
        place = box if top else box.centred(box.width, used)
        for line in lines:
            row, place = place.cut_top(leading)
            self.set(line, row, pen)
        return used

    def _print(self, fitted: Fitted, start: Box, given: Box, pen: Pen) -> None:
        letters = font(fitted.face)
        at = (start.left, start.top)
        self._draw.text(at, fitted.text, font=letters, fill=self._index[pen.ink], anchor="ls")
        inked = Box(*(round(edge) for edge in self._draw.textbbox(at, fitted.text, font=letters, anchor="ls")))
        if pen.struck:
            middle = start.top - round(fitted.face.size * 0.29)
            thick = max(1, fitted.face.size // 10)
            self.fill(Box(inked.left - 2, middle, inked.right + 2, middle + thick), pen.ink)
        self.labels.append(Label(fitted.text, given, inked, fitted.cut, fitted.face.size))


def _screen_colours(palette: Palette) -> list[int]:
    colours = {index: SCREEN_RGB[ink] for ink, index in palette.inks}
    return [part for index in range(max(colours) + 1) for part in colours.get(index, _UNUSED)]
