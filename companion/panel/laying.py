"""The screen for laying out the real box at the start of a game."""

from __future__ import annotations

from companion.panel.board import can_name, paint_board
from companion.panel.box import Box
from companion.panel.canvas import Pen
from companion.panel.frame import footed, headed
from companion.panel.gauge import paint_bar
from companion.panel.piles import paint_names
from companion.panel.scene import Scene
from companion.panel.seats import paint_hand, paint_hands_by_name
from companion.panel.tiny import cut_side, paint_side
from companion.rules.portrait import Board, Phrase, Portrait, Tone
from companion.views.screens import SetUpScreen


def paint_set_up(scene: Scene, screen: SetUpScreen) -> None:
    """How to lay out the real box: the board by name, the meter's mark, the hands, who begins."""
    metrics, portrait = scene.metrics, screen.portrait
    title = scene.text("panel.setup.title")
    begins = scene.text("panel.setup.begins", player=portrait.active) if portrait.active else ""
    box = headed(scene, (f"{title} · {begins}", *scene.say(Phrase("panel.setup.title"))), pawn=portrait.active)
    if scene.tiny:
        _paint_tiny_set_up(scene, screen, box)
        return
    box = footed(scene, screen.footer, box)
    side, beside = box.cut_right(round(box.width * 0.34), metrics.gap * 2)
    if portrait.board and not can_name(scene, portrait.board, beside):
        _paint_wide_set_up(scene, portrait, portrait.board, box)
    else:
        _paint_set_up_beside(scene, portrait, beside, side)


def _paint_wide_set_up(scene: Scene, portrait: Portrait, board: Board, box: Box) -> None:
    """The map takes the whole width, so that every place is named; meter and hands stand below it."""
    metrics = scene.metrics
    below, box = box.cut_bottom(round(metrics.body * 3.2), metrics.gap)
    gauge, hands = below.cut_left(round(below.width * 0.42), metrics.gap * 2)
    if portrait.meters:
        paint_bar(scene, portrait.meters[0], gauge)
    lines = -(-len(portrait.seats) // 2)
    places = [place for row in hands.rows(max(1, lines), 1) for place in row.columns(2, metrics.gap)]
    for seat, place in zip(portrait.seats, places, strict=False):
        paint_hand(scene, seat, place)
    paint_board(scene, board, box)


def _paint_set_up_beside(scene: Scene, portrait: Portrait, box: Box, side: Box) -> None:
    """The map, and beside it the meter, the hands and the places to mark by name."""
    metrics = scene.metrics
    gauge, side = side.cut_top(round(metrics.body * 2.9) if portrait.meters else 0, metrics.gap)
    if portrait.meters:
        paint_bar(scene, portrait.meters[0], gauge)
    if portrait.board:
        marked, side = side.cut_bottom(round(metrics.least * 1.3) * 4 + round(metrics.body * 1.3), metrics.gap)
        _paint_marked(scene, portrait, marked)
        paint_board(scene, portrait.board, box)
    else:
        _paint_marked(scene, portrait, box)
    height = min(side.height // max(1, len(portrait.seats)), round(metrics.strong * 1.6 + metrics.body * 2.6))
    places = side.cut_top(height * len(portrait.seats))[0].rows(max(1, len(portrait.seats)))
    paint_hands_by_name(scene, portrait.seats, places)


def _paint_tiny_set_up(scene: Scene, screen: SetUpScreen, box: Box) -> None:
    """No map fits: the places to mark by name; the phone shows the board."""
    metrics, portrait = scene.metrics, screen.portrait
    side, box = cut_side(scene, box)
    paint_side(scene, portrait, screen.footer, side, goals=False)
    foot, box = box.cut_bottom(round(metrics.least * 1.3), 1)
    if portrait.board:
        scene.canvas.write(scene.say(Phrase("panel.setup.phone")), foot, Pen(metrics.least, metrics.least))
    _paint_marked(scene, portrait, box)


def _paint_marked(scene: Scene, portrait: Portrait, box: Box) -> None:
    """The places that do not lie as new, else the open discards, by name."""
    metrics = scene.metrics
    marked = [space for space in portrait.board.spaces if space.tone is not Tone.PLAIN] if portrait.board else []
    head, box = box.cut_top(round(metrics.body * 1.3))
    pen = Pen(metrics.body, metrics.least, bold=True)
    if marked:
        condition = f"condition.{marked[0].condition}"
        title = scene.text(f"{condition}.many" if f"{condition}.many" in scene.words else condition)
        scene.canvas.write(f"{title.capitalize()}:", head, pen)
        paint_names(scene, [space.name for space in marked], box)
        return
    scene.canvas.write(scene.text("panel.setup.open") + ":", head, pen)
    paint_names(scene, [card for pile in portrait.piles for card in pile.discard], box)
