"""A worker at a slow panel, in a time that stands still between the happenings that a test tells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Condition

from PIL import Image

from companion.panel.refresh_times import RefreshTimes
from companion.panel.worker import Clockwork, Pace, PanelStanding, PanelWorker
from companion.ports import BLACK_WHITE, Advice, DeviceState, DeviceStatus, Palette, ShowResult
from companion.table.snapshot import Snapshot

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

    def submit(self, second: float, revision: int, *, acted: bool = True) -> None:
        self.story.at(second, lambda: self.worker.submit(snapshot_of(revision), acted=acted))

    def work_until(self, second: float) -> None:
        self.story.at(second, self.worker.stop)
        self.worker.work()


def at_desk(
    rendering: Callable[[Snapshot, tuple[int, int], Palette], Image.Image] = render,
    pace: Pace | None = None,
    quiet: Callable[[float], bool] = lambda _second: False,
    times: RefreshTimes | None = None,
) -> Desk:
    story, told = Story(), list[PanelStanding]()
    panel = Slow(story)
    clockwork = Clockwork(story.clock, story.wait, lambda: quiet(story.now))
    worker = PanelWorker(panel, rendering, told=told.append, pace=pace or Pace(), times=times, clockwork=clockwork)
    return Desk(story, panel, worker, told)
