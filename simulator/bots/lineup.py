"""The players by name."""

from __future__ import annotations

import shlex

from simulator.bots.command import CommandPlayer
from simulator.bots.experts import expert
from simulator.bots.player import Player, PolicyPlayer, RandomPlayer
from simulator.bots.sampling import SamplingPlayer

NAMES = ("random", "steady", "learned", "strong")
PROGRAM = "command:"
"""What stands before the command line of a player that is a program of its own."""


def player(told: str) -> Player:
    """The player of a name, or of ``command: PROGRAM ARGUMENT ...``. ValueError says what else there is."""
    if told.startswith(PROGRAM):
        try:
            words = shlex.split(told.removeprefix(PROGRAM))
        except ValueError as fault:
            reason = str(fault)[:1].lower() + str(fault)[1:]
            raise ValueError(f"{told!r} has {reason}; quote as in \"{PROGRAM} ./mybot 'an argument'\"") from None
        if not words:
            raise ValueError(f"{PROGRAM} must be followed by a program, as in '{PROGRAM} ./mybot'")
        return CommandPlayer(words)
    if told == "random":
        return RandomPlayer()
    if told == "steady":
        return PolicyPlayer()
    if told == "learned":
        return PolicyPlayer("learned", expert)
    if told == "strong":
        return SamplingPlayer()
    raise ValueError(f"there is no player {told!r}; there are {', '.join(NAMES)}, and '{PROGRAM} PROGRAM'")
