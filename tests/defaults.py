"""A game's set-up with nothing changed, as a host's page would send it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.rules.game import AnyGame, Choice


def defaults(game: AnyGame) -> dict[str, Any]:
    return {choice.key: stored(choice, choice.default) for choice in game.choices() if not choice.optional}


def stored(choice: Choice, picked: Sequence[str]) -> str | list[str]:
    """What was picked, in the form that a set-up keeps it in."""
    return picked[0] if choice.single else list(picked)
