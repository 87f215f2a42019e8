"""The game as it stands, without header and footer, in three layouts (the smallest panels have their own in ``tiny``).

What is shown, most important first: this turn's results, the meter, goals, the map, hands, piles.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.panel.board import paint_board
from companion.panel.box import Box
from companion.panel.frame import paint_options
from companion.panel.gauge import paint_bar, paint_column
from companion.panel.goals import paint_goals
from companion.panel.metrics import Layout
from companion.panel.piles import paint_discards, paint_pile_lines, paint_piles, paint_pool
from companion.panel.results import paint_results
from companion.panel.scene import Scene
from companion.panel.seats import bare, bare_lines, grid_height, paint_seats
from companion.rules.portrait import Phrase, Portrait

_Choice = tuple[Sequence[Phrase], int]
"""Options and the cursor's place among them."""


def paint_play(scene: Scene, portrait: Portrait, box: Box, options: Sequence[Phrase] = (), cursor: int = 0) -> None:
    """Everything on the table; options to choose from take the place of the seats."""
    lying = _paint_large if scene.metrics.layout is Layout.LARGE else _paint_small
    paint = _paint_upright if scene.upright else lying
    paint(scene, portrait, box, (options, cursor))


def _paint_small(scene: Scene, portrait: Portrait, box: Box, choice: _Choice) -> None:
    right, left = box.cut_right(round(box.width * 0.43), scene.metrics.gap)
    _paint_results_and_hands(scene, portrait, left, choice)
    _paint_island(scene, portrait, right)


def _paint_upright(scene: Scene, portrait: Portrait, box: Box, choice: _Choice) -> None:
    """One below the other; the map only where the results leave it enough room."""
    metrics = scene.metrics
    standing = round(metrics.body * 2.9 + metrics.strong * 1.5) + 2 * metrics.gap
    wanted = round(metrics.least * 1.9) * max(5, len(portrait.results)) + _hands_height(scene, portrait, choice)
    left_over = box.height - wanted - standing
    if portrait.board and left_over < portrait.board.rows * metrics.least * 1.5:
        left_over = 0
    lower, upper = box.cut_bottom(standing + max(0, left_over), metrics.gap)
    _paint_results_and_hands(scene, portrait, upper, choice)
    _paint_island(scene, portrait, lower)


def _paint_results_and_hands(scene: Scene, portrait: Portrait, box: Box, choice: _Choice) -> None:
    lower, upper = box.cut_bottom(_hands_height(scene, portrait, choice), scene.metrics.gap)
    paint_results(scene, portrait, upper)
    _paint_hands(scene, portrait, lower, choice)


def _hands_height(scene: Scene, portrait: Portrait, choice: _Choice) -> int:
    lines = bare_lines(portrait.seats) if bare(portrait.seats) and not choice[0] else max(len(portrait.seats), 3)
    return round(scene.metrics.body * 1.65) * lines


def _paint_island(scene: Scene, portrait: Portrait, box: Box) -> None:
    """The map (or what is known without one), the goals, the meter lying down."""
    metrics = scene.metrics
    gauge, box = box.cut_bottom(round(metrics.body * 2.9) if portrait.meters else 0, metrics.gap)
    goals, box = box.cut_bottom(round(metrics.strong * 1.5) if portrait.goals else 0, metrics.gap)
    if portrait.meters:
        paint_bar(scene, portrait.meters[0], gauge)
    paint_goals(scene, portrait.goals, goals)
    if portrait.board:
        if box.height >= portrait.board.rows * metrics.least:
            paint_board(scene, portrait.board, box)
        return
    piles, box = box.cut_top(round(metrics.body * 1.6) * len(portrait.piles), metrics.gap)
    paint_pile_lines(scene, portrait.piles, piles)
    _paint_stock(scene, portrait, box)


def _paint_large(scene: Scene, portrait: Portrait, box: Box, choice: _Choice) -> None:
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


def _paint_hands(scene: Scene, portrait: Portrait, box: Box, choice: _Choice) -> None:
    options, cursor = choice
    if options:
        paint_options(scene, options, cursor, box)
    else:
        paint_seats(scene, portrait.seats, box)
