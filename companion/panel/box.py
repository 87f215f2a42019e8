"""Rectangles in pixels, cut like paper: a screen's layout is a handful of cuts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle; ``right`` and ``bottom`` are the first pixels outside."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        """Never negative."""
        return max(0, self.right - self.left)

    @property
    def height(self) -> int:
        """Never negative."""
        return max(0, self.bottom - self.top)

    @property
    def corners(self) -> tuple[int, int, int, int]:
        """The outermost pixels inside, as Pillow's shapes take them."""
        return (self.left, self.top, self.right - 1, self.bottom - 1)

    def inset(self, across: int, down: int | None = None) -> Box:
        """Smaller by a margin at either side."""
        down = across if down is None else down
        return Box(self.left + across, self.top + down, self.right - across, self.bottom - down)

    def cut_top(self, height: int, gap: int = 0) -> tuple[Box, Box]:
        """A strip at the top, and the rest below a gap."""
        line = min(self.top + height, self.bottom)
        return Box(self.left, self.top, self.right, line), Box(self.left, min(line + gap, self.bottom), *self._far())

    def cut_bottom(self, height: int, gap: int = 0) -> tuple[Box, Box]:
        """A strip at the bottom, and the rest above a gap."""
        line = max(self.bottom - height, self.top)
        return Box(self.left, line, *self._far()), Box(self.left, self.top, self.right, max(line - gap, self.top))

    def cut_left(self, width: int, gap: int = 0) -> tuple[Box, Box]:
        """A strip at the left, and the rest beside a gap."""
        line = min(self.left + width, self.right)
        return Box(self.left, self.top, line, self.bottom), Box(min(line + gap, self.right), self.top, *self._far())

    def cut_right(self, width: int, gap: int = 0) -> tuple[Box, Box]:
        """A strip at the right, and the rest beside a gap."""
        line = max(self.right - width, self.left)
        return Box(line, self.top, *self._far()), Box(self.left, self.top, max(line - gap, self.left), self.bottom)

    def rows(self, count: int, gap: int = 0) -> list[Box]:
        """As many equal rows as asked for; odd pixels go to the first ones."""
        edges = [self.top + (self.height + gap) * place // count for place in range(count + 1)]
        return [Box(self.left, edges[place], self.right, edges[place + 1] - gap) for place in range(count)]

    def columns(self, count: int, gap: int = 0) -> list[Box]:
        """As many equal columns as asked for."""
        edges = [self.left + (self.width + gap) * place // count for place in range(count + 1)]
        return [Box(edges[place], self.top, edges[place + 1] - gap, self.bottom) for place in range(count)]

    def centred(self, width: int, height: int) -> Box:
        """A box of this size in the middle."""
        left = self.left + (self.width - width) // 2
        top = self.top + (self.height - height) // 2
        return Box(left, top, left + width, top + height)

    def square(self) -> Box:
        """The largest square in the middle."""
        side = min(self.width, self.height)
        return self.centred(side, side)

    def _far(self) -> tuple[int, int]:
        return self.right, self.bottom
