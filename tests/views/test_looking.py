"""What is only looked at: the log as a story, the board to be checked, charts, statistics, odds."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from companion.rules.game import Outcome
from companion.rules.portrait import Phrase
from companion.rules.registry import GAMES
from companion.table.course import Course, Moment
from companion.table.snapshot import LogLine, PastGame, Seated
from companion.views.chronicle import HEIGHT, WIDTH, Chronicle, chronicle
from companion.views.inspection import inspection
from companion.views.log import story
from companion.views.odds import odds_view
from companion.views.statistics import statistics
from companion.views.table import meter_view
from tests.tiny_game import State, TinyGame

TINY = TinyGame()
START = TINY.start({"players": ["otter", "heron"], "weather": "mild", "dark": "dune"})
(ISLAND,) = GAMES.values()
SETUP = {"players": ["explorer", "pilot"], "difficulty": "novice"}
ISLAND_START = ISLAND.start(ISLAND.complete(SETUP, lambda _purpose, options: options[0]))


def seated(game: Any = TINY, state: Any = START) -> Seated:
    return Seated(1, game, {}, state, (), (), can_undo=False, can_redo=False)


def after(game: Any, state: Any, command: Any) -> Any:
    for event in game.decide(state, game.read_command(command)):
        state = game.evolve(state, event)
    return state


# -- the log
def line(number: int, *sentences: Phrase, **parts: Any) -> LogLine:
    return LogLine(number, parts.pop("turn", 1), sentences, **parts)


def test_a_line_tells_whom_it_speaks_of_however_deep_the_name_stands() -> None:
    deep = Phrase("a", {"why": Phrase("b", {"who": ("heron", "pier")})})
    told = story([line(1, Phrase("c", {"player": "otter"})), line(2, deep)], ["otter", "heron", "badger"])
    assert [entry.players for entry in told.entries] == [("otter",), ("heron",)]
    assert told.players == ("otter", "heron")


def test_a_line_that_was_taken_back_is_kept_with_its_kind_and_as_undone() -> None:
    told = story([line(1, Phrase("c"), kind="draw", retracted=True), line(2, Phrase("c"), turn=4)], [])
    assert [entry.kinds for entry in told.entries] == [("draw", "undone"), ("action",)]
    assert (told.kinds, told.turns) == (("action", "draw", "undone"), (1, 4))


def test_a_line_without_a_sentence_is_no_line() -> None:
    assert story([line(1)], []).entries == ()


# -- the meter
def test_a_meter_tells_the_mark_that_comes_next_and_none_after_the_last() -> None:
    meter = TINY.portray(START, ()).meters[0]
    following = meter_view(meter).upcoming
    assert following is not None
    assert following.label == "2"
    assert meter_view(replace(meter, at=len(meter.marks) - 1)).upcoming is None


# -- check the board
@pytest.mark.parametrize(("game", "start"), [(TINY, START), (ISLAND, ISLAND_START)])
def test_every_offer_of_the_check_is_a_correction_that_the_game_accepts(game: Any, start: Any) -> None:
    found = inspection(seated(game, start))
    lying = [lying.check for row in found.rows for lying in row if lying.check]
    checks = [*lying, *found.values, *(check for seat in found.seats for check in seat.checks)]
    commands = [
        *(offer.command for check in checks for offer in check.offers if not offer.believed),
        *(counter.fewer for check in checks for counter in check.counters if counter.fewer),
    ]
    assert len(commands) > 10
    for command in commands:
        assert game.decide(start, game.read_command(command))


@pytest.mark.parametrize(("game", "start"), [(TINY, START), (ISLAND, ISLAND_START)])
def test_the_check_compares_all_that_can_be_corrected(game: Any, start: Any) -> None:
    found = inspection(seated(game, start))
    lying = [lying.check for row in found.rows for lying in row]
    compared = [*lying, *found.values, *(check for seat in found.seats for check in seat.checks)]
    assert {repr(check.adjustable) for check in compared if check} == set(map(repr, game.adjustables(start)))


def test_a_tile_found_flooded_is_flooded_after_its_offer() -> None:
    (first, *_) = [lying for row in inspection(seated()).rows for lying in row]
    assert first.check is not None
    offer = next(offer for offer in first.check.offers if offer.option == "dark")
    assert after(TINY, START, offer.command).lamps[0] == "dark"


def test_a_card_found_in_a_hand_is_in_it_after_its_offer() -> None:
    seat = inspection(seated(ISLAND, ISLAND_START)).seats[0]
    hands = next(check for check in seat.checks if check.adjustable.many)
    counter = next(counter for counter in hands.counters if counter.option == "sandbags")
    assert counter.more is not None
    portrait = ISLAND.portray(after(ISLAND, ISLAND_START, counter.more), ())
    assert "sandbags" in (portrait.seats[0].cards or ())


# -- the chronicle
def course(*states: State, game: Any = TINY) -> Course:
    moments = tuple(Moment(turn, state) for turn, state in enumerate(states))
    return Course(PastGame(1, "tiny", {}, "2026-01-01T20:00:00+00:00", 3), game, moments, (), ())


def numbers(found: Chronicle) -> dict[str, tuple[int, ...]]:
    return {series.name: series.values for series in found.columns}


def test_a_chronicle_counts_meter_board_and_goals_at_each_turn() -> None:
    found = chronicle(
        course(START, replace(START, storm=2), replace(START, storm=3, lamps=("lost", "lit", "lit", "lit")))
    )
    told = numbers(found)
    assert told["storm"] == (1, 2, 3)
    assert (told["lit"], told["dark"], told["lost"]) == ((3, 3, 3), (1, 1, 0), (0, 0, 1))
    assert told["goals"] == (3, 3, 3)
    assert [row[0] for row in found.rows] == [0, 1, 2]


def test_all_that_a_chart_draws_lies_within_it() -> None:
    found = chronicle(course(*[START] * 40))
    for chart in found.charts:
        for curve in chart.curves:
            assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in curve.points)
            assert len(re.findall(r"[ML]", curve.path)) == 40
            assert len(curve.points) <= 12
        assert len(chart.ticks) <= 8


def test_a_game_that_has_just_begun_has_a_chronicle_of_one_moment() -> None:
    assert chronicle(course(START)).rows[0][0] == 0
    assert chronicle(course(ISLAND_START, game=ISLAND)).rows[0][1][0] == 1


# -- statistics
def past(number: int, won: bool | None, **setup: Any) -> PastGame:
    outcome = None if won is None else Outcome(won, None if won else "storm")
    return PastGame(number, "tiny", setup, "2026-01-01T20:00:00+00:00", 3, outcome)


def test_wins_are_counted_by_every_answer_and_unfinished_games_stand_apart() -> None:
    history = (
        past(1, True, players=["otter"], weather="mild"),
        past(2, False, players=["otter", "heron"], weather="mild"),
        past(3, False, players=["heron", "badger"], weather="rough"),
        past(4, None, players=["otter"], weather="mild"),
    )
    (record,) = statistics(history, {"tiny": TINY})
    assert (record.ended, record.won, record.unfinished) == (3, 1, 1)
    told = {broken.key: {t.option: (t.played, t.won) for t in broken.tallies} for broken in record.breakdowns}
    assert told["weather"] == {"mild": (2, 1), "rough": (1, 0)}
    assert told["players"] == {"otter": (2, 1), "heron": (2, 0), "badger": (1, 0)}
    assert told["players.number"] == {"1": (1, 1), "2": (2, 0)}


def test_a_game_that_was_never_begun_has_no_statistics() -> None:
    assert statistics((past(1, True),), {"other": TINY}) == ()


def test_only_unfinished_games_have_nothing_to_be_counted_by() -> None:
    (record,) = statistics((past(1, None, players=["otter"]),), {"tiny": TINY})
    assert (record.ended, record.breakdowns) == (0, ())


# -- odds
def test_the_odds_tell_how_each_place_stands_now() -> None:
    view = odds_view(seated(ISLAND, ISLAND_START))
    assert view is not None
    board = ISLAND.portray(ISLAND_START, ()).board
    assert board is not None
    standing = {space.name: space.condition for space in board.spaces}
    assert {risk.name: risk.condition for risk in view.risks} == standing


def test_a_game_that_gives_no_odds_shows_none() -> None:
    assert odds_view(seated()) is None
