"""Coaching: the best few options of a position, each played on to the next turn on samples of what may come.

When a game is nearly done, what is left of it is played to the end instead, for guesses are at their worst there.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import Any

from companion.rules.game import AnyGame
from companion.rules.quick import Policy, QuickGame
from simulator.bots.experts import expert
from simulator.bots.sampling import Depth, Sampler, Try, search
from simulator.tournament.score import wilson

BEST, AMONG = 3, 40
"""So many options are told, which differ, among the best so many."""
NEVER = 1_000_000
"""More samples than any time is enough for."""
LEAST = 2
"""So many samples are taken whatever the time, unless somebody waits: fewer would know nothing of their spread."""
DOUBT, LEAST_DOUBT = 0.1, 0.03
"""How far a guessed chance of one half may be off, and of none or all, beside what the samples leave open."""
SURE = 1.96
"""So many standard errors hold 95 of 100 samples."""


def advise(
    quick: QuickGame, game: AnyGame, state: Any, seconds: float, go_on: Callable[[], bool] = lambda: True
) -> dict[str, Any]:
    """The best few options and the chance to win after each; stops early where ``go_on`` says so.

    Undealt cards are sampled from the zones: what is said depends on nothing that the table cannot know. ValueError
    where the state holds too little to play on from.
    """
    position, policy = quick.position(state), expert(quick)
    if position.ended:
        return {"samples": 0, "best": []}
    options = different(policy.options(position, AMONG), BEST)
    if _wins(quick, policy, quick.copy(position), options[0]):
        commands = _commands(quick, game, position, options[0])
        return {"samples": 1, "best": [{"do": commands, "chance": 1.0, "samples": 1, "low": 1.0, "high": 1.0}]}
    to_the_end, tries = quick.progress(position) == 1, [Try(codes) for codes in options]
    end = time.monotonic() + seconds  # what a policy takes to load, the first time, is not thinking

    def until_then() -> bool:
        return go_on() and (tries[-1].number < LEAST or time.monotonic() < end)

    look = Depth(BEST, (NEVER,), None if to_the_end else 1)
    found = search(Sampler(quick, policy), quick.copy(position), tries, look, "coach", until_then)
    return {
        "samples": sum(each.number for each in found),
        "best": [_told(each, to_the_end) | {"do": _commands(quick, game, position, each.codes)} for each in found],
    }


def different(options: Sequence[tuple[int, ...]], number: int) -> list[tuple[int, ...]]:
    """The first option, and those after it that have no more than half in common with any one taken before."""
    taken: list[tuple[int, ...]] = []
    for codes in options:
        if all(2 * len(set(codes) & set(other)) <= max(len(codes), len(other), 1) for other in taken):
            taken.append(codes)
            if len(taken) == number:
                break
    return taken


def _wins(quick: QuickGame, policy: Policy, copy: Any, codes: Sequence[int]) -> bool:
    """Whether the game is won from here whatever comes: before another card is drawn."""
    while codes and not copy.ended:
        for code in codes:
            copy.play(code)
            if quick.interrupted(copy):
                break
        codes = () if copy.ended else policy.choose(copy)
    outcome = quick.outcome(copy)
    return outcome is not None and outcome.won


def _told(tried: Try, to_the_end: bool) -> dict[str, Any]:
    chance, number = tried.chance, tried.number
    if to_the_end:
        low, high = wilson(round(tried.total), number)
    else:
        doubt = math.hypot(SURE * tried.error, 2 * DOUBT * math.sqrt(chance * (1 - chance)), LEAST_DOUBT)
        low, high = max(0.0, chance - doubt), min(1.0, chance + doubt)
    return {"chance": chance, "samples": number, "low": low, "high": high}


def _commands(quick: QuickGame, game: AnyGame, position: Any, codes: Sequence[int]) -> list[Any]:
    return [game.command_json(quick.command(position, code)) for code in codes]
