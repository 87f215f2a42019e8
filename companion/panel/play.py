"""The game as it stands, without header and footer, in three layouts; lesser parts are dropped on small panels.

What is shown, most important first: this turn's results, the meter, goals, the map, hands, piles.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.panel.board import paint_board
from companion.panel.box import Box
from companion.panel.canvas import Align, Pen
from companion.panel.frame import paint_options
from companion.panel.gauge import paint_bar, paint_column, paint_dial
from companion.panel.goals import paint_goals
from companion.panel.metrics import Layout
from companion.panel.piles import paint_discards, paint_pile_lines, paint_piles, paint_pool
from companion.panel.results import paint_results
from companion.panel.scene import Scene
from companion.panel.seats import bare, grid_height, paint_seats
from companion.rules.portrait import Phrase, Portrait
from companion.views.screens import Footer


def paint_play(scene: Scene, portrait: Portrait, box: Box, options: Sequence[Phrase] = (), cursor: int = 0) -> None:
    """Everything on the table; options to choose from take the place of the seats."""
    paint = _paint_small if scene.metrics.layout is Layout.SMALL else _paint_large
    paint(scene, portrait, box, (options, cursor))


def paint_tiny(scene: Scene, portrait: Portrait, footer: Footer, box: Box) -> None:
    """Results at the left; at the right the meter's dial, the goals, turn and revision."""
    metrics = scene.metrics
    side, rest = box.cut_right(round(metrics.least * 4.6), metrics.gap)
    marks, side = side.cut_bottom(round(metrics.least * 2.1), 1)
    paint_tiny_marks(scene, footer, marks)
    goals, dial = side.cut_bottom(round(metrics.least * 2.5) if portrait.goals else 0, 2)
    paint_goals(scene, portrait.goals, goals)
    if portrait.meters:
        paint_dial(scene, portrait.meters[0], dial)
    paint_results(scene, portrait, rest)


def paint_tiny_marks(scene: Scene, footer: Footer, box: Box) -> None:
    """Turn over revision."""
    metrics = scene.metrics
    turn, revision = box.rows(2)
    pen = Pen(metrics.least, metrics.least, align=Align.CENTRE)
    if footer.turn is not None:
        scene.canvas.write((scene.words.text("panel.turn", n=footer.turn), f"{footer.turn}"), turn, pen)
    scene.canvas.write(f"#{footer.revision}", revision, pen)


def _paint_small(scene: Scene, portrait: Portrait, box: Box, choice: tuple[Sequence[Phrase], int]) -> None:
    metrics = scene.metrics
    right, left = box.cut_right(round(box.width * 0.43), metrics.gap)
    lines = 1 if bare(portrait.seats) and not choice[0] else max(len(portrait.seats), 3)
    lower, upper = left.cut_bottom(round(metrics.body * 1.65) * lines, metrics.gap)
    paint_results(scene, portrait, upper)
    _paint_hands(scene, portrait, lower, choice)
    gauge, right = right.cut_bottom(round(metrics.body * 2.9) if portrait.meters else 0, metrics.gap)
    goals, right = right.cut_bottom(round(metrics.strong * 1.5) if portrait.goals else 0, metrics.gap)
    if portrait.meters:
        paint_bar(scene, portrait.meters[0], gauge)
    paint_goals(scene, portrait.goals, goals)
    if portrait.board:
        paint_board(scene, portrait.board, right)
    else:
        piles, right = right.cut_top(round(metrics.body * 1.6) * len(portrait.piles), metrics.gap)
        paint_pile_lines(scene, portrait.piles, piles)
        _paint_stock(scene, portrait, right)


def _paint_large(scene: Scene, portrait: Portrait, box: Box, choice: tuple[Sequence[Phrase], int]) -> None:
    metrics = scene.metrics
    left, rest = box.cut_left(round(box.width * 0.335), metrics.gap * 2)
    right, middle = rest.cut_right(round(metrics.least * 6.2), metrics.gap * 2)
    goals, results = left.cut_bottom(round(metrics.strong * 1.9) if portrait.goals else 0, metrics.gap)
    paint_results(scene, portrait, results)
    paint_goals(scene, portrait.goals, goals)
    piles, gauge = right.cut_bottom(round(metrics.least * 3) * len(portrait.piles), metrics.gap)
    paint_piles(scene, portrait.piles, piles)
    if portrait.meters:
        paint_column(scene, portrait.meters[0], gauge)
    height = round(metrics.body * 1.6) * 5 if choice[0] else grid_height(scene, portrait.seats)
    hands, upper = middle.cut_bottom(height, metrics.gap)
    _paint_hands(scene, portrait, hands, choice)
    if portrait.board:
        paint_board(scene, portrait.board, upper)
    else:
        _paint_stock(scene, portrait, upper)


def _paint_stock(scene: Scene, portrait: Portrait, box: Box) -> None:
    """Where there is no board: the cards that are out, and the open discards."""
    if portrait.pool is not None:
        box = paint_pool(scene, portrait.pool, box)
    paint_discards(scene, portrait.piles, box)


def _paint_hands(scene: Scene, portrait: Portrait, box: Box, choice: tuple[Sequence[Phrase], int]) -> None:
    options, cursor = choice
    if options:
        paint_options(scene, options, cursor, box)
    else:
        paint_seats(scene, portrait.seats, box)
