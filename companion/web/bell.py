"""The bell: tells every listening page that the table has changed, and beats so that silence means a lost link.

A page hears only "revision 42"; it fetches its own view in its own language. A page that hears nothing misses nothing:
each listener keeps one flag, not a queue, so a slow phone gets the newest revision and skips those in between.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from enum import StrEnum
from typing import Any

from starlette.responses import StreamingResponse

BEAT_SECONDS = 10.0
RETRY_MILLISECONDS = 2000
"""How long a browser waits before it comes back to a bell that was lost."""


class Stroke(StrEnum):
    """Why a listener is told: a ``change`` of the table (or of what stands beside it), or only a ``beat``."""

    CHANGE = "change"
    BEAT = "beat"


class Bell:
    """Rung on the event loop; heard by any number of listeners there."""

    def __init__(self, beat_seconds: float = BEAT_SECONDS) -> None:
        self._beat_seconds = beat_seconds
        self._flags: set[asyncio.Event] = set()
        self._closed = False

    @property
    def listeners(self) -> int:
        """How many pages are listening now."""
        return len(self._flags)

    def ring(self) -> None:
        """Tell every listener of a change. Only from the event loop's thread."""
        for flag in self._flags:
            flag.set()

    def close(self) -> None:
        """End every listening, now and later, so that the server can stop at once."""
        self._closed = True
        self.ring()

    async def listen(self) -> AsyncIterator[Stroke]:
        """A change at once, then one a ring (rings that come close together are one), and a beat in silence."""
        flag = asyncio.Event()
        flag.set()
        self._flags.add(flag)
        try:
            while True:
                stroke = await self._next(flag)
                if self._closed:
                    return
                yield stroke
        finally:
            self._flags.discard(flag)

    async def _next(self, flag: asyncio.Event) -> Stroke:
        try:
            async with asyncio.timeout(self._beat_seconds):
                await flag.wait()
        except TimeoutError:
            return Stroke.BEAT
        flag.clear()
        return Stroke.CHANGE


def event_stream(bell: Bell, tell: Callable[[], Mapping[str, Any]]) -> StreamingResponse:
    """An answer that never ends: an event with what ``tell`` says a stroke, beats under the name ``beat``."""

    async def events() -> AsyncIterator[bytes]:
        async for stroke in bell.listen():
            name = "event: beat\n" if stroke is Stroke.BEAT else ""
            yield f"{name}retry: {RETRY_MILLISECONDS}\ndata: {json.dumps(tell())}\n\n".encode()

    headers = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
    return StreamingResponse(events(), media_type="text/event-stream", headers=headers)
