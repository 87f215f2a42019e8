"""Decks and discards, and the cards that are out among the players where nobody tracks whose they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from companion.panel.box import Box
from companion.panel.canvas import Pen
from companion.panel.scene import Scene
from companion.panel.seats import paint_cards
from companion.panel.typeface import fit_together, largest_for
from companion.ports import Ink
from companion.rules.portrait import Phrase, Pile


def paint_piles(scene: Scene, piles: Sequence[Pile], box: Box) -> None:
    """Each pile's name over two numbers: cards left to draw, cards in the open discard."""
    for pile, place in zip(piles, box.rows(max(1, len(piles)), scene.metrics.gap // 2), strict=False):
        name, counts = place.cut_top(round(scene.metrics.least * 1.3), 1)
        _paint_pile(scene, pile, name, counts)


def paint_pile_lines(scene: Scene, piles: Sequence[Pile], box: Box) -> None:
    """The same with the numbers beside the name."""
    for pile, place in zip(piles, box.rows(max(1, len(piles)), 1), strict=False):
        counts, name = place.cut_right(place.width // 2, scene.metrics.gap)
        _paint_pile(scene, pile, name, counts)


def _paint_pile(scene: Scene, pile: Pile, name: Box, counts: Box) -> None:
    wordings = scene.say(Phrase(f"pile.{pile.name}"))
    scene.canvas.write(wordings, name, Pen(scene.metrics.least, scene.metrics.least))
    left, out = counts.columns(2, 2)
    _paint_count(scene, "pile", pile.left, left)
    _paint_count(scene, "discard", len(pile.discard), out)


def _paint_count(scene: Scene, sign: str, number: int, box: Box) -> None:
    metrics = scene.metrics
    side = min(box.height, box.width // 2, round(metrics.strong * 1.1))
    place, beside = box.cut_left(side, 2)
    scene.canvas.symbol(sign, place)
    scene.canvas.write(str(number), beside, Pen(metrics.strong, metrics.least, bold=True))


def paint_pool(scene: Scene, pool: Sequence[str], box: Box) -> Box:
    """The cards that are out among the players; the rest of the box below them."""
    metrics = scene.metrics
    head, box = box.cut_top(round(metrics.least * 1.4))
    scene.canvas.write(scene.text("panel.pool"), head, Pen(metrics.least, metrics.least, bold=True))
    cards, box = box.cut_top(round(metrics.strong * 1.6), metrics.gap)
    paint_cards(scene, sorted(pool), cards)
    return box


def paint_discards(scene: Scene, piles: Sequence[Pile], box: Box) -> None:
    """The open discards by name, those with the most different cards first, as many piles as there is room for."""
    metrics = scene.metrics
    head_height, line = round(metrics.least * 1.4), round(metrics.least * 1.3)
    for pile in sorted(piles, key=lambda pile: -len(set(pile.discard))):
        wanted = head_height + line * -(-len(set(pile.discard)) // 2)
        if not pile.discard or box.height < min(wanted, head_height + 2 * line):
            continue
        place, box = box.cut_top(wanted, metrics.gap)
        head, rest = place.cut_top(head_height)
        titles = [f"{name}: {scene.text('panel.setup.open')}" for name in scene.say(Phrase(f"pile.{pile.name}"))]
        scene.canvas.write(titles, head, Pen(metrics.least, metrics.least, bold=True))
        paint_names(scene, pile.discard, rest)


def paint_names(scene: Scene, names: Sequence[str], box: Box) -> None:
    """Names in two columns, equal ones counted, as many as fit; the last line counts the others."""
    metrics = scene.metrics
    counted = list(Counter(names).items())
    lines = max(1, min(box.height // round(metrics.least * 1.3), -(-len(counted) // 2)))
    height = min(box.height // lines, round(metrics.body * 1.5))
    columns = box.cut_top(lines * height)[0].columns(2, metrics.gap)
    places = [place for column in columns for place in column.rows(lines)]
    shown = counted if len(counted) <= len(places) else counted[: len(places) - 1]
    labels = [scene.counted(name, number) for name, number in shown]
    largest = min(metrics.body, largest_for(height, metrics.least))
    fitted = fit_together([(wordings, places[0].width) for wordings in labels], largest, metrics.least)
    for label, place in zip(fitted, places, strict=False):
        scene.canvas.set(label, place, Pen(label.face.size, label.face.size, Ink.BLACK))
    if len(shown) < len(counted):
        more = scene.text("panel.results.more", n=len(counted) - len(shown))
        scene.canvas.write(more, places[-1], Pen(metrics.least, metrics.least, bold=True))
