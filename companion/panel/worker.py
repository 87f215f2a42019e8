"""One thread that keeps a slow panel up to date: newest picture wins, nothing waits for it, nothing kills it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Condition, Thread

from PIL import Image

from companion.i18n import LANGUAGES, translator
from companion.ports import Advice, Palette, Panel, ShowResult
from companion.table.snapshot import Snapshot

_log = logging.getLogger(__name__)

Render = Callable[[Snapshot, tuple[int, int], Palette], Image.Image]


@dataclass(frozen=True, slots=True)
class PanelStanding:
    """How far the panel is, in revisions: the newest wanted, the one on its way, the one that can be seen.

    ``shown`` is also a revision whose picture would differ from the visible one in its number alone. ``advice`` says
    what to do while ``ok`` is False.
    """

    wanted: int | None = None
    sending: int | None = None
    shown: int | None = None
    ok: bool = True
    advice: Advice | None = None


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A picture and the revision it shows."""

    revision: int
    picture: Image.Image


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds: how long changes are collected into one picture, and how long a failed panel rests before a retry.

    The rest doubles with every failure up to ``longest_rest``, and is ``rest`` again after a success. ``gap`` is the
    least time from the beginning of one picture to that of the next, where the panel needs no more.
    """

    collect: float = 0.3
    rest: float = 5.0
    longest_rest: float = 60.0
    gap: float = 0.0


@dataclass(frozen=True, slots=True)
class _Slot:
    """What waits to be drawn: the newest snapshot, and from when on it may be."""

    snapshot: Snapshot
    ready: float
    retry: bool = False


def _in_english(advice: Advice | None) -> str:
    return translator(LANGUAGES[0]).text(advice.code, **advice.params) if advice else "it said nothing"


def _wait(condition: Condition, seconds: float | None) -> None:
    condition.wait(seconds)


class PanelWorker:
    """Draws and shows snapshots in a thread of its own, which alone calls the panel and closes it in the end.

    Snapshots that come while a picture is shown supersede each other; a refresh is never interrupted. ``told`` hears
    of every change of standing, in that thread. ``clock`` and ``wait`` (on a condition that is held, for seconds or
    for ever) are replaced in tests.
    """

    def __init__(
        self,
        panel: Panel,
        render: Render,
        *,
        told: Callable[[PanelStanding], None] = lambda _standing: None,
        pace: Pace = Pace(),
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[Condition, float | None], None] = _wait,
    ) -> None:
        self._panel = panel
        self._render = render
        self._told = told
        self._pace = pace
        self._clock = clock
        self._wait = wait
        self._changed = Condition()
        self._slot: _Slot | None = None
        self._stopping = False
        self._not_before = 0.0
        self._rest = pace.rest
        self._seen: _Drawn | None = None
        self._thread: Thread | None = None
        self.standing = PanelStanding()

    def start(self) -> None:
        """Begin to work in the background."""
        self._thread = Thread(target=self.work, name="panel", daemon=True)
        self._thread.start()

    def submit(self, snapshot: Snapshot) -> None:
        """Want a snapshot on the panel; returns at once."""
        with self._changed:
            ready = self._clock() + self._pace.collect
            if self._slot is not None and not self._slot.retry:
                ready = min(ready, self._slot.ready)
            self._slot = _Slot(snapshot, ready)
            self.standing = replace(self.standing, wanted=snapshot.revision)
            self._changed.notify()

    def stop(self) -> None:
        """End the work; a refresh that is running is waited for, what still waits is dropped. May be called twice."""
        with self._changed:
            self._stopping = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join()

    def work(self) -> None:
        """The thread's whole life: one picture after another until ``stop``."""
        while (slot := self._next()) is not None:
            self._bring(slot)
        self._panel.close()

    def _next(self) -> _Slot | None:
        """Wait for the slot to fill and its time to come; None to stop."""
        with self._changed:
            while not self._stopping:
                pause = None
                if self._slot is not None:
                    pause = max(self._slot.ready, self._not_before) - self._clock()
                    if pause <= 0:
                        slot, self._slot = self._slot, None
                        return slot
                self._wait(self._changed, pause)
        return None

    def _bring(self, slot: _Slot) -> None:
        revision = slot.snapshot.revision
        try:
            if self._only_its_number_differs(slot.snapshot):
                self._tell(sending=None, shown=revision, ok=True, advice=None)
                return
            drawn = _Drawn(revision, self._draw(slot.snapshot))
        except Exception as failure:
            _log.error("The panel's picture of revision %s could not be drawn: %r", revision, failure)
            self._tell(sending=None, ok=False, advice=Advice("advice.panel.undrawn", {"cause": repr(failure)}))
            return
        self._tell(sending=revision)
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

    def _show(self, picture: Image.Image) -> ShowResult:
        """Show and keep the panel's own time, for some drivers return before the refresh is over."""
        started = self._clock()
        try:
            result = self._panel.show(picture)
        except Exception as failure:
            result = ShowResult(False, 0.0, Advice("advice.panel.fault", {"cause": repr(failure)}))
        self._not_before = started + max(self._panel.refresh_seconds, self._pace.gap)
        return result

    def _conclude(self, slot: _Slot, drawn: _Drawn, result: ShowResult) -> None:
        self._seen = drawn if result.ok else None
        if result.ok:
            self._rest = self._pace.rest
            self._tell(sending=None, shown=drawn.revision, ok=True, advice=None)
            return
        if self.standing.ok or self.standing.advice != result.advice:
            _log.warning("The panel %s: %s", self._panel.name, _in_english(result.advice))
        self._tell(sending=None, ok=False, advice=result.advice)
        self._retry(slot)

    def _retry(self, slot: _Slot) -> None:
        """After a rest, unless something newer waits, which is tried as soon as the panel's own time is over."""
        with self._changed:
            if self._slot is None:
                self._slot = replace(slot, ready=self._clock() + self._rest, retry=True)
            self._rest = min(2 * self._rest, self._pace.longest_rest)

    def _tell(self, **news: int | bool | Advice | None) -> None:
        with self._changed:
            self.standing = replace(self.standing, **news)  # type: ignore[arg-type]  # the fields' own types
        self._told(self.standing)
