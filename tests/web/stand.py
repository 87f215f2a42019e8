"""A table to test the pages with: a session in a folder of its own, a desk, and a real server in a thread."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from companion.rules.game import AnyGame
from companion.table.journal import Journal
from companion.table.session import Session
from companion.web.app import create_app
from companion.web.desk import Desk
from companion.web.serve import TableServer, server
from tests.tiny_game import TinyGame

GAMES: Mapping[str, AnyGame] = {"tiny": TinyGame()}
PIN = "482913"
SECRET = b"the same over restarts"
T = TypeVar("T")


def make_desk(folder: Path, games: Mapping[str, AnyGame] = GAMES, **parts: Any) -> Desk:
    """A desk over the journal in a folder; a second one takes up where the first stopped."""
    session = Session(games, Journal(folder / "journal.db"), clock=time.time)
    return replace(Desk(session, games, pin=PIN, secret=SECRET), **parts)


@dataclass(frozen=True)
class Standing:
    """How a pretended panel stands."""

    wanted: int | None
    shown: int | None
    ok: bool = True
    advice: str = ""


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class RunningTable:
    """A served table in a thread with its own event loop, which alone touches the session."""

    def __init__(self, make: Callable[[], Desk], port: int) -> None:
        self.port = port
        self.address = f"http://127.0.0.1:{port}"
        self._make = make
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self.desk: Desk
        self.server: TableServer
        self._loop: asyncio.AbstractEventLoop

    async def _serve(self) -> None:
        self.desk = self._make()
        self._loop = asyncio.get_running_loop()
        self.server = server(create_app(self.desk), self.desk.bell, "127.0.0.1", self.port)
        self._ready.set()
        await self.server.serve()

    def start(self) -> RunningTable:
        """Serve until ``stop``; returns once it answers."""
        self._thread.start()
        self._ready.wait(5)
        deadline = time.monotonic() + 5
        while not self.server.started and time.monotonic() < deadline:
            time.sleep(0.005)
        assert self.server.started
        return self

    def stop(self) -> float:
        """Stop as a signal would; returns the seconds it took."""
        begun = time.monotonic()
        self.server.should_exit = True
        self._thread.join(10)
        assert not self._thread.is_alive()
        return time.monotonic() - begun

    def on_loop(self, act: Callable[[Session], T]) -> T:
        """Do something with the session where it lives."""

        async def acted() -> T:
            return act(self.desk.session)

        return asyncio.run_coroutine_threadsafe(acted(), self._loop).result(10)

    def ring(self) -> None:
        """Ring the bell, as a panel that showed a new picture does."""
        self._loop.call_soon_threadsafe(self.desk.bell.ring)


@contextmanager
def running(make: Callable[[], Desk], port: int | None = None) -> Iterator[RunningTable]:
    """A table served for the length of a block."""
    table = RunningTable(make, port or free_port()).start()
    try:
        yield table
    finally:
        if table._thread.is_alive():
            table.stop()
