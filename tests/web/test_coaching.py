"""The coach on a phone: only where there is one, only when asked, and never about a table that has moved on."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from companion.cli.coaching import CoachProcess
from companion.rules.game import AnyGame, JsonObject
from companion.rules.registry import GAMES
from companion.views.coach import CoachLost
from companion.web.app import create_app
from companion.web.desk import Desk
from tests.web.conftest import ADDRESS, ELSEWHERE, HERE
from tests.web.stand import open_desk

(GAME,) = GAMES
SETUP = {"players": ["explorer", "pilot"], "difficulty": "novice", "seed": "7"}
THOUGHT = {
    "samples": 42,
    "best": [
        {"do": [{"do": "end_actions"}], "chance": 0.75, "samples": 40, "low": 0.6, "high": 0.86},
        {"do": [], "chance": 0.5, "samples": 2, "low": 0.09, "high": 0.91},
    ],
}


class Coaching:
    """A coach that says what it is told to, once ``moves`` were made."""

    def __init__(self, desk: Desk | None = None, *, lost: bool = False) -> None:
        self.asked = 0
        self.stopped = False
        self.desk, self.lost = desk, lost

    def knows(self, game: AnyGame, state: Any) -> bool:
        return game.name == GAME and game.outcome(state) is None

    def wants_more(self, game: AnyGame, state: Any) -> bool:
        return False

    async def advise(self, game: AnyGame, state: Any) -> JsonObject:
        self.asked += 1
        if self.lost:
            raise CoachLost("asleep")
        if self.desk is None:
            return THOUGHT
        asyncio.get_running_loop().call_soon(self.desk.session.deal)
        try:
            await asyncio.get_running_loop().create_future()
        except asyncio.CancelledError:
            self.stopped = True
            raise
        raise AssertionError


@contextmanager
def at_the_table(folder: Path, coach: Coaching | None, client: tuple[str, int] = HERE) -> Iterator[TestClient]:
    with open_desk(folder, GAMES, coach=coach) as desk:
        desk.session.start(GAME, SETUP)
        if coach is not None and coach.desk is not None:
            coach.desk = desk
        with TestClient(create_app(desk), ADDRESS, client=client) as browser:
            yield browser


def test_the_coach_says_its_chances_its_doubt_and_the_best_few_commands_in_words(tmp_path: Path) -> None:
    with at_the_table(tmp_path, Coaching()) as host:
        said = host.post("/coach", json={}).text
    assert "Chance to win from here: 75%, likely between 60% and 86%." in said
    assert "End actions" in said or "End the actions" in said
    assert "Let the cards come" in said
    assert "From 42 draws of the next cards" in said


@pytest.mark.parametrize(("language", "word"), [("pt-BR", "Chance de vencer daqui"), ("bg", "Шанс за победа оттук")])
def test_it_speaks_the_phone_s_language(tmp_path: Path, language: str, word: str) -> None:
    with at_the_table(tmp_path, Coaching()) as host:
        assert word in host.post("/coach", json={}, headers={"Accept-Language": language}).text


def test_it_says_nothing_unasked_and_offers_itself_on_the_page_that_plays_only(tmp_path: Path) -> None:
    coach = Coaching()
    with at_the_table(tmp_path, coach) as host:
        assert "data-coach" in host.get("/host").text
        assert "data-coach" not in host.get("/").text
        assert "75%" not in host.get("/host").text
    assert coach.asked == 0


def test_where_the_table_wants_none_there_is_no_button_and_no_answer(tmp_path: Path) -> None:
    with at_the_table(tmp_path, None) as host:
        assert "data-coach" not in host.get("/host").text
        answer = host.post("/coach", json={})
    assert (answer.status_code, answer.json()["message"]) == (404, "There is nothing to advise now.")


def test_only_a_phone_that_was_let_in_may_ask(tmp_path: Path) -> None:
    coach = Coaching()
    with at_the_table(tmp_path, coach, ELSEWHERE) as viewer:
        assert viewer.post("/coach", json={}).status_code == 403
    assert coach.asked == 0


def test_a_game_that_moves_on_meanwhile_stops_the_thinking_and_is_told(tmp_path: Path) -> None:
    with open_desk(tmp_path, GAMES) as nobody:
        coach = Coaching(nobody)
    with at_the_table(tmp_path, coach) as host:
        answer = host.post("/coach", json={})
    assert (answer.status_code, answer.json()["code"]) == (409, "stale")
    assert coach.stopped


def test_a_page_that_shows_another_position_is_told_so_and_the_coach_is_not_asked(tmp_path: Path) -> None:
    coach = Coaching()
    with at_the_table(tmp_path, coach) as host:
        shown = host.get("/host").text.partition('data-position="')[2].partition('"')[0]
        assert host.post("/coach", json={"position": shown}).status_code == 200
        answer = host.post("/coach", json={"position": "another"})
    assert (answer.status_code, answer.json()["code"]) == (409, "stale")
    assert coach.asked == 1


@pytest.mark.parametrize("body", ["", "[]", "{"])
def test_a_body_that_is_no_json_object_is_refused(tmp_path: Path, body: str) -> None:
    with at_the_table(tmp_path, Coaching()) as host:
        answer = host.post("/coach", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400


def test_a_coach_that_gives_no_answer_is_said_so(tmp_path: Path) -> None:
    with at_the_table(tmp_path, Coaching(lost=True)) as host:
        answer = host.post("/coach", json={})
    assert (answer.status_code, answer.json()["code"]) == (503, "lost")


def test_a_game_that_no_coach_knows_has_none(tmp_path: Path, host: TestClient, desk: Desk) -> None:
    desk.session.start("tiny", {})
    assert host.get("/host").status_code == 200
    assert host.post("/coach", json={}).status_code == 404


@pytest.mark.parametrize("tracking", ["island", "cards"])
@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "The coach needs pawns and hands: it advises games that track everything."),
        ("pt-BR", "O conselheiro precisa dos peões e das mãos: só aconselha partidas que acompanham tudo."),
        ("bg", "Съветникът се нуждае от пионките и картите в ръка: съветва само игри, в които се следи всичко."),
    ],
)
def test_a_game_that_tells_the_coach_too_little_says_so(
    tmp_path: Path, tracking: str, language: str, sentence: str
) -> None:
    with open_desk(tmp_path, GAMES, coach=CoachProcess()) as desk:
        desk.session.start(GAME, {**SETUP, "tracking": tracking})
        with TestClient(create_app(desk), ADDRESS, client=HERE, headers={"Accept-Language": language}) as host:
            assert host.get("/host").text.count(sentence) == 1
            assert sentence not in host.get("/").text
            answer = host.post("/coach", json={})
            desk.session.pause()
            assert sentence not in host.get("/host").text
    assert (answer.status_code, answer.json()["code"], answer.json()["message"]) == (404, "too_little", sentence)


@pytest.mark.parametrize("coach", [None, CoachProcess()], ids=["no coach wanted", "everything tracked"])
def test_nothing_is_said_of_too_little_where_no_coach_is_wanted_or_all_is_tracked(
    tmp_path: Path, coach: CoachProcess | None
) -> None:
    tracking = "everything" if coach else "island"
    with open_desk(tmp_path, GAMES, coach=coach) as desk:
        desk.session.start(GAME, {**SETUP, "tracking": tracking})
        with TestClient(create_app(desk), ADDRESS, client=HERE) as host:
            assert "The coach needs" not in host.get("/host").text
            assert ("data-coach" in host.get("/host").text) is bool(coach)
