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
    """Commands to give one after another, none to let the cards come, and what became of them.

    ``won`` of ``played`` games that were played on to their end were won; the chance lies between ``low`` and ``high``
    with 95 % confidence.
    """

    commands: tuple[Phrase, ...]
    won: int
    played: int
    low: Fraction
    high: Fraction

    @property
    def chance(self) -> Fraction:
        """The share that was won; 0 where there was no time for a game."""
        return Fraction(self.won, self.played) if self.played else Fraction(0)


@dataclass(frozen=True, slots=True)
class Opinion:
    """The best first; ``games`` is how many were played on, for all of them together."""

    best: tuple[Advised, ...]
    games: int


class Coach(Protocol):
    """Somebody who plays a game well, thinks beside the event loop, and speaks only when asked."""

    def knows(self, game: AnyGame, state: Any) -> bool:
        """Whether it can say anything about this position."""
        ...

    async def advise(self, game: AnyGame, state: Any) -> JsonObject:
        """What it thinks (:func:`opinion` reads it). Cancelled, it stops thinking. Raises CoachLost."""
        ...


class CoachLost(Exception):
    """The coach gave no answer; the text says why, for the log."""


def opinion(game: AnyGame, told: JsonObject) -> Opinion:
    """Read what a coach thinks: ``{"games": N, "best": [{"do": [COMMAND, ...], "won": N, ...}, ...]}``."""
    return Opinion(tuple(_advised(game, each) for each in told["best"]), told["games"])


def _advised(game: AnyGame, told: JsonObject) -> Advised:
    commands: Sequence[JsonObject] = told["do"]
    return Advised(
        commands=tuple(game.word(game.read_command(command)) for command in commands),
        won=told["won"],
        played=told["played"],
        low=Fraction(told["low"]).limit_denominator(1000),
        high=Fraction(told["high"]).limit_denominator(1000),
    )
