"""The players: pawn, name, whose turn, the open hand as symbols, and who must do something at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from companion.panel.box import Box
from companion.panel.canvas import Pen
from companion.panel.scene import Scene
from companion.panel.typeface import Fitted, fit_together, largest_for
from companion.ports import Ink
from companion.rules.portrait import Seat, Tone


def paint_seats(scene: Scene, seats: Sequence[Seat], box: Box) -> None:
    """One line a player, or a grid of two columns with a line for the name and one for the hand where there is room."""
    if not seats:
        return
    metrics = scene.metrics
    lines = -(-len(seats) // 2)
    if bare(seats) and box.height < grid_height(scene, seats):
        rows = bare_lines(seats)
        places = [place for row in box.rows(rows, 2) for place in row.columns(-(-len(seats) // rows), metrics.gap)]
        for line in _lines(scene, seats, places[: len(seats)]):
            _paint_line(scene, line)
        return
    if box.height >= grid_height(scene, seats) and box.width >= metrics.least * 26:
        grid, _ = box.cut_top(grid_height(scene, seats) if bare(seats) else round(metrics.strong * 3.4) * lines)
        places = [place for row in grid.rows(lines, metrics.gap // 2) for place in row.columns(2, metrics.gap)]
        for seat, place in zip(seats, places, strict=False):
            _paint_card(scene, seat, place)
        return
    height = min(box.height // len(seats), round(metrics.body * 2))
    places = [place.inset(0, 1) for place in box.cut_top(height * len(seats))[0].rows(len(seats))]
    for line in _lines(scene, seats, places):
        _paint_line(scene, line)


def grid_height(scene: Scene, seats: Sequence[Seat]) -> int:
    """The least height of the grid of two columns."""
    one = scene.metrics.strong * 1.7 if bare(seats) else scene.metrics.body * 3.2
    return -(-len(seats) // 2) * round(one)


def bare_lines(seats: Sequence[Seat]) -> int:
    """The lines that bare seats take beside each other."""
    return 1 if len(seats) <= 3 else 2


def bare(seats: Sequence[Seat]) -> bool:
    """Whether there is nothing but names to show."""
    return all(seat.cards is None and seat.alert is None for seat in seats)


def paint_hands_by_name(scene: Scene, seats: Sequence[Seat], places: Sequence[Box]) -> None:
    """For laying out the real cards: each player, and below the cards' names."""
    metrics = scene.metrics
    for seat, place in zip(seats, places, strict=False):
        name, hand = place.cut_top(round(metrics.strong * 1.5))
        _paint_name(scene, seat, name, Ink.WHITE)
        counted = [scene.counted(card, number) for card, number in Counter(seat.cards or ()).items()]
        if counted:
            wordings = (", ".join(full for full, _ in counted), ", ".join(short for _, short in counted))
            scene.canvas.write_lines(wordings, hand, Pen(metrics.body, metrics.least), top=True)


def paint_hand(scene: Scene, seat: Seat, box: Box) -> None:
    """A player's pawn, and the hand as symbols."""
    sign, hand = box.cut_left(round(scene.metrics.body * 1.5), scene.metrics.gap)
    scene.pawn(seat.name, sign)
    paint_cards(scene, seat.cards or (), hand)


def paint_cards(scene: Scene, cards: Sequence[str], box: Box, ink: Ink = Ink.BLACK) -> None:
    """Cards as symbols side by side, equal ones counted where they are too many for the box."""
    side = min(box.height, round(scene.metrics.strong * 1.3))
    strip = box.centred(box.width, side)
    step = side + max(1, side // 8)
    if step * len(cards) <= strip.width + step - side:
        for card in cards:
            place, strip = strip.cut_left(side, step - side)
            scene.thing(card, place, ink)
        return
    counted = Counter(cards)
    for (card, number), place in zip(counted.items(), strip.columns(len(counted), 1), strict=True):
        sign, beside = place.cut_left(min(side, place.width // 2), 1)
        scene.thing(card, sign, ink)
        scene.canvas.write(str(number), beside, Pen(scene.metrics.body, 7, ink, bold=True))


def _paint_card(scene: Scene, seat: Seat, box: Box) -> None:
    metrics, canvas = scene.metrics, scene.canvas
    radius = metrics.line * 4
    canvas.frame(box, Ink.BLACK, metrics.line * (2 if seat.active else 1), radius)
    upper, lower = box.rows(2) if seat.cards is not None or seat.alert else (box, box.cut_bottom(0)[0])
    ground = _ground(scene, seat)
    if ground is not Ink.WHITE:
        canvas.fill(upper, ground, radius)
        if lower.height:
            canvas.fill(Box(upper.left, upper.bottom - radius, upper.right, upper.bottom), ground)
    _paint_name(scene, seat, upper.inset(metrics.gap // 2, metrics.line), ground)
    if seat.cards is not None:
        paint_cards(scene, seat.cards, lower.inset(metrics.gap, metrics.line + 1))


def _ground(scene: Scene, seat: Seat) -> Ink:
    if seat.alert:
        return scene.tone(Tone.DANGER)
    return Ink.BLACK if seat.active else Ink.WHITE


def _paint_name(scene: Scene, seat: Seat, box: Box, ground: Ink) -> None:
    """The pawn, and the name or what the player must do."""
    metrics, canvas = scene.metrics, scene.canvas
    side = min(box.height, round(metrics.strong * 1.2))
    sign, name = box.cut_left(side, metrics.gap // 2 + 1)
    scene.pawn(seat.name, sign.centred(side, side), ground)
    pen = Pen(metrics.strong, metrics.least, canvas.on(ground), bold=seat.active)
    canvas.write(_called(scene, seat), name, pen)


def _called(scene: Scene, seat: Seat) -> tuple[str, ...]:
    return scene.say(seat.alert) if seat.alert else scene.wordings(seat.name)


@dataclass(frozen=True, slots=True)
class _Line:
    """A player in one line: the plate with pawn and name (or what must be done), and the hand."""

    seat: Seat
    plate: Box
    name: Fitted
    hand: Box


def _lines(scene: Scene, seats: Sequence[Seat], places: Sequence[Box]) -> list[_Line]:
    metrics = scene.metrics
    share = 1 if all(seat.cards is None for seat in seats) else 0.46
    plates = [place.cut_left(round(place.width * share), metrics.gap) for place in places]
    room = plates[0][0].width - plates[0][0].height - metrics.gap
    labels = [(_called(scene, seat), room) for seat in seats]
    largest = min(metrics.body, largest_for(places[0].height, metrics.least))
    names = fit_together(labels, largest, metrics.least, bold=True)
    return [_Line(seat, plate, name, hand) for seat, name, (plate, hand) in zip(seats, names, plates, strict=True)]


def _paint_line(scene: Scene, line: _Line) -> None:
    metrics, canvas, seat = scene.metrics, scene.canvas, line.seat
    ground = _ground(scene, seat)
    canvas.fill(line.plate, ground, metrics.line * 3)
    sign, beside = line.plate.inset(2, 1).cut_left(line.plate.height - 2, metrics.gap // 2)
    scene.pawn(seat.name, sign, ground)
    canvas.set(line.name, beside, Pen(line.name.face.size, metrics.least, canvas.on(ground)))
    if seat.cards is not None:
        paint_cards(scene, seat.cards, line.hand)
