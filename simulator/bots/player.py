"""What a player is, and the simplest one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from companion.rules.quick import Chance, Policy, QuickGame

WAIT: tuple[int, ...] = ()
"""The answer that lets the dealer go on."""


class BadAnswer(Exception):
    """A player gave no answer that can be played; the text says in one line what was wrong. It loses that game."""


class Player(Protocol):
    """Plays for the whole team; hands are open and the game is cooperative.

    It is asked whenever something can be done: for each action, when somebody must discard or swim, and before every
    draw, where special cards may be played. Draws themselves are the dealer's. The position must not be changed.
    """

    @property
    def name(self) -> str:
        """The name under which its games are counted."""
        ...

    def begin(self, game: QuickGame, chance: Chance) -> None:
        """A new game. Whatever it decides by chance comes from ``chance``, so that the game's seed repeats it."""
        ...

    def choose(self, position: Any) -> Sequence[int]:
        """Codes to play one after another until something else must come first; none to let the dealer go on.

        Raises BadAnswer.
        """
        ...

    def close(self) -> None:
        """Nothing more is asked; may be called twice."""
        ...


class RandomPlayer:
    """Any legal command, each as likely as the other; a draw stands for letting the dealer go on."""

    name = "random"

    def begin(self, game: QuickGame, chance: Chance) -> None:
        """Take the game's chance."""
        self._game, self._chance = game, chance

    def choose(self, position: Any) -> Sequence[int]:
        """One code."""
        codes = position.legal()
        code = codes[int(self._chance() * len(codes))]
        return WAIT if self._game.draws(code) else (code,)

    def close(self) -> None:
        """Nothing to put away."""


def rules_of_thumb(game: QuickGame) -> Policy:
    """The game's own policy."""
    return game.policy()


class PolicyPlayer:
    """Plays by a policy: the game's own rules of thumb, or what ``policy`` has for a game."""

    def __init__(self, name: str = "steady", policy: Callable[[QuickGame], Policy] | None = None) -> None:
        self.name = name
        self._make = policy or rules_of_thumb
        self._policies: dict[str, Policy] = {}

    def begin(self, game: QuickGame, chance: Chance) -> None:  # noqa: ARG002  # a policy needs no chance
        """Take up the game's policy."""
        if game.name not in self._policies:
            self._policies[game.name] = self._make(game)
        self._policy = self._policies[game.name]

    def choose(self, position: Any) -> Sequence[int]:
        """Ask the policy."""
        return self._policy.choose(position)

    def close(self) -> None:
        """Nothing to put away."""
