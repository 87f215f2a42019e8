"""The worker in quiet hours, and what it learns of its panel's pace."""

from __future__ import annotations

import pytest

from companion.panel.refresh_times import RefreshTimes
from companion.panel.worker import PanelStanding
from tests.panel.slow_panel import Desk, at_desk

EVENING, MORNING = 100.0, 1000.0


@pytest.fixture
def night() -> Desk:
    """A desk where it is quiet from second 100 to 1000."""
    return at_desk(quiet=lambda second: EVENING <= second < MORNING)


def test_what_comes_by_itself_in_quiet_hours_is_shown_when_they_end_and_only_the_newest(night: Desk) -> None:
    for second in (200.0, 300.0, 900.0):
        night.submit(second, int(second), acted=False)
    night.work_until(1200)
    ((when, shown),) = night.panel.shown
    assert shown == 900
    assert MORNING <= when < MORNING + 30.0


def test_whoever_acts_at_the_table_at_night_is_answered_at_once_and_the_panel_rests_again(night: Desk) -> None:
    night.submit(200.0, 2, acted=False)
    night.submit(300.0, 3)
    night.submit(400.0, 4, acted=False)
    night.work_until(900)
    assert night.panel.shown == [(300.3, 3)]


def test_what_was_acted_is_not_forgotten_for_something_newer_that_came_by_itself(night: Desk) -> None:
    night.submit(300.0, 3)
    night.submit(301.0, 4)
    night.submit(305.0, 5, acted=False)
    night.work_until(900)
    assert night.panel.shown == [(300.3, 3), (320.3, 5)]


def test_a_picture_that_the_quiet_hours_find_on_its_way_is_finished(night: Desk) -> None:
    night.submit(95.0, 1, acted=False)
    night.work_until(900)
    assert night.panel.shown == [(95.3, 1)]
    assert night.worker.standing == PanelStanding(wanted=1, shown=1, takes=20.0)


def test_the_standing_says_that_the_panel_rests(night: Desk) -> None:
    night.submit(200.0, 2, acted=False)
    night.work_until(1200)
    assert night.told[0] == PanelStanding(wanted=2, behind=1, resting=True)
    assert night.told[-1] == PanelStanding(wanted=2, shown=2, takes=20.0)


def test_a_clock_that_is_set_right_in_the_night_is_noticed_within_half_a_minute() -> None:
    desk = at_desk(quiet=lambda second: second < 400)
    desk.submit(10.0, 1, acted=False)
    desk.work_until(500)
    ((when, _),) = desk.panel.shown
    assert 400 <= when <= 430


def test_the_true_time_of_a_picture_is_learned_and_is_the_gap_to_the_next_one() -> None:
    desk = at_desk(times=RefreshTimes())
    desk.panel.returns_after = 12.0
    desk.submit(1.0, 7)
    desk.submit(2.0, 8)
    desk.work_until(100)
    assert [when for when, _ in desk.panel.shown] == [1.3, 13.3]
    assert [standing.takes for standing in desk.told] == [20.0, 12.0, 12.0, 12.0]


def test_a_failed_picture_teaches_nothing() -> None:
    desk = at_desk(times=RefreshTimes())
    desk.panel.failing = 1
    desk.panel.returns_after = 33.0
    desk.submit(1.0, 7)
    desk.story.at(20.0, lambda: setattr(desk.panel, "returns_after", 20.0))
    desk.work_until(100)
    assert desk.worker.standing.takes == 20.0
