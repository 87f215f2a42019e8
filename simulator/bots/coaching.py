"""Coaching: the best few options of a position, each played on to the next turn on samples of what may come."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

from companion.rules.game import AnyGame
from companion.rules.quick import QuickGame
from simulator.bots.experts import expert
from simulator.bots.sampling import Depth, Sampler, Try, search

NEVER = 1_000_000
"""More samples than any time is enough for."""
LOOK = Depth(options=3, rounds=(NEVER,), turns=1)
LEAST = 2
"""So many samples are taken whatever the time, unless somebody waits: fewer would know nothing of their spread."""
DOUBT = 0.1
"""How far a guessed chance of one half may be off, beside what the samples leave open; nothing where all is certain."""
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
    tries = [Try(codes) for codes in policy.options(position, LOOK.options)] if not position.ended else []
    sampler, copy = Sampler(quick, policy), quick.copy(position)
    end = time.monotonic() + seconds  # what a policy takes to load, the first time, is not thinking

    def until_then() -> bool:
        return go_on() and (tries[-1].number < LEAST or time.monotonic() < end)

    found = search(sampler, copy, tries, LOOK, "coach", until_then) if tries else []
    return {
        "samples": sum(each.number for each in found),
        "best": [_told(quick, game, position, each) for each in found],
    }


def _told(quick: QuickGame, game: AnyGame, position: Any, tried: Try) -> dict[str, Any]:
    chance = tried.chance
    doubt = math.hypot(SURE * tried.error, 2 * DOUBT * math.sqrt(chance * (1 - chance)))
    commands = [game.command_json(quick.command(position, code)) for code in tried.codes]
    low, high = max(0.0, chance - doubt), min(1.0, chance + doubt)
    return {"do": commands, "chance": chance, "samples": tried.number, "low": low, "high": high}
