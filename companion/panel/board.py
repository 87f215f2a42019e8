"""The map: every place as it lies, told apart by pattern as well as by colour, with its badge and the pawns on it."""

from __future__ import annotations

from dataclasses import dataclass

from companion.panel.box import Box
from companion.panel.canvas import Align, Pen
from companion.panel.scene import Scene
from companion.panel.typeface import Fitted, fit_together, largest_for
from companion.ports import Ink
from companion.rules.portrait import Board, Space, Tone


@dataclass(frozen=True, slots=True)
class _Plot:
    """A space in its cell; ``name`` is None on maps too small for names."""

    space: Space
    box: Box
    name: Fitted | None


def paint_board(scene: Scene, board: Board, box: Box, *, named: bool = True) -> None:
    """The whole board as large as fits, with the places' short names where all of them fit."""
    cells = _cells(board, box)
    labels = _labels(scene, board, cells[0]) if named else None
    for place, space in enumerate(board.spaces):
        cell = cells[space.row * board.columns + space.column]
        _paint_space(scene, _Plot(space, cell, labels[place] if labels else None))


def can_name(scene: Scene, board: Board, box: Box) -> bool:
    """Whether all places can be named on a map in this box."""
    return _labels(scene, board, _cells(board, box)[0]) is not None


def _cells(board: Board, box: Box) -> list[Box]:
    width = min(box.width // board.columns, box.height // board.rows * 2)
    height = min(box.height // board.rows, width)
    grid = box.centred(width * board.columns, height * board.rows)
    return [cell for row in grid.rows(board.rows) for cell in row.columns(board.columns)]


def _labels(scene: Scene, board: Board, cell: Box) -> list[Fitted] | None:
    metrics = scene.metrics
    height = _name_height(scene, cell)
    if cell.height < metrics.least * 2:
        return None
    largest = min(metrics.body, largest_for(height, metrics.least))
    width = cell.width - 2 * metrics.line - 3
    names = [((scene.words.short(space.name),), width) for space in board.spaces]
    labels = fit_together(names, largest, min(largest, metrics.least))
    return None if any(label.cut for label in labels) else labels


def _name_height(scene: Scene, cell: Box) -> int:
    return min(round(scene.metrics.body * 1.15), max(round(scene.metrics.least * 1.1), cell.height * 2 // 5))


def _paint_space(scene: Scene, plot: _Plot) -> None:
    canvas, metrics, space = scene.canvas, scene.metrics, plot.space
    box = plot.box.inset(max(1, metrics.line))
    radius = metrics.line * 3
    if space.gone:
        _paint_gone(scene, plot, box)
        return
    ground = Ink.WHITE
    if space.tone is Tone.PLAIN:
        canvas.frame(box, Ink.BLACK, metrics.line, radius)
    else:
        ink = scene.tone(space.tone)
        canvas.fill(box, ink if ink is not Ink.BLACK else Ink.WHITE, radius)
        canvas.waves(box.inset(metrics.line), Ink.BLACK if ink is Ink.BLACK else canvas.on(ink))
        canvas.frame(box, Ink.BLACK, metrics.line, radius)
        ground = ink if ink is not Ink.BLACK else Ink.WHITE
    inner = box.inset(metrics.line + 1)
    upper = inner
    if plot.name:
        lower, upper = inner.cut_bottom(_name_height(scene, plot.box))
        _paint_name(scene, plot.name, lower, ground, patterned=space.tone is not Tone.PLAIN)
    _paint_things(scene, space, upper, ground)


def _paint_gone(scene: Scene, plot: _Plot, box: Box) -> None:
    """An empty place: a dotted edge and a small cross, or the pawns that are in the water there."""
    scene.canvas.dots(box, Ink.BLACK)
    if plot.space.pawns:
        _paint_pawns(scene, plot.space.pawns, box.inset(scene.metrics.line + 1))
        return
    side = min(box.width, box.height) // 2
    scene.canvas.symbol("cross", box.centred(side, side), Ink.BLACK)


def _paint_name(scene: Scene, name: Fitted, box: Box, ground: Ink, *, patterned: bool) -> None:
    canvas = scene.canvas
    if patterned:
        canvas.fill(Box(box.left, box.top, box.right, box.bottom + 1), ground, scene.metrics.line * 2)
    pen = Pen(name.face.size, name.face.size, canvas.on(ground), align=Align.CENTRE)
    canvas.set(name, box, pen)


def _paint_things(scene: Scene, space: Space, box: Box, ground: Ink) -> None:
    """The badge and the pawns beside it; the badge gives way where the pawns would be too small to read."""
    side = min(box.height, box.width // 2) if space.pawns else box.square().width
    _, beside = box.cut_left(side, 1)
    crowded = bool(space.pawns) and _pawn_places(space.pawns, beside)[0].square().width < scene.metrics.least * 3 // 4
    if space.badge and not crowded:
        sign = box.cut_left(side)[0].cut_top(side)[0] if space.pawns else box.square()
        scene.canvas.fill(sign, ground, sign.width // 4)
        scene.thing(space.badge, sign.inset(1 if side > 16 else 0), scene.canvas.on(ground))
        box = beside
    if space.pawns:
        _paint_pawns(scene, space.pawns, box, ground)


def _paint_pawns(scene: Scene, pawns: tuple[str, ...], box: Box, ground: Ink = Ink.WHITE) -> None:
    for pawn, place in zip(pawns, _pawn_places(pawns, box), strict=False):
        scene.pawn(pawn, place, ground)


def _pawn_places(pawns: tuple[str, ...], box: Box) -> list[Box]:
    """Side by side, or in two rows where they are many for that."""
    abreast = len(pawns) == 1 or (len(pawns) == 2 and box.width >= box.height * 1.4)
    lines = 1 if abreast else 2
    return [place for row in box.rows(lines, 1) for place in row.columns(-(-len(pawns) // lines), 1)]
