from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.ports import Advice, DeviceState, DeviceStatus
from companion.rules.portrait import Board, Meter, Phrase, Pile, Result, Seat, Space, Tone
from companion.table.snapshot import LogLine, Notice, Seated, Snapshot, Unsaved
from companion.views.table import (
    LOG_LINES,
    Alert,
    conditions,
    counted,
    grid,
    grouped,
    meter_view,
    pile_view,
    seat_view,
    table_view,
)
from tests.tiny_game import Event, State, TinyGame

GAME = TinyGame()
START = GAME.start({"players": ["otter", "heron"], "weather": "mild", "dark": "dune"})


def snapshot(state: State = START, revision: int = 7, **parts: Any) -> Snapshot:
    log = parts.pop("log", ())
    recent = parts.pop("recent", ())
    seated = Seated(1, GAME, {}, state, recent, log, can_undo=True, can_redo=False)
    return Snapshot(revision, seated, **parts)


def line(number: int, retracted: bool = False) -> LogLine:
    return LogLine(number, 1, (Phrase("tiny.lit", {"what": f"place {number}"}),), retracted)


def test_a_table_without_a_game_shows_its_devices() -> None:
    lost = DeviceStatus("reader", DeviceState.LOST, Advice("advice.port.missing", {"port": "/dev/ttyACM0"}))
    view = table_view(Snapshot(3, devices=(DeviceStatus("panel", DeviceState.READY), lost)))
    assert (view.game, view.portrait, view.grid) == (None, None, ())
    assert view.troubles == (lost,)
    assert view.awaited == Phrase("web.status.no_game")


def test_what_is_not_saved_is_told_with_since_when_and_why_and_interrupts_once() -> None:
    unsaved = Unsaved(5, Phrase("unsaved.full"))
    told = Phrase("notice.unsaved", {"revision": 5, "cause": Phrase("unsaved.full")})
    for view in (table_view(Snapshot(9, unsaved=unsaved)), table_view(snapshot(unsaved=unsaved))):
        assert view.unsaved == told
        assert view.alert == Alert("unsaved 5", told)
    assert table_view(snapshot()).unsaved is None


def test_the_board_lies_in_its_grid_with_gaps() -> None:
    spaces = (Space("a", 0, 1, "dry"), Space("b", 1, 0, "dry"), Space("c", 1, 2, "sunk", gone=True))
    rows = grid(Board(2, 3, spaces))
    assert [[space and space.name for space in row] for row in rows] == [[None, "a", None], ["b", None, "c"]]


def test_the_legend_counts_conditions_from_harmless_to_gone() -> None:
    board = Board(
        1,
        4,
        (
            Space("a", 0, 0, "sunk", Tone.DANGER, gone=True),
            Space("b", 0, 1, "flooded", Tone.WARNING),
            Space("c", 0, 2, "dry"),
            Space("d", 0, 3, "flooded", Tone.WARNING),
        ),
    )
    assert [(kind.condition, kind.n) for kind in conditions(board)] == [("dry", 1), ("flooded", 2), ("sunk", 1)]


def test_a_meter_shows_what_is_passed_and_where_danger_begins() -> None:
    view = meter_view(Meter("storm", ("1", "2", "3", "skull"), at=1, danger=2, reading=2))
    assert [(mark.passed, mark.here, mark.danger) for mark in view.marks] == [
        (True, False, False),
        (False, True, False),
        (False, False, True),
        (False, False, True),
    ]
    assert [mark.symbol for mark in view.marks] == [False, False, False, True]
    assert (view.number, view.alarming) == (2, False)
    assert meter_view(Meter("storm", ("1", "2"), at=1, danger=1)).alarming


def test_equal_cards_lie_together() -> None:
    assert counted(("a", "b", "a", "c", "b", "a")) == (("a", 3), ("b", 2), ("c", 1))


def test_a_hand_over_its_limit_says_by_how_much() -> None:
    view = seat_view(Seat("otter", "blue", cards=("flare", "flare", "flare"), limit=1))
    assert (view.cards, view.held, view.over) == ((("flare", 3),), 3, 2)


def test_a_hand_that_is_not_tracked_is_not_an_empty_hand() -> None:
    assert seat_view(Seat("otter", "blue", cards=None, limit=5)).cards is None
    assert seat_view(Seat("otter", "blue", cards=(), limit=5)).cards == ()


def test_the_newest_discard_comes_first() -> None:
    assert pile_view(Pile("weather", (3,), discard=("pier", "gale"))).discard == (("gale", 1), ("pier", 1))


def test_results_stand_by_deck_in_the_order_they_came() -> None:
    results = (
        Result("treasure", "x", "drawn"),
        Result("flood", "y", "flooded"),
        Result("treasure", "z", "drawn"),
    )
    groups = [(group.group, [result.card for result in group.results]) for group in grouped(results)]
    assert groups == [("treasure", ["x", "z"]), ("flood", ["y"])]
    assert grouped(()) == ()


def test_the_log_is_newest_first_and_not_endless() -> None:
    view = table_view(snapshot(log=tuple(line(number) for number in range(100))))
    assert [entry.number for entry in view.log[:2]] == [99, 98]
    assert len(view.log) == LOG_LINES
    assert table_view(snapshot(log=(line(1),))).log == (line(1),)


def test_a_revision_tells_what_happened_and_what_is_awaited() -> None:
    view = table_view(snapshot(log=(line(1), line(2))))
    assert view.told == line(2).sentences
    assert view.awaited == Phrase("tiny.await.actions", {"seat": "otter"})


def test_a_move_that_was_taken_back_is_told_as_such() -> None:
    view = table_view(snapshot(log=(line(1), line(2, retracted=True))))
    assert view.told == (Phrase("web.status.taken_back"),)


def test_a_paused_table_says_so() -> None:
    view = table_view(snapshot(paused=True))
    assert view.paused
    assert view.awaited == Phrase("web.status.paused")


def test_a_loss_interrupts_and_a_win_does_not() -> None:
    lost = table_view(snapshot(replace(START, storm=4)))
    assert lost.awaited == Phrase("tiny.ending.storm")
    assert lost.alert == Alert("loss 1 0", lost.awaited)
    assert table_view(snapshot(replace(START, phase="won"))).alert is None


def test_only_a_danger_interrupts_a_game() -> None:
    phrase = Phrase("notice.mismatch")
    assert table_view(snapshot(notice=Notice(6, phrase, Tone.DANGER))).alert == Alert("notice 6", phrase)
    assert table_view(snapshot(notice=Notice(7, phrase, Tone.WARNING))).alert is None


def test_this_turns_results_come_from_the_recent_events() -> None:
    view = table_view(snapshot(recent=(Event("drawn", "gale"), Event("drawn", "pier"))))
    assert [result.card for group in view.results for result in group.results] == ["gale", "pier"]
