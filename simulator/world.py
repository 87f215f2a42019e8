"""Virtual time: whatever waits in a table waits here, and time jumps from one happening to the next.

The table's own code runs unchanged, its threads too, but one at a time: a thread goes on only when its time has come,
and hands back when it waits again. So a run is the same every time, and as fast as the code in it.
"""

from __future__ import annotations

import asyncio
import heapq
import queue
import threading
from collections.abc import Callable
from itertools import count
from typing import Any

_START = 1000.0


class _Ended(BaseException):
    """Thrown into a thread that has been ended where it waited."""


class Hand:
    """A thread of the table that runs only while the world waits for it; made by :meth:`World.thread`."""

    def __init__(self, world: World, work: Callable[[], None], name: str) -> None:
        self._world = world
        self._work = work
        self.name = name
        self.failure: BaseException | None = None
        self.waiting = 0
        self.listening = False
        self._turn = threading.Semaphore(0)
        self._ended = False
        self._alive = False
        self._thread = threading.Thread(target=self._live, name=name, daemon=True)

    def start(self) -> None:
        """Begin, up to the first time that it waits."""
        self._alive = True
        self._world.hands.append(self)
        self._thread.start()
        self.go_on()

    def join(self, timeout: float | None = None) -> None:
        """Let it run to its end, which it must have been told to go to, at most for so many virtual seconds."""
        ends = self._world.now + (60.0 if timeout is None else timeout)
        self.go_on()
        while self._alive and self._world.now < ends:
            self._world.step(ends)

    def is_alive(self) -> bool:
        """Whether it has begun and not ended."""
        return self._alive

    def go_on(self) -> None:
        """Let it run until it waits again."""
        if self._alive:
            self.waiting += 1
            self._turn.release()
            self._world.back.acquire()

    def going_on(self) -> Callable[[], None]:
        """What lets it on from where it will wait next, and does nothing once it has gone on from there."""
        turn = self.waiting

        def go_on() -> None:
            if self.waiting == turn:
                self.go_on()

        return go_on

    def pause(self) -> None:
        """Wait to be let on; only in the thread itself."""
        if not self._ended:
            self._world.back.release()
            self._turn.acquire()
        if self._ended:
            raise _Ended

    def end(self) -> None:
        """End it where it waits, as a killed process ends: nothing that it does after that is seen."""
        self._ended = True
        self.go_on()

    def _live(self) -> None:
        self._turn.acquire()
        self._world.here.hand = self
        try:
            self._work()
        except _Ended:
            pass
        except BaseException as failure:
            self.failure = failure
        self._alive = False
        self._world.hands.remove(self)
        self._world.failed += [(self.name, self.failure)] if self.failure else []
        self._world.back.release()


class World:
    """The time of one table. ``settle`` is called after every happening, for what happens in no time."""

    def __init__(self) -> None:
        self.now = _START
        self.hands: list[Hand] = []
        self.failed: list[tuple[str, BaseException]] = []
        self.back = threading.Semaphore(0)
        self.here = threading.local()
        self.settle: Callable[[], None] = lambda: None
        self._order = count()
        self._to_come: list[tuple[float, int, Callable[[], object]]] = []

    def clock(self) -> float:
        """Seconds that never go back."""
        return self.now

    def at(self, when: float, act: Callable[[], object]) -> None:
        """Have something happen at a time."""
        heapq.heappush(self._to_come, (max(when, self.now), next(self._order), act))

    def after(self, seconds: float, act: Callable[[], object]) -> None:
        """Have something happen later."""
        self.at(self.now + seconds, act)

    def step(self, until: float) -> bool:
        """The next happening, if one comes by then; else the time itself comes."""
        if not self._to_come or self._to_come[0][0] > until:
            self.now = max(self.now, until)
            return False
        when, _, act = heapq.heappop(self._to_come)
        self.now = max(self.now, when)
        act()
        self.settle()
        return True

    def live(self, seconds: float) -> None:
        """Let so much time pass."""
        until = self.now + seconds
        self.settle()
        while self.step(until):
            pass

    def live_until(self, reached: Callable[[], bool], seconds: float, look: float = 0.25) -> bool:
        """Let time pass until something is so, at most for so long; whether it came to be."""
        until = self.now + seconds
        self.settle()
        while not reached():
            if self.now >= until:
                return False
            self.live(min(look, until - self.now))
        return True

    def stir(self) -> None:
        """Go on with every thread that waits for a value or a change: there may be one."""
        for hand in tuple(self.hands):
            if hand.listening:
                hand.go_on()

    def end(self) -> None:
        """End every thread of the world."""
        for hand in tuple(self.hands):
            hand.end()

    # -- for the threads of the table
    def thread(self, work: Callable[[], None], name: str) -> Hand:
        """A thread that lives in this world, not begun yet."""
        return Hand(self, work, name)

    def rest(self, seconds: float | None) -> None:
        """Wait for so long, or until somebody goes on with this thread; None waits for that alone.

        Outside of the world's threads it is time itself that passes.
        """
        hand: Hand | None = getattr(self.here, "hand", None)
        if hand is None:
            self.live(seconds or 0.0)
            return
        if seconds is not None:
            self.after(seconds, hand.going_on())
        hand.pause()

    def current(self) -> Hand | None:
        """The thread that runs now, None for the world's own."""
        return getattr(self.here, "hand", None)

    def wait(self, event: threading.Event, seconds: float) -> bool:
        """Wait for an event that another thread of the world sets, or for so long."""
        if not event.is_set():
            self.rest(seconds)
        return event.is_set()

    def wait_held(self, condition: threading.Condition, seconds: float | None) -> None:
        """Wait on a condition that is held; whoever changes what it is about goes on with the thread."""
        condition.release()
        try:
            self._listen(seconds)
        finally:
            condition.acquire()

    def take(self, values: queue.SimpleQueue[Any], seconds: float | None) -> Any:
        """The next value of a queue; queue.Empty after so many seconds or where another stirred."""
        if values.empty():
            self._listen(seconds)
        return values.get_nowait()

    def _listen(self, seconds: float | None) -> None:
        hand: Hand = self.here.hand
        hand.listening = True
        try:
            self.rest(seconds)
        finally:
            hand.listening = False


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop in a world's time; the world runs it, in no time, whenever something has happened."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._scheduled_calls = 0
        super().__init__()

    def time(self) -> float:
        """The world's time."""
        return self._world.now

    def call_soon(self, callback: Any, *args: Any, context: Any = None) -> asyncio.Handle:  # type: ignore[override]  # typeshed's is generic
        """As ever, counted."""
        self._scheduled_calls += 1
        return super().call_soon(callback, *args, context=context)

    def call_soon_threadsafe(self, callback: Any, *args: Any, context: Any = None) -> asyncio.Handle:  # type: ignore[override]  # typeshed's is generic
        """As ever, counted."""
        self._scheduled_calls += 1
        return super().call_soon_threadsafe(callback, *args, context=context)

    def call_at(self, when: float, callback: Any, *args: Any, context: Any = None) -> asyncio.TimerHandle:  # type: ignore[override]
        """As ever, and the world wakes up for it."""
        self._world.at(when, lambda: None)
        return super().call_at(when, callback, *args, context=context)

    def settle(self) -> None:
        """Run until nothing is left that can be done now."""
        quiet = False
        while not quiet:
            before = self._scheduled_calls
            self.call_soon(self.stop)
            self.run_forever()
            quiet = self._scheduled_calls == before + 1
