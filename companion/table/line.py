"""A game in memory: the moves played, with undo and redo."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Generic

from companion.rules.game import AnyGame, C, Draw, E, Refused, S
from companion.table.dealer import Dealer


@dataclass(frozen=True, slots=True)
class Move(Generic[S, C, E]):
    """One command that was played. ``deck`` is the deck it drew from, None where it drew no card."""

    command: C
    events: tuple[E, ...]
    before: S
    after: S
    deck: str | None = None


AnyMove = Move[Any, Any, Any]


class Line:
    """The moves from a first position to the one on the table, and those taken back (the next to redo is last).

    ``dealer`` is None where the decks are the table's own: then every draw must name its card.
    """

    def __init__(self, game: AnyGame, state: Any, dealer: Dealer | None, moves: Iterable[AnyMove] = ()) -> None:
        self.game = game
        self.dealer = dealer
        self.moves: tuple[AnyMove, ...] = tuple(moves)
        self.undone: tuple[AnyMove, ...] = ()
        self._first = state

    @property
    def state(self) -> Any:
        """The position now."""
        return self.moves[-1].after if self.moves else self._first

    def fork(self) -> Line:
        """A line that goes its own way from here; what is played on it leaves this one as it is."""
        fork = Line(self.game, self._first, self.dealer, self.moves)
        fork.undone = self.undone
        return fork

    def do(self, command: Any) -> AnyMove:
        """Play a command; a draw without a card gets the dealer's.

        Refused as by ``decide``, or bad_request where no dealer can name the card.
        """
        if self.game.needs_card(command):
            command = self._with_card(command)
        before = self.state
        return self.add(command, self.game.decide(before, command))

    def add(self, command: Any, events: Iterable[Any]) -> AnyMove:
        """Play a command whose events are known already (from the journal)."""
        before, happened = self.state, tuple(events)
        after = before
        for event in happened:
            after = self.game.evolve(after, event)
        move = Move(command, happened, before, after, deck_drawn(self.game, before, command))
        self.moves, self.undone = (*self.moves, move), ()
        return move

    def deal(self) -> AnyMove:
        """Play the draw that is due with the dealer's card.

        Refused: not_allowed where the decks are the table's; game_over, must_discard and the like where no draw is due.
        """
        if self.dealer is None:
            raise Refused("not_allowed")
        due = self.game.due(self.state)
        if due is None:
            raise self.refusal_of_a_draw()
        return self.do(self.game.draw(self.state, self._card(self.dealer, due)))

    def undo(self) -> AnyMove:
        """Take the last move back. Refused: nothing_to_undo."""
        if not self.moves:
            raise Refused("nothing_to_undo")
        move = self.moves[-1]
        self.moves, self.undone = self.moves[:-1], (*self.undone, move)
        return move

    def redo(self) -> AnyMove:
        """Play again what was taken back last. Refused: nothing_to_redo."""
        if not self.undone:
            raise Refused("nothing_to_redo")
        move = self.undone[-1]
        self.moves, self.undone = (*self.moves, move), self.undone[:-1]
        return move

    def refusal_of_a_draw(self) -> Refused:
        """Why no card can be drawn now: what the game says to any draw."""
        names = (name for tagged in self.game.tagged() for name in tagged.names)
        for name in names:
            with suppress(ValueError):
                return self._refusal(self.game.draw(self.state, name))
        return Refused("wrong_phase")

    def _refusal(self, command: Any) -> Refused:
        try:
            self.game.decide(self.state, command)
        except Refused as refused:
            return refused
        return Refused("wrong_phase")

    def _with_card(self, command: Any) -> Any:
        due = self.game.due(self.state)
        if due is None:
            raise self._refusal(command)
        if self._verb(self.game.draw(self.state, due.zone[0])) != self._verb(command):
            raise Refused("wrong_phase")
        if self.dealer is None:
            raise Refused("bad_request", field="card")
        return self.game.draw(self.state, self._card(self.dealer, due))

    def _card(self, dealer: Dealer, due: Draw) -> str:
        nth = sum(move.deck == due.deck for move in self.moves)
        return dealer.pick(due.deck, nth, due.zone)

    def _verb(self, command: Any) -> str:
        return str(self.game.command_json(command)["do"])


def draws_due(game: AnyGame, state: Any) -> tuple[Any, ...]:
    """The commands that make the draw that is due, one for each card that can come; none where none is due."""
    due = game.due(state)
    return () if due is None else tuple(game.draw(state, card) for card in dict.fromkeys(due.zone))


def deck_drawn(game: AnyGame, state: Any, command: Any) -> str | None:
    """The deck that a command draws a card from, None for a command that is no draw."""
    due = game.due(state)
    return due.deck if due is not None and command in draws_due(game, state) else None
