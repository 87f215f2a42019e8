"""The worker at its slow panel, in a time that stands still between the happenings told here."""

from __future__ import annotations

import threading
from itertools import pairwise
from threading import Event

import pytest
from PIL import Image

from companion.panel.worker import Pace, PanelStanding, PanelWorker
from companion.ports import Palette, ShowResult
from companion.table.snapshot import Snapshot
from tests.panel.slow_panel import SICK, Desk, Slow, Story, at_desk, bearing, render, snapshot_of
from tests.patience import PATIENCE
from tests.wording import worded


@pytest.fixture
def desk() -> Desk:
    return at_desk()


def test_thirty_changes_in_three_seconds_are_two_refreshes_and_the_last_is_shown(desk: Desk) -> None:
    """No panel can show a part of a picture: https://github.com/pimoroni/inky/issues/4 and /155."""
    for number in range(30):
        desk.submit(1 + number / 10, 100 + number)
    desk.work_until(100)
    assert len(desk.panel.shown) == 2
    assert desk.panel.shown[-1][1] == 129
    assert desk.worker.standing == PanelStanding(wanted=129, shown=129, takes=20.0)


def test_changes_are_collected_for_three_tenths_of_a_second(desk: Desk) -> None:
    desk.submit(1.0, 7)
    desk.submit(1.29, 8)
    desk.work_until(50)
    assert desk.panel.shown == [(1.3, 8)]


def test_a_panel_that_returns_early_is_left_its_own_time(desk: Desk) -> None:
    """It returned 19 seconds early: https://github.com/pimoroni/inky/issues/254, /266 and /103."""
    desk.panel.returns_after = 1.0
    desk.submit(1.0, 7)
    desk.submit(3.0, 8)
    desk.work_until(60)
    assert [when for when, _ in desk.panel.shown] == [1.3, 21.3]


def test_pictures_keep_the_gap_that_the_settings_ask_for() -> None:
    desk = at_desk(pace=Pace(gap=45.0))
    desk.submit(1.0, 7)
    desk.submit(3.0, 8)
    desk.work_until(60)
    assert [when for when, _ in desk.panel.shown] == [1.3, 46.3]


def test_a_picture_that_would_differ_in_its_number_alone_is_not_sent() -> None:
    def bearing_the_pause(snapshot: Snapshot, size: tuple[int, int], palette: Palette) -> Image.Image:
        return bearing(snapshot.revision + 1000 * snapshot.paused, size)

    desk = at_desk(bearing_the_pause)
    desk.submit(1, 21)
    desk.submit(30, 22)
    desk.story.at(60, lambda: desk.worker.submit(Snapshot(31, paused=True)))
    desk.work_until(100)
    assert [number for _, number in desk.panel.shown] == [21, 1031]
    assert PanelStanding(wanted=22, shown=22, takes=20.0) in desk.told


def test_a_picture_that_is_shown_already_is_not_sent_again() -> None:
    desk = at_desk(lambda snapshot, size, palette: bearing(4, size))
    desk.submit(1, 21)
    desk.submit(30, 22)
    desk.work_until(100)
    assert len(desk.panel.shown) == 1
    assert desk.worker.standing == PanelStanding(wanted=22, shown=22, takes=20.0)


def test_a_failed_picture_is_tried_again_after_a_rest(desk: Desk) -> None:
    desk.panel.failing = 1
    desk.submit(1.0, 7)
    desk.work_until(100)
    assert desk.panel.shown == [(1.3, 7), (26.3, 7)]
    assert desk.worker.standing == PanelStanding(wanted=7, shown=7, takes=20.0)
    assert PanelStanding(wanted=7, ok=False, advice=SICK, behind=1, takes=20.0) in desk.told


def test_a_dead_panel_heals_without_a_change_of_the_game(desk: Desk) -> None:
    desk.panel.failing = 5
    desk.submit(1.0, 7)
    desk.work_until(400)
    assert desk.panel.shown[-1][1] == 7
    assert desk.worker.standing == PanelStanding(wanted=7, shown=7, takes=20.0)


def test_the_rest_of_a_dead_panel_doubles_up_to_a_minute(desk: Desk) -> None:
    desk.panel.returns_after = desk.panel.refresh = 0.0
    desk.panel.failing = 99
    desk.submit(1.0, 7)
    desk.work_until(250)
    begun = [when for when, _ in desk.panel.shown]
    rests = [round(later - earlier, 2) for earlier, later in pairwise(begun)]
    assert rests == [5, 10, 20, 40, 60, 60]


def test_a_success_makes_the_rest_short_again(desk: Desk) -> None:
    desk.panel.failing = 3
    desk.submit(1.0, 7)
    desk.story.at(200.0, lambda: setattr(desk.panel, "failing", 1))
    desk.submit(201.0, 8)
    desk.work_until(300)
    assert desk.panel.shown[-2:] == [(201.3, 8), (226.3, 8)]


def test_a_failing_panel_is_not_tried_at_every_move_but_after_its_rest_with_the_newest_picture(desk: Desk) -> None:
    desk.panel.returns_after = desk.panel.refresh = 0.0
    desk.panel.failing = 4
    for second in range(1, 70):
        desk.submit(float(second), second)
    desk.work_until(100)
    assert desk.panel.shown[:5] == [(1.3, 1), (6.3, 6), (16.3, 16), (36.3, 36), (76.3, 69)]
    assert desk.worker.standing.ok


def test_a_panel_that_stays_dead_is_told_in_the_log_once(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    desk.panel.failing = 99
    desk.submit(1.0, 7)
    desk.work_until(500)
    assert len(desk.panel.shown) > 3
    assert len(caplog.records) == 1


def test_while_the_panel_is_dead_its_standing_says_what_was_shown_last_and_what_to_do(desk: Desk) -> None:
    desk.submit(1.0, 6)
    desk.story.at(30.0, lambda: setattr(desk.panel, "failing", 9))
    desk.submit(40.0, 7)
    desk.work_until(200)
    assert desk.worker.standing == PanelStanding(wanted=7, shown=6, ok=False, advice=SICK, behind=1, takes=20.0)


def test_something_newer_takes_the_place_of_a_retry(desk: Desk) -> None:
    desk.panel.failing = 1
    desk.submit(1.0, 7)
    desk.submit(23.0, 8)
    desk.work_until(100)
    assert desk.panel.shown == [(1.3, 7), (26.3, 8)]


def test_a_picture_that_cannot_be_drawn_is_told_in_a_line_and_the_next_one_is_drawn(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def crashing(snapshot: Snapshot, size: tuple[int, int], palette: Palette) -> Image.Image:
        if snapshot.revision == 7:
            raise ValueError("no ink")
        return render(snapshot, size, palette)

    desk = at_desk(crashing)
    desk.submit(1.0, 7)
    desk.submit(10.0, 8)
    desk.work_until(100)
    assert [revision for _, revision in desk.panel.shown] == [8]
    assert any(not told.ok and told.advice and "no ink" in worded(told.advice) for told in desk.told)
    assert desk.worker.standing.ok
    assert [record.exc_info for record in caplog.records] == [None]


def test_the_standing_tells_what_is_on_its_way(desk: Desk) -> None:
    desk.submit(1.0, 7)
    desk.submit(2.0, 8)
    desk.work_until(100)
    assert desk.told == [
        PanelStanding(wanted=7, sending=7, behind=1, takes=20.0),
        PanelStanding(wanted=8, shown=7, behind=1, takes=20.0),
        PanelStanding(wanted=8, sending=8, shown=7, behind=1, takes=20.0),
        PanelStanding(wanted=8, shown=8, takes=20.0),
    ]


def test_the_panel_is_closed_by_the_thread_that_used_it(desk: Desk) -> None:
    desk.work_until(5)
    assert desk.panel.closed


def test_stopping_waits_for_the_refresh_that_runs_and_drops_what_waits() -> None:
    begun, go_on = Event(), Event()

    class Blocking(Slow):
        def show(self, picture: Image.Image) -> ShowResult:
            begun.set()
            assert go_on.wait(PATIENCE)
            return super().show(picture)

    panel = Blocking(Story())
    worker = PanelWorker(panel, render, pace=Pace(collect=0.0))
    worker.start()
    worker.submit(snapshot_of(1))
    assert begun.wait(PATIENCE)
    worker.submit(snapshot_of(2))
    stopping = threading.Thread(target=worker.stop)
    stopping.start()
    stopping.join(0.02)
    assert stopping.is_alive()
    go_on.set()
    stopping.join(PATIENCE)
    assert not stopping.is_alive()
    assert [revision for _, revision in panel.shown] == [1]
    assert panel.closed


def test_a_panel_that_raises_against_its_word_does_not_end_the_thread(desk: Desk) -> None:
    calls = iter([RuntimeError("torn cable")])

    def torn(picture: Image.Image) -> ShowResult:
        for failure in calls:
            raise failure
        return Slow.show(desk.panel, picture)

    desk.panel.show = torn  # type: ignore[method-assign]
    desk.submit(1.0, 7)
    desk.work_until(100)
    assert any(told.advice and "torn cable" in worded(told.advice) for told in desk.told)
    assert desk.worker.standing.shown == 7


def test_the_standing_counts_the_changes_that_the_panel_is_behind(desk: Desk) -> None:
    """The page was new, the panel frozen: https://github.com/fatihak/InkyPi/issues/226 and /464."""
    for second, revision in ((1.0, 7), (5.0, 8), (6.0, 12), (7.0, 13)):
        desk.submit(second, revision)
    desk.story.at(8.0, lambda: desk.told.append(desk.worker.standing))
    desk.work_until(100)
    assert [standing.behind for standing in desk.told] == [1, 4, 3, 3, 0]


def test_a_panel_that_never_returns_is_told_after_two_minutes_and_once(caplog: pytest.LogCaptureFixture) -> None:
    desk = at_desk()
    desk.panel.returns_after = 500.0
    desk.submit(1.0, 7)
    for second in range(1, 130):
        desk.story.at(float(second), desk.worker.look)
    desk.story.at(130.0, lambda: desk.told.append(desk.worker.standing))
    desk.submit(140.0, 8)
    desk.story.at(141.0, lambda: setattr(desk.panel, "returns_after", 20.0))
    desk.work_until(700)
    stuck = [standing for standing in desk.told if not standing.ok]
    assert len(stuck) == 2
    assert "120 seconds" in worded(stuck[0].advice)
    assert (stuck[0].sending, stuck[0].shown) == (7, None)
    assert len(caplog.records) == 1
    assert desk.worker.standing.ok
    assert desk.worker.standing.shown == 8


def test_a_panel_that_hangs_before_its_first_picture_is_told_too() -> None:
    """After a power cut SPI was off and the start hung: https://github.com/fatihak/InkyPi/issues/329."""

    def hanging(snapshot: Snapshot, size: tuple[int, int], palette: Palette) -> Image.Image:
        hung.story.pass_by(300.0)
        return render(snapshot, size, palette)

    hung = at_desk(hanging)
    hung.submit(1.0, 7)
    hung.story.at(122.0, hung.worker.look)
    hung.work_until(400)
    assert any(standing.advice and "120 seconds" in worded(standing.advice) for standing in hung.told)
    assert hung.worker.standing.ok


def test_a_slow_panel_is_not_taken_for_a_stuck_one(desk: Desk) -> None:
    desk.panel.returns_after = 66.0
    desk.submit(1.0, 7)
    for second in range(1, 300):
        desk.story.at(float(second), desk.worker.look)
    desk.submit(70.0, 8)
    desk.work_until(300)
    assert all(standing.ok for standing in desk.told)


def test_stopping_does_not_wait_for_a_panel_that_is_stuck() -> None:
    begun, never = Event(), Event()

    class Stuck(Slow):
        def show(self, picture: Image.Image) -> ShowResult:
            begun.set()
            never.wait()
            return super().show(picture)

    worker = PanelWorker(Stuck(Story()), render, pace=Pace(collect=0.0, limit=0.05))
    worker.start()
    worker.submit(snapshot_of(1))
    assert begun.wait(PATIENCE)
    worker.stop()
    assert worker.standing.shown is None
    never.set()


def test_quick_changes_never_touch_the_picture_that_is_on_its_way(desk: Desk) -> None:
    """Updates during a refresh corrupted it: https://github.com/esphome/esphome/pull/17275."""
    seen: list[bytes] = []
    show = desk.panel.show

    def watched(picture: Image.Image) -> ShowResult:
        before = picture.tobytes()
        result = show(picture)
        seen.append(before)
        assert picture.tobytes() == before
        return result

    desk.panel.show = watched  # type: ignore[method-assign]
    for tenth in range(10, 250):
        desk.submit(tenth / 10, tenth)
    desk.work_until(100)
    starts = [when for when, _ in desk.panel.shown]
    assert all(later - earlier >= desk.panel.refresh - 1e-6 for earlier, later in pairwise(starts))
    assert len(seen) == len(starts) == 3
    assert desk.panel.shown[-1][1] == 249
