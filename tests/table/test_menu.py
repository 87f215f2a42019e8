"""The menu: what can be picked with no gesture open."""

from __future__ import annotations

from typing import Any

from companion.table.session import Session
from tests.table.sittings import line_of, press, seated, sit_down


def test_where_all_depends_on_one_question_the_menu_is_its_answers() -> None:
    session = sit_down()
    session.start("forbidden_island", {"players": ["explorer", "pilot"], "difficulty": "novice", "tracking": "cards"})
    while seated(session).state.asked is None:
        session.deal()
    asked = seated(session).state.asked
    answers = [
        f"command:{session.legal().index({'do': 'settle', 'tile': asked, 'sank': sank})}" for sank in (True, False)
    ]
    assert [option.pick for option in session.menu()] == [*answers, "undo"]
    moves = len(line_of(session).moves)
    press(session, "C")
    press(session, "B")
    press(session, "C")
    played = line_of(session).moves[moves]
    assert seated(session).game.command_json(played.command) == {"do": "settle", "tile": asked, "sank": False}


def cards_only(**options: Any) -> Session:
    """A cards-only game whose dealing stopped at a question, with flood cards still to draw."""
    session = sit_down(**options)
    setup = {"players": ["explorer", "pilot"], "difficulty": "legendary", "tracking": "cards"}
    session.start("forbidden_island", {**setup, "seed": next(seed for seed in range(99) if stops_early(setup, seed))})
    deal_to_the_question(session)
    return session


def deal_to_the_question(session: Session) -> None:
    while seated(session).state.asked is None:
        session.deal()


def stops_early(setup: dict[str, Any], seed: int) -> bool:
    session = sit_down()
    session.start("forbidden_island", {**setup, "seed": seed})
    deal_to_the_question(session)
    return bool(seated(session).state.draws_left)


def answer(session: Session) -> Any:
    """Say that the tile was shored up."""
    asked = seated(session).state.asked
    session.play({"do": "settle", "tile": asked, "sank": False})
    return seated(session).state


def test_an_answer_lets_the_dealing_go_on() -> None:
    after = answer(cards_only())
    assert after.asked is not None or after.draws_left == 0


def test_with_one_card_a_press_an_answer_deals_nothing() -> None:
    session = cards_only(one_card_a_press=True)
    left = seated(session).state.draws_left
    assert answer(session).draws_left == left
