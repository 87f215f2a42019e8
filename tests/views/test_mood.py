"""What light and buzzer say, told in the life of a table of the tiny game."""

from __future__ import annotations

from typing import Any

import pytest

from companion.ports import Button, Mood, Press, TagArrived, TagReadAgain
from companion.rules.game import Refused
from companion.rules.registry import GAMES
from companion.table.journal import Journal
from companion.table.session import Session
from companion.table.snapshot import Snapshot
from companion.views.mood import answer_to, news_of
from tests.tiny_game import TinyGame


def seated(*stacked: str, weather: str = "mild") -> Session:
    session = Session({"tiny": TinyGame()}, Journal(":memory:"))
    session.start("tiny", {"players": ["otter"], "weather": weather, "dark": "mill", "stacked": list(stacked)})
    return session


def brought(session: Session, act: Any) -> Mood | None:
    before = session.snapshot
    act()
    return news_of(before, session.snapshot)


def test_while_tags_are_taught_the_first_read_asks_the_second_is_taken_and_a_wrong_one_refused() -> None:
    session = seated("pier", "flare")
    session.enrol("tiny")
    heard = []
    for happening in (TagArrived("r", "04A1"), TagReadAgain("r", "04A1"), TagArrived("r", "04A1")):
        before = session.snapshot
        heard.append(answer_to(before, session.observe(happening)))
    assert heard == [Mood.ASKING, Mood.TAKEN, Mood.REFUSED]


@pytest.mark.parametrize(
    ("stacked", "mood"),
    [
        (("pier", "flare"), None),
        (("gale", "pier"), Mood.ALARM),
        (("mill", "flare"), Mood.LOSS),
        (("mill", "gale"), Mood.LOSS),
        (("tower", "tower"), Mood.LOST),
    ],
)
def test_the_gravest_thing_that_the_cards_brought_is_told(stacked: tuple[str, ...], mood: Mood | None) -> None:
    session = seated(*stacked)
    assert brought(session, session.deal) is mood


def test_the_next_turns_cards_are_told_though_the_last_turns_stand_beside_them() -> None:
    session = seated("mill", "flare", "pier", "gale")
    assert brought(session, session.deal) is Mood.LOSS
    assert brought(session, lambda: session.play({"do": "walk", "places": ["dune"]})) is None
    assert brought(session, session.deal) is Mood.ALARM


def test_winning_is_told() -> None:
    session = seated("flare", "flare")
    session.play({"do": "correct", "lamps": {"mill": "lit"}, "at": {"otter": "tower"}})
    assert brought(session, lambda: session.play({"do": "signal"})) is Mood.WON


def test_what_is_taken_back_alarms_nobody_but_what_comes_again_does() -> None:
    session = seated("gale", "mill")
    session.deal()
    assert brought(session, session.undo) is None
    assert brought(session, session.redo) is not None


def test_a_game_that_is_over_is_told_once() -> None:
    session = seated("tower", "tower")
    assert brought(session, session.deal) is Mood.LOST
    assert brought(session, lambda: session.play({"do": "correct", "storm": 2})) is None


def test_neither_a_new_game_nor_one_put_away_is_news() -> None:
    session = seated("tower", "tower")
    session.deal()
    assert brought(session, session.leave) is None
    assert brought(session, lambda: session.start("tiny", {})) is None


def test_a_press_is_refused_asks_or_is_taken() -> None:
    session = seated("pier", "flare")
    answers = []
    for button in (Button.D, Button.B, Button.D):
        before = session.snapshot
        answers.append(answer_to(before, session.observe(Press(button))))
    assert answers == [Mood.REFUSED, Mood.ASKING, Mood.TAKEN]


def test_an_old_warning_does_not_refuse_the_next_press() -> None:
    session = seated("pier", "flare")
    session.observe(Press(Button.D))
    before = session.snapshot
    assert answer_to(before, Snapshot(before.revision + 1, before.seated, notice=before.notice)) is Mood.TAKEN


@pytest.mark.parametrize("seed", range(3))
def test_in_a_whole_game_the_table_looks_up_for_rises_sunk_tiles_and_the_end(seed: int) -> None:
    session = Session(GAMES, Journal(":memory:"))
    session.start("forbidden_island", {"players": ["explorer", "pilot"], "difficulty": "legendary", "seed": seed})
    told: list[tuple[Mood | None, set[str]]] = []
    while legal := session.legal():
        before = session.snapshot
        try:
            session.deal()
        except Refused:
            session.play(legal[0])
        told.append((news_of(before, session.snapshot), effects(session)))
    assert told[-1][0] is Mood.LOST
    assert {mood for mood, _ in told} >= {None, Mood.ALARM, Mood.LOSS}
    assert all("rise" in seen for mood, seen in told if mood is Mood.ALARM)
    assert all("sank" in seen for mood, seen in told if mood is Mood.LOSS)


def effects(session: Session) -> set[str]:
    """What came of the cards that are still shown."""
    on_table = session.snapshot.seated
    assert on_table is not None
    return {result.effect for result in on_table.game.portray(on_table.state, on_table.recent).results}
