"""Forbidden Island as a :class:`companion.rules.quick.QuickGame`."""

from __future__ import annotations

from companion.rules.forbidden_island import text
from companion.rules.forbidden_island.commands import Command
from companion.rules.forbidden_island.components import Loss, Treasure
from companion.rules.forbidden_island.fast import convert, deal, sound
from companion.rules.forbidden_island.fast.codes import DRAW_FLOOD, DRAW_TREASURE, Names
from companion.rules.forbidden_island.fast.placed import WON
from companion.rules.forbidden_island.fast.position import Position
from companion.rules.forbidden_island.fast.steady import Steady
from companion.rules.forbidden_island.setup import read_setup
from companion.rules.forbidden_island.state import State
from companion.rules.game import JsonObject, Outcome
from companion.rules.quick import Chance, Policy


class QuickForbiddenIsland:
    """Positions in numbers; see the protocol for what each function promises."""

    name = text.NAME

    def deal(self, setup: JsonObject, chance: Chance) -> Position:
        """Tiles, floods and hands that the set-up does not name come from ``chance``."""
        return deal.deal(read_setup(setup), chance)

    def position(self, state: State) -> Position:
        """ValueError where the state tracks no pawns and hands."""
        return convert.fast(state)

    def state(self, position: Position) -> State:
        """With the discards in the order of their numbers."""
        return convert.state(position)

    def copy(self, position: Position) -> Position:
        """Another position, equal now."""
        return position.copy()

    def draw(self, position: Position, chance: Chance) -> int | None:
        """A treasure or flood card of the top zone."""
        return deal.draw(position, chance)

    def draws(self, code: int) -> bool:
        """Whether it is a treasure or flood draw."""
        return code >> 12 in (DRAW_TREASURE, DRAW_FLOOD)

    def outcome(self, position: Position) -> Outcome | None:
        """Won, or lost by one of the four ways."""
        if not position.ended:
            return None
        loss: Loss | None = convert.LOSSES[position.lost_by]
        return Outcome(position.phase == WON, loss.value if loss else None)

    def turn(self, position: Position) -> int:
        """Turns begin with the actions."""
        return position.turn

    def progress(self, position: Position) -> float:
        """The share of the treasures that are captured."""
        return position.captured.bit_count() / len(Treasure)

    def interrupted(self, position: Position) -> bool:
        """Whether someone swims or holds too many cards, or the game is over."""
        return bool(position.swimming or position.over) or position.ended

    def command(self, position: Position, code: int) -> Command:
        """The rules' command."""
        return Names(position.board.layout, position.players).command(code)

    def faults(self, position: Position) -> tuple[str, ...]:
        """Cards, places and turn that contradict each other."""
        return sound.faults(position)

    def policy(self) -> Policy:
        """The rules of thumb."""
        return Steady()
