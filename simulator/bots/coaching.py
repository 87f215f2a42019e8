"""Coaching: the options of a position sifted by sampling a little ahead, the best few then played on to the end."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from companion.rules.game import AnyGame
from companion.rules.quick import QuickGame
from simulator.bots.sampling import Depth, Sampler, Try, best_first, search
from simulator.tournament.score import wilson

SIFTING = 0.4
"""The share of the time that goes into choosing what to look at closely."""
LOOK = Depth(options=12, rounds=(4, 8, 16), turns=1)
BEST = 3
NEVER = 1_000_000
"""More games than any time is enough for."""


def advise(
    quick: QuickGame, game: AnyGame, state: Any, seconds: float, go_on: Callable[[], bool] = lambda: True
) -> dict[str, Any]:
    """The best few options with how many games were won after each; stops early where ``go_on`` says so.

    Undealt cards are sampled from the zones: what is said depends on nothing that the table cannot know. ValueError
    where the state holds too little to play on from.
    """
    begun = time.monotonic()
    position, policy = quick.position(state), quick.policy()
    sampler = Sampler(quick, policy)

    def until(share: float) -> Callable[[], bool]:
        end = begun + seconds * share
        return lambda: time.monotonic() < end and go_on()

    tries = [Try(codes) for codes in policy.options(position, LOOK.options)] if not position.ended else []
    sifted = search(sampler, quick.copy(position), tries, LOOK, "sift", until(SIFTING)) if len(tries) > 1 else tries
    order = [each.codes for each in sifted] + [each.codes for each in tries]
    finals = [Try(codes) for codes in list(dict.fromkeys(order))[:BEST]]
    to_the_end = Depth(BEST, (NEVER,), None)
    found = search(sampler, quick.copy(position), finals, to_the_end, "play", until(1.0)) if finals else []
    return {
        "games": sum(each.number for each in found),
        "best": [_told(quick, game, position, each) for each in best_first(found)],
    }


def _told(quick: QuickGame, game: AnyGame, position: Any, tried: Try) -> dict[str, Any]:
    won = round(tried.total)
    low, high = wilson(won, tried.number)
    commands = [game.command_json(quick.command(position, code)) for code in tried.codes]
    return {"do": commands, "won": won, "played": tried.number, "low": low, "high": high}
