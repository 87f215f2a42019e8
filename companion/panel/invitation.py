"""The screen before a game: how a phone joins the table."""

from __future__ import annotations

import segno
from PIL import Image

from companion.panel.box import Box
from companion.panel.canvas import Align, Pen
from companion.panel.frame import mark_of, paint_footer
from companion.panel.scene import Scene
from companion.panel.typeface import fit
from companion.ports import Ink
from companion.rules.portrait import Word
from companion.views.screens import JoinScreen

_QUIET = 4
"""Clear modules that a QR code wants at each side (ISO/IEC 18004); two are enough where the panel is white around."""


def paint_join(scene: Scene, screen: JoinScreen) -> None:
    """The QR code as large as goes; beside it the address in plain text, for phones that cannot scan, and the PIN."""
    metrics = scene.metrics
    margin = 2 if scene.tiny else metrics.gap * 2
    box = scene.canvas.box.inset(margin)
    if not scene.tiny:
        footer, box = box.cut_bottom(round(metrics.least * 1.35), metrics.gap)
        paint_footer(scene, screen.footer, footer)
    room = scene.canvas.box if scene.tiny else box
    if scene.upright:
        code = code_of(screen.url, min(room.width, room.height * 11 // 20))
        place, beside = box.cut_top(code.height, metrics.gap)
    else:
        code = code_of(screen.url, min(room.height, round(box.width * 0.52)))
        place, beside = box.cut_left(code.width, 1 if scene.tiny else metrics.gap * 2)
    scene.canvas.matrix(code, place.centred(code.width, code.height))
    if scene.tiny:
        footer, beside = beside.cut_bottom(round(metrics.least * 1.2))
        pen = Pen(metrics.least, metrics.least, align=Align.RIGHT)
        scene.canvas.write(mark_of(scene, screen.footer), footer, pen)
    elif not scene.upright:
        beside = beside.centred(beside.width, place.centred(code.width, code.height).height)
    _paint_words(scene, screen, beside)


def code_of(url: str, room: int) -> Image.Image:
    """The address as a one-bit QR code, whole pixels a module, at most ``room`` pixels wide with its quiet border."""
    code = segno.make(url, error="m", micro=False)
    modules = len(code.matrix)
    pixels = max(2, room // (modules + _QUIET))
    border = _QUIET if pixels * (modules + 2 * _QUIET) <= room else _QUIET // 2
    rows = [bytes(255 * bit for bit in row) for row in code.matrix_iter(scale=1, border=border)]
    small = Image.frombytes("L", (len(rows[0]), len(rows)), b"".join(rows))
    return small.resize((small.width * pixels, small.height * pixels), Image.Resampling.NEAREST).convert("1")


def address_lines(url: str, width: int, least: int) -> list[str]:
    """The address as a person types it, in one line or broken before the port; the PIN behind ``#`` is told apart.

    Where it is broken the scheme is left out, which browsers do not need.
    """
    address = url.partition("#")[0]
    if not fit([address], width, least, least, bold=True).cut:
        return [address]
    host, colon, rest = address.partition("://")[2].partition(":")
    return [host, colon + rest] if rest else [host]


def _paint_words(scene: Scene, screen: JoinScreen, box: Box) -> None:
    metrics, canvas = scene.metrics, scene.canvas
    title, box = box.cut_top(round(metrics.title * (1.3 if scene.tiny else 1.6)), metrics.gap)
    canvas.write_lines(scene.text("panel.join.title"), title, Pen(metrics.title, metrics.least, bold=True))
    if not scene.tiny:
        box = _paint_sentence(scene, "panel.join.scan", box)
        box = _paint_sentence(scene, "panel.join.type", box)
    for line in address_lines(screen.url, box.width, metrics.least):
        row, box = box.cut_top(round(metrics.strong * 1.25))
        canvas.write(line, row, Pen(metrics.strong, metrics.least, bold=True))
    if screen.name and not scene.tiny:
        box = _paint_sentence(scene, "panel.join.name", box, name=screen.name)
    if screen.pin:
        _, box = box.cut_top(metrics.gap)
        row, box = box.cut_top(round(metrics.strong * (1.5 if scene.tiny else 2)), metrics.gap)
        _paint_pin(scene, screen.pin, row)
    if scene.tiny:
        return
    if screen.turns:
        box = _paint_sentence(scene, "panel.join.turn", box)
    if screen.renews:
        box = _paint_sentence(scene, "panel.join.renew", box)
    canvas.write_lines(scene.text("panel.join.network"), box, scene.body(), top=True)


def _paint_sentence(scene: Scene, code: str, box: Box, **params: Word) -> Box:
    row, rest = box.cut_top(round(scene.metrics.body * 1.4))
    scene.canvas.write(scene.text(code, **params), row, scene.body())
    return rest


def _paint_pin(scene: Scene, pin: str, box: Box) -> None:
    metrics, canvas = scene.metrics, scene.canvas
    canvas.fill(box, Ink.BLACK, metrics.line * 4)
    text = f"{scene.text('panel.join.pin')} {pin}"
    pen = Pen(round(metrics.strong * 1.4), metrics.least, Ink.WHITE, bold=True, align=Align.CENTRE)
    canvas.write(text, box.inset(metrics.gap, 1), pen)
