"""The chart of a tournament: a bar for each kind of game, won and the ways of losing, as SVG or PNG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from PIL import Image, ImageDraw

from companion.panel.typeface import Face, font
from simulator.tournament.score import Score

WIDTH, MARGIN, LABELS, BAR, GAP = 960, 24, 190, 26, 12
HEAD, FOOT = 64, 58
FINE = 2
"""A PNG is drawn so many times larger than the SVG's pixels."""
INK, PALE, PAPER = "#22282e", "#c9ced3", "#ffffff"
WON = "#2f8f4e"
LOST = ("#c8553d", "#e0a03b", "#4f7cac", "#8a6fa8", "#7d8590")


@dataclass(frozen=True, slots=True)
class Mark:
    """A filled rectangle."""

    x: float
    y: float
    width: float
    height: float
    colour: str


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text; ``y`` is its baseline, ``at_end`` whether it ends at ``x``."""

    x: float
    y: float
    text: str
    size: int = 15
    bold: bool = False
    at_end: bool = False
    colour: str = INK


Shape = Mark | Text


def write_chart(path: Path, title: str, found: Sequence[Score]) -> None:
    """Write the chart in the format of the file's name. ValueError for another format, OSError as for any file."""
    height = HEAD + len(found) * (BAR + GAP) + FOOT
    shapes = list(_shapes(title, found, height))
    if path.suffix.lower() == ".svg":
        path.write_text(_svg(shapes, height), encoding="utf-8")
    elif path.suffix.lower() == ".png":
        _png(shapes, height).save(path)
    else:
        raise ValueError(f"{path}: a chart is .svg or .png")


def _shapes(title: str, found: Sequence[Score], height: int) -> Iterator[Shape]:
    yield Mark(0, 0, WIDTH, height, PAPER)
    yield Text(MARGIN, 38, title, 20, bold=True)
    whole = WIDTH - LABELS - 2 * MARGIN
    left = MARGIN + LABELS
    reasons = list(dict.fromkeys(reason for score in found for reason in score.losses))
    colours = {reason: LOST[min(number, len(LOST) - 1)] for number, reason in enumerate(reasons)}
    for number, score in enumerate(found):
        yield from _bar(score, left, HEAD + number * (BAR + GAP), whole, colours)
    bottom = HEAD + len(found) * (BAR + GAP)
    for tenth in range(0, 11, 2):
        x = left + whole * tenth / 10
        yield Mark(x, HEAD - 4, 1, bottom - HEAD, PALE)
        yield Text(x + 16, bottom + 10, f"{tenth * 10} %", 12, at_end=True)
    yield from _legend(colours, bottom + 40)


def _bar(score: Score, left: float, top: float, whole: float, colours: dict[str, str]) -> Iterator[Shape]:
    yield Text(left - 12, top + 18, f"{score.difficulty}, {score.players} players", at_end=True)
    x = left
    for share, colour in [(score.share, WON)] + [
        (number / score.played, colours[reason]) for reason, number in score.losses.items()
    ]:
        yield Mark(x, top, whole * share, BAR, colour)
        x += whole * share
    low, high = (left + whole * end for end in score.doubt)
    yield Mark(low, top + BAR / 2 - 1, high - low, 2, INK)
    yield Mark(low - 1, top + 7, 2, BAR - 14, INK)
    yield Mark(high - 1, top + 7, 2, BAR - 14, INK)
    if score.share >= 0.1:
        yield Text(left + 8, top + 18, f"{score.share:.0%}", bold=True, colour=PAPER)


def _legend(colours: dict[str, str], y: float) -> Iterator[Shape]:
    x = float(MARGIN)
    for name, colour in [("won", WON), *((reason.replace("_", " "), colour) for reason, colour in colours.items())]:
        yield Mark(x, y - 11, 13, 13, colour)
        yield Text(x + 19, y, name, 13)
        x += 36 + font(Face(13)).getlength(name)


def _svg(shapes: Sequence[Shape], height: int) -> str:
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif">']
    for shape in shapes:
        if isinstance(shape, Mark):
            box = f'x="{shape.x:.1f}" y="{shape.y:.1f}" width="{shape.width:.1f}" height="{shape.height:.1f}"'
            lines.append(f'<rect {box} fill="{shape.colour}"/>')
        else:
            style = f'font-size="{shape.size}"' + (' font-weight="bold"' if shape.bold else "")
            style += ' text-anchor="end"' if shape.at_end else ""
            place = f'x="{shape.x:.1f}" y="{shape.y:.1f}" fill="{shape.colour}"'
            lines.append(f"<text {place} {style}>{escape(shape.text)}</text>")
    return "\n".join([*lines, "</svg>", ""])


def _png(shapes: Sequence[Shape], height: int) -> Image.Image:
    picture = Image.new("RGB", (WIDTH * FINE, height * FINE), PAPER)
    pen = ImageDraw.Draw(picture)
    for shape in shapes:
        if isinstance(shape, Mark):
            x, y = shape.x * FINE, shape.y * FINE
            right, bottom = x + shape.width * FINE - 1, y + shape.height * FINE - 1
            if right >= x and bottom >= y:
                pen.rectangle((x, y, right, bottom), fill=shape.colour)
        else:
            face = font(Face(shape.size * FINE, bold=shape.bold))
            anchor = "rs" if shape.at_end else "ls"
            pen.text((shape.x * FINE, shape.y * FINE), shape.text, shape.colour, font=face, anchor=anchor)
    return picture
