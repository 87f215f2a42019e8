"""What the results of a tournament show: the chance to win each kind of game, and how the others were lost."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from simulator.tournament.match import Result

NINETY_FIVE = 1.959963984540054
"""Standard deviations on either side of the middle that hold 95 in 100."""


def wilson(won: int, played: int) -> tuple[float, float]:
    """The 95 % confidence interval of a chance of which ``won`` of ``played`` came true (Wilson 1927)."""
    if not played:
        return 0.0, 1.0
    z2 = NINETY_FIVE**2
    share = won / played
    middle = share + z2 / (2 * played)
    spread = NINETY_FIVE * math.sqrt(share * (1 - share) / played + z2 / (4 * played**2))
    whole = 1 + z2 / played
    return max(0.0, (middle - spread) / whole), min(1.0, (middle + spread) / whole)


@dataclass(frozen=True, slots=True)
class Score:
    """All games of one number of players and difficulty; ``losses`` by reason, the most frequent first."""

    players: int
    difficulty: str
    played: int
    won: int
    turns: float
    commands: float
    losses: Mapping[str, int]

    @property
    def share(self) -> float:
        """The share that was won."""
        return self.won / self.played

    @property
    def doubt(self) -> tuple[float, float]:
        """Between which the chance to win lies, with 95 % confidence."""
        return wilson(self.won, self.played)

    def json(self) -> dict[str, Any]:
        """For programs."""
        low, high = self.doubt
        return {
            "players": self.players,
            "difficulty": self.difficulty,
            "played": self.played,
            "won": self.won,
            "share": round(self.share, 4),
            "low": round(low, 4),
            "high": round(high, 4),
            "turns": round(self.turns, 2),
            "commands": round(self.commands, 1),
            "losses": dict(self.losses),
        }


def scores(results: Iterable[Result], difficulties: Iterable[str]) -> list[Score]:
    """The scores, by difficulty in the order given, then by number of players."""
    order = list(difficulties)
    kinds: dict[tuple[int, int], list[Result]] = {}
    for result in results:
        kind = (order.index(result.match.difficulty), result.match.players)
        kinds.setdefault(kind, []).append(result)
    return [_score(games) for _, games in sorted(kinds.items())]


def _score(games: list[Result]) -> Score:
    match, number = games[0].match, len(games)
    losses = Counter(game.reason or "lost" for game in games if not game.won)
    return Score(
        players=match.players,
        difficulty=match.difficulty,
        played=number,
        won=sum(game.won for game in games),
        turns=sum(game.turns for game in games) / number,
        commands=sum(game.commands for game in games) / number,
        losses=dict(losses.most_common()),
    )


def table(found: Iterable[Score]) -> list[str]:
    """The scores as lines of text."""
    head = f"{'difficulty':<11} {'players':>7} {'games':>7} {'won':>7} {'95 %':>15} {'turns':>6}  lost by"
    return [head, *(_line(score) for score in found)]


def _line(score: Score) -> str:
    low, high = score.doubt
    doubt = f"{low:.1%} - {high:.1%}"
    lost = ", ".join(f"{reason} {number / score.played:.1%}" for reason, number in score.losses.items())
    return (
        f"{score.difficulty:<11} {score.players:>7} {score.played:>7} {score.share:>7.1%} {doubt:>15} "
        f"{score.turns:>6.1f}  {lost}"
    )
