"""The smallest panels: results first, and a side with the meter's dial, the goals, turn and revision."""

from __future__ import annotations

from companion.panel.box import Box
from companion.panel.canvas import Align, Pen
from companion.panel.gauge import paint_dial
from companion.panel.goals import paint_goals
from companion.panel.results import paint_results
from companion.panel.scene import Scene
from companion.rules.portrait import Phrase, Portrait
from companion.views.screens import Footer


def paint_tiny(scene: Scene, portrait: Portrait, footer: Footer, box: Box) -> None:
    """Results, and the whole side."""
    side, rest = cut_side(scene, box)
    paint_side(scene, portrait, footer, side)
    paint_results(scene, portrait, rest)


def cut_side(scene: Scene, box: Box) -> tuple[Box, Box]:
    """The side, and what is left: a column at the right, or a strip at the bottom of an upright panel."""
    metrics = scene.metrics
    if scene.upright:
        return box.cut_bottom(round(metrics.least * 2.7), 2)
    return box.cut_right(round(metrics.least * 4.6), metrics.gap)


def paint_side(scene: Scene, portrait: Portrait, footer: Footer, box: Box, *, goals: bool = True) -> None:
    """The meter's dial, the goals if wanted, turn and revision."""
    goals = goals and bool(portrait.goals)
    if scene.upright:
        dial, rest = box.cut_left(round(box.width * 0.3), 2)
        won, marks = rest.cut_left(round(box.width * 0.34) if goals else 0, 2)
    else:
        marks, rest = box.cut_bottom(round(scene.metrics.least * 2.3), 1)
        won, dial = rest.cut_bottom(round(scene.metrics.least * 2.5) if goals else 0, 2)
    paint_marks(scene, footer, marks)
    if goals:
        paint_goals(scene, portrait.goals, won)
    if portrait.meters and dial.height >= scene.metrics.least * 2:
        paint_dial(scene, portrait.meters[0], dial)


def paint_marks(scene: Scene, footer: Footer, box: Box) -> None:
    """Turn over revision."""
    least = scene.metrics.least
    turn, revision = box.centred(box.width, min(box.height, round(least * 2.3))).rows(2)
    pen = Pen(least, least, align=Align.CENTRE)
    if footer.turn is not None:
        scene.canvas.write(scene.say(Phrase("panel.turn", {"n": footer.turn})), turn, pen)
    scene.canvas.write(f"#{footer.revision}", revision, pen)
