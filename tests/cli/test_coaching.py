"""The coach's own process, and what it says of real positions."""

from __future__ import annotations

import asyncio
import json
import time
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from companion.cli.coaching import CoachProcess
from companion.rules.forbidden_island.fast.convert import packed
from companion.rules.registry import GAMES, QUICK
from companion.views.coach import CoachLost, opinion
from simulator.bots import coaching
from simulator.bots.coaching import advise, different
from simulator.bots.experts import expert
from tests.patience import PATIENCE
from tests.tiny_game import TinyGame

GAME, QUICKLY = GAMES["forbidden_island"], QUICK["forbidden_island"]


def some_state() -> Any:
    setup = {"players": ["explorer", "pilot"], "difficulty": "novice"}
    return QUICKLY.state(QUICKLY.deal(setup, Random(4).random))


def test_it_advises_legal_commands_the_best_first_with_honest_numbers() -> None:
    state = some_state()
    said = opinion(GAME, advise(QUICKLY, GAME, state, PATIENCE, _times(12)))
    assert said.samples == sum(each.samples for each in said.best) > 0
    assert [each.chance for each in said.best] == sorted((each.chance for each in said.best), reverse=True)
    for each in said.best:
        assert each.low <= each.chance <= each.high
        assert each.commands


def _times(number: int) -> Any:
    """Yes, so many times: a budget that no clock decides."""
    left = iter(range(number))
    return lambda: next(left, None) is not None


def test_the_same_position_and_budget_are_thought_the_same_of() -> None:
    state = some_state()
    assert advise(QUICKLY, GAME, state, PATIENCE, _times(5)) == advise(QUICKLY, GAME, state, PATIENCE, _times(5))


def test_when_it_is_hushed_at_once_it_still_names_something_and_owns_that_it_knows_nothing() -> None:
    said = opinion(GAME, advise(QUICKLY, GAME, some_state(), PATIENCE, lambda: False))
    assert {(each.samples, each.low, each.high) for each in said.best} == {(0, Fraction(0), Fraction(1))}


def test_a_slow_machine_takes_two_samples_of_each_for_they_tell_how_far_they_differ() -> None:
    said = opinion(GAME, advise(QUICKLY, GAME, some_state(), 0.0))
    assert {each.samples for each in said.best} == {2}


def test_what_the_first_answer_takes_to_load_is_not_taken_from_its_thinking(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]

    def slow(game: Any) -> Any:
        now[0] += 100
        return expert(game)

    monkeypatch.setattr(coaching, "expert", slow)
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    said = advise(QUICKLY, GAME, some_state(), 1.0, _times(5))
    assert {each["samples"] for each in said["best"]} == {5}


def test_a_sure_win_leaves_no_doubt() -> None:
    position = QUICKLY.position(some_state())
    position.captured, position.hands[1] = 15, packed(["helicopter_lift"])
    position.pawns = [position.board.landing.bit_length() - 1] * 2
    (best,) = opinion(GAME, advise(QUICKLY, GAME, QUICKLY.state(position), 0.0)).best
    assert {best.chance, best.low, best.high} == {Fraction(1)}


def test_what_it_advises_differs_by_more_than_a_word() -> None:
    assert different([(1, 2, 3), (1, 2, 4), (1, 5, 6), (7,), (8, 9)], 3) == [(1, 2, 3), (1, 5, 6), (7,)]
    assert different([()], 3) == [()]


def test_with_all_treasures_won_the_rest_is_played_to_its_end() -> None:
    position = QUICKLY.position(some_state())
    position.captured, position.water = 15, 8
    said = opinion(GAME, advise(QUICKLY, GAME, QUICKLY.state(position), 0.0, _times(6)))
    for each in said.best:
        assert each.chance * each.samples == round(each.chance * each.samples)
        assert each.high - each.low > Fraction(2, 10)


def test_a_finished_game_gets_no_advice() -> None:
    position = QUICKLY.position(some_state())
    position.phase, position.lost_by = 4, 1
    assert advise(QUICKLY, GAME, QUICKLY.state(position), 0.1) == {"samples": 0, "best": []}


def test_the_process_answers_and_after_a_question_given_up_the_next_one_too() -> None:
    async def ask() -> None:
        coach, state = CoachProcess(seconds=0.3), some_state()
        try:
            first = await coach.advise(GAME, state)
            given_up = asyncio.ensure_future(CoachProcess.advise(coach, GAME, state))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            given_up.cancel()
            with pytest.raises(asyncio.CancelledError):
                await given_up
            again = await coach.advise(GAME, state)
            assert opinion(GAME, first).best and opinion(GAME, again).best
        finally:
            coach.close()

    asyncio.run(ask())


def test_a_process_that_died_is_told_and_started_anew() -> None:
    async def ask() -> None:
        coach, state = CoachProcess(seconds=0.1), some_state()
        try:
            await coach.advise(GAME, state)
            assert coach._process is not None
            coach._process.kill()
            with pytest.raises(CoachLost, match="does not answer"):
                await coach.advise(GAME, state)
            assert opinion(GAME, await coach.advise(GAME, state)).best
        finally:
            coach.close()

    asyncio.run(ask())


class Pondering(CoachProcess):
    """Answers with the number of the question when it is let; who is hushed is written down."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[bytes] = []
        self.hushed = 0
        self.may_answer = asyncio.Event()

    async def _ask(self, question: bytes) -> dict[str, Any]:
        self.asked.append(question)
        number = len(self.asked)
        try:
            await self.may_answer.wait()
        except asyncio.CancelledError:
            self.hushed += 1
            raise
        return {"samples": number, "best": []}


async def _until_it_ponders(coach: Pondering) -> None:
    while not coach.asked:
        await asyncio.sleep(0)


def test_who_asks_the_same_meanwhile_shares_the_answer_and_who_asks_later_gets_a_new_one() -> None:
    async def ask() -> None:
        coach, state = Pondering(), some_state()
        asking = [asyncio.ensure_future(coach.advise(GAME, state)) for _ in range(4)]
        await _until_it_ponders(coach)
        coach.may_answer.set()
        assert [said["samples"] for said in await asyncio.gather(*asking)] == [1, 1, 1, 1]
        assert (await coach.advise(GAME, state))["samples"] == 2

    asyncio.run(asyncio.wait_for(ask(), PATIENCE))


def test_another_position_is_another_question() -> None:
    async def ask() -> None:
        coach, position = Pondering(), QUICKLY.position(some_state())
        position.water += 1
        asking = [coach.advise(GAME, state) for state in (some_state(), QUICKLY.state(position))]
        coach.may_answer.set()
        assert [said["samples"] for said in await asyncio.gather(*asking)] == [1, 2]

    asyncio.run(asyncio.wait_for(ask(), PATIENCE))


def test_who_gives_up_leaves_the_others_their_answer() -> None:
    async def ask() -> None:
        coach, state = Pondering(), some_state()
        asking = [asyncio.ensure_future(coach.advise(GAME, state)) for _ in range(3)]
        await _until_it_ponders(coach)
        asking[0].cancel()
        await asyncio.wait(asking[:1])
        coach.may_answer.set()
        assert [said["samples"] for said in await asyncio.gather(*asking[1:])] == [1, 1]
        assert coach.hushed == 0

    asyncio.run(asyncio.wait_for(ask(), PATIENCE))


def test_it_stops_thinking_when_the_last_gives_up_and_thinks_anew_for_the_next() -> None:
    async def ask() -> None:
        coach, state = Pondering(), some_state()
        asking = [asyncio.ensure_future(coach.advise(GAME, state)) for _ in range(2)]
        await _until_it_ponders(coach)
        for each in asking:
            each.cancel()
        await asyncio.wait(asking)
        for _ in range(10):  # turns of the loop, which no clock decides
            await asyncio.sleep(0)
        assert coach.hushed == 1
        again = asyncio.ensure_future(coach.advise(GAME, state))
        coach.may_answer.set()
        assert (await again)["samples"] == 2

    asyncio.run(asyncio.wait_for(ask(), PATIENCE))


def test_a_table_that_keeps_no_pawns_has_no_coach() -> None:
    setup = {"players": ["explorer", "pilot"], "difficulty": "novice", "tracking": "island"}
    state = GAME.start(GAME.complete(setup, lambda _, options: options[0]))
    assert not CoachProcess().knows(GAME, state)
    assert CoachProcess().knows(GAME, some_state())
    assert json.dumps(GAME.state_json(some_state()))


@pytest.mark.parametrize("tracking", ["island", "cards"])
def test_it_wants_more_of_a_game_that_tells_too_little(tracking: str) -> None:
    setup = {"players": ["explorer", "pilot"], "difficulty": "novice", "tracking": tracking}
    state = GAME.start(GAME.complete(setup, lambda _, options: options[0]))
    assert CoachProcess().wants_more(GAME, state)


def test_it_wants_no_more_where_all_is_told_where_the_game_is_over_and_of_a_game_that_it_cannot_play() -> None:
    position = QUICKLY.position(some_state())
    position.phase, position.lost_by = 4, 1
    tiny = TinyGame()
    assert not CoachProcess().wants_more(GAME, some_state())
    assert not CoachProcess().wants_more(GAME, QUICKLY.state(position))
    assert not CoachProcess().wants_more(tiny, tiny.start(tiny.complete({}, lambda _, options: options[0])))
