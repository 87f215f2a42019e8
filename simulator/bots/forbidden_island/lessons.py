"""Games that the learned player plays to learn from: what it saw after each turn, and what came of it.

Now and then it plays a turn on a whim, to learn about what it would never try. What came before a whim is judged by
the best turn that there was, not by how the whim went.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from math import log
from typing import Any

import numpy as np

from companion.rules.forbidden_island.fast import deal
from companion.rules.forbidden_island.fast.placed import ACTIONS, FLOOD, TREASURE, WON
from companion.rules.forbidden_island.fast.position import Position
from companion.rules.forbidden_island.setup import read_setup
from companion.rules.quick import Chance
from simulator.bots.forbidden_island.features import Seen, seen
from simulator.bots.forbidden_island.outlook import Floats, outlook
from simulator.bots.forbidden_island.policy import Learned, Scored, chance
from simulator.bots.forbidden_island.turns import stance

WHIMS = 0.2
"""The share of turns that are played on a whim."""
TRUST = 0.85
"""How much what came later counts at each turn; the rest is what the net thought of the best turn then."""
MOMENTS = {TREASURE: 0.0, FLOOD: 0.2}
"""How often a position in the middle of a phase is taken up too."""


@dataclass(frozen=True, slots=True)
class Lessons:
    """Positions as the net sees them, of games with one number of players, and the chance to win that it should see."""

    looks: Seen
    chances: Floats


def joined(lessons: Sequence[Lessons]) -> Lessons:
    """Lessons of equally many players in one."""
    looks = [each.looks for each in lessons]
    tables = [np.concatenate([getattr(look, field.name) for look in looks]) for field in fields(Seen)]
    return Lessons(Seen(*tables), np.concatenate([each.chances for each in lessons]))


def lessons(setup: Mapping[str, Any], learned: Learned, luck: Chance, whim: float) -> Lessons:
    """Play one game and take its lessons; ``whim`` is how far, in log odds, a whim may stray."""
    position = deal.deal(read_setup(dict(setup)), luck)
    return _Diary(learned, position, luck, whim).kept()


class _Diary:
    def __init__(self, learned: Learned, position: Position, luck: Chance, whim: float) -> None:
        self._learned, self._p, self._luck, self._whim = learned, position, luck, whim
        self._looks: list[Seen] = []
        self._turns: list[tuple[int, float, bool]] = []
        """For each turn: the lessons before it, the chance after the best way to play it, whether it was a whim."""

    def kept(self) -> Lessons:
        while not self._p.ended:
            self._go_on()
        chances = np.zeros(len(self._looks))
        worth, end = float(self._p.phase == WON), len(self._looks)
        for begin, best, whim in reversed(self._turns):
            chances[begin:end] = worth
            worth, end = best if whim else TRUST * worth + (1 - TRUST) * best, begin
        chances[:end] = worth
        tables = [np.concatenate([getattr(look, field.name) for look in self._looks]) for field in fields(Seen)]
        return Lessons(Seen(*(table.astype(np.float32) for table in tables)), chances)

    def _go_on(self) -> None:
        p = self._p
        scored = self._learned.scored(p)
        codes = scored[0][1]
        if p.phase == ACTIONS and not p.over:
            codes = self._turn(scored)
        for code in codes:
            p.play(code)
            if p.over or p.swimming or p.ended:
                break
        if not codes:
            self._wait()
        elif p.phase == TREASURE and not p.over:
            self._take_up()

    def _turn(self, scored: Scored) -> tuple[int, ...]:
        whim = self._luck() < WHIMS
        self._turns.append((len(self._looks), chance(scored[0][0]), whim))
        if not whim:
            return scored[0][1]
        return max(scored, key=lambda answer: answer[0] - self._whim * log(-log(self._luck() or 1e-12)))[1]

    def _wait(self) -> None:
        drawn = deal.draw(self._p, self._luck)
        assert drawn is not None
        self._p.play(drawn)
        p = self._p
        if not (p.over or p.swimming or p.ended) and self._luck() < MOMENTS.get(p.phase, 0):
            self._take_up()

    def _take_up(self) -> None:
        self._looks.append(seen(self._p, outlook(self._p), [stance(self._p)]))
