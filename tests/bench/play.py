"""How fast the game is played by programs: against a yardstick, and beside what other engines are known to do.

Seconds are the processor's, so that a busy machine does not count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from time import process_time
from typing import Any

from companion.rules.quick import QuickGame
from companion.rules.registry import GAMES, QUICK
from simulator.bots.experts import expert
from simulator.bots.player import Player, PolicyPlayer, RandomPlayer
from simulator.bots.referee import play
from simulator.bots.sampling import SamplingPlayer
from simulator.tournament.match import Match, seated

KOTLIN_COMMANDS, KOTLIN_RANDOM, KOTLIN_RULES, PYTHON_RANDOM, PYTHON_RULES = 93_000, 1_450, 233, 354, 29
"""Of a public Kotlin engine and a public Python one, a second, on a machine like the one docs/speed.md speaks of."""
SECONDS = 2.0
ROUNDS = 3


def lines(yardstick: Callable[[], object]) -> Iterator[str]:
    """The figures, one a line; each beside the yardstick timed just before it."""
    game = next(iter(QUICK.values()))
    yield _line("commands/s, random, all legal ones listed", _listed(game), yardstick, KOTLIN_COMMANDS, "Kotlin")
    for name, player, known in (
        ("games/s, random player, answers checked", RandomPlayer(), KOTLIN_RANDOM),
        ("games/s, steady player, answers checked", PolicyPlayer(), KOTLIN_RULES),
        ("games/s, learned player", PolicyPlayer("learned", expert), None),
        ("games/s, strong player", SamplingPlayer(), None),
    ):
        yield _line(name, _games(game, player), yardstick, known, "Kotlin")
    rules = f"{'commands/s of the readable rules themselves, random':<58} {_rules(game.name):>10,.0f}"
    yield f"{rules}   (public Python: {PYTHON_RANDOM} random games/s, {PYTHON_RULES} by rules)"


def _line(
    name: str, rate: Callable[[float], float], yardstick: Callable[[], object], known: float | None, whose: str
) -> str:
    best, a_loop = 0.0, 0.0
    for _ in range(ROUNDS):
        begun = process_time()
        for _ in range(200):
            yardstick()
        a_loop = 200 / (process_time() - begun)
        best = max(best, rate(SECONDS / ROUNDS))
    told = f"{name:<58} {best:>10,.1f}   {best / a_loop:>9.3f} a loop of the yardstick"
    return told if known is None else f"{told}   {best / known:>6.2f} x {whose}"


def _listed(game: QuickGame) -> Callable[[float], float]:
    """Random commands a second, the whole list of legal ones made for each."""

    def rate(seconds: float) -> float:
        rng, commands, begun = Random(1), 0, process_time()
        starts = [game.deal(seated(game, Match(2, "novice", number), rng.random), rng.random) for number in range(200)]
        saved = [position.save() for position in starts]
        chance, begun = rng.random, process_time()
        while process_time() - begun < seconds:
            for position, start in zip(starts, saved, strict=True):
                position.restore(start)
                legal, play = position.legal, position.play
                while codes := legal():
                    play(codes[int(chance() * len(codes))])
                    commands += 1
        return commands / (process_time() - begun)

    return rate


def _games(game: QuickGame, player: Player) -> Callable[[float], float]:
    """Whole games a second, dealt and refereed."""

    def rate(seconds: float) -> float:
        games, rng, begun = 0, Random(1), process_time()
        while process_time() - begun < seconds or not games:
            play(game, seated(game, Match(2, "novice", games), rng.random), player, f"bench {games}")
            games += 1
        return games / (process_time() - begun)

    return rate


def _rules(name: str) -> float:
    """Random commands a second on the rules' own states."""
    game, rng, commands = GAMES[name], Random(1), 0

    def pick(_purpose: str, options: Any) -> str:
        return str(options[int(rng.random() * len(options))])

    begun = process_time()
    while process_time() - begun < SECONDS / ROUNDS:
        state = game.start(game.complete({"players": ["explorer", "pilot"], "difficulty": "novice"}, pick))
        while legal := game.legal(state):
            for event in game.decide(state, rng.choice(legal)):
                state = game.evolve(state, event)
            commands += 1
    return commands / (process_time() - begun)
