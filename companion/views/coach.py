"""What a coach says when it is asked: the chance to win from here, and the best few things to do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from companion.rules.game import AnyGame, JsonObject
from companion.rules.portrait import Phrase


@dataclass(frozen=True, slots=True)
class Advised:
    """Commands to give one after another, none to let the cards come, and the chance to win after them.

    The chance is the mean over ``samples`` of what may come, 0 where there was no time for one; it lies between ``low``
    and ``high`` with about 95 % confidence.
    """

    commands: tuple[Phrase, ...]
    chance: Fraction
    samples: int
    low: Fraction
    high: Fraction


@dataclass(frozen=True, slots=True)
class Opinion:
    """The best first; ``samples`` is how often the next cards were drawn, for all of them together."""

    best: tuple[Advised, ...]
    samples: int


class Coach(Protocol):
    """Somebody who plays a game well, thinks beside the event loop, and speaks only when asked."""

    def knows(self, game: AnyGame, state: Any) -> bool:
        """Whether it can say anything about this position."""
        ...

    def wants_more(self, game: AnyGame, state: Any) -> bool:
        """Whether it could, if only this game told it more: too little of it is tracked."""
        ...

    async def advise(self, game: AnyGame, state: Any) -> JsonObject:
        """What it thinks (:func:`opinion` reads it). Cancelled, it stops thinking. Raises CoachLost."""
        ...


class CoachLost(Exception):
    """The coach gave no answer; the text says why, for the log."""


def opinion(game: AnyGame, told: JsonObject) -> Opinion:
    """Read what a coach thinks: ``{"samples": N, "best": [{"do": [COMMAND, ...], "chance": 0.6, ...}, ...]}``."""
    return Opinion(tuple(_advised(game, each) for each in told["best"]), told["samples"])


def _advised(game: AnyGame, told: JsonObject) -> Advised:
    commands: Sequence[JsonObject] = told["do"]
    return Advised(
        commands=tuple(game.word(game.read_command(command)) for command in commands),
        chance=Fraction(told["chance"]).limit_denominator(1000),
        samples=told["samples"],
        low=Fraction(told["low"]).limit_denominator(1000),
        high=Fraction(told["high"]).limit_denominator(1000),
    )
