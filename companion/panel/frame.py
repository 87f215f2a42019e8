"""What stands around a screen's middle: the sentence of the turn above, questions and answers, the line below."""

from __future__ import annotations

from collections.abc import Sequence

from companion.panel.box import Box
from companion.panel.canvas import Align, Pen
from companion.panel.scene import Scene
from companion.ports import Ink
from companion.rules.portrait import Phrase
from companion.views.screens import Footer


def paint_header(
    scene: Scene, wordings: str | Sequence[str], box: Box, *, pawn: str | None = None, symbol: str | None = None
) -> None:
    """The inverse bar: a pawn or a symbol, then one sentence as large as fits in one line or two."""
    metrics, canvas = scene.metrics, scene.canvas
    canvas.fill(box, Ink.BLACK)
    inner = box.inset(metrics.gap // 2 + 1, max(1, metrics.line))
    side = min(inner.height, round(metrics.title * 1.25))
    if pawn or symbol:
        sign, inner = inner.cut_left(side, metrics.gap // 2 + 1)
        if pawn:
            scene.pawn(pawn, sign, Ink.BLACK)
        elif symbol:
            canvas.symbol(symbol, sign.centred(side, side).inset(max(1, side // 10)), Ink.WHITE)
    canvas.write_lines(wordings, inner, Pen(metrics.title, metrics.least, Ink.WHITE, bold=True))


def paint_strip(scene: Scene, wordings: str | Sequence[str], box: Box, *, symbol: str = "warning") -> None:
    """An answer that must be seen: a sign and a sentence in a framed line."""
    metrics, canvas = scene.metrics, scene.canvas
    ground = canvas.best(Ink.YELLOW, Ink.WHITE)
    canvas.fill(box, ground, metrics.line * 3)
    canvas.frame(box, Ink.BLACK, metrics.line, metrics.line * 3)
    side = min(box.height, round(metrics.strong * 1.3))
    sign, rest = box.inset(metrics.line + 1, metrics.line).cut_left(side, metrics.gap // 2)
    canvas.symbol(symbol, sign.inset(1), canvas.danger if ground is Ink.WHITE else Ink.BLACK)
    canvas.write_lines(wordings, rest, Pen(metrics.body, metrics.least, bold=True))


def paint_options(scene: Scene, options: Sequence[Phrase], cursor: int, box: Box) -> None:
    """What can be chosen: a window of the list around the cursor, whose line is inverse and tells its place."""
    metrics = scene.metrics
    height = round(metrics.body * 1.6) if box.height > metrics.body * 3 else box.height
    room = max(1, box.height // height)
    first = max(0, min(cursor - room // 2, len(options) - room))
    shown = options[first : first + room]
    lines = box.cut_top(height * len(shown))[0].rows(len(shown))
    for place, (option, line) in enumerate(zip(shown, lines, strict=True), start=first):
        _paint_option(scene, scene.say(option), line, f"{place + 1}/{len(options)}" if place == cursor else None)


def _paint_option(scene: Scene, wordings: Sequence[str], box: Box, count: str | None) -> None:
    metrics, canvas = scene.metrics, scene.canvas
    line = box.inset(0, 1 if box.height > metrics.least * 1.4 else 0)
    ink = Ink.BLACK
    if count is not None:
        canvas.fill(line, Ink.BLACK, metrics.line * 3)
        ink = Ink.WHITE
    sign, rest = line.inset(2, 0).cut_left(metrics.body, metrics.gap // 2)
    if count is not None:
        canvas.symbol("arrow", sign.inset(1), ink)
        told = canvas.write(count, rest, Pen(metrics.body, metrics.least, ink, align=Align.RIGHT))
        _, rest = rest.cut_right(told.width, 2)
    canvas.write_lines(wordings, rest, Pen(metrics.strong, metrics.least, ink, bold=count is not None))


def paint_footer(scene: Scene, footer: Footer, box: Box) -> None:
    """Turn and revision at the right, so that a stale picture is known; the most urgent alerts at the left."""
    metrics, canvas = scene.metrics, scene.canvas
    pen = Pen(metrics.least, metrics.least, align=Align.RIGHT)
    told = canvas.write(mark_of(scene, footer), box, pen)
    if not footer.alerts:
        return
    _, rest = box.cut_right(told.width, metrics.gap)
    sign, rest = rest.cut_left(rest.height, 2)
    canvas.symbol("warning", sign, canvas.danger)
    alerts = "   ".join(scene.words.say(alert) for alert in footer.alerts)
    canvas.write(alerts, rest, Pen(metrics.body, metrics.least, bold=True))


def mark_of(scene: Scene, footer: Footer) -> tuple[str, ...]:
    """Turn and revision in one line, then in fewer letters."""
    revision = f"#{footer.revision}"
    if footer.turn is None:
        return (revision,)
    return tuple(f"{turn}  {revision}" for turn in scene.say(Phrase("panel.turn", {"n": footer.turn})))


def headed(scene: Scene, wordings: str | Sequence[str], *, pawn: str | None = None, symbol: str | None = None) -> Box:
    """Paint the header; the box below it with its margins."""
    metrics = scene.metrics
    lines = 1.15 if scene.tiny else 1.75
    height = round(metrics.title * lines * ((2 if scene.tiny else 1.5) if scene.upright else 1))
    header, box = scene.canvas.box.cut_top(height, 1 if scene.tiny else metrics.gap)
    paint_header(scene, wordings, header, pawn=pawn, symbol=symbol)
    return Box(box.left + 2, box.top, box.right - 2, box.bottom) if scene.tiny else box.inset(metrics.gap, 0)


def footed(scene: Scene, footer: Footer, box: Box) -> Box:
    """Paint the footer; the box above it."""
    line, rest = box.cut_bottom(round(scene.metrics.least * 1.4), scene.metrics.gap // 2)
    paint_footer(scene, footer, line)
    return rest


def answered(scene: Scene, wordings: Sequence[str], box: Box, symbol: str = "warning") -> Box:
    """Paint a strip; the box below it."""
    height = round(scene.metrics.body * (3 if scene.upright else 1.9))
    strip, rest = box.cut_top(height, scene.metrics.gap)
    paint_strip(scene, wordings, strip, symbol=symbol)
    return rest
