"""One thread that keeps a slow panel up to date: newest picture wins, nothing waits for it, nothing kills it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Condition, Thread

from PIL import Image

from companion.i18n import LANGUAGES, translator
from companion.panel.refresh_times import RefreshTimes
from companion.ports import Advice, Palette, Panel, Running, ShowResult
from companion.table.snapshot import Snapshot

_log = logging.getLogger(__name__)

Render = Callable[[Snapshot, tuple[int, int], Palette], Image.Image]


@dataclass(frozen=True, slots=True)
class PanelStanding:
    """How far the panel is, in revisions: the newest wanted, the one on its way, the one that can be seen.

    ``shown`` is also a revision whose picture would differ from the visible one in its number alone. ``behind`` counts
    the changes that came since. ``advice`` says what to do while ``ok`` is False. ``takes`` is how many seconds a
    picture takes, once that is known; while it is ``resting`` the newest picture waits for the quiet hours to end.
    """

    wanted: int | None = None
    sending: int | None = None
    shown: int | None = None
    ok: bool = True
    advice: Advice | None = None
    behind: int = 0
    takes: float | None = None
    resting: bool = False


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A picture, the revision it shows and which submission that was."""

    revision: int
    number: int
    picture: Image.Image


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds: how long changes are collected into one picture, and how long a failed panel rests before it is tried.

    The rest doubles with every failure up to ``longest_rest``, and is ``rest`` again after a success. ``gap`` is the
    least time from the beginning of one picture to that of the next, where the panel needs no more. A panel that keeps
    its thread for ``limit`` is stuck: the slowest takes 66 s. In quiet hours the time is looked at every ``nap``.
    """

    collect: float = 0.3
    rest: float = 5.0
    longest_rest: float = 60.0
    gap: float = 0.0
    limit: float = 120.0
    nap: float = 30.0


@dataclass(frozen=True, slots=True)
class _Slot:
    """What waits to be drawn: the newest snapshot, the number of its submission, and from when on it may be.

    Where somebody ``acted`` it is shown in quiet hours too.
    """

    snapshot: Snapshot
    number: int
    ready: float
    acted: bool


def _in_english(advice: Advice | None) -> str:
    return translator(LANGUAGES[0]).text(advice.code, **advice.params) if advice else "it said nothing"


def _wait(condition: Condition, seconds: float | None) -> None:
    condition.wait(seconds)


def _never() -> bool:
    return False


def _thread(work: Callable[[], None], name: str) -> Running:
    return Thread(target=work, name=name, daemon=True)


@dataclass(frozen=True, slots=True)
class Clockwork:
    """Seconds that never go back, how to wait (on a condition that is held, for seconds or for ever), the quiet hours.

    ``quiet`` tells whether it is quiet now; ``thread`` makes a thread of a work and a name, not begun yet.
    """

    clock: Callable[[], float] = time.monotonic
    wait: Callable[[Condition, float | None], None] = _wait
    quiet: Callable[[], bool] = _never
    thread: Callable[[Callable[[], None], str], Running] = _thread


class PanelWorker:
    """Draws and shows snapshots in a thread of its own, which alone calls the panel and closes it in the end.

    Snapshots that come while a picture is shown supersede each other; a refresh is never interrupted. A panel that
    failed rests, whatever comes meanwhile. ``told`` hears of every change of standing, mostly in that thread.
    """

    def __init__(
        self,
        panel: Panel,
        render: Render,
        *,
        told: Callable[[PanelStanding], None] = lambda _standing: None,
        pace: Pace = Pace(),
        times: RefreshTimes | None = None,
        clockwork: Clockwork = Clockwork(),
    ) -> None:
        self._panel = panel
        self._render = render
        self._told = told
        self._pace = pace
        self._times = times or RefreshTimes()
        self._clockwork = clockwork
        self._changed = Condition()
        self._slot: _Slot | None = None
        self._submitted = 0
        self._shown_number = 0
        self._stopping = False
        self._not_before = 0.0
        self._rest = pace.rest
        self._busy_since: float | None = None
        self._stuck = False
        self._seen: _Drawn | None = None
        self._thread: Running | None = None
        self.standing = PanelStanding()

    def start(self) -> None:
        """Begin to work in the background."""
        self._thread = self._clockwork.thread(self.work, "panel")
        self._thread.start()

    def submit(self, snapshot: Snapshot, *, acted: bool = True) -> None:
        """Want a snapshot on the panel; returns at once. Where nobody ``acted`` it does not break the quiet hours."""
        with self._changed:
            self._submitted += 1
            ready, waiting = self._clockwork.clock() + self._pace.collect, self._slot
            if waiting is not None and not self.standing.resting:
                ready, acted = min(ready, waiting.ready), acted or waiting.acted
            self._slot = _Slot(snapshot, self._submitted, ready, acted)
            behind = self._submitted - self._shown_number
            self.standing = replace(self.standing, wanted=snapshot.revision, behind=behind)
            self._changed.notify()

    def look(self) -> None:
        """Tell of a panel that keeps its thread for too long; somebody else's thread calls this now and then."""
        with self._changed:
            since = self._busy_since
            if self._stuck or since is None or self._clockwork.clock() - since < self._pace.limit:
                return
            self._stuck = True
        advice = Advice("advice.panel.stuck", {"seconds": round(self._pace.limit)})
        _log.warning("The panel %s: %s", self._panel.name, _in_english(advice))
        self._tell(ok=False, advice=advice)

    def stop(self) -> None:
        """End the work; a refresh that is running is waited for, what still waits is dropped. May be called twice.

        A panel that is stuck is left to the end of the program.
        """
        with self._changed:
            self._stopping = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join(self._patience())

    def work(self) -> None:
        """The thread's whole life: one picture after another until ``stop``."""
        while (slot := self._next()) is not None:
            self._bring(slot)
            self._be_busy(None)
        self._panel.close()

    def _patience(self) -> float:
        """How long the panel may still keep its thread."""
        with self._changed:
            busy = 0.0 if self._busy_since is None else self._clockwork.clock() - self._busy_since
        return max(0.0, self._pace.limit - busy)

    def _be_busy(self, since: float | None) -> None:
        with self._changed:
            self._busy_since, self._stuck = since, False

    def _next(self) -> _Slot | None:
        """Wait for the slot to fill and its time to come; None to stop."""
        with self._changed:
            while not self._stopping:
                pause = None if self._slot is None else self._pause(self._slot)
                if self._slot is not None and pause is not None and pause <= 0:
                    slot, self._slot = self._slot, None
                    self._busy_since = self._clockwork.clock()
                    return slot
                self._clockwork.wait(self._changed, pause)
        return None

    def _pause(self, slot: _Slot) -> float:
        """How long this slot must wait at least: quiet hours go by a clock that may be set at any time."""
        resting = not slot.acted and self._clockwork.quiet()
        if resting is not self.standing.resting:
            self._tell(resting=resting)
        return self._pace.nap if resting else max(slot.ready, self._not_before) - self._clockwork.clock()

    def _bring(self, slot: _Slot) -> None:
        revision = slot.snapshot.revision
        try:
            if self._only_its_number_differs(slot.snapshot):
                self._tell_shown(revision, slot.number)
                return
            drawn = _Drawn(revision, slot.number, self._draw(slot.snapshot))
        except Exception as failure:
            _log.error("The panel's picture of revision %s could not be drawn: %r", revision, failure)
            self._tell(sending=None, ok=False, advice=Advice("advice.panel.undrawn", {"cause": repr(failure)}))
            return
        self._tell(sending=revision, takes=round(self._own_time(), 1))
        self._conclude(slot, drawn, self._show(drawn.picture))

    def _draw(self, snapshot: Snapshot) -> Image.Image:
        return self._render(snapshot, self._panel.size, self._panel.palette)

    def _only_its_number_differs(self, snapshot: Snapshot) -> bool:
        """Whether the visible picture says all of this already, but for the revision printed on it."""
        seen = self._seen
        if seen is None or not self.standing.ok:
            return False
        same = self._draw(replace(snapshot, revision=seen.revision))
        return same.size == seen.picture.size and same.tobytes() == seen.picture.tobytes()

    def _own_time(self) -> float:
        return self._times.of(self._panel.name, self._panel.refresh_seconds)

    def _show(self, picture: Image.Image) -> ShowResult:
        """Show and keep the panel's own time, for some drivers return before the refresh is over."""
        clock = self._clockwork.clock
        started = clock()
        try:
            result = self._panel.show(picture)
        except Exception as failure:
            result = ShowResult(False, 0.0, Advice("advice.panel.fault", {"cause": repr(failure)}))
        if result.ok:
            self._times.learn(self._panel.name, self._panel.refresh_seconds, clock() - started)
        self._not_before = started + max(self._own_time(), self._pace.gap)
        return result

    def _conclude(self, slot: _Slot, drawn: _Drawn, result: ShowResult) -> None:
        self._seen = drawn if result.ok else None
        if result.ok:
            self._rest = self._pace.rest
            self._tell_shown(drawn.revision, drawn.number)
            return
        if self.standing.ok or self.standing.advice != result.advice:
            _log.warning("The panel %s: %s", self._panel.name, _in_english(result.advice))
        self._tell(sending=None, ok=False, advice=result.advice)
        self._retry(slot)

    def _retry(self, slot: _Slot) -> None:
        """After a rest, with something newer where that has come: a failing panel is not tried at every move."""
        with self._changed:
            now = self._clockwork.clock()
            self._not_before = max(self._not_before, now + self._rest)
            self._rest = min(2 * self._rest, self._pace.longest_rest)
            self._slot = self._slot or replace(slot, ready=now)

    def _tell_shown(self, revision: int, number: int) -> None:
        self._shown_number = number
        self._tell(sending=None, shown=revision, ok=True, advice=None, takes=round(self._own_time(), 1))

    def _tell(self, **news: int | float | bool | Advice | None) -> None:
        with self._changed:
            behind = self._submitted - self._shown_number
            self.standing = replace(self.standing, behind=behind, **news)  # type: ignore[arg-type]  # the fields' types
        self._told(self.standing)
