"""The meters: where the marker stands, what it means now, and how far the end is."""

from __future__ import annotations

from companion.panel.box import Box
from companion.panel.canvas import Align, Pen
from companion.panel.scene import Scene
from companion.panel.symbols import SHAPES
from companion.ports import Ink
from companion.rules.portrait import Meter, Phrase


def paint_dial(scene: Scene, meter: Meter, box: Box) -> None:
    """For the smallest panels: the reading as large as can be, the track below it."""
    track, top = box.cut_bottom(max(7, box.height // 4), 1)
    ground = scene.canvas.danger if meter.at >= meter.danger else scene.canvas.water
    scene.canvas.fill(top, ground, scene.metrics.line * 3)
    ink = scene.canvas.on(ground)
    if meter.reading is None:
        _paint_mark(scene, meter.marks[meter.at], top.inset(2), ink)
    else:
        sign, number = top.cut_left(top.width // 2)
        scene.canvas.symbol("pile", sign.inset(3), ink)
        pen = Pen(top.height, scene.metrics.least, ink, bold=True, align=Align.CENTRE)
        scene.canvas.write(str(meter.reading), number, pen)
    _paint_ticks(scene, meter, track)


def paint_bar(scene: Scene, meter: Meter, box: Box) -> None:
    """Lying down: name and reading above, one cell a mark below."""
    metrics = scene.metrics
    head, track = box.cut_top(round(metrics.body * 1.35), 1)
    pen = Pen(metrics.body, metrics.least, bold=True, align=Align.RIGHT)
    told = scene.canvas.write(_reading(scene, meter), head.cut_right(head.width * 6 // 10)[0], pen)
    _, name = head.cut_right(told.width, metrics.gap)
    scene.canvas.write(scene.say(Phrase(f"meter.{meter.name}")), name, scene.body())
    _paint_track(scene, meter, track)


def paint_column(scene: Scene, meter: Meter, box: Box) -> None:
    """Standing: the name, the marks from the bottom up like water in a glass, the reading in a block."""
    metrics, canvas = scene.metrics, scene.canvas
    title, box = box.cut_top(round(metrics.least * 2.5), metrics.gap // 2)
    pen = Pen(metrics.body, metrics.least, bold=True, align=Align.CENTRE)
    canvas.write_lines(scene.text(f"meter.{meter.name}"), title, pen)
    block, box = box.cut_bottom(round(metrics.strong * 2.7), metrics.gap)
    ground = canvas.danger if meter.at >= meter.danger else Ink.BLACK
    canvas.fill(block, ground, metrics.line * 4)
    pen = Pen(round(metrics.strong * 1.2), metrics.least, canvas.on(ground), bold=True, align=Align.CENTRE)
    canvas.write_lines(_reading(scene, meter), block.inset(metrics.gap // 2), pen)
    rows = box.rows(len(meter.marks))
    for place, mark in enumerate(meter.marks):
        _paint_level(scene, meter, place, rows[len(rows) - 1 - place], mark)
    glass, _ = box.cut_left(box.width // 2)
    canvas.frame(Box(glass.left, box.top, glass.right, box.bottom), Ink.BLACK, metrics.line)


def _paint_level(scene: Scene, meter: Meter, place: int, row: Box, mark: str) -> None:
    metrics, canvas = scene.metrics, scene.canvas
    glass, label = row.cut_left(row.width // 2, metrics.line)
    if place <= meter.at:
        if canvas.water is Ink.BLACK:
            canvas.waves(glass, Ink.BLACK)
        else:
            canvas.fill(glass, canvas.water)
    canvas.fill(Box(glass.left, glass.top, glass.right, glass.top + 1), Ink.BLACK)
    if place == meter.at:
        here = label.inset(0, max(0, (label.height - metrics.strong * 2) // 2))
        ground = canvas.danger if place >= meter.danger else Ink.BLACK
        arrow, plate = here.cut_left(round(label.width * 0.36))
        canvas.symbol("arrow", Box(arrow.left, arrow.top, arrow.right, arrow.bottom), ground)
        canvas.fill(plate, ground, metrics.line * 3)
        _paint_mark(scene, mark, plate.inset(1), canvas.on(ground))
    else:
        _, plate = label.cut_left(round(label.width * 0.36))
        _paint_mark(scene, mark, plate, canvas.danger if place >= meter.danger else Ink.BLACK)


def _paint_track(scene: Scene, meter: Meter, box: Box) -> None:
    """One cell a mark: those passed stand in water, the marker's is inverse."""
    canvas, metrics = scene.canvas, scene.metrics
    for place, (mark, cell) in enumerate(zip(meter.marks, box.columns(len(meter.marks)), strict=True)):
        ground = canvas.danger if place >= meter.danger else Ink.BLACK
        if place == meter.at:
            canvas.fill(cell, ground)
            ground = canvas.on(ground)
        elif place < meter.at:
            canvas.fill(cell.cut_bottom(max(2, cell.height // 5))[0], canvas.water)
        _paint_mark(scene, mark, cell if mark.isdecimal() else cell.inset(0, 1), ground)
    canvas.fill(box.cut_bottom(metrics.line)[0], Ink.BLACK)


def _paint_ticks(scene: Scene, meter: Meter, box: Box) -> None:
    """The track where there is no room for labels: passed marks full, marks to come as ticks, a symbol at its end."""
    canvas, metrics = scene.canvas, scene.metrics
    if meter.marks[-1] in SHAPES:
        end, box = box.cut_right(box.height, 1)
        canvas.symbol(meter.marks[-1], end, canvas.danger)
    for place, cell in enumerate(box.columns(len(meter.marks) - (meter.marks[-1] in SHAPES))):
        ink = canvas.danger if place >= meter.danger else Ink.BLACK
        if place <= meter.at:
            canvas.fill(cell.cut_bottom(cell.height * (3 if place == meter.at else 1) // 3)[0], ink)
        else:
            canvas.fill(cell.cut_left(metrics.line)[0].cut_bottom(cell.height // 3)[0], ink)
    canvas.fill(box.cut_bottom(metrics.line)[0], Ink.BLACK)


def _paint_mark(scene: Scene, mark: str, box: Box, ink: Ink) -> None:
    if mark in SHAPES:
        scene.canvas.symbol(mark, box, ink)
    else:
        least = min(scene.metrics.least, 9)
        pen = Pen(scene.metrics.strong, least, ink, bold=True, align=Align.CENTRE)
        scene.canvas.write(mark, box, pen)


def _reading(scene: Scene, meter: Meter) -> tuple[str, ...]:
    if meter.reading is None:
        return (scene.words.name(meter.marks[meter.at]),)
    code = f"meter.{meter.name}.reading"
    return scene.say(Phrase(code, {"n": meter.reading})) if code in scene.words else (str(meter.reading),)
