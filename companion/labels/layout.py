"""How labels lie on a page: sheets that are sold ready cut, and plain paper to cut by hand. All lengths are in mm."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

PAGES = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
INCH = 25.4
LEAST_LABEL = 10.0
PLAIN_LABEL, PLAIN_MARGIN, PLAIN_GAP = (25.0, 32.0), 10.0, 3.0
"""Plain paper, where nothing else is wished: large enough for any scanner, small enough for a corner of a tile."""


class LayoutError(ValueError):
    """Labels of that size do not lie on that page; the text says why in one line."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A grid of labels: the first one's corner, from one to the next, how many across and down."""

    page: tuple[float, float]
    label: tuple[float, float]
    origin: tuple[float, float]
    pitch: tuple[float, float]
    grid: tuple[int, int]
    cut_marks: bool = False

    @property
    def a_page(self) -> int:
        """How many labels a page holds."""
        return self.grid[0] * self.grid[1]

    @property
    def is_wide(self) -> bool:
        """Whether the words stand beside the code, because below it they would make it small."""
        return self.label[0] >= 1.45 * self.label[1]

    def places(self) -> Iterator[tuple[float, float]]:
        """The top left corner of every label of a page, row by row."""
        for row in range(self.grid[1]):
            for column in range(self.grid[0]):
                yield self.origin[0] + column * self.pitch[0], self.origin[1] + row * self.pitch[1]


def plain(
    page: tuple[float, float],
    label: tuple[float, float] = PLAIN_LABEL,
    margin: float = PLAIN_MARGIN,
    gap: float = PLAIN_GAP,
) -> Layout:
    """As many labels as a page holds inside its margin, in its middle. Raises LayoutError where that is none."""
    if min(label) < LEAST_LABEL:
        raise LayoutError(f"a label must be at least {LEAST_LABEL:g} x {LEAST_LABEL:g} mm for a code that can be read")
    if not (0 <= margin < inf and 0 <= gap < inf):
        raise LayoutError(f"margin and gap must be 0 mm or more, not {margin:g} and {gap:g}")
    across, down = (int((whole - 2 * margin + gap) // (part + gap)) for whole, part in zip(page, label, strict=True))
    if across < 1 or down < 1:
        size = f"{label[0]:g} x {label[1]:g} mm"
        raise LayoutError(f"no label of {size} fits on the page inside a margin of {margin:g} mm")
    used = (across * (label[0] + gap) - gap, down * (label[1] + gap) - gap)
    origin = ((page[0] - used[0]) / 2, (page[1] - used[1]) / 2)
    return Layout(page, label, origin, (label[0] + gap, label[1] + gap), (across, down), cut_marks=True)


PRESETS = {
    "a4": plain(PAGES["a4"]),
    "letter": plain(PAGES["letter"]),
    "avery-l7651": Layout(PAGES["a4"], (38.1, 21.2), (4.7, 10.9), (40.6, 21.2), (5, 13)),
    "avery-l7654": Layout(PAGES["a4"], (45.7, 25.4), (10.0, 22.0), (48.5, 25.4), (4, 10)),
    "avery-l4732": Layout(PAGES["a4"], (35.6, 16.9), (11.0, 13.0), (38.1, 16.9), (5, 16)),
    "avery-5160": Layout(
        PAGES["letter"], (2.625 * INCH, INCH), (0.15625 * INCH, 0.5 * INCH), (2.78125 * INCH, INCH), (3, 10)
    ),
    "avery-5167": Layout(
        PAGES["letter"], (1.75 * INCH, 0.5 * INCH), (0.28125 * INCH, 0.5 * INCH), (2.0625 * INCH, 0.5 * INCH), (4, 20)
    ),
}
"""By name: plain paper of both sizes, and common sheets of stickers (with all that have the same grid)."""
