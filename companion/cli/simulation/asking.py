"""Asking the pages as a browser on this machine does, without a socket."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from starlette.types import ASGIApp, Message, Scope

from companion.cli.simulation.stand import Answer

HOST = "127.0.0.1"


def _scope(method: str, path: str, size: int | None) -> Scope:
    headers = [(b"host", HOST.encode())]
    if size is not None:
        headers += [(b"content-type", b"application/json"), (b"content-length", str(size).encode())]
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": headers,
        "client": (HOST, 50000),
        "server": (HOST, 80),
    }


async def ask(app: ASGIApp, method: str, path: str, body: Any = None) -> Answer:
    """One request and its whole answer."""
    sent = b"" if body is None else json.dumps(body).encode()
    received: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": sent, "more_body": False}

    async def send(message: Message) -> None:
        received.append(message)

    await app(_scope(method, path, None if body is None else len(sent)), receive, send)
    content = b"".join(message.get("body", b"") for message in received)
    status = int(received[0]["status"])
    try:
        return Answer(status, json.loads(content))
    except ValueError:
        return Answer(status)


async def hear(app: ASGIApp, path: str, told: Callable[[bytes], Any]) -> None:
    """Listen to an answer that does not end, until it ends all the same or the task is cancelled."""

    async def receive() -> Message:
        await asyncio.Event().wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        if message.get("body"):
            told(message["body"])

    await app(_scope("GET", path, None), receive, send)
