"""One press of "deal"."""

from __future__ import annotations

from companion.rules.game import Refused
from companion.table.line import AnyMove, Line


def press(line: Line, one_card: bool) -> list[AnyMove]:
    """Deal on ``line``: end the actions where no draw is due yet, then draw the cards of one deck, or one card.

    Stops at the end of the turn and where someone must act first or may want to speak up. Refused: table_deals where
    the decks are the table's, else the reason why nothing can be dealt.
    """
    if line.dealer is None:
        raise Refused("table_deals")
    return [*_opened(line), *_drawn(line, one_card)]


def go_on(line: Line, one_card: bool) -> list[AnyMove]:
    """Deal what is left of the deck that is due, after a question was answered that stopped a press."""
    return [] if one_card or line.dealer is None else _drawn(line, one_card)


def _drawn(line: Line, one_card: bool) -> list[AnyMove]:
    """The cards of the deck that is due."""
    moves: list[AnyMove] = []
    deck, turn = _due_deck(line), line.game.turn(line.state)
    while deck is not None and _due_deck(line) == deck and line.game.turn(line.state) == turn:
        moves.append(line.deal())
        if one_card or line.game.speak_up(line.state, moves[-1].events):
            break
    return moves


def _opened(line: Line) -> list[AnyMove]:
    if _due_deck(line) is not None:
        return []
    opening = line.game.ready_to_deal(line.state)
    if opening is None:
        raise line.refusal_of_a_draw()
    return [line.do(opening)]


def _due_deck(line: Line) -> str | None:
    due = line.game.due(line.state)
    return None if due is None else due.deck
