"""Phones of a virtual table: each listens to the bell as a page does, fetches what it shows, and may fall asleep."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from starlette.types import ASGIApp

from companion.cli.simulation.asking import ask, hear
from companion.cli.simulation.stand import Answer
from companion.rules.game import JsonObject

FETCH_SECONDS = 0.05
"""From the bell to the page's question, for the network's sake."""

RETRY_SECONDS = 2.0
"""How long a page waits before it comes back to a bell that was lost."""


class Phone:
    """A browser with the table's page. ``app`` is what it talks to now; ``shown`` is the table as the page shows it."""

    def __init__(self, number: int, loop: asyncio.AbstractEventLoop, app: Callable[[], ASGIApp | None]) -> None:
        self.number = number
        self.shown: Mapping[str, Any] = {}
        self.asleep = False
        self._loop = loop
        self._app = app
        self._orders = 0
        self._last: JsonObject | None = None
        self._listening: asyncio.Task[None] | None = None
        self._fetching: asyncio.Task[None] | None = None
        self.wake()

    def wake(self) -> None:
        """Look again, and go on listening."""
        self.asleep = False
        self._listening = self._loop.create_task(self._listen())

    def fall_asleep(self) -> None:
        """Hear and see nothing any more."""
        self.asleep = True
        self.lose()

    def lose(self) -> None:
        """The companion is gone, and with it what was asked of it."""
        for task in (self._listening, self._fetching):
            if task is not None:
                task.cancel()

    def take_over(self, before: Phone) -> None:
        """Be the same phone as before, at a companion that was started again."""
        self.shown, self._orders, self._last = before.shown, before._orders, before._last
        if before.asleep:
            self.fall_asleep()

    async def order(self, order: JsonObject) -> Answer:
        """Send an order, for the table that the page shows."""
        self._orders += 1
        if not self.shown:
            await self._fetch()
        usual = {
            "command_id": f"phone {self.number}, order {self._orders}",
            "expected_revision": self.shown["revision"],
        }
        self._last = {**usual, **order}
        return await self._send(self._last)

    async def repeat(self) -> Answer:
        """Send the last order once more."""
        return await self._send(self._last) if self._last is not None else Answer(0)

    async def _send(self, order: JsonObject) -> Answer:
        app = self._app()
        return Answer(0) if app is None else await ask(app, "POST", "/commands", order)

    async def _listen(self) -> None:
        while not self.asleep:
            app = self._app()
            if app is not None:
                await hear(app, "/bell", self._heard)
            await asyncio.sleep(RETRY_SECONDS)

    def _heard(self, told: bytes) -> None:
        if not told.startswith(b"event: beat") and (self._fetching is None or self._fetching.done()):
            self._fetching = self._loop.create_task(self._fetch_soon())

    async def _fetch_soon(self) -> None:
        await asyncio.sleep(FETCH_SECONDS * self.number)
        self._fetching = None
        await self._fetch()

    async def _fetch(self) -> None:
        app = self._app()
        if app is not None:
            self.shown = (await ask(app, "GET", "/table.json")).body
