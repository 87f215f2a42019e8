"""One function a screen of a game: each lays its parts out on the whole canvas."""

from __future__ import annotations

from collections.abc import Sequence

from companion.panel.board import can_name, paint_board
from companion.panel.box import Box
from companion.panel.canvas import Pen
from companion.panel.frame import paint_footer, paint_header, paint_options, paint_strip
from companion.panel.gauge import paint_bar, paint_dial
from companion.panel.goals import paint_goals
from companion.panel.piles import paint_names
from companion.panel.play import paint_play, paint_tiny, paint_tiny_marks
from companion.panel.results import paint_results
from companion.panel.scene import Scene
from companion.panel.seats import paint_hand, paint_hands_by_name
from companion.rules.portrait import Board, Portrait, Tone
from companion.views.screens import EndScreen, Footer, PausedScreen, ReaderLostScreen, SetUpScreen, TableScreen


def paint_table(scene: Scene, screen: TableScreen) -> None:
    """The game in play: whose turn, the answer to the last scan, what can be chosen, the table."""
    portrait = screen.portrait
    box = _headed(scene, scene.say(portrait.awaited), pawn=portrait.active)
    answer = scene.say(screen.notice) if screen.notice else None
    if scene.tiny:
        box = _tiny_strip(scene, screen, answer, box)
        paint_tiny(scene, portrait, screen.footer, box)
        return
    box = _footed(scene, screen.footer, box)
    if answer:
        box = _answered(scene, answer, box)
    paint_play(scene, portrait, box, screen.options, screen.cursor)


def paint_paused(scene: Scene, screen: PausedScreen) -> None:
    """The game at rest: how to go on, what comes next, and the table as it was left."""
    box = _headed(scene, scene.text("panel.paused.title"), symbol="pause")
    hint = scene.text("panel.paused.hint")
    if scene.tiny:
        strip, box = box.cut_bottom(_tiny_strip_height(scene), 1)
        paint_strip(scene, (hint, scene.text("panel.paused.hint.short")), strip, symbol="pause")
        paint_tiny(scene, screen.portrait, screen.footer, box)
        return
    box = _footed(scene, screen.footer, box)
    awaited = scene.words.say(screen.portrait.awaited)
    box = _answered(scene, (f"{hint} {awaited}", hint), box, symbol="pause")
    paint_play(scene, screen.portrait, box)


def paint_end(scene: Scene, screen: EndScreen) -> None:
    """Won or lost: the word and the reason as large as they go, then the final standing."""
    metrics, portrait = scene.metrics, screen.portrait
    if scene.tiny:
        marks, banner = scene.canvas.box.cut_bottom(round(metrics.least * 1.5))
        goals, marks = marks.inset(2, 1).cut_left(round(marks.width * 0.6), 2)
        paint_goals(scene, portrait.goals, goals)
        paint_footer(scene, Footer(screen.footer.revision, screen.footer.turn), marks)
    else:
        banner, box = scene.canvas.box.cut_top(round(metrics.title * 3.4), metrics.gap)
        box = _footed(scene, screen.footer, box.inset(metrics.gap, 0))
        paint_play(scene, portrait, box)
    _paint_verdict(scene, portrait, banner)


def _paint_verdict(scene: Scene, portrait: Portrait, box: Box) -> None:
    canvas, metrics, ending = scene.canvas, scene.metrics, portrait.ending
    won = ending is not None and ending.won
    ground = scene.tone(Tone.GOOD if won else Tone.DANGER)
    ink = canvas.on(ground)
    canvas.fill(box, ground)
    inner = box.inset(metrics.gap)
    sign, words = inner.cut_left(inner.height, metrics.gap * 2)
    canvas.symbol("star" if won else "skull", sign, ink)
    title, reason = words.cut_top(words.height * 9 // 20, 1)
    pen = Pen(round(metrics.title * 1.8), metrics.least, ink, bold=True)
    canvas.write(scene.text("panel.won" if won else "panel.lost"), title, pen)
    if ending:
        pen = Pen(metrics.strong, metrics.least, ink)
        canvas.write_lines(scene.say(ending.reason), reason, pen, top=True)


def paint_set_up(scene: Scene, screen: SetUpScreen) -> None:
    """How to lay out the real box: the board by name, the meter's mark, the hands, who begins."""
    metrics, portrait = scene.metrics, screen.portrait
    title = scene.text("panel.setup.title")
    begins = scene.text("panel.setup.begins", player=portrait.active) if portrait.active else ""
    box = _headed(scene, (f"{title} · {begins}", title), pawn=portrait.active)
    if scene.tiny:
        _paint_tiny_set_up(scene, screen, box)
        return
    box = _footed(scene, screen.footer, box)
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
    side, box = box.cut_right(round(metrics.least * 4.6), metrics.gap)
    marks, side = side.cut_bottom(round(metrics.least * 2.1), metrics.gap)
    paint_tiny_marks(scene, screen.footer, marks)
    if portrait.meters:
        paint_dial(scene, portrait.meters[0], side.cut_top(side.height * 3 // 4)[0])
    foot, box = box.cut_bottom(round(metrics.least * 1.3), 1)
    if portrait.board:
        scene.canvas.write(scene.text("panel.setup.phone"), foot, Pen(metrics.least, metrics.least))
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


def paint_reader_lost(scene: Scene, screen: ReaderLostScreen) -> None:
    """Which reader, what to do, that play goes on; the turn's results stay readable."""
    metrics = scene.metrics
    title = f"{scene.text('panel.reader_lost.title')}: {scene.words.name(screen.device)}"
    box = _headed(scene, title, symbol="reader")
    go_on = scene.text("panel.reader_lost.go_on")
    if not scene.tiny:
        box = _footed(scene, screen.footer, box)
    shown = screen.portrait
    height = box.height if shown is None else round(metrics.least * 2.5) if scene.tiny else box.height // 3
    advice, box = box.cut_top(height, metrics.gap)
    wordings = (f"{screen.advice} {go_on}", screen.advice, go_on)
    pen = Pen(metrics.strong, metrics.least, bold=True)
    scene.canvas.write_lines(wordings, advice, pen)
    if shown is None:
        return
    if scene.tiny:
        side, box = box.cut_right(round(metrics.least * 4.6), metrics.gap)
        paint_tiny_marks(scene, screen.footer, side.cut_bottom(round(metrics.least * 2.1))[0])
    else:
        side, box = box.cut_right(round(box.width * 0.42), metrics.gap * 2)
        _paint_standing(scene, shown, side)
    paint_results(scene, shown, box)


def _paint_standing(scene: Scene, portrait: Portrait, box: Box) -> None:
    """What the table waits for, the meter and the goals, in a column."""
    metrics = scene.metrics
    sentence, box = box.cut_top(round(metrics.body * 3), metrics.gap)
    scene.canvas.write_lines(scene.say(portrait.awaited), sentence, Pen(metrics.strong, metrics.least, bold=True))
    if portrait.meters:
        gauge, box = box.cut_top(round(metrics.body * 2.9), metrics.gap)
        paint_bar(scene, portrait.meters[0], gauge)
    paint_goals(scene, portrait.goals, box.cut_top(round(metrics.strong * 1.5))[0])


def _headed(
    scene: Scene, wordings: str | Sequence[str], *, pawn: str | None = None, symbol: str | None = None
) -> Box:
    """Paint the header; the box below it with its margins."""
    metrics = scene.metrics
    height = round(metrics.title * 1.15) if scene.tiny else round(metrics.title * 1.75)
    header, box = scene.canvas.box.cut_top(height, 1 if scene.tiny else metrics.gap)
    paint_header(scene, wordings, header, pawn=pawn, symbol=symbol)
    return Box(box.left + 2, box.top, box.right - 2, box.bottom) if scene.tiny else box.inset(metrics.gap, 0)


def _footed(scene: Scene, footer: Footer, box: Box) -> Box:
    line, rest = box.cut_bottom(round(scene.metrics.least * 1.4), scene.metrics.gap // 2)
    paint_footer(scene, footer, line)
    return rest


def _answered(scene: Scene, wordings: Sequence[str], box: Box, symbol: str = "warning") -> Box:
    strip, rest = box.cut_top(round(scene.metrics.body * 1.9), scene.metrics.gap)
    paint_strip(scene, wordings, strip, symbol=symbol)
    return rest


def _tiny_strip_height(scene: Scene) -> int:
    return round(scene.metrics.least * 1.4)


def _tiny_strip(scene: Scene, screen: TableScreen, answer: Sequence[str] | None, box: Box) -> Box:
    """One line at the bottom for what is most urgent: a choice, the answer to a scan, an alert."""
    alerts = screen.footer.alerts
    if not (screen.options or answer or alerts):
        return box
    strip, rest = box.cut_bottom(_tiny_strip_height(scene), 1)
    if screen.options:
        paint_options(scene, screen.options, screen.cursor, strip)
    else:
        paint_strip(scene, answer or scene.say(alerts[0]), strip)
    return rest
