"""The server that carries the pages, set so that it stops at once although phones listen, and no caller holds it up."""

from __future__ import annotations

import asyncio
import socket

import uvicorn
from fastapi import FastAPI

from companion.web.bell import Bell
from companion.web.connections import USUAL, FewWords, Limits, Sweeper, hang_up, limited

GRACE_SECONDS = 1
BACKLOG = 128


class TableServer(uvicorn.Server):
    """uvicorn, which also hangs up on requests that never end, and ends the bell's streams when it is to stop.

    ``Limits`` say how long a request may take to arrive; uvicorn alone would wait for them and the phones for ever.
    """

    def __init__(self, config: uvicorn.Config, bell: Bell, limits: Limits = USUAL) -> None:
        super().__init__(config)
        self._bell = bell
        self._sweeper = Sweeper(limits)

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until told to stop; a lack of sockets is told in few words."""
        loop = asyncio.get_running_loop()
        handler = loop.get_exception_handler()
        loop.set_exception_handler(FewWords())
        try:
            await super().serve(sockets)
        finally:
            loop.set_exception_handler(handler)

    async def on_tick(self, counter: int) -> bool:
        """Called ten times a second; whether to stop."""
        self._sweeper.sweep(tuple(self.server_state.connections))
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop listening, say goodbye to the phones, finish what is being answered, hang up on the rest."""
        self._bell.close()
        rest = asyncio.get_running_loop().call_later(GRACE_SECONDS, self._hang_up)
        try:
            await super().shutdown(sockets)
        finally:
            rest.cancel()

    def _hang_up(self) -> None:
        hang_up(tuple(self.server_state.connections))


def server(app: FastAPI, bell: Bell, host: str, port: int, limits: Limits = USUAL) -> TableServer:
    """A server to be run with ``await server.serve()``; it trusts no forwarding headers and logs no requests."""
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        http=limited(limits),
        backlog=BACKLOG,
        access_log=False,
        log_config=None,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=2 * GRACE_SECONDS,
    )
    return TableServer(config, bell, limits)
