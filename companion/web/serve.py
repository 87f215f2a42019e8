"""The server that carries the pages, set so that it stops at once although phones are listening."""

from __future__ import annotations

import socket

import uvicorn
from fastapi import FastAPI

from companion.web.bell import Bell

GRACE_SECONDS = 2


class TableServer(uvicorn.Server):
    """uvicorn, which also ends the bell's streams when it is asked to stop; else it would wait for the phones."""

    def __init__(self, config: uvicorn.Config, bell: Bell) -> None:
        super().__init__(config)
        self._bell = bell

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop listening, say goodbye to the phones, finish what is being answered."""
        self._bell.close()
        await super().shutdown(sockets)


def server(app: FastAPI, bell: Bell, host: str, port: int) -> TableServer:
    """A server to be run with ``await server.serve()``; it trusts no forwarding headers and logs no requests."""
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        access_log=False,
        log_config=None,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    return TableServer(config, bell)
