"""The panel's letters: DejaVu Sans in four cuts, measured as they are drawn, without antialiasing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from PIL import ImageFont

_FOLDER = Path(__file__).parent / "fonts"
ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class Face:
    """A cut of the typeface at a size in pixels."""

    size: int
    bold: bool = False
    condensed: bool = False

    @property
    def cap(self) -> int:
        """The height of a capital."""
        return round(self.size * 0.729)

    @property
    def leading(self) -> int:
        """From one line to the next."""
        return round(self.size * 1.2)


@dataclass(frozen=True, slots=True)
class Fitted:
    """A text that was made to fit; ``cut`` where only an ellipsis helped."""

    text: str
    face: Face
    width: int
    cut: bool = False


def largest_for(height: int, least: int) -> int:
    """The largest size whose line stands in a height with the marks above its capitals; ``least`` may do without."""
    return max(1, int(height * 0.86), min(least, height))


def font_file(*, bold: bool = False, condensed: bool = False) -> Path:
    """Where a cut lies."""
    cut = ("Condensed" if condensed else "") + ("-Bold" if bold else "")
    return _FOLDER / f"DejaVuSans{cut}.ttf"


@lru_cache(maxsize=48)
def font(face: Face) -> ImageFont.FreeTypeFont:
    """Pillow's font for a face; each takes a quarter of a megabyte and a tenth of a millisecond, so few are kept."""
    # the plain layout engine: no script here needs shaping, and it measures the same on every machine
    file = font_file(bold=face.bold, condensed=face.condensed)
    return ImageFont.truetype(file, face.size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=8192)
def width_of(text: str, face: Face) -> int:
    """How wide a text is drawn, in pixels."""
    return round(font(face).getlength(text, mode="1"))


@lru_cache(maxsize=8192)
def descent_of(text: str, face: Face) -> int:
    """How far a text's letters hang below the line, in pixels."""
    return max(0, round(font(face).getbbox(text, mode="1", anchor="ls")[3]))


def fit(wordings: Sequence[str], width: int, largest: int, least: int, *, bold: bool = False) -> Fitted:
    """Make a text fit a width: shrink it, then take the next (shorter) wording, then end it with an ellipsis.

    ``wordings`` are ways to say the same, the fullest first.
    """
    for text in wordings:
        for face in _faces(largest, least, bold):
            if (needed := width_of(text, face)) <= width:
                return Fitted(text, face, needed)
    return _cut(wordings[-1], Face(min(largest, least), bold, condensed=True), width)


def fit_together(
    labels: Sequence[tuple[Sequence[str], int]], largest: int, least: int, *, bold: bool = False
) -> list[Fitted]:
    """Make a list's labels (wordings and width each) fit in one common face, so that the list looks even.

    Where even the least size is too large for some, those few take their shorter wording.
    """
    for face in _faces(largest, least, bold):
        if all(width_of(wordings[0], face) <= width for wordings, width in labels):
            return [Fitted(wordings[0], face, width_of(wordings[0], face)) for wordings, _ in labels]
    size = min(largest, least)
    return [fit(wordings, width, size, size, bold=bold) for wordings, width in labels]


def wrap(text: str, width: int, face: Face) -> list[str]:
    """Break a text into lines; a word that is too long stands alone, too long."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, face) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def fit_lines(
    wordings: Sequence[str], extent: tuple[int, int], largest: int, least: int, *, bold: bool = False
) -> list[Fitted]:
    """Make a text fit a width and height in as many lines as it takes, as large as can be.

    ``wordings`` are ways to say the same, the fullest first; only the last one is ever cut.
    """
    width, height = extent
    for text in wordings:
        for face in _faces(largest, least, bold):
            lines = [Fitted(line, face, width_of(line, face)) for line in wrap(text, width, face)]
            low_enough = len(lines) * face.leading <= height + face.size // 8
            if low_enough and all(line.width <= width for line in lines):
                return lines
    face = Face(min(largest, least), bold, condensed=True)
    texts = wrap(wordings[-1], width, face)
    shown = max(1, height // face.leading)
    kept = [*texts[: shown - 1], " ".join(texts[shown - 1 :])]
    return [_cut(line, face, width) for line in kept]


def _faces(largest: int, least: int, bold: bool) -> Iterator[Face]:
    for size in range(largest, min(largest, least) - 1, -1):
        yield Face(size, bold)
        yield Face(size, bold, condensed=True)


def _cut(text: str, face: Face, width: int) -> Fitted:
    if (whole := width_of(text, face)) <= width:
        return Fitted(text, face, whole)
    kept = text
    while kept and width_of(kept.rstrip() + ELLIPSIS, face) > width:
        kept = kept[:-1]
    ended = kept.rstrip() + ELLIPSIS
    return Fitted(ended, face, width_of(ended, face), cut=True)
