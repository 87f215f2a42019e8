"""A player that looks ahead by sampling: it plays on what may be good, many times, and guesses from the next turn.

Undealt cards are sampled from the zones of the decks, so that it knows no more than anyone at the table.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from companion.rules.quick import Chance, Policy, QuickGame
from simulator.bots.experts import expert
from simulator.bots.player import BadAnswer


@dataclass(slots=True)
class Try:
    """An answer with what came of its samples: their number, the sum of their chances to win, and of the squares."""

    codes: tuple[int, ...]
    number: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, chance: float) -> None:
        """Count one sample."""
        self.number += 1
        self.total += chance
        self.squares += chance * chance

    @property
    def chance(self) -> float:
        """The chance to win, by its samples; 0 before the first."""
        return self.total / self.number if self.number else 0.0

    @property
    def error(self) -> float:
        """The standard error of the chance; 1 before there are two samples."""
        if self.number < 2:
            return 1.0
        variance = max(0.0, self.squares / self.number - self.chance**2)
        return math.sqrt(variance / (self.number - 1))


class Sampler:
    """Plays positions on: the policy for the team, chance for the dealer."""

    def __init__(self, game: QuickGame, policy: Policy) -> None:
        self._game, self._policy = game, policy

    def sample(
        self, position: Any, saved: tuple[Any, ...], codes: Sequence[int], seed: str, turns: int | None
    ) -> float:
        """The chance to win after one sample of an answer, ``turns`` turns on; None plays to the end.

        The same seed meets every answer with the same luck, as far as that goes.
        """
        game, chance = self._game, Random(seed).random
        position.restore(saved)
        last = math.inf if turns is None else game.turn(position) + turns
        self._play(position, codes, chance)
        while not position.ended and game.turn(position) < last:
            self._play(position, self._policy.choose(position), chance)
        return self._policy.forecast(position)

    def _play(self, position: Any, codes: Sequence[int], chance: Chance) -> None:
        """Play an answer; none is the next draw."""
        for code in codes:
            position.play(code)
            if self._game.interrupted(position):
                return
        if not codes:
            drawn = self._game.draw(position, chance)
            if drawn is None:
                raise BadAnswer("the policy waits where no card is due")
            position.play(drawn)


def best_first(tries: Sequence[Try]) -> list[Try]:
    """By chance; of equal ones the first stays first."""
    return sorted(tries, key=lambda each: -each.chance)


@dataclass(frozen=True, slots=True)
class Depth:
    """How much is looked at: options, samples a round (the worse half of the options goes after each), turns ahead."""

    options: int = 4
    rounds: tuple[int, ...] = (4, 4)
    turns: int | None = 1


def search(
    sampler: Sampler, position: Any, tries: list[Try], depth: Depth, seed: str, go_on: Callable[[], bool]
) -> list[Try]:
    """Sample tries, round by round; those left, the best first.

    ``position`` is played on: hand in a copy. ``go_on`` is asked before each sample of all that are left.
    """
    saved, left, number = position.save(), tries, 0
    for size in depth.rounds:
        for _ in range(size):
            if not go_on():
                return best_first(left)
            for each in left:
                each.add(sampler.sample(position, saved, each.codes, f"{seed}/{number}", depth.turns))
            number += 1
        left = best_first(left)[: max(1, len(left) // 2)]
        if len(left) == 1:
            break
    return left


class SamplingPlayer:
    """The strong player."""

    name = "strong"

    def __init__(self, depth: Depth | None = None) -> None:
        self._depth = depth or Depth()
        self._samplers: dict[str, tuple[Policy, Sampler]] = {}

    def begin(self, game: QuickGame, chance: Chance) -> None:
        """A new game; ``chance`` seeds the sampling."""
        if game.name not in self._samplers:
            policy = expert(game)
            self._samplers[game.name] = policy, Sampler(game, policy)
        self._policy, self._sampler = self._samplers[game.name]
        self._game, self._chance = game, chance

    def choose(self, position: Any) -> Sequence[int]:
        """The option that its samples liked best."""
        options = self._policy.options(position, self._depth.options)
        if len(options) == 1:
            return options[0]
        tries, copy = [Try(codes) for codes in options], self._game.copy(position)
        return search(self._sampler, copy, tries, self._depth, repr(self._chance()), lambda: True)[0].codes

    def close(self) -> None:
        """Nothing to put away."""
