"""A player that looks ahead by sampling: it plays what may be good on to the end, many times, and counts.

Undealt cards are sampled from the zones of the decks, so that it knows no more than anyone at the table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from companion.rules.quick import Chance, Policy, QuickGame
from simulator.bots.player import WAIT, BadAnswer

ALMOST = 0.05
"""What the progress of a lost game counts for, beside 1 for a win, so that hopeless games are fought too."""


@dataclass(slots=True)
class Try:
    """An answer with the play-outs it had."""

    codes: tuple[int, ...]
    played: int = 0
    won: int = 0
    credit: float = field(default=0.0)

    @property
    def chance(self) -> float:
        """The share that was won; 0 before the first."""
        return self.won / self.played if self.played else 0.0

    @property
    def score(self) -> float:
        """Wins, and a little for how far lost games came."""
        return self.credit / self.played if self.played else 0.0


class Playouts:
    """Plays positions on with a policy for the team and chance for the dealer."""

    def __init__(self, game: QuickGame, policy: Policy) -> None:
        self._game, self._policy = game, policy

    def to_the_end(self, position: Any, chance: Chance) -> bool:
        """Play a position on, in place; whether it was won."""
        game, choose, play, draw = self._game, self._policy.choose, position.play, self._game.draw
        interrupted = game.interrupted
        while not position.ended:
            codes = choose(position)
            if codes:
                for code in codes:
                    play(code)
                    if interrupted(position):
                        break
            else:
                drawn = draw(position, chance)
                if drawn is None:
                    raise BadAnswer("the policy waits where no card is due")
                play(drawn)
        outcome = game.outcome(position)
        return outcome is not None and outcome.won

    def attempt(self, position: Any, saved: tuple[Any, ...], tried: Try, seed: str) -> None:
        """One play-out of an answer from a saved position; the same seed meets every answer with the same luck."""
        chance = Random(seed).random
        position.restore(saved)
        if tried.codes:
            for code in tried.codes:
                position.play(code)
                if self._game.interrupted(position):
                    break
        else:
            drawn = self._game.draw(position, chance)
            if drawn is not None:
                position.play(drawn)
        won = self.to_the_end(position, chance)
        tried.played += 1
        tried.won += won
        tried.credit += won + ALMOST * self._game.progress(position)


def halved(tries: Sequence[Try]) -> list[Try]:
    """The better half, the best first; what stood first wins a draw."""
    best = sorted(tries, key=lambda each: -each.score)
    return best[: max(1, len(best) // 2)]


def search(
    playouts: Playouts, position: Any, tries: list[Try], rounds: Sequence[int], seed: str, go_on: Callable[[], bool]
) -> list[Try]:
    """Play tries out, round by round, the worse half dropped after each; the tries left, the best first.

    ``position`` is played on: hand in a copy. ``go_on`` is asked before each play-out of all that are left.
    """
    saved, left, number = position.save(), tries, 0
    for size in rounds:
        for _ in range(size):
            if not go_on():
                return sorted(left, key=lambda each: -each.score)
            for each in left:
                playouts.attempt(position, saved, each, f"{seed}/{number}")
            number += 1
        left = halved(left)
        if len(left) == 1:
            break
    return left


class SamplingPlayer:
    """The strong player."""

    name = "strong"

    def __init__(self, rounds: Sequence[int] = (6, 12, 24), options: int = 10) -> None:
        self._rounds, self._options = tuple(rounds), options

    def begin(self, game: QuickGame, chance: Chance) -> None:
        """A new game; ``chance`` seeds the sampling."""
        self._game, self._chance = game, chance
        self._policy = game.policy()
        self._playouts = Playouts(game, self._policy)

    def choose(self, position: Any) -> Sequence[int]:
        """The option that its play-outs liked best."""
        options = self._policy.options(position, self._options)
        if len(options) == 1:
            return options[0]
        tries = [Try(codes) for codes in options]
        copy = self._game.copy(position)
        return search(self._playouts, copy, tries, self._rounds, repr(self._chance()), lambda: True)[0].codes or WAIT

    def close(self) -> None:
        """Nothing to put away."""
