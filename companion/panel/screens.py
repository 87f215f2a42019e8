"""The screens of a game in play, at rest, and of a lost device: each lays its parts out on the whole canvas."""

from __future__ import annotations

from collections.abc import Sequence

from companion.panel.box import Box
from companion.panel.canvas import Pen
from companion.panel.frame import answered, footed, headed, paint_options, paint_strip
from companion.panel.gauge import paint_bar
from companion.panel.goals import paint_goals
from companion.panel.play import paint_play
from companion.panel.results import paint_results
from companion.panel.scene import Scene
from companion.panel.tiny import cut_side, paint_side, paint_tiny
from companion.rules.portrait import Phrase, Portrait
from companion.views.screens import PausedScreen, ReaderLostScreen, TableScreen


def paint_table(scene: Scene, screen: TableScreen) -> None:
    """The game in play: whose turn, the answer to the last scan, what can be chosen, the table."""
    portrait = screen.portrait
    box = headed(scene, scene.say(portrait.awaited), pawn=portrait.active)
    answer = scene.say(screen.notice) if screen.notice else None
    if scene.tiny:
        box = _tiny_strip(scene, screen, answer, box)
        paint_tiny(scene, portrait, screen.footer, box)
        return
    box = footed(scene, screen.footer, box)
    if answer:
        box = answered(scene, answer, box)
    paint_play(scene, portrait, box, screen.options, screen.cursor)


def paint_paused(scene: Scene, screen: PausedScreen) -> None:
    """The game at rest: how to go on, how to join meanwhile, what comes next, and the table as it was left."""
    title, hint = scene.text("panel.paused.title"), scene.text("panel.paused.hint")
    pin = f"{scene.text('panel.join.pin')} {screen.pin}" if screen.pin else ""
    if scene.tiny:
        box = headed(scene, (f"{title} · {pin}", pin) if pin else title, symbol="pause")
        strip, box = box.cut_bottom(_tiny_strip_height(scene), 1)
        paint_strip(scene, (hint, scene.text("panel.paused.hint.short")), strip, symbol="pause")
        paint_tiny(scene, screen.portrait, screen.footer, box)
        return
    address = screen.url.partition("#")[0]
    box = headed(scene, " · ".join(part for part in (title, address, pin) if part), symbol="pause")
    box = footed(scene, screen.footer, box)
    awaited = scene.words.say(screen.portrait.awaited)
    box = answered(scene, (f"{hint} {awaited}", hint), box, symbol="pause")
    paint_play(scene, screen.portrait, box)


def paint_reader_lost(scene: Scene, screen: ReaderLostScreen) -> None:
    """Which reader, what to do, that play goes on; the turn's results stay readable."""
    metrics = scene.metrics
    box = headed(scene, scene.say(Phrase("device.lost", {"device": screen.device})), symbol="reader")
    go_on = scene.say(Phrase("panel.reader_lost.go_on"))
    if not scene.tiny:
        box = footed(scene, screen.footer, box)
    shown = screen.portrait
    advice, box = box.cut_top(box.height if shown is None else _advice_height(scene, box), metrics.gap)
    told = scene.say(screen.advice) if screen.advice else ()
    wordings = (*(f"{each} {go_on[0]}" for each in told), *told, *go_on)
    pen = Pen(metrics.strong, metrics.least, bold=True)
    scene.canvas.write_lines(wordings, advice, pen)
    if shown is None:
        return
    if scene.tiny:
        side, box = cut_side(scene, box)
        paint_side(scene, shown, screen.footer, side)
    elif scene.upright:
        standing, box = box.cut_bottom(round(metrics.body * 9), metrics.gap)
        _paint_standing(scene, shown, standing)
    else:
        standing, box = box.cut_right(round(box.width * 0.42), metrics.gap * 2)
        _paint_standing(scene, shown, standing)
    paint_results(scene, shown, box)


def _advice_height(scene: Scene, box: Box) -> int:
    if scene.tiny:
        return round(scene.metrics.least * (5 if scene.upright else 2.5))
    return box.height // 3


def _paint_standing(scene: Scene, portrait: Portrait, box: Box) -> None:
    """What the table waits for, the meter and the goals, in a column."""
    metrics = scene.metrics
    sentence, box = box.cut_top(round(metrics.body * 3), metrics.gap)
    scene.canvas.write_lines(scene.say(portrait.awaited), sentence, Pen(metrics.strong, metrics.least, bold=True))
    if portrait.meters:
        gauge, box = box.cut_top(round(metrics.body * 2.9), metrics.gap)
        paint_bar(scene, portrait.meters[0], gauge)
    paint_goals(scene, portrait.goals, box.cut_top(round(metrics.strong * 1.5))[0])


def _tiny_strip_height(scene: Scene) -> int:
    return round(scene.metrics.least * (3.1 if scene.upright else 1.4))


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
