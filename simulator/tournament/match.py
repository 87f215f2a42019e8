"""Which games a tournament consists of. A game is its number, so that any process on any machine plays the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from companion.rules.quick import Chance, QuickGame
from companion.rules.registry import GAMES, QUICK
from simulator.bots.lineup import player
from simulator.bots.referee import play, stream


@dataclass(frozen=True, slots=True, order=True)
class Match:
    """One game: how many players, how hard, and its number from 0."""

    players: int
    difficulty: str
    number: int


@dataclass(frozen=True, slots=True)
class Result:
    """How a match went; ``fault`` is what a bot did wrong, where that lost it."""

    match: Match
    won: bool
    reason: str | None
    turns: int
    commands: int
    progress: float
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Terms:
    """What makes two tournaments the same, game by game: the game, who plays it, and the seed."""

    game: str
    player: str
    seed: str

    def json(self) -> dict[str, str]:
        """For the head of a file of results."""
        return asdict(self)


def matches(players: Sequence[int], difficulties: Sequence[str], games: int) -> Iterator[Match]:
    """The matches, mixed so that every kind of game comes along from the start."""
    for number in range(games):
        for count in players:
            for difficulty in difficulties:
                yield Match(count, difficulty, number)


def play_matches(terms: Terms, batch: Sequence[Match]) -> list[Result]:
    """Play some matches, here and now."""
    someone = player(terms.player)
    try:
        return [_play(terms, match, someone) for match in batch]
    finally:
        someone.close()


def _play(terms: Terms, match: Match, someone: Any) -> Result:
    game = QUICK[terms.game]
    seed = f"{terms.seed}/{match.players}/{match.difficulty}/{match.number}"
    setup = seated(game, match, stream(seed, "seats"))
    played = play(game, setup, someone, seed)
    return Result(match, played.won, played.reason, played.turns, played.commands, played.progress, played.fault)


def seated(game: QuickGame, match: Match, chance: Chance) -> dict[str, Any]:
    """The set-up of a match: chance says who sits where, the dealer settles the rest."""
    seats = list(offered(game.name, "players"))
    chosen = [seats.pop(int(chance() * len(seats))) for _ in range(match.players)]
    return {"players": chosen, "difficulty": match.difficulty}


def offered(game: str, key: str) -> tuple[str, ...]:
    """What a game's set-up offers under a key."""
    return next(choice.options for choice in GAMES[game].choices() if choice.key == key)


def seats(game: str) -> range:
    """How many may play."""
    choice = next(choice for choice in GAMES[game].choices() if choice.key == "players")
    return range(choice.least, choice.most + 1)
