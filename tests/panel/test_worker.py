"""The worker at its slow panel, in a time that stands still between the happenings told here."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from threading import Condition, Event

import pytest
from PIL import Image

from companion.panel.worker import Pace, PanelStanding, PanelWorker
from companion.ports import BLACK_WHITE, Advice, DeviceState, DeviceStatus, Palette, ShowResult
from companion.table.snapshot import Snapshot
from tests.wording import worded

SICK = Advice("advice.panel.no_life")


@dataclass
class Slow:
    """A panel of 8 by 8 pixels that takes ``refresh`` seconds of the story's time, or returns early."""

    story: Story
    refresh: float = 20.0
    returns_after: float = 20.0
    failing: int = 0
    shown: list[tuple[float, int]] = field(default_factory=list)
    closed: bool = False
    name: str = "slow"
    size: tuple[int, int] = (8, 8)
    palette: Palette = BLACK_WHITE

    @property
    def refresh_seconds(self) -> float:
        return self.refresh

    def show(self, picture: Image.Image) -> ShowResult:
        assert not self.closed
        self.shown.append((round(self.story.now, 2), content_of(picture)))
        self.story.pass_by(self.returns_after)
        if self.failing:
            self.failing -= 1
            return ShowResult(False, self.returns_after, SICK)
        return ShowResult(True, self.returns_after)

    def close(self) -> None:
        self.closed = True


class Story:
    """What happens when, in seconds; time passes only where the worker or the panel waits."""

    def __init__(self) -> None:
        self.now = 0.0
        self._to_come: list[tuple[float, Callable[[], object]]] = []

    def at(self, second: float, happening: Callable[[], object]) -> None:
        self._to_come = sorted([*self._to_come, (second, happening)], key=lambda told: told[0])

    def clock(self) -> float:
        return self.now

    def pass_by(self, seconds: float) -> None:
        end = self.now + seconds
        while self._to_come and self._to_come[0][0] <= end:
            self._happen()
        self.now = end

    def wait(self, condition: Condition, seconds: float | None) -> None:
        """Wait, in place of ``Condition.wait``: until the next happening, or until the time is over."""
        next_at = self._to_come[0][0] if self._to_come else None
        if next_at is not None and (seconds is None or next_at <= self.now + seconds):
            self._happen()
            return
        assert seconds is not None, "the worker waits for ever and nothing more happens"
        self.now += seconds

    def _happen(self) -> None:
        second, happening = self._to_come.pop(0)
        self.now = max(self.now, second)
        happening()


def snapshot_of(number: int) -> Snapshot:
    """A snapshot whose picture shows this number, whatever revision is printed on it."""
    return Snapshot(number, news=DeviceStatus(str(number), DeviceState.READY))


def content_of(picture: Image.Image) -> int:
    """The number that a picture bears."""
    return int.from_bytes(picture.tobytes()[:4], "big")


def render(snapshot: Snapshot, size: tuple[int, int], palette: Palette) -> Image.Image:
    assert snapshot.news is not None
    return bearing(int(snapshot.news.device), size)


def bearing(number: int, size: tuple[int, int]) -> Image.Image:
    return Image.frombytes("P", size, number.to_bytes(4, "big") + bytes(size[0] * size[1] - 4))


@dataclass
class Desk:
    """A worker at a panel with its story; ``told`` is every standing it published."""

    story: Story
    panel: Slow
    worker: PanelWorker
    told: list[PanelStanding]

    def submit(self, second: float, revision: int) -> None:
        self.story.at(second, lambda: self.worker.submit(snapshot_of(revision)))

    def work_until(self, second: float) -> None:
        self.story.at(second, self.worker.stop)
        self.worker.work()


@pytest.fixture
def desk() -> Desk:
    return at_desk()


def at_desk(
    rendering: Callable[[Snapshot, tuple[int, int], Palette], Image.Image] = render, pace: Pace | None = None
) -> Desk:
    story, told = Story(), list[PanelStanding]()
    panel = Slow(story)
    worker = PanelWorker(panel, rendering, told=told.append, pace=pace or Pace(), clock=story.clock, wait=story.wait)
    return Desk(story, panel, worker, told)


def test_thirty_changes_in_three_seconds_are_two_refreshes_and_the_last_is_shown(desk: Desk) -> None:
    for number in range(30):
        desk.submit(1 + number / 10, 100 + number)
    desk.work_until(100)
    assert len(desk.panel.shown) == 2
    assert desk.panel.shown[-1][1] == 129
    assert desk.worker.standing == PanelStanding(wanted=129, sending=None, shown=129)


def test_changes_are_collected_for_three_tenths_of_a_second(desk: Desk) -> None:
    desk.submit(1.0, 7)
    desk.submit(1.29, 8)
    desk.work_until(50)
    assert desk.panel.shown == [(1.3, 8)]


def test_a_panel_that_returns_early_is_left_its_own_time(desk: Desk) -> None:
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
    assert PanelStanding(wanted=22, shown=22) in desk.told


def test_a_picture_that_is_shown_already_is_not_sent_again() -> None:
    desk = at_desk(lambda snapshot, size, palette: bearing(4, size))
    desk.submit(1, 21)
    desk.submit(30, 22)
    desk.work_until(100)
    assert len(desk.panel.shown) == 1
    assert desk.worker.standing == PanelStanding(wanted=22, shown=22)


def test_a_failed_picture_is_tried_again_after_a_rest(desk: Desk) -> None:
    desk.panel.failing = 1
    desk.submit(1.0, 7)
    desk.work_until(100)
    assert desk.panel.shown == [(1.3, 7), (26.3, 7)]
    assert desk.worker.standing == PanelStanding(wanted=7, shown=7)
    assert PanelStanding(wanted=7, ok=False, advice=SICK) in desk.told


def test_a_dead_panel_heals_without_a_change_of_the_game(desk: Desk) -> None:
    desk.panel.failing = 5
    desk.submit(1.0, 7)
    desk.work_until(400)
    assert desk.panel.shown[-1][1] == 7
    assert desk.worker.standing == PanelStanding(wanted=7, shown=7)


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


def test_a_newer_picture_does_not_wait_for_a_dead_panels_rest_to_be_over(desk: Desk) -> None:
    desk.panel.failing = 4
    desk.submit(1.0, 7)
    desk.submit(120.0, 8)
    desk.work_until(300)
    assert desk.panel.shown[-1] == (120.3, 8)


def test_a_newer_picture_leaves_a_failed_panel_its_own_time(desk: Desk) -> None:
    desk.panel.failing = 1
    desk.panel.returns_after = 1.0
    desk.submit(1.0, 7)
    desk.submit(3.0, 8)
    desk.work_until(100)
    assert desk.panel.shown == [(1.3, 7), (21.3, 8)]


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
    assert desk.worker.standing == PanelStanding(wanted=7, shown=6, ok=False, advice=SICK)


def test_something_newer_takes_the_place_of_a_retry(desk: Desk) -> None:
    desk.panel.failing = 1
    desk.submit(1.0, 7)
    desk.submit(23.0, 8)
    desk.work_until(100)
    assert [revision for _, revision in desk.panel.shown] == [7, 8]


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
        PanelStanding(wanted=7, sending=7),
        PanelStanding(wanted=8, shown=7),
        PanelStanding(wanted=8, sending=8, shown=7),
        PanelStanding(wanted=8, shown=8),
    ]


def test_the_panel_is_closed_by_the_thread_that_used_it(desk: Desk) -> None:
    desk.work_until(5)
    assert desk.panel.closed


def test_stopping_waits_for_the_refresh_that_runs_and_drops_what_waits() -> None:
    begun, go_on = Event(), Event()

    class Blocking(Slow):
        def show(self, picture: Image.Image) -> ShowResult:
            begun.set()
            assert go_on.wait(5)
            return super().show(picture)

    panel = Blocking(Story())
    worker = PanelWorker(panel, render, pace=Pace(collect=0.0))
    worker.start()
    worker.submit(snapshot_of(1))
    assert begun.wait(5)
    worker.submit(snapshot_of(2))
    stopping = threading.Thread(target=worker.stop)
    stopping.start()
    stopping.join(0.02)
    assert stopping.is_alive()
    go_on.set()
    stopping.join(5)
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
