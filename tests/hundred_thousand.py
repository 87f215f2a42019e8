"""``python -m tests.hundred_thousand [GAMES]``: so many games, and not one broken invariant.

Every position of every game is checked on the fast positions. One game in a hundred is played along on the rules' own
states, whose invariants are checked at every step and which must be the same position all along. Players, difficulty,
shape and who plays are by chance; the number of the game repeats it.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from random import Random
from typing import Any

from tqdm import tqdm

from companion.rules.forbidden_island.fast.convert import differences
from companion.rules.forbidden_island.island import Shape
from companion.rules.registry import GAMES, QUICK

GAME, QUICKLY = GAMES["forbidden_island"], QUICK["forbidden_island"]
ROLES = ("diver", "engineer", "explorer", "messenger", "navigator", "pilot")
HARD = ("novice", "normal", "elite", "legendary")
USUAL = 100_000
BATCH = 100
STEADY_SHARE = 0.1
"""The games that are played by the rules of thumb, which come much further than chance."""


class Broken(Exception):
    """An invariant does not hold; the text says which, and the game's number."""


def setup_of(rng: Random) -> dict[str, Any]:
    """Any set-up."""
    seats = rng.sample(ROLES, rng.randint(2, 4))
    return {"players": seats, "difficulty": rng.choice(HARD), "island": rng.choice(list(Shape)).value}


def play(number: int) -> tuple[str, int]:
    """Play one game; how it ended and its commands. Raises Broken."""
    rng = Random(number)
    position = QUICKLY.deal(setup_of(rng), rng.random)
    steady = QUICKLY.policy() if rng.random() < STEADY_SHARE else None
    state = QUICKLY.state(position) if number % BATCH == 0 else None
    commands = 0
    while not position.ended:
        codes = steady.choose(position) if steady else (rng.choice(position.legal()),)
        drawn = None if codes else QUICKLY.draw(position, rng.random)
        for code in codes if drawn is None else (drawn,):
            state = state and along(state, position, code, number)
            position.play(code)
            commands += 1
            check(position, state, number)
            if QUICKLY.interrupted(position):
                break
    outcome = QUICKLY.outcome(position)
    assert outcome is not None
    return outcome.reason or "won", commands


def along(state: Any, position: Any, code: int, number: int) -> Any:
    """The state of the rules after the same command."""
    command = QUICKLY.command(position, code)
    if command not in GAME.legal(state):
        raise Broken(f"game {number}: the rules do not list {GAME.command_json(command)}")
    for event in GAME.decide(state, command):
        state = GAME.evolve(state, event)
    return state


def check(position: Any, state: Any, number: int) -> None:
    """Whether everything holds that must. Raises Broken."""
    faults = QUICKLY.faults(position)
    if faults:
        raise Broken(f"game {number}: {', '.join(faults)}")
    if state is not None:
        wrong = [*map(str, GAME.faults(state)), *differences(state, position)]
        if wrong:
            raise Broken(f"game {number}: {', '.join(wrong)}")


def play_batch(first: int) -> tuple[Counter[str], int]:
    """A batch of games, by number."""
    ends, commands = Counter[str](), 0
    for number in range(first, first + BATCH):
        end, played = play(number)
        ends[end] += 1
        commands += played
    return ends, commands


def batches(games: int) -> Iterator[tuple[Counter[str], int]]:
    """The batches as they are done, on all cores."""
    with ProcessPoolExecutor(os.cpu_count(), mp_context=multiprocessing.get_context("spawn")) as pool:
        yield from tqdm(pool.map(play_batch, range(0, games, BATCH)), total=games // BATCH, disable=None, unit="batch")


def main() -> int:
    """Play, and say how the games ended; 1 where an invariant broke."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else USUAL
    ends, commands = Counter[str](), 0
    try:
        for ended, played in batches(games):
            ends += ended
            commands += played
    except Broken as fault:
        print(fault, file=sys.stderr)
        return 1
    told = ", ".join(f"{end} {number:,}" for end, number in ends.most_common())
    print(f"{sum(ends.values()):,} games, {commands:,} commands, no broken invariant: {told}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
