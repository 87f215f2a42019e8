"""What there is to win: a full symbol with a check once it is won, else its outline and how near the table is."""

from __future__ import annotations

from collections.abc import Sequence

from companion.panel.box import Box
from companion.panel.canvas import Align, Pen
from companion.panel.scene import Scene
from companion.ports import Ink
from companion.rules.portrait import Goal


def paint_goals(scene: Scene, goals: Sequence[Goal], box: Box) -> None:
    """All goals in a row, or in two where the box is high."""
    if not goals:
        return
    lines = 2 if len(goals) > 2 and box.height * 2 > box.width else 1
    across = -(-len(goals) // lines)
    places = [place for row in box.rows(lines, 1) for place in row.columns(across, 1)]
    for goal, place in zip(goals, places, strict=False):
        _paint_goal(scene, goal, place)


def _paint_goal(scene: Scene, goal: Goal, box: Box) -> None:
    metrics = scene.metrics
    side = min(box.height, max(box.width // 2, metrics.least))
    sign, beside = box.cut_left(side, 1)
    sign = sign.square()
    if goal.reached:
        scene.canvas.fill(sign, Ink.BLACK, sign.width // 5)
        scene.thing(goal.name, sign.inset(max(1, sign.width // 8)), Ink.WHITE)
        mark = min(beside.width, beside.height, metrics.strong)
        scene.canvas.symbol("check", beside.centred(mark, mark), scene.canvas.good)
        return
    scene.thing(goal.name, sign.inset(max(0, sign.width // 12)), hollow=True)
    if goal.needed and beside.width >= metrics.least:
        text = (f"{goal.progress}/{goal.needed}", str(goal.progress))
        scene.canvas.write(text, beside, Pen(metrics.body, metrics.least, align=Align.CENTRE))
