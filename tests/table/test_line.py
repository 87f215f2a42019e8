from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.game import AnyGame, Refused
from companion.rules.registry import GAMES
from companion.table.dealer import Dealer
from companion.table.line import Line
from tests.defaults import defaults
from tests.tiny_game import TinyGame

TINY: AnyGame = TinyGame()


def begin(game: AnyGame = TINY, seed: int = 1, dealt: bool = True) -> Line:
    dealer = Dealer(seed)
    state = game.start(game.complete(defaults(game), dealer.chance))
    return Line(game, state, dealer if dealt else None)


def do(line: Line, **command: Any) -> Any:
    return line.do(line.game.read_command(command))


def test_a_draw_without_a_card_gets_the_dealers() -> None:
    line = begin()
    do(line, do="rest")
    zone = line.state.deck.top
    drawn = do(line, do="draw")
    assert drawn.command.card == Dealer(1).pick("weather", 0, zone)
    assert drawn.deck == "weather"


def test_draws_are_counted_for_each_deck_on_the_line_alone() -> None:
    line, dealer = begin(), Dealer(1)
    do(line, do="walk", places=["dune"])
    do(line, do="rest")
    for nth in range(2):
        zone = line.state.deck.top
        assert line.deal().command.card == dealer.pick("weather", nth, zone)
    line.undo()
    zone = line.state.deck.top
    assert line.deal().command.card == dealer.pick("weather", 1, zone)


def test_deal_is_the_draw_that_is_due() -> None:
    one, other = begin(), begin()
    do(one, do="rest")
    do(other, do="rest")
    assert one.deal() == do(other, do="draw")


def test_deal_where_no_draw_is_due_says_why() -> None:
    line = begin()
    with pytest.raises(Refused, match=r"^wrong_phase"):
        line.deal()
    do(line, do="correct", storm=4)
    with pytest.raises(Refused, match=r"^game_over"):
        line.deal()


def test_deal_where_someone_must_discard_says_so() -> None:
    line = begin()
    do(line, do="rest")
    for _ in range(2):
        do(line, do="draw", card="flare")
    with pytest.raises(Refused, match=r"^must_discard"):
        line.deal()
    with pytest.raises(Refused, match=r"^must_discard"):
        do(line, do="draw")


def test_a_table_that_draws_its_own_cards_must_name_them() -> None:
    line = begin(dealt=False)
    do(line, do="rest")
    with pytest.raises(Refused, match=r"^not_allowed"):
        line.deal()
    with pytest.raises(Refused, match=r"^bad_request"):
        do(line, do="draw")
    assert do(line, do="draw", card="gale").deck == "weather"


def test_a_refused_command_changes_nothing() -> None:
    line = begin()
    do(line, do="rest")
    line.undo()
    before = line.state, line.moves, line.undone
    with pytest.raises(Refused):
        do(line, do="walk", places=["tower"])
    assert (line.state, line.moves, line.undone) == before


def test_undo_and_redo_at_the_ends_are_refused() -> None:
    line = begin()
    with pytest.raises(Refused, match="nothing_to_undo"):
        line.undo()
    with pytest.raises(Refused, match="nothing_to_redo"):
        line.redo()


def test_an_undo_gains_nobody_a_second_try() -> None:
    line = begin()
    do(line, do="rest")
    first = line.deal().command.card
    line.undo()
    line.undo()
    do(line, do="walk", places=["dune"])
    do(line, do="rest")
    assert line.deal().command.card == first


def test_a_fork_leaves_the_line_as_it_is() -> None:
    line = begin()
    do(line, do="rest")
    line.undo()
    fork = line.fork()
    fork.redo()
    fork.deal()
    assert (len(line.moves), len(line.undone)) == (0, 1)


@pytest.mark.parametrize("game", [TINY, *GAMES.values()], ids=lambda game: game.name)
@given(seed=st.integers(0, 10**6), length=st.integers(0, 60), back=st.integers(0, 60))
def test_undo_is_the_fold_of_the_prefix_and_redo_is_what_was(game: Any, seed: int, length: int, back: int) -> None:
    line, chance = begin(game, seed), random.Random(seed)
    states = [line.state]
    for _ in range(length):
        legal = game.legal(line.state)
        if not legal:
            break
        line.do(chance.choice(legal))
        states.append(line.state)
    for state in list(reversed(states))[1 : back + 1]:
        line.undo()
        assert line.state == state
    prefix = Line(game, states[0], line.dealer)
    for move in line.moves:
        prefix.do(move.command)
    assert prefix.state == line.state
    for state in states[len(line.moves) + 1 :]:
        line.redo()
        assert line.state == state
    assert line.state == states[-1]
