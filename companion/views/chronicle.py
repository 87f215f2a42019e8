"""A game looked back at: its meters, its board and its goals over the turns, as charts and as a table of numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from companion.rules.portrait import Portrait
from companion.table.course import Course

WIDTH, HEIGHT = 320, 110
LEFT, RIGHT, TOP, BOTTOM = 26, 12, 8, 20
MARKERS_AT_MOST = 12
"""So many markers a line at most: more would run together."""
TICKS_AT_MOST = 8


@dataclass(frozen=True, slots=True)
class Series:
    """One line of a chart: ``family`` and ``name`` are its words, ``values`` a number for each moment."""

    family: str
    name: str
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Curve:
    """A series drawn: ``path`` is the line in SVG's words, ``points`` where its markers stand."""

    series: Series
    path: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on an axis: its ``label`` and its place."""

    label: int
    at: float


@dataclass(frozen=True, slots=True)
class Chart:
    """One chart, ``WIDTH`` by ``HEIGHT`` units; ``family`` and ``name`` are its title's words."""

    family: str
    name: str
    curves: tuple[Curve, ...]
    ticks: tuple[Tick, ...]
    levels: tuple[Tick, ...]


@dataclass(frozen=True, slots=True)
class Chronicle:
    """The charts, and the same numbers: a column a series, a row a moment."""

    charts: tuple[Chart, ...]
    columns: tuple[Series, ...]
    turns: tuple[int, ...]

    @property
    def rows(self) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """Each turn with its numbers."""
        return tuple((turn, tuple(s.values[at] for s in self.columns)) for at, turn in enumerate(self.turns))


def chronicle(course: Course) -> Chronicle:
    """The charts of a game."""
    portraits = tuple(course.game.portray(moment.state, ()) for moment in course.moments)
    turns = tuple(moment.turn for moment in course.moments)
    grouped = (*_meters(portraits), *_conditions(portraits), *_goals(portraits))
    charts = tuple(_chart(name, most, series, turns) for name, most, series in grouped)
    return Chronicle(charts, tuple(one for _, _, series in grouped for one in series), turns)


_Group = tuple[tuple[str, str], int, tuple[Series, ...]]
"""A chart's title (family and name), its greatest number, its series."""


def _meters(portraits: tuple[Portrait, ...]) -> tuple[_Group, ...]:
    groups = []
    for place, meter in enumerate(portraits[0].meters):
        values = tuple(portrait.meters[place].at + 1 for portrait in portraits)
        groups.append((("meter", meter.name), len(meter.marks), (Series("meter", meter.name, values),)))
    return tuple(groups)


def _conditions(portraits: tuple[Portrait, ...]) -> tuple[_Group, ...]:
    boards = [portrait.board for portrait in portraits if portrait.board]
    if len(boards) < len(portraits):
        return ()
    counts = [Counter(space.condition for space in board.spaces) for board in boards]
    kinds = {space.condition: (space.gone, space.tone) for board in boards for space in board.spaces}
    tones = list(type(next(iter(kinds.values()))[1]))
    order = sorted(kinds, key=lambda kind: (kinds[kind][0], tones.index(kinds[kind][1]), kind))
    series = tuple(Series("condition", kind, tuple(count[kind] for count in counts)) for kind in order)
    return ((("web", "board"), len(boards[0].spaces), series),)


def _goals(portraits: tuple[Portrait, ...]) -> tuple[_Group, ...]:
    if not portraits[0].goals:
        return ()
    reached = tuple(sum(goal.reached for goal in portrait.goals) for portrait in portraits)
    return ((("web", "goals"), len(portraits[0].goals), (Series("web", "goals", reached),)),)


def _chart(title: tuple[str, str], most: int, series: tuple[Series, ...], turns: tuple[int, ...]) -> Chart:
    across = (WIDTH - LEFT - RIGHT) / max(1, len(turns) - 1)
    up = (HEIGHT - TOP - BOTTOM) / most

    def place(at: int, value: int) -> tuple[float, float]:
        return round(LEFT + at * across, 1), round(HEIGHT - BOTTOM - value * up, 1)

    def curve(one: Series) -> Curve:
        steps = [place(at, value) for at, value in enumerate(one.values)]
        line = [f"{'L' if at else 'M'}{x} {y}" for at, (x, y) in enumerate(steps)]
        every = -(-len(steps) // MARKERS_AT_MOST)
        return Curve(one, "".join(line), tuple(steps[::-1][::every]))

    each = -(-len(turns) // TICKS_AT_MOST)
    ticks = tuple(Tick(turn, place(at, 0)[0]) for at, turn in enumerate(turns) if at % each == 0)
    levels = tuple(Tick(level, place(0, level)[1]) for level in sorted({0, most // 2, most}))
    return Chart(*title, tuple(map(curve, series)), ticks, levels)
