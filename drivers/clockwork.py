"""The time that drivers live in: a clock, ways to wait, and threads; a simulated table gives them another."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from companion.ports import Running


def _wait(event: threading.Event, seconds: float) -> bool:
    return event.wait(seconds)


def _take(edges: queue.SimpleQueue[Any], seconds: float | None) -> Any:
    return edges.get(timeout=seconds)


def _thread(work: Callable[[], None], name: str) -> Running:
    return threading.Thread(target=work, name=name, daemon=True)


@dataclass(frozen=True, slots=True)
class Clockwork:
    """Seconds that never go back, and how to wait.

    ``wait`` is for an event or so many seconds, ``take`` for the next value of a queue (queue.Empty after so many
    seconds; None waits for ever). ``thread`` makes a thread of a work and a name, not begun yet.
    """

    clock: Callable[[], float] = time.monotonic
    wait: Callable[[threading.Event, float], object] = _wait
    take: Callable[[queue.SimpleQueue[Any], float | None], Any] = _take
    sleep: Callable[[float], None] = time.sleep
    thread: Callable[[Callable[[], None], str], Running] = _thread


REAL = Clockwork()
