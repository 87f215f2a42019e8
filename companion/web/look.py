"""More to look at than the live table: the board to be checked, earlier games, how they went, files to take away."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict
from starlette.exceptions import HTTPException
from starlette.responses import Response

from companion.rules.game import Refused
from companion.table.course import Course, as_json, as_scenario
from companion.views.chronicle import chronicle
from companion.views.inspection import inspection
from companion.views.log import story
from companion.views.statistics import statistics
from companion.web.entrance import HostOnly, Unpaired
from companion.web.pages import Group, Page, Pages

CHECK = Page("check", (Group("only", ("notice", "check")),), "/check/live")
ARCHIVE = Page("archive", (Group("only", ("statistics", "history")),))
PAST = Page("past", (Group("only", ("past",)),))

FILES: Mapping[str, Callable[[Course], Mapping[str, Any]]] = {"game": as_json, "scenario": as_scenario}
"""What a game can be taken away as, by the file's name."""


class Showing(BaseModel):
    """The body of ``POST /odds``."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    shown: bool


def look_routes(pages: Pages) -> APIRouter:
    """The routes for looking; only the switch for the odds is a host's."""
    router = APIRouter()
    _add_check(router, pages)
    _add_games(router, pages)
    _add_odds(router, pages)
    return router


def _add_check(router: APIRouter, pages: Pages) -> None:
    def context() -> dict[str, Any]:
        seated = pages.desk.session.snapshot.seated
        return {"inspection": inspection(seated) if seated else None}

    @router.get("/check")
    async def check_page(request: Request) -> Response:
        return pages.whole(request, CHECK, context)

    @router.get("/check/live")
    async def check_regions(request: Request) -> Response:
        return pages.fragment(request, CHECK, context)


def _add_games(router: APIRouter, pages: Pages) -> None:
    desk = pages.desk

    def archive() -> dict[str, Any]:
        history = desk.session.history()
        return {"history": history, "statistics": statistics(history, desk.games)}

    @router.get("/games")
    async def archive_page(request: Request) -> Response:
        return pages.whole(request, ARCHIVE, archive)

    @router.get("/games/{game_id:int}")
    async def past_page(request: Request, game_id: int) -> Response:
        course = _course(pages, game_id)
        return pages.whole(request, PAST, lambda: _past(course))

    @router.get("/games/{game_id:int}/{file}.json")
    async def game_file(game_id: int, file: str) -> Response:
        if file not in FILES:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        content = json.dumps(FILES[file](_course(pages, game_id)), ensure_ascii=False, indent=1)
        name = f"{file}-{game_id}.json"
        headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
        return Response(content, media_type="application/json", headers=headers)


def _course(pages: Pages, game_id: int) -> Course:
    try:
        return pages.desk.session.course_of(game_id)
    except Refused as refused:
        raise HTTPException(HTTPStatus.NOT_FOUND) from refused


def _past(course: Course) -> dict[str, Any]:
    portrait = course.game.portray(course.last, ())
    told = story(course.log, [seat.name for seat in portrait.seats])
    return {"past": course.past, "past_portrait": portrait, "chronicle": chronicle(course), "past_story": told}


def _add_odds(router: APIRouter, pages: Pages) -> None:
    @router.post("/odds", status_code=HTTPStatus.NO_CONTENT)
    async def show_odds(request: Request, wanted: Showing) -> None:
        """Show the odds to everyone, or to nobody."""
        caller = pages.caller(request)
        if not caller.hosts:
            raise HostOnly if caller.may_act else Unpaired
        pages.desk.odds.wish(wanted.shown)
        pages.desk.bell.ring()
