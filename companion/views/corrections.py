"""What the table can overrule: every adjustable value of a position, by the part of the position it belongs to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import groupby

from companion.rules.game import Adjustable
from companion.table.snapshot import Seated


@dataclass(frozen=True, slots=True)
class Value:
    """One adjustable; ``counts`` says how many of each option it holds, only where it holds many."""

    adjustable: Adjustable
    counts: tuple[tuple[str, int], ...] = ()

    @property
    def chosen(self) -> str | None:
        """The single value that the engine believes, None where there is none."""
        return self.adjustable.value[0] if self.adjustable.value else None


@dataclass(frozen=True, slots=True)
class Part:
    """The values of one part of the position, in the game's order."""

    part: str
    values: tuple[Value, ...]


def corrections(seated: Seated) -> tuple[Part, ...]:
    """Every value of the seated game that a correction can set, part by part."""
    adjustables = seated.game.adjustables(seated.state)
    order = {adjustable.part: place for place, adjustable in reversed(list(enumerate(adjustables)))}
    by_part = sorted(adjustables, key=lambda adjustable: order[adjustable.part])
    return tuple(Part(part, tuple(map(_value, values))) for part, values in groupby(by_part, lambda value: value.part))


def _value(adjustable: Adjustable) -> Value:
    if not adjustable.many:
        return Value(adjustable)
    held = Counter(adjustable.value)
    return Value(adjustable, tuple((option, held[option]) for option in dict.fromkeys(adjustable.options)))
