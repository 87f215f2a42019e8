"""Who knows each game best: a policy that has learned the game where there is one, else the game's own."""

from __future__ import annotations

import os

from companion.rules.quick import Policy, QuickGame

ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")
"""What keeps numpy's matrix products on one core; they are small, and a tournament has a process for each core."""


def expert(game: QuickGame) -> Policy:
    """The best policy for a game."""
    if game.name == "forbidden_island":
        for setting in ONE_THREAD:
            os.environ.setdefault(setting, "1")
        from simulator.bots.forbidden_island.policy import Learned

        return Learned()
    return game.policy()
