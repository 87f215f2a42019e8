"""All routes below ``/api``: version 1, its document, and the page that shows it to people."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.responses import Response

from companion.web.api.acting import add_acting
from companion.web.api.answers import Answers, Made, unless_known
from companion.web.api.operations import Operations
from companion.web.api.page import Described, described
from companion.web.api.reading import add_reading
from companion.web.pages import Pages

ROOM = "/api"
PREFIX = "/api/v1"
DOCUMENT = Path(__file__).parent / "openapi.json"
"""What :func:`companion.web.api.document.document` tells of the routes; a test compares the two."""


def api_routes(pages: Pages) -> APIRouter:
    """The routes of the API."""
    router = APIRouter()
    router.include_router(version_1(pages))
    told = DOCUMENT.read_bytes()
    _add_document(router, told)
    _add_page(router, pages, told)
    return router


def version_1(pages: Pages, *, documented: bool = False) -> APIRouter:
    """The operations of version 1, on request with all that the document tells of them."""
    router = APIRouter(prefix=PREFIX)
    operations = Operations(router, documented=documented)
    add_reading(operations, pages, Answers())
    add_acting(operations, pages)
    return router


def _add_document(router: APIRouter, told: bytes) -> None:
    made = Made.of(told)

    @router.api_route(f"{PREFIX}/openapi.json", methods=["GET", "HEAD"], include_in_schema=False)
    async def openapi(request: Request) -> Response:
        return unless_known(request, made)


def _add_page(router: APIRouter, pages: Pages, told: bytes) -> None:
    @cache
    def page() -> Described:
        return described(json.loads(told))

    @router.get(ROOM, include_in_schema=False)
    async def for_people(request: Request) -> Response:
        return pages.plain(request, "api.html", document=page(), openapi=f"{PREFIX}/openapi.json")
