"""Symbols as shapes, not glyphs: drawn large on a 64 by 64 grid, brought down to size and kept as one-bit masks.

Known names (of cards, badges, effects, marks) have a shape of their own in ``SHAPES``; whatever else a game speaks of
is shown by its initial.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache

from PIL import Image, ImageChops, ImageDraw, ImageFilter

_GRID = 64
_FINENESS = 8
"""Pixels of the large drawing for each pixel of the mask."""

Point = tuple[float, float]


class _Sketch:
    """A large drawing in grid units."""

    def __init__(self, side: int) -> None:
        self.image = Image.new("L", (side * _FINENESS, side * _FINENESS), 0)
        self._draw = ImageDraw.Draw(self.image)
        self._scale = side * _FINENESS / _GRID

    def area(self, *points: Point, cut: bool = False) -> None:
        self._draw.polygon(self._placed(points), fill=0 if cut else 255)

    def stroke(self, *points: Point, width: float = 8, cut: bool = False) -> None:
        fill = 0 if cut else 255
        self._draw.line(self._placed(points), fill=fill, width=round(width * self._scale), joint="curve")
        for x, y in (points[0], points[-1]):
            self.disc(x, y, width / 2, cut=cut)

    def disc(self, x: float, y: float, radius: float, *, squash: float = 1, cut: bool = False) -> None:
        corners = self._placed(((x - radius, y - radius * squash), (x + radius, y + radius * squash)))
        self._draw.ellipse(corners, fill=0 if cut else 255)

    def plate(self, *edges: float, radius: float = 4, cut: bool = False) -> None:
        left, top, right, bottom = edges
        corners = self._placed(((left, top), (right, bottom)))
        self._draw.rounded_rectangle(corners, radius * self._scale, fill=0 if cut else 255)

    def arc(self, x: float, y: float, radius: float, span: tuple[float, float], *, width: float = 8) -> None:
        first, last = span
        steps = max(4, round(abs(last - first) / 12))
        turns = [math.radians(first + (last - first) * step / steps) for step in range(steps + 1)]
        self.stroke(*((x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns), width=width)

    def _placed(self, points: Sequence[Point]) -> list[Point]:
        return [(x * self._scale, y * self._scale) for x, y in points]


Shape = Callable[[_Sketch], None]


def _wave(sketch: _Sketch, middle: float, *, width: float = 9, swing: float = 6) -> None:
    points = [(4 + 56 * step / 24, middle - swing * math.sin(step / 24 * 2 * math.pi * 1.5)) for step in range(25)]
    sketch.stroke(*points, width=width)


def _waves(sketch: _Sketch) -> None:
    for middle in (14, 32, 50):
        _wave(sketch, middle)


def _cross(sketch: _Sketch) -> None:
    sketch.stroke((11, 11), (53, 53), width=14)
    sketch.stroke((53, 11), (11, 53), width=14)


def _rising(sketch: _Sketch) -> None:
    sketch.area((32, 2), (56, 26), (42, 26), (42, 42), (22, 42), (22, 26), (8, 26))
    _wave(sketch, 54, width=10, swing=5)


def _check(sketch: _Sketch) -> None:
    sketch.stroke((9, 34), (25, 50), (55, 14), width=13)


def _plus(sketch: _Sketch) -> None:
    sketch.stroke((32, 12), (32, 52), width=13)
    sketch.stroke((12, 32), (52, 32), width=13)


def _dot(sketch: _Sketch) -> None:
    sketch.disc(32, 32, 12)


def _warning(sketch: _Sketch) -> None:
    sketch.area((32, 3), (62, 58), (2, 58))
    sketch.area((27, 22), (37, 22), (35, 42), (29, 42), cut=True)
    sketch.disc(32, 50, 4.5, cut=True)


def _skull(sketch: _Sketch) -> None:
    sketch.disc(32, 27, 25)
    sketch.plate(18, 40, 46, 60, radius=5)
    for x in (22, 42):
        sketch.disc(x, 29, 7.5, cut=True)
    sketch.area((32, 36), (37, 45), (27, 45), cut=True)
    for x in (27, 37):
        sketch.stroke((x, 52), (x, 62), width=3.5, cut=True)


def _stone(sketch: _Sketch) -> None:
    sketch.area((20, 6), (44, 6), (62, 27), (32, 62), (2, 27))
    sketch.stroke((4, 27), (60, 27), width=4.5, cut=True)
    sketch.stroke((21, 28), (32, 58), width=4.5, cut=True)
    sketch.stroke((43, 28), (32, 58), width=4.5, cut=True)


def _wind(sketch: _Sketch) -> None:
    sketch.stroke((4, 22), (36, 22))
    sketch.arc(36, 13, 9, (90, -170))
    sketch.stroke((4, 36), (46, 36))
    sketch.arc(46, 26, 10, (90, -150))
    sketch.stroke((12, 50), (34, 50))
    sketch.arc(34, 55, 5.5, (-90, 150), width=7)


def _flame(sketch: _Sketch) -> None:
    sketch.area((34, 1), (49, 21), (46, 30), (55, 25), (57, 42), (46, 58), (32, 63), (18, 58), (7, 43), (12, 26))
    sketch.area((12, 26), (19, 33), (24, 16), (34, 1), (40, 20))
    sketch.area((32, 35), (43, 48), (40, 57), (32, 60), (24, 57), (21, 48), cut=True)


def _cup(sketch: _Sketch) -> None:
    sketch.area((8, 5), (56, 5), (52, 25), (43, 35), (21, 35), (12, 25))
    sketch.plate(27, 32, 37, 54, radius=2)
    sketch.plate(15, 51, 49, 61, radius=4)
    sketch.stroke((19, 14), (45, 14), width=5, cut=True)


def _landing(sketch: _Sketch) -> None:
    sketch.disc(32, 32, 30)
    sketch.disc(32, 32, 23, cut=True)
    for x in (23, 41):
        sketch.plate(x - 4, 18, x + 4, 46, radius=1)
    sketch.plate(23, 28, 41, 36, radius=0)


def _helicopter(sketch: _Sketch) -> None:
    sketch.plate(4, 6, 56, 12, radius=3)
    sketch.plate(27, 10, 33, 20, radius=0)
    sketch.disc(28, 32, 19, squash=0.72)
    sketch.area((38, 24), (62, 24), (62, 31), (42, 38))
    sketch.plate(57, 14, 63, 32, radius=2)
    sketch.area((12, 32), (17, 23), (26, 22), (26, 32), cut=True)
    sketch.stroke((12, 56), (48, 56), width=6)
    for x in (21, 37):
        sketch.stroke((x, 43), (x, 56), width=5)


def _sack(sketch: _Sketch) -> None:
    for left, top in ((17, 6), (2, 35), (33, 35)):
        sketch.plate(left, top, left + 29, top + 25, radius=9)
        sketch.stroke((left + 9, top + 8), (left + 20, top + 8), width=4.5, cut=True)


def _pause(sketch: _Sketch) -> None:
    sketch.plate(11, 6, 27, 58, radius=3)
    sketch.plate(37, 6, 53, 58, radius=3)


def _star(sketch: _Sketch) -> None:
    points = []
    for corner in range(10):
        radius = 31 if corner % 2 == 0 else 13
        turn = math.radians(-90 + 36 * corner)
        points.append((32 + radius * math.cos(turn), 34 + radius * math.sin(turn)))
    sketch.area(*points)


def _pile(sketch: _Sketch) -> None:
    sketch.plate(16, 2, 60, 48, radius=6)
    sketch.plate(11, 9, 51, 57, radius=6, cut=True)
    sketch.plate(4, 14, 48, 62, radius=6)


def _discard(sketch: _Sketch) -> None:
    sketch.plate(10, 2, 54, 62, radius=7)
    sketch.plate(17, 9, 47, 55, radius=2, cut=True)


def _arrow(sketch: _Sketch) -> None:
    sketch.area((16, 6), (52, 32), (16, 58))


def _reader(sketch: _Sketch) -> None:
    sketch.plate(4, 38, 60, 60, radius=5)
    sketch.plate(12, 45, 40, 53, radius=2, cut=True)
    sketch.disc(50, 49, 4, cut=True)
    sketch.stroke((20, 6), (44, 30), width=10)
    sketch.stroke((44, 6), (20, 30), width=10)


SHAPES: dict[str, Shape] = {
    # signs of the panel itself
    "arrow": _arrow,
    "check": _check,
    "cross": _cross,
    "discard": _discard,
    "dot": _dot,
    "pause": _pause,
    "pile": _pile,
    "plus": _plus,
    "reader": _reader,
    "star": _star,
    "warning": _warning,
    "waves": _waves,
    # things that a game may speak of
    "crystal_of_fire": _flame,
    "earth_stone": _stone,
    "flooded": _waves,
    "helicopter_lift": _helicopter,
    "landing": _landing,
    "oceans_chalice": _cup,
    "rise": _rising,
    "sandbags": _sack,
    "sank": _cross,
    "skull": _skull,
    "statue_of_the_wind": _wind,
    "water": _waves,
    "waters_rise": _rising,
}


@lru_cache(maxsize=512)
def mask_of(name: str, side: int) -> Image.Image:
    """A known symbol as a one-bit mask of ``side`` by ``side`` pixels; KeyError for an unknown name."""
    sketch = _Sketch(side)
    SHAPES[name](sketch)
    return sketch.image.resize((side, side), Image.Resampling.BOX).point(lambda grey: 255 * (grey > 112)).convert("1")


@lru_cache(maxsize=128)
def outline_of(name: str, side: int) -> Image.Image:
    """The edge of a known symbol, for what is not won yet."""
    width = 3 if side < 40 else 5
    whole = mask_of(name, side).convert("L")
    framed = Image.new("L", (side + 2, side + 2), 0)
    framed.paste(whole, (1, 1))
    inner = framed.filter(ImageFilter.MinFilter(width)).crop((1, 1, side + 1, side + 1))
    return ImageChops.subtract(whole, inner).convert("1")
