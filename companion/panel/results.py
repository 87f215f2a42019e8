"""This turn's cards: what was drawn by whom, what flooded, what sank. The part that matters most on every panel.

A row tells its tone by shape: a plain row has the card's symbol; a warning a framed wave; danger is a full block in
inverse, its name struck through where the place is gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from companion.panel.box import Box
from companion.panel.canvas import Align, Pen
from companion.panel.scene import Scene
from companion.panel.symbols import SHAPES
from companion.panel.typeface import Face, Fitted, fit_together, largest_for, width_of
from companion.ports import Ink
from companion.rules.portrait import Phrase, Portrait, Result, Tone

_BY_TONE = {Tone.PLAIN: "dot", Tone.GOOD: "plus", Tone.WARNING: "warning", Tone.DANGER: "cross"}


@dataclass(frozen=True, slots=True)
class _Row:
    """A result in its box, cut into symbol, name, the effect's word (or who drew it) and the player's pawn."""

    result: Result
    box: Box
    lead: Box
    name: Box
    word: Box
    pawn: Box


def paint_results(scene: Scene, portrait: Portrait, box: Box) -> None:
    """This turn's results in a box, in two columns where they are many for it; the newest where even that is little."""
    metrics = scene.metrics
    if not portrait.results:
        pen = Pen(metrics.body, metrics.least, align=Align.CENTRE)
        scene.canvas.write_lines(scene.text("panel.results.none"), box, pen)
        return
    gone = gone_things(portrait)
    lines = max(1, box.height // metrics.least)
    results = portrait.results[-2 * lines :]
    half = len(results) if len(results) <= lines else -(-len(results) // 2)
    columns = list(filter(None, (results[:half], results[half:])))
    for column, place in zip(columns, box.columns(len(columns), metrics.gap), strict=True):
        _paint_column(scene, column, gone, place)


def gone_things(portrait: Portrait) -> frozenset[str]:
    """Names of places that are off the board and cards out of the game."""
    spaces = portrait.board.spaces if portrait.board else ()
    removed = {card for pile in portrait.piles for card in pile.removed}
    return frozenset(space.name for space in spaces if space.gone) | removed


def _paint_column(scene: Scene, results: Sequence[Result], gone: frozenset[str], box: Box) -> None:
    rows = _rows(scene, results, box)
    names = _names(scene, rows)
    for row, name in zip(rows, names, strict=True):
        _paint_row(scene, row, name, struck=row.result.card in gone)


def _rows(scene: Scene, results: Sequence[Result], box: Box) -> list[_Row]:
    metrics = scene.metrics
    groups = [(group, list(members)) for group, members in groupby(results, key=lambda result: result.group)]
    heading = round(metrics.least * 1.5)
    roomy = round(metrics.strong * 1.35)
    headed = not scene.tiny and roomy * len(results) + heading * len(groups) <= box.height
    left_over = box.height - heading * len(groups) * headed
    height = min(left_over // len(results), round(metrics.strong * 2.3))
    rows = []
    for group, members in groups:
        if headed:
            title, box = box.cut_top(heading)
            _paint_heading(scene, group, title)
        for result in members:
            place, box = box.cut_top(height)
            rows.append(_cut_row(scene, result, place))
    return rows


def _paint_heading(scene: Scene, group: str, box: Box) -> None:
    metrics = scene.metrics
    fitted = scene.canvas.write(scene.text(f"pile.{group}"), box, Pen(metrics.least, metrics.least, bold=True))
    middle = (box.top + box.bottom) // 2
    line = Box(box.left + fitted.width + metrics.gap, middle, box.right, middle + metrics.line)
    scene.canvas.fill(line, Ink.BLACK)


def _cut_row(scene: Scene, result: Result, place: Box) -> _Row:
    """In high rows the word stands below the name; in low ones at the end, where there is room for it."""
    metrics = scene.metrics
    spare = place.height - metrics.least
    box = place.inset(0, 1) if spare > 3 else place.cut_bottom(1)[1] if spare > 1 else place
    pad = max(1, metrics.gap // 2)
    lead, rest = box.cut_left(box.height, pad)
    side = min(box.height, round(metrics.strong * 1.6))
    pawn, rest = rest.cut_right(side if result.seat else 0, pad if result.seat else 0)
    words = _words(scene, result)
    if not words:
        return _Row(result, box, lead, rest, Box(0, 0, 0, 0), pawn)
    if box.height >= metrics.least * 2.6:
        loud = result.tone is Tone.DANGER and not result.seat
        name, below = rest.inset(0, box.height // 20).cut_top(box.height * (10 if loud else 11) // 20)
        return _Row(result, box, lead, name, below, pawn)
    face = _word_face(scene, result, box.height)
    wide = width_of(words[0], face) + face.size // 3
    loud = result.tone is Tone.DANGER and not result.seat
    beside, name = rest.cut_right(wide if loud and rest.width > wide * 1.7 else 0, pad + 2)
    return _Row(result, box, lead, name, beside, pawn)


def _words(scene: Scene, result: Result) -> tuple[str, ...]:
    """What came of the card, or who drew it."""
    if result.seat:
        return scene.wordings(result.seat)
    return () if result.tone is Tone.PLAIN else scene.say(Phrase(f"effect.{result.effect}"))


def _word_face(scene: Scene, result: Result, height: int) -> Face:
    """Danger is said loudly."""
    loud = result.tone is Tone.DANGER and not result.seat
    size = min(scene.metrics.body if loud else scene.metrics.least, largest_for(height, scene.metrics.least))
    return Face(size, bold=loud, condensed=True)


def _names(scene: Scene, rows: Sequence[_Row]) -> list[Fitted]:
    largest = min(scene.metrics.strong, *(largest_for(row.name.height, scene.metrics.least) for row in rows))
    labels = [(scene.wordings(row.result.card), row.name.width) for row in rows]
    return fit_together(labels, largest, min(largest, scene.metrics.least), bold=True)


def _paint_row(scene: Scene, row: _Row, name: Fitted, *, struck: bool) -> None:
    canvas, result = scene.canvas, row.result
    ground, ink = Ink.WHITE, Ink.BLACK
    if result.tone is Tone.DANGER:
        ground = canvas.danger
        ink = canvas.on(ground)
        canvas.fill(row.box, ground, scene.metrics.line * 3)
    _paint_lead(scene, row, ink)
    pen = Pen(name.face.size, name.face.size, ink, bold=True, struck=struck and result.tone is Tone.DANGER)
    canvas.set(name, row.name, pen)
    if row.word.width:
        _paint_word(scene, row, ink)
    if result.seat:
        scene.pawn(result.seat, row.pawn.inset(row.pawn.height // 8), ground)


def _paint_word(scene: Scene, row: _Row, ink: Ink) -> None:
    words, face = _words(scene, row.result), _word_face(scene, row.result, row.word.height)
    pen = Pen(face.size, face.size, ink, bold=face.bold)
    if (wide := width_of(words[0], face)) <= row.word.width:
        scene.canvas.set(Fitted(words[0], face, wide), row.word, pen)
    else:
        scene.canvas.write(words, row.word, pen)


def _paint_lead(scene: Scene, row: _Row, ink: Ink) -> None:
    canvas, result, place = scene.canvas, row.result, row.lead
    inner = place.inset(max(1, place.height // 9))
    if result.tone is Tone.PLAIN:
        scene.thing(result.card, inner, ink)
        return
    shape = result.effect if result.effect in SHAPES else _BY_TONE[result.tone]
    if result.tone is Tone.DANGER:
        canvas.symbol(shape, inner, ink)
        return
    ground = scene.tone(result.tone)
    line = scene.metrics.line
    if place.height < 18:
        canvas.symbol(shape, inner, ground)
    elif ground is Ink.BLACK:
        canvas.frame(inner, Ink.BLACK, line, line * 3)
        canvas.symbol(shape, inner.inset(line + 1))
    else:
        canvas.fill(inner, ground, line * 3)
        canvas.symbol(shape, inner.inset(line + 1), canvas.on(ground))
