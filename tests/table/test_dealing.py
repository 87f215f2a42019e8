"""One button deals."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.rules.game import AnyGame
from companion.rules.registry import GAMES
from companion.table.dealer import Dealer
from companion.table.dealing import press as press_deal
from companion.table.line import Line
from companion.table.session import Session
from tests.defaults import defaults
from tests.table.sittings import line_of, notice, press, refused, seated, sit_down, state, tiny_session
from tests.tiny_game import Event, State, TinyGame


def stacked(*cards: str, **options: Any) -> Session:
    """A table where these cards come next, in this order."""
    setup = {"stacked": list(cards), **options.pop("setup", {})}
    return tiny_session(setup=setup, **options)


def drawn(session: Session) -> list[str]:
    return [event.what for event in seated(session).recent if event.name == "drawn"]


def test_one_press_ends_the_actions_and_deals_the_cards_of_one_deck() -> None:
    session = stacked("dune", "pier")
    session.deal()
    assert drawn(session) == ["dune", "pier"]
    assert (state(session).turn, state(session).phase) == (2, "actions")


def test_a_press_stops_at_the_end_of_the_turn() -> None:
    session = stacked("dune", "pier")
    session.play({"do": "rest"})
    session.deal()
    assert state(session).phase == "actions"


class Rush(TinyGame):
    """The tiny game with turns that begin with the draw."""

    def evolve(self, state: State, event: Event) -> State:
        after = super().evolve(state, event)
        return replace(after, phase="weather", draws=2) if event.name == "turn_began" else after


def test_a_press_never_deals_for_the_next_turn() -> None:
    game: AnyGame = Rush()
    line = Line(game, game.start(game.complete({"stacked": ["dune", "pier"]}, Dealer(1).chance)), Dealer(1))
    press_deal(line, one_card=False)
    assert (line.state.turn, line.state.draws) == (2, 2)


def test_one_card_a_press_is_a_setting() -> None:
    session = stacked("dune", "pier", one_card_a_press=True)
    session.deal()
    assert drawn(session) == ["dune"]
    session.deal()
    assert drawn(session) == ["dune", "pier"]


def test_a_press_stops_where_someone_may_want_to_speak_up() -> None:
    session = stacked("flare", "dune", "gale", "pier")
    session.deal()
    session.deal()
    assert (drawn(session), state(session).draws) == (["gale"], 1)
    session.deal()
    assert state(session).turn == 3


def test_a_press_stops_where_someone_must_act_first() -> None:
    session = stacked("flare", "flare", setup={"players": ["otter"]})
    session.deal()
    assert state(session).flares == (2,)
    assert notice(press(session, "A")) == "refusal.must_discard"
    session.play({"do": "drop", "seat": "otter", "card": "flare"})
    assert state(session).turn == 2


def test_a_press_stops_at_the_end_of_the_game() -> None:
    session = stacked("gale", "pier")
    session.play({"do": "correct", "storm": 3})
    session.deal()
    assert (drawn(session), session.menu()[0].pick) == (["gale"], "undo")


def test_each_card_of_a_press_is_taken_back_by_itself_and_comes_again() -> None:
    session = tiny_session()
    states = [state(session)]
    session.deal()
    after = state(session)
    while seated(session).can_undo:
        session.undo()
        states.append(state(session))
    assert len(states) == 4
    assert states[-1] == states[0]
    session.deal()
    assert state(session) == after


def test_a_press_is_one_revision() -> None:
    session = tiny_session()
    before = session.snapshot.revision
    assert session.deal().revision == before + 1


def test_a_table_that_draws_its_own_cards_deals_them_itself() -> None:
    session = tiny_session(setup={"decks": "table"})
    refused("table_deals", session.deal)
    assert notice(press(session, "A")) == "refusal.table_deals"
    assert "deal" not in [option.pick for option in session.menu()]
    session.play({"do": "rest"})
    session.play({"do": "draw", "card": "gale"})
    assert state(session).storm == 2


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_pressing_on_deals_every_game_to_its_end(game: AnyGame, seed: int) -> None:
    session = sit_down()
    session.start(game.name, {**defaults(game), "seed": seed})
    for _ in range(1000):
        if game.outcome(state(session)) is not None:
            return
        before = state(session)
        due, opening = game.due(before), game.ready_to_deal(before)
        if due is None and opening is None:
            session.play(session.legal()[0])
            continue
        moves = line_of(session).moves
        session.deal()
        assert len({move.deck for move in line_of(session).moves[len(moves) :] if move.deck}) <= 1
    raise AssertionError("the game never ended")
