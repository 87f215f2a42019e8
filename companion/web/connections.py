"""What keeps callers from holding the server up: limits to their number and to how long a request may take to arrive.

uvicorn waits for ever for the rest of a request, and asyncio floods the log where no more sockets can be opened.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any, cast

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

_log = logging.getLogger(__name__)

OUT_OF_SOCKETS = "socket.accept() out of system resource"
QUIET_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds for the head of a request and then for its body, and how many connections may be open at once.

    ``each`` is how many of them one address may have, but for the companion's own.
    """

    head: float = 15.0
    body: float = 30.0
    connections: int = 256
    each: int = 64


USUAL = Limits()


class _Awaited(Enum):
    """What a connection owes the server."""

    HEAD = "head"
    BODY = "body"
    NOTHING = "nothing"


_Stage = tuple[_Awaited, RequestResponseCycle | None]


OWN = ("127.0.0.1", "::1", "::ffff:127.0.0.1")


def limited(limits: Limits) -> type[H11Protocol]:
    """The protocol of a server that hangs up at once on whoever would be one connection too many."""
    by_address: Counter[str] = Counter()

    class Limited(H11Protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn does
            super().connection_made(cast(asyncio.Transport, Gathering(transport, self.loop)))
            self._address = self.client[0] if self.client else ""
            by_address[self._address] += 1
            too_many = by_address[self._address] > limits.each and self._address not in OWN
            if too_many or len(self.connections) > limits.connections:
                transport.abort()

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            by_address[self._address] -= 1
            if not by_address[self._address]:
                del by_address[self._address]

    return Limited


class Gathering:
    """A transport that sends together what is written together: an answer's head and body are one packet, not two."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._written: list[bytes] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, content: bytes) -> None:
        """Send this once the loop has come round."""
        if not self._written:
            self._loop.call_soon(self._send)
        self._written.append(content)

    def close(self) -> None:
        """Send what was written, then hang up."""
        self._send()
        self._transport.close()

    def _send(self) -> None:
        content = b"".join(self._written)
        self._written.clear()
        if content:
            self._transport.write(content)


class Sweeper:
    """Hangs up on connections whose request does not arrive in time. An answer may take as long as it likes."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._patience = {_Awaited.HEAD: limits.head, _Awaited.BODY: limits.body}
        self._clock = clock
        self._since: dict[H11Protocol, tuple[_Stage, float]] = {}

    def sweep(self, connections: Iterable[object]) -> None:
        """Look at all connections that are open now; to be called a few times within each patience."""
        now = self._clock()
        before, self._since = self._since, {}
        for connection in connections:
            if not isinstance(connection, H11Protocol):
                continue
            stage = _stage_of(connection)
            known, since = before.get(connection, (stage, now))
            since = since if known == stage else now
            self._since[connection] = stage, since
            if now - since > self._patience.get(stage[0], float("inf")):
                connection.transport.abort()


def _stage_of(connection: H11Protocol) -> _Stage:
    cycle: RequestResponseCycle | None = connection.cycle  # None before the first request
    if cycle is None or cycle.response_complete:
        return _Awaited.HEAD, cycle
    return (_Awaited.BODY if cycle.more_body else _Awaited.NOTHING), cycle


def hang_up(connections: Iterable[object]) -> None:
    """End all connections whatever they wait for; those who answer them see that nobody listens any more."""
    for connection in connections:
        if isinstance(connection, H11Protocol):
            connection.transport.abort()


class FewWords:
    """An event loop's exception handler that says at most once a minute that no more sockets can be opened."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._quiet_until = float("-inf")

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Hear of a failure; all others are told as ever."""
        if context.get("message") != OUT_OF_SOCKETS:
            loop.default_exception_handler(context)
        elif self._clock() >= self._quiet_until:
            self._quiet_until = self._clock() + QUIET_SECONDS
            _log.warning("No more connections can be opened for now: %s", context.get("exception"))
