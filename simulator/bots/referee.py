"""The referee: deals, asks, checks and counts. A game is its set-up, its player and its seed, on any machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from companion.rules.quick import Chance, QuickGame
from simulator.bots.player import BadAnswer, Player

FORFEIT = "forfeit"
"""The reason of a game that its player lost by an answer that cannot be played."""
MOST_COMMANDS = 20_000
"""No game goes on for so long; a player that dawdles has lost it."""


@dataclass(frozen=True, slots=True)
class Played:
    """A game that is over: whether it was won, else why not; its turns and commands, draws counted."""

    won: bool
    reason: str | None
    turns: int
    commands: int
    progress: float
    fault: str = ""


def stream(seed: str, purpose: str) -> Chance:
    """A stream of chance: the same for a seed and purpose with every Python, on every machine."""
    return Random(f"{seed}/{purpose}").random


def play(game: QuickGame, setup: Mapping[str, Any], player: Player, seed: str, *, checked: bool = True) -> Played:
    """Play one game to its end.

    Dealing and player have streams of their own. ``checked`` has every answer looked up in the legal commands; only a
    player that is known to keep to them may do without.
    """
    chance = stream(seed, "deal")
    position = game.deal(setup, chance)
    player.begin(game, stream(seed, "player"))
    table = _Table(game, position, chance, checked)
    try:
        while game.outcome(position) is None:
            table.ask(player)
    except BadAnswer as fault:
        return Played(False, FORFEIT, game.turn(position), table.commands, game.progress(position), str(fault))
    outcome = game.outcome(position)
    assert outcome is not None
    return Played(outcome.won, outcome.reason, game.turn(position), table.commands, game.progress(position))


class _Table:
    """A game that goes on."""

    def __init__(self, game: QuickGame, position: Any, chance: Chance, checked: bool) -> None:
        self._game, self._position, self._chance, self._checked = game, position, chance, checked
        self.commands = 0

    def ask(self, player: Player) -> None:
        """Ask once and play the answer."""
        codes = player.choose(self._position)
        if not codes:
            self._draw()
        for code in codes:
            if self._checked:
                self._check(code)
            self._play(code)
            if self._game.interrupted(self._position):
                break

    def _draw(self) -> None:
        code = self._game.draw(self._position, self._chance)
        if code is None:
            raise BadAnswer("there is no card to wait for: a command is needed")
        self._play(code)

    def _play(self, code: int) -> None:
        if self.commands >= MOST_COMMANDS:
            raise BadAnswer(f"the game is not over after {MOST_COMMANDS} commands")
        self._position.play(code)
        self.commands += 1

    def _check(self, code: int) -> None:
        if self._game.draws(code):
            raise BadAnswer("draws are the dealer's; wait instead")
        if code not in self._position.legal():
            raise BadAnswer(f"{code} is no legal command here")
