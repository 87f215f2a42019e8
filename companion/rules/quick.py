"""What a game offers to programs that play it many thousand times: positions in numbers, and how to play them well.

A game may have none. Commands are *codes*, whole numbers that mean something to that game's positions only. A position
holds no undealt order, so that whoever plays on from it samples what may come and learns no secret.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from companion.rules.game import JsonObject, Outcome

Chance = Callable[[], float]
"""The next number of a seeded stream, from 0 up to but not 1."""


class QuickPosition(Protocol):
    """A position that is changed in place."""

    def legal(self) -> list[int]:
        """The code of every legal command once, draws too; empty when the game is over."""
        ...

    def play(self, code: int) -> None:
        """Play a legal command; anything else is not noticed and leaves nonsense."""
        ...

    def save(self) -> tuple[Any, ...]:
        """All that can change, for :meth:`restore`; equal for equal positions of one game."""
        ...

    def restore(self, saved: tuple[Any, ...]) -> None:
        """Go back to a saved position of the same game."""
        ...

    @property
    def ended(self) -> bool:
        """Whether the game is over."""
        ...


class Policy(Protocol):
    """A way to play for the whole team. Holds nothing of a game, so that one may be asked about any number of them."""

    def choose(self, position: Any) -> Sequence[int]:
        """Codes to play one after another while nothing else must come first; none to let the dealer go on."""
        ...

    def options(self, position: Any, number: int) -> list[tuple[int, ...]]:
        """Up to about ``number`` answers worth a closer look, what :meth:`choose` says first."""
        ...

    def forecast(self, position: Any) -> float:
        """The chance to win, guessed at a glance; best at the start of a turn. 1 or 0 where the game is over."""
        ...


class QuickGame(Protocol):
    """A game for programs that play it many thousand times."""

    @property
    def name(self) -> str:
        """The game's name in the registry."""
        ...

    def deal(self, setup: JsonObject, chance: Chance) -> Any:
        """A first position of a set-up; what it leaves open comes from ``chance``. Refused: bad_request."""
        ...

    def position(self, state: Any) -> Any:
        """The quick position of a state. ValueError where the state holds too little to play on from."""
        ...

    def state(self, position: Any) -> Any:
        """The state of a quick position; the order of discards is lost."""
        ...

    def copy(self, position: Any) -> Any:
        """Another position, equal now."""
        ...

    def draw(self, position: Any, chance: Chance) -> int | None:
        """The code of the draw that is due, its card settled by ``chance``; None while no draw is due."""
        ...

    def draws(self, code: int) -> bool:
        """Whether a code draws a card, which is the dealer's to do."""
        ...

    def outcome(self, position: Any) -> Outcome | None:
        """How the game ended, None while it goes on."""
        ...

    def turn(self, position: Any) -> int:
        """The turn's number, from 1."""
        ...

    def progress(self, position: Any) -> float:
        """About how far the team came, from 0 to 1, to tell lost games apart."""
        ...

    def interrupted(self, position: Any) -> bool:
        """Whether something must be done before a plan goes on: a discard, a swim; or the game is over."""
        ...

    def command(self, position: Any, code: int) -> Any:
        """The rules' command of a code."""
        ...

    def faults(self, position: Any) -> tuple[str, ...]:
        """What cannot be in any position: cards or places lost or doubled; empty for a sound one."""
        ...

    def policy(self) -> Policy:
        """The game's own rules of thumb."""
        ...
