from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import AsyncIterator, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import httpx

from companion.web.bell import Bell, Stroke
from tests.patience import PATIENCE
from tests.web.stand import running

T = TypeVar("T")


def alone(listening: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in a thread of its own: where the browser tests ran before, this one has a loop already."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, listening).result()


async def _next(strokes: AsyncIterator[Stroke]) -> Stroke:
    return await asyncio.wait_for(anext(strokes), PATIENCE)


def test_a_listener_hears_at_once_and_then_each_ring() -> None:
    async def listening() -> list[Stroke]:
        bell = Bell(beat_seconds=60)
        strokes = bell.listen()
        heard = [await _next(strokes)]
        bell.ring()
        return [*heard, await _next(strokes)]

    assert alone(listening()) == [Stroke.CHANGE, Stroke.CHANGE]


def test_silence_is_filled_with_beats() -> None:
    async def listening() -> list[Stroke]:
        strokes = Bell(beat_seconds=0.005).listen()
        return [await _next(strokes) for _ in range(3)]

    assert alone(listening()) == [Stroke.CHANGE, Stroke.BEAT, Stroke.BEAT]


def test_a_slow_listener_hears_a_thousand_rings_as_one() -> None:
    async def listening() -> list[Stroke]:
        bell = Bell(beat_seconds=0.005)
        strokes = bell.listen()
        await _next(strokes)
        for _ in range(1000):
            bell.ring()
        return [await _next(strokes), await _next(strokes)]

    assert alone(listening()) == [Stroke.CHANGE, Stroke.BEAT]


def test_closing_the_bell_ends_every_listening_and_those_to_come() -> None:
    async def listening() -> tuple[list[Stroke], list[Stroke], int]:
        bell = Bell(beat_seconds=60)
        strokes = bell.listen()
        await _next(strokes)
        bell.close()
        return [stroke async for stroke in strokes], [stroke async for stroke in bell.listen()], bell.listeners

    assert alone(listening()) == ([], [], 0)


def test_a_listener_that_goes_away_is_forgotten() -> None:
    async def listening() -> tuple[int, int]:
        bell = Bell(beat_seconds=60)
        strokes = bell.listen()
        await _next(strokes)
        there = bell.listeners
        await strokes.aclose()  # type: ignore[attr-defined]  # an async generator
        return there, bell.listeners

    assert alone(listening()) == (1, 0)


def _events(lines: list[str]) -> list[tuple[str, object]]:
    events, name = [], "message"
    for line in lines:
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            events.append((name, json.loads(line.removeprefix("data: "))))
            name = "message"
    return events


def test_phones_hear_only_revision_and_build(tmp_path: Path) -> None:
    with running(tmp_path, bell=Bell(beat_seconds=0.05)) as table:
        lines = []
        with httpx.stream("GET", f"{table.address}/bell", timeout=PATIENCE) as bell:
            assert bell.headers["content-type"].startswith("text/event-stream")
            for line in bell.iter_lines():
                lines.append(line)
                if len(_events(lines)) == 1 and line.startswith("data"):
                    table.on_loop(lambda session: session.start("tiny", {}))
                if ("beat" in {name for name, _ in _events(lines)}) and len(_events(lines)) > 2:
                    break
        build = httpx.get(f"{table.address}/health").json()["build"]
        revision = table.on_loop(lambda session: session.snapshot.revision)
    events = _events(lines)
    assert events[0] == ("message", {"revision": 1, "build": build})
    assert ("message", {"revision": revision, "build": build}) in events
    assert ("beat", {"revision": revision, "build": build}) in events


def test_a_server_with_a_phone_listening_stops_at_once(tmp_path: Path) -> None:
    with running(tmp_path) as table:
        phone = socket.create_connection(("127.0.0.1", table.port))
        phone.sendall(b"GET /bell HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert phone.recv(64).startswith(b"HTTP/1.1 200")
        assert table.stop() < 15
        phone.close()


def test_a_phone_that_vanished_does_not_hold_the_server_up(tmp_path: Path) -> None:
    with running(tmp_path) as table:
        for _ in range(5):
            phone = socket.create_connection(("127.0.0.1", table.port))
            phone.sendall(b"GET /bell HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            phone.recv(64)
            phone.close()
        deadline = time.monotonic() + PATIENCE
        while table.desk.bell.listeners and time.monotonic() < deadline:
            time.sleep(0.01)
        assert table.desk.bell.listeners == 0
