"""How large text is on each panel, so that it reads at arm's length.

A capital of DejaVu is 0.73 of the size. ``least`` gives capitals of 1.6 to 2.7 mm, the smallest that a person of
ordinary sight reads at 60 cm (about 9 minutes of arc and more); results and the sentence of the turn are set in
``strong`` and ``title`` wherever they fit.

========== ====== ===== ============================ ==========
size       inches dpi   least capital in mm          layout
========== ====== ===== ============================ ==========
212x104     2.13   111   1.7                         tiny
250x122     2.13   130   1.6                         tiny
400x300     4.2    119   1.9                         small
600x400     4.0    180   1.7                         small
640x400     4.0    189   1.7                         small
600x448     5.7    131   2.0                         small
800x480     7.3    128   2.0                         large
1600x1200  13.3    150   2.7                         large
========== ====== ===== ============================ ==========
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Layout(Enum):
    """How much fits beside each other: results and a gauge; a small map too; everything."""

    TINY = "tiny"
    SMALL = "small"
    LARGE = "large"


@dataclass(frozen=True, slots=True)
class Metrics:
    """Text sizes in pixels: the least on this panel, running text, results, the sentence of the turn."""

    layout: Layout
    least: int
    body: int
    strong: int
    title: int

    @property
    def gap(self) -> int:
        """Space between parts."""
        return max(3, self.least // 2)

    @property
    def line(self) -> int:
        """The width of a line."""
        return max(1, round(self.least / 11))


_BY_SIZE = {
    (212, 104): Metrics(Layout.TINY, 10, 11, 14, 13),
    (250, 122): Metrics(Layout.TINY, 11, 12, 16, 14),
    (400, 300): Metrics(Layout.SMALL, 12, 14, 18, 20),
    (600, 400): Metrics(Layout.SMALL, 17, 19, 25, 28),
    (640, 400): Metrics(Layout.SMALL, 17, 19, 25, 28),
    (600, 448): Metrics(Layout.SMALL, 14, 17, 23, 26),
    (800, 480): Metrics(Layout.LARGE, 14, 17, 23, 28),
    (1600, 1200): Metrics(Layout.LARGE, 22, 30, 44, 56),
}

SIZES = tuple(_BY_SIZE)
"""The sizes of all Inky panels."""


def metrics_for(size: tuple[int, int]) -> Metrics:
    """The text sizes of a panel, lying or upright.

    Another panel gets those of the largest known one that fits on it; ValueError for one smaller than all of them.
    """
    long, short = max(size), min(size)
    fitting = [known for known in SIZES if known[0] <= long and known[1] <= short]
    if not fitting:
        raise ValueError(f"a panel of {size[0]}x{size[1]} is too small; the least is {SIZES[0][0]}x{SIZES[0][1]}")
    return _BY_SIZE[max(fitting, key=lambda known: known[0] * known[1])]
