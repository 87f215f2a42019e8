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

from companion.web.assets import read_assets
from companion.web.desk import Desk
from companion.web.guard import Guard
from companion.web.host import Unpaired, host_routes
from companion.web.pages import Pages
from companion.web.public import public_routes


def create_app(desk: Desk, extra_routers: Sequence[APIRouter] = ()) -> FastAPI:
    """The application for one desk; ``extra_routers`` stand behind the same guard."""
    pages = Pages(desk, read_assets())

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        unsubscribe = desk.session.subscribe(lambda _snapshot: desk.bell.ring())
        yield
        unsubscribe()
        desk.bell.close()

    app = FastAPI(lifespan=lifespan, openapi_url=None, docs_url=None, redoc_url=None)
    app.add_middleware(Guard, names=desk.names, translator=desk.translator)
    for router in (public_routes(pages), host_routes(pages), *extra_routers):
        app.include_router(router)
    _answer_in_words(app, pages)
    return app


def _answer_in_words(app: FastAPI, pages: Pages) -> None:
    @app.exception_handler(HTTPException)
    async def http_error(request: Request, error: HTTPException) -> Response:
        known = {HTTPStatus.NOT_FOUND: "web.error.not_found", HTTPStatus.METHOD_NOT_ALLOWED: "web.error.method"}
        code = known.get(HTTPStatus(error.status_code), "web.error.bad_request")
        return _say(request, pages, error.status_code, code)

    @app.exception_handler(RequestValidationError)
    async def bad_parameter(request: Request, _error: RequestValidationError) -> Response:
        return _say(request, pages, HTTPStatus.BAD_REQUEST, "web.error.bad_request")

    @app.exception_handler(Unpaired)
    async def unpaired(request: Request, _error: Unpaired) -> Response:
        return _say(request, pages, HTTPStatus.FORBIDDEN, "web.error.unpaired")

    @app.exception_handler(ClientDisconnect)
    async def gone(request: Request, _error: ClientDisconnect) -> Response:
        """Nobody hears it: the caller went away, or was hung up on, before all was said."""
        return _say(request, pages, HTTPStatus.BAD_REQUEST, "web.error.bad_body")


def _say(request: Request, pages: Pages, status: int, code: str) -> Response:
    message = pages.words(request).text(code)
    if "text/html" in request.headers.get("accept", ""):
        return pages.plain(request, "error.html", status, message=message)
    return JSONResponse({"code": code.rpartition(".")[2], "message": message}, status)
