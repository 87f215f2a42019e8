"""The screen of a game that was won or lost."""

from __future__ import annotations

from companion.panel.box import Box
from companion.panel.canvas import Pen
from companion.panel.frame import footed, paint_footer
from companion.panel.goals import paint_goals
from companion.panel.play import paint_play
from companion.panel.scene import Scene
from companion.panel.tiny import paint_marks
from companion.rules.portrait import Portrait, Tone
from companion.views.screens import EndScreen, Footer


def paint_end(scene: Scene, screen: EndScreen) -> None:
    """Won or lost: the word and the reason as large as they go, then the final standing."""
    metrics, portrait = scene.metrics, screen.portrait
    if scene.tiny:
        strip, banner = scene.canvas.box.cut_bottom(round(metrics.least * (2.6 if scene.upright else 1.5)))
        goals, marks = strip.inset(2, 1).cut_left(round(strip.width * 0.6), 2)
        paint_goals(scene, portrait.goals, goals)
        if scene.upright:
            paint_marks(scene, screen.footer, marks)
        else:
            paint_footer(scene, Footer(screen.footer.revision, screen.footer.turn), marks)
    else:
        banner, box = scene.canvas.box.cut_top(round(metrics.title * (4.5 if scene.upright else 3.4)), metrics.gap)
        box = footed(scene, screen.footer, box.inset(metrics.gap, 0))
        paint_play(scene, portrait, box)
    _paint_verdict(scene, portrait, banner)


def _paint_verdict(scene: Scene, portrait: Portrait, box: Box) -> None:
    canvas, metrics, ending = scene.canvas, scene.metrics, portrait.ending
    won = ending is not None and ending.won
    ground = scene.tone(Tone.GOOD if won else Tone.DANGER)
    ink = canvas.on(ground)
    canvas.fill(box, ground)
    inner = box.inset(metrics.gap)
    if scene.tiny and scene.upright:
        sign, words = inner.cut_top(inner.height // 2, metrics.gap)
    else:
        sign, words = inner.cut_left(inner.height, metrics.gap * 2)
    canvas.symbol("star" if won else "skull", sign, ink)
    title, reason = words.cut_top(words.height * 9 // 20, 1)
    pen = Pen(round(metrics.title * 1.8), metrics.least, ink, bold=True)
    canvas.write(scene.text("panel.won" if won else "panel.lost"), title, pen)
    if ending:
        pen = Pen(metrics.strong, metrics.least, ink)
        canvas.write_lines(scene.say(ending.reason), reason, pen, top=True)
