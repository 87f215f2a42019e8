"""A table that is looked at only by those who were let in: one check before every route, whoever adds it."""

from __future__ import annotations

from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from companion.web.api.answers import problem
from companion.web.pages import Pages

FREE = frozenset({"/pair", "/api/v1/pair", "/preferences", "/health"})
"""What a phone needs before it is let in; besides, the pages' own files."""
FREE_FOLDER = "/static/"


class Watching:
    """ASGI middleware that asks watchers for the PIN."""

    def __init__(self, app: ASGIApp, pages: Pages) -> None:
        self.app = app
        self._pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is free, and who was let in."""
        answer = self._asked(Request(scope)) if scope["type"] == "http" else None
        await (answer or self.app)(scope, receive, send)

    def _asked(self, request: Request) -> Response | None:
        path = request.url.path
        if path in FREE or path.startswith(FREE_FOLDER) or self._pages.caller(request).may_act:
            return None
        if "text/html" in request.headers.get("accept", ""):
            return self._pages.plain(request, "pair.html", HTTPStatus.FORBIDDEN)
        message = self._pages.words(request).text("web.error.unpaired")
        if path.startswith("/api/"):
            return problem(HTTPStatus.UNAUTHORIZED, "unpaired", message)
        told = {"code": "unpaired", "message": message}
        return JSONResponse(told, HTTPStatus.FORBIDDEN, {"Cache-Control": "no-store"})
