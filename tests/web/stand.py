"""A table to test the pages with: a session in a folder of its own, a desk, and a real server in a thread."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from companion.ports import Advice
from companion.rules.game import AnyGame
from companion.table.journal import Journal
from companion.table.session import Session
from companion.web.app import create_app
from companion.web.connections import USUAL, Limits
from companion.web.desk import Desk
from companion.web.pairing import Pins
from companion.web.phone_file import PhoneFile
from companion.web.phones import Phones
from companion.web.serve import TableServer, server
from tests.patience import PATIENCE
from tests.ports import free_port
from tests.tiny_game import TinyGame

GAMES: Mapping[str, AnyGame] = {"tiny": TinyGame()}
PIN = "482913"
T = TypeVar("T")


@contextmanager
def open_desk(folder: Path, games: Mapping[str, AnyGame] = GAMES, **parts: Any) -> Iterator[Desk]:
    """A desk over the journal in a folder; a later one takes up where this one stopped."""
    journal = Journal(folder / "journal.db")
    try:
        session = Session(games, journal)
        phones = Phones(PhoneFile(folder))
        yield replace(Desk(session, games, pins=Pins(PIN), phones=phones), **parts)
    finally:
        journal.close()


@dataclass(frozen=True)
class Standing:
    """How a pretended panel stands."""

    wanted: int | None
    shown: int | None
    ok: bool = True
    advice: Advice | None = None
    takes: float | None = None
    resting: bool = False

    @property
    def behind(self) -> int:
        return (self.wanted or 0) - (self.shown or 0)


class RunningTable:
    """A served table in a thread with its own event loop, which alone touches the session."""

    def __init__(self, folder: Path, port: int, limits: Limits = USUAL, **parts: Any) -> None:
        self.port = port
        self.address = f"http://127.0.0.1:{port}"
        self._limits = limits
        self._open = partial(open_desk, folder, **parts)
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self.desk: Desk
        self.server: TableServer
        self.loop: asyncio.AbstractEventLoop

    async def _serve(self) -> None:
        with self._open() as self.desk:
            self.loop = asyncio.get_running_loop()
            self.server = server(create_app(self.desk), self.desk.bell, "127.0.0.1", self.port, self._limits)
            self._ready.set()
            await self.server.serve()

    def start(self) -> RunningTable:
        """Serve until ``stop``; returns once it answers."""
        self._thread.start()
        assert self._ready.wait(PATIENCE)
        deadline = time.monotonic() + PATIENCE
        while not self.server.started and time.monotonic() < deadline:
            time.sleep(0.005)
        assert self.server.started
        return self

    @property
    def alive(self) -> bool:
        """Whether it still serves."""
        return self._thread.is_alive()

    def stop(self) -> float:
        """Stop as a signal would; returns the seconds it took."""
        begun = time.monotonic()
        self.server.should_exit = True
        self._thread.join(PATIENCE)
        assert not self.alive
        return time.monotonic() - begun

    def on_loop(self, act: Callable[[Session], T]) -> T:
        """Do something with the session where it lives."""

        async def acted() -> T:
            return act(self.desk.session)

        return asyncio.run_coroutine_threadsafe(acted(), self.loop).result(PATIENCE)

    def ring(self) -> None:
        """Ring the bell, as a panel that showed a new picture does."""
        self.loop.call_soon_threadsafe(self.desk.bell.ring)


@contextmanager
def running(folder: Path, port: int | None = None, **parts: Any) -> Iterator[RunningTable]:
    """A table served for the length of a block; ``parts`` are the desk's, and ``limits`` the server's."""
    table = RunningTable(folder, port or free_port(), **parts).start()
    try:
        yield table
    finally:
        if table.alive:
            table.stop()
