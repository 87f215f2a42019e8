"""Counting the legal command sequences from a position, as chess programs do to test move generators."""

from __future__ import annotations

from typing import Any

from companion.rules.game import AnyGame


def perft(game: AnyGame, state: Any, depth: int) -> int:
    """How many legal command sequences of length ``depth`` there are; a game that ends early counts as one."""
    if depth == 0 or game.outcome(state) is not None:
        return 1
    commands = game.legal(state)
    if depth == 1:
        return len(commands)
    return sum(perft(game, _after(game, state, command), depth - 1) for command in commands)


def _after(game: AnyGame, state: Any, command: Any) -> Any:
    after = state
    for event in game.decide(state, command):
        after = game.evolve(after, event)
    return after
