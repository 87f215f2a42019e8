"""One guard in front of every route: whose name was called, which page asks, what is sent, how the answer is fenced.

Against DNS rebinding a *name* must be known, while any literal address passes, so a new address from the router locks
nobody out. Against forged requests the ``Origin`` must be the ``Host`` (on a home network, over http, browsers send no
``Sec-Fetch-Site``; where they do it must agree), and only JSON is taken, which no plain form can send.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Iterable
from http import HTTPStatus
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from companion.i18n import Translator
from companion.web.api.answers import problem
from companion.web.language import language_of

_log = logging.getLogger(__name__)

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
BODY_BYTES = 64 * 1024

FENCE = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Guard:
    """ASGI middleware. ``names`` are host names to answer to besides localhost and this machine's own name.

    The machine's name counts alone and with ``.local``.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str], translator: Callable[[str], Translator]) -> None:
        self.app = app
        self._translator = translator
        own = socket.gethostname().partition(".")[0]
        self._names = frozenset(name.lower() for name in ("localhost", own, f"{own}.local", *names))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer in the app's stead where the request is refused or the app fails."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        fenced = _Fenced(send)
        refusal = self._refusal(scope["method"], Headers(scope=scope))
        if refusal:
            await self._answer(refusal, scope, receive, fenced)
            return
        try:
            await self.app(scope, receive, fenced)
        except Exception as error:
            _log.error("%s %s failed: %r", scope["method"], ascii(scope["path"]), error)
            _log.debug("where it failed", exc_info=True)
            if not fenced.started:
                await self._answer((500, "web.error.unexpected"), scope, receive, fenced)

    def _refusal(self, method: str, headers: Headers) -> tuple[int, str] | None:
        hosts = headers.getlist("host")
        host = _host_and_port(hosts[0]) if len(hosts) == 1 else None
        if host is None or not self._answers_to(host[0]):
            return HTTPStatus.MISDIRECTED_REQUEST, "web.guard.name"
        if method in SAFE_METHODS:
            return None
        if not _asks_itself(headers, host):
            return HTTPStatus.FORBIDDEN, "web.guard.origin"
        return _body_refusal(headers)

    async def _answer(self, answer: tuple[int, str], scope: Scope, receive: Receive, send: Send) -> None:
        status, code = answer
        sentence = self._translator(language_of(HTTPConnection(scope))).text(code)
        for_program = scope["path"].startswith("/api/")
        told = problem(status, code.rpartition(".")[2], sentence) if for_program else None
        await (told or PlainTextResponse(f"{sentence}\n", status))(scope, receive, send)

    def _answers_to(self, name: str) -> bool:
        return name in self._names or _is_address(name)


def _body_refusal(headers: Headers) -> tuple[int, str] | None:
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        return HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "web.guard.json"
    length = headers.get("content-length", "")
    if not length.isdecimal():
        return HTTPStatus.LENGTH_REQUIRED, "web.guard.length"
    if len(length) > 9 or int(length) > BODY_BYTES:
        return HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "web.guard.too_long"
    return None


def _asks_itself(headers: Headers, host: tuple[str, int | None]) -> bool:
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    if origin is None:  # not a browser: those name the origin of every unsafe request
        return True
    try:
        asking = urlsplit(origin)
        port = asking.port
    except ValueError:
        return False
    usual = {"http": 80, "https": 443}.get(asking.scheme)
    return usual is not None and (asking.hostname, port or usual) == (host[0], host[1] or usual)


def _host_and_port(header: str) -> tuple[str, int | None] | None:
    """Name and port of a ``Host`` header, an IPv6 address without its brackets; None for anything malformed."""
    if not header or header.strip() != header or any(mark in header for mark in "/@?#\\ ,"):
        return None
    try:
        parts = urlsplit(f"//{header}")
        name, port = parts.hostname, parts.port
    except ValueError:
        return None
    return (name, port) if name else None


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


class _Fenced:
    """Sends an answer with the headers of the fence, and remembers whether it has begun."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.started = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            headers = MutableHeaders(scope=message)
            for name, value in FENCE.items():
                headers[name] = value
        await self._send(message)
