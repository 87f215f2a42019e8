"""A sheet of labels as PDF: a QR code that a scanner reads as a known tag, and words for people."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

import segno
from fpdf import FPDF

from companion.i18n import Translator
from companion.labels.layout import Layout
from companion.panel.typeface import font_file
from companion.table.box import Box
from companion.table.labels import label_text
from companion.table.meaning import label_of

QUIET_MODULES = 4
"""ISO/IEC 18004: so many light modules around a code."""
SIZES = (9.0, 8.0, 7.0, 6.5, 6.0, 5.5, 5.0, 4.5)
"""Sizes of letters in points, the first that fits is taken."""
POINT = 25.4 / 72
LEADING = 1.15
MOST_LINES = 3
EDGE = 0.8
"""Millimetres kept free at every edge of a label, for printers and cutters that are not exact."""
MARK = 1.4
"""Length of a cut mark."""


@dataclass(frozen=True, slots=True)
class Label:
    """What stands on one label: the code's text, its name in words, and what it is."""

    code: str
    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Frame:
    """A rectangle on the page, in mm."""

    x: float
    y: float
    width: float
    height: float


def labels_of(box: Box, translator: Translator, kinds: Iterable[str] | None = None) -> tuple[Label, ...]:
    """A label for every piece in the box, of some kinds only where they are named, kind by kind in the box's order."""
    wanted = None if kinds is None else frozenset(kinds)
    labels = []
    for piece in box.pieces:
        if wanted is not None and piece.kind not in wanted:
            continue
        kind, name = translator.name(f"kind.{piece.kind}"), translator.say(label_of(piece.meaning))
        for copy in range(1, piece.copies + 1):
            of_several = f" {copy}/{piece.copies}" if piece.copies > 1 else ""
            labels.append(Label(label_text(piece.meaning, copy), name, f"{kind}{of_several}"))
    return tuple(labels)


def sheet_pdf(labels: Sequence[Label], layout: Layout, title: str, language: str, skip: int = 0) -> bytes:
    """The sheet; its first ``skip`` places stay empty, where stickers are used already."""
    logging.getLogger("fontTools").setLevel(logging.WARNING)
    pdf = FPDF(unit="mm", format=layout.page)
    pdf.set_auto_page_break(False)
    pdf.set_title(title)
    pdf.set_lang(language)
    pdf.add_font("label", "", font_file(condensed=True))
    pdf.add_font("label", "B", font_file(bold=True, condensed=True))
    places = [None] * (skip % layout.a_page) + list(labels)
    for first in range(0, len(places), layout.a_page):
        pdf.add_page()
        for corner, label in zip(layout.places(), islice(places, first, first + layout.a_page), strict=False):
            frame = Frame(*corner, *layout.label)
            if label is not None:
                _draw(pdf, label, frame, beside=layout.is_wide)
            if layout.cut_marks:
                _mark_cuts(pdf, frame)
    return bytes(pdf.output())


def _draw(pdf: FPDF, label: Label, frame: Frame, *, beside: bool) -> None:
    inside = Frame(frame.x + EDGE, frame.y + EDGE, frame.width - 2 * EDGE, frame.height - 2 * EDGE)
    if beside:
        side = inside.height
        _draw_code(pdf, label.code, inside.x, inside.y, side)
        _draw_words(pdf, label, Frame(inside.x + side, inside.y, inside.width - side, inside.height), align="L")
        return
    side = min(inside.width, inside.height * 0.72)
    _draw_code(pdf, label.code, inside.x + (inside.width - side) / 2, inside.y, side)
    _draw_words(pdf, label, Frame(inside.x, inside.y + side, inside.width, inside.height - side), align="C")


def _draw_code(pdf: FPDF, text: str, x: float, y: float, side: float) -> None:
    """A code with its quiet zone, each row's runs of dark modules as one bar."""
    code = segno.make_qr(text, error="m")
    rows = [bytes(row) for row in code.matrix]
    module = side / (len(rows) + 2 * QUIET_MODULES)
    pdf.set_fill_color(0)
    for number, row in enumerate(rows):
        top = y + (number + QUIET_MODULES) * module
        for start, length in _runs(row):
            pdf.rect(x + (start + QUIET_MODULES) * module, top, length * module, module, style="F")


def _runs(row: bytes) -> Iterable[tuple[int, int]]:
    start = None
    for at, dark in enumerate((*row, 0)):
        if dark and start is None:
            start = at
        elif not dark and start is not None:
            yield start, at - start
            start = None


def _draw_words(pdf: FPDF, label: Label, frame: Frame, *, align: str) -> None:
    """The name as large as it fits, what it is below in small letters, together in the middle of the frame."""
    small = next((size for size in SIZES[3:] if _width(pdf, label.kind, "", size) <= frame.width), SIZES[-1])
    kind_height = small * POINT * LEADING
    size, lines = _fitted(pdf, label.name, frame.width, frame.height - kind_height)
    line_height = size * POINT * LEADING
    y = frame.y + max(0.0, frame.height - len(lines) * line_height - kind_height) / 2
    pdf.set_text_color(0)
    pdf.set_font("label", "B", size)
    for line in lines:
        pdf.set_xy(frame.x, y)
        pdf.cell(frame.width, line_height, line, align=align)
        y += line_height
    pdf.set_font("label", "", small)
    pdf.set_xy(frame.x, y)
    pdf.cell(frame.width, kind_height, label.kind, align=align)


def _fitted(pdf: FPDF, text: str, width: float, height: float) -> tuple[float, list[str]]:
    """The largest size, and the lines, in which a text stands in a frame; at worst in the smallest."""
    for size in SIZES:
        most = min(MOST_LINES, int(height // (size * POINT * LEADING)))
        lines = _wrapped(pdf, text, width, size)
        if len(lines) <= most and all(_width(pdf, line, "B", size) <= width for line in lines):
            return size, lines
    return SIZES[-1], _wrapped(pdf, text, width, SIZES[-1])


def _wrapped(pdf: FPDF, text: str, width: float, size: float) -> list[str]:
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and _width(pdf, longer, "B", size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _width(pdf: FPDF, text: str, style: str, size: float) -> float:
    pdf.set_font("label", style, size)
    return float(pdf.get_string_width(text)) + 2 * pdf.c_margin


def _mark_cuts(pdf: FPDF, frame: Frame) -> None:
    """Short lines outwards from every corner."""
    pdf.set_line_width(0.1)
    pdf.set_draw_color(120)
    right, bottom = frame.x + frame.width, frame.y + frame.height
    for x, out in ((frame.x, -MARK), (right, MARK)):
        for y, up in ((frame.y, -MARK), (bottom, MARK)):
            pdf.line(x, y, x + out, y)
            pdf.line(x, y, x, y + up)
