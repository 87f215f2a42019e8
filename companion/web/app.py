"""The web application: routes behind one guard, and an answer in words for whatever goes wrong."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from http import HTTPStatus

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, Response

from companion.table.snapshot import Snapshot
from companion.web.acting import acting_routes
from companion.web.api.answers import Fault, problem
from companion.web.api.routes import ROOM, api_routes
from companion.web.assets import read_assets
from companion.web.coaching import coach_routes
from companion.web.desk import Desk
from companion.web.entrance import HostOnly, Unpaired
from companion.web.guard import Guard
from companion.web.host import host_routes
from companion.web.look import look_routes
from companion.web.pages import Pages
from companion.web.public import public_routes
from companion.web.tags import tag_routes
from companion.web.watching import Watching


class _Ushers:
    """Hear of every revision: the bell rings, and a game that begins gets a PIN of its own."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._game = _game_id(desk.session.snapshot)

    def __call__(self, snapshot: Snapshot) -> None:
        game, self._game = self._game, _game_id(snapshot)
        if self._game is not None and game != self._game:
            self._desk.pins.begin_game()
        self._desk.bell.ring()


def _game_id(snapshot: Snapshot) -> int | None:
    return None if snapshot.seated is None else snapshot.seated.id


def create_app(desk: Desk, extra_routers: Sequence[APIRouter] = ()) -> FastAPI:
    """The application for one desk; ``extra_routers`` stand behind the same guard."""
    pages = Pages(desk, read_assets())

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        unsubscribe = desk.session.subscribe(_Ushers(desk))
        desk.phones.changed = desk.bell.ring
        yield
        unsubscribe()
        desk.bell.close()

    app = FastAPI(lifespan=lifespan, openapi_url=None, docs_url=None, redoc_url=None)
    if not desk.watching_is_open:
        app.add_middleware(Watching, pages=pages)
    app.add_middleware(Guard, names=desk.names, translator=desk.translator)
    for routes in (public_routes, look_routes, acting_routes, coach_routes, host_routes, tag_routes, api_routes):
        app.include_router(routes(pages))
    for router in extra_routers:
        app.include_router(router)
    _answer_in_words(app, pages)
    return app


def _answer_in_words(app: FastAPI, pages: Pages) -> None:
    @app.exception_handler(HTTPException)
    async def http_error(request: Request, error: HTTPException) -> Response:
        known = {HTTPStatus.NOT_FOUND: "web.error.not_found", HTTPStatus.METHOD_NOT_ALLOWED: "web.error.method"}
        code = known.get(HTTPStatus(error.status_code), "web.error.bad_request")
        response = _say(request, pages, error.status_code, code)
        response.headers.update(error.headers or {})
        return response

    @app.exception_handler(Fault)
    async def fault(request: Request, fault: Fault) -> Response:
        return _say(request, pages, fault.status, fault.message)

    @app.exception_handler(RequestValidationError)
    async def bad_parameter(request: Request, _error: RequestValidationError) -> Response:
        return _say(request, pages, HTTPStatus.BAD_REQUEST, "web.error.bad_request")

    @app.exception_handler(Unpaired)
    async def unpaired(request: Request, _error: Unpaired) -> Response:
        return _say(request, pages, HTTPStatus.FORBIDDEN, "web.error.unpaired")

    @app.exception_handler(HostOnly)
    async def host_only(request: Request, _error: HostOnly) -> Response:
        return _say(request, pages, HTTPStatus.FORBIDDEN, "web.error.host_only")

    @app.exception_handler(ClientDisconnect)
    async def gone(request: Request, _error: ClientDisconnect) -> Response:
        """Nobody hears it: the caller went away, or was hung up on, before all was said."""
        return _say(request, pages, HTTPStatus.BAD_REQUEST, "web.error.bad_body")


def _say(request: Request, pages: Pages, status: int, code: str) -> Response:
    message = pages.words(request).text(code)
    if request.url.path.startswith(f"{ROOM}/"):
        return problem(status, code.rpartition(".")[2], message)
    if "text/html" in request.headers.get("accept", ""):
        return pages.plain(request, "error.html", status, message=message)
    return JSONResponse({"code": code.rpartition(".")[2], "message": message}, status)
