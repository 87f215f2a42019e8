"""Asking the coach from a phone. Nothing is said unasked, and only the phone that asks is told."""

from __future__ import annotations

import asyncio
import logging
from http import HTTPStatus

from fastapi import APIRouter, Request
from starlette.responses import Response

from companion.table.snapshot import Seated, Snapshot
from companion.views.coach import Coach, CoachLost, Opinion, opinion
from companion.web.acting import told
from companion.web.entrance import Unpaired
from companion.web.orders import read_json
from companion.web.pages import Pages

_log = logging.getLogger(__name__)


def coach_routes(pages: Pages) -> APIRouter:
    """``POST /coach``: advice as a piece of a page, about the ``position`` that the page shows where it names one."""
    router = APIRouter()

    @router.post("/coach")
    async def ask(request: Request) -> Response:
        if not pages.caller(request).may_act:
            raise Unpaired
        try:
            position = read_json(await request.body()).get("position")
        except ValueError:
            return told(pages, request, HTTPStatus.BAD_REQUEST, "web.error.bad_body")
        return await _answer(pages, request, position)

    return router


async def _answer(pages: Pages, request: Request, position: object) -> Response:
    coach, seated = pages.desk.coach, pages.desk.coached
    if coach is None or seated is None:
        why = "web.coach.too_little" if pages.desk.tells_coach_too_little else "web.coach.none"
        return told(pages, request, HTTPStatus.NOT_FOUND, why)
    try:
        stands = position in (None, pages.mark(seated))
        thought = await _while_it_stands(pages, coach, seated) if stands else None
    except CoachLost as lost:
        _log.warning("%s", lost)
        return told(pages, request, HTTPStatus.SERVICE_UNAVAILABLE, "web.coach.lost")
    if thought is None:
        return told(pages, request, HTTPStatus.CONFLICT, "web.coach.stale")
    return pages.plain(request, "coach.html", opinion=thought)


async def _while_it_stands(pages: Pages, coach: Coach, seated: Seated) -> Opinion | None:
    """The opinion; None where the game moved on before the coach was done, which then stops thinking."""
    thinking = asyncio.ensure_future(coach.advise(seated.game, seated.state))

    def look(snapshot: Snapshot) -> None:
        if snapshot.seated is None or snapshot.seated.state != seated.state:
            thinking.cancel()

    unsubscribe = pages.desk.session.subscribe(look)
    try:
        return opinion(seated.game, await thinking)
    except asyncio.CancelledError:
        if not thinking.cancelled():  # the phone went away
            thinking.cancel()
            raise
        return None
    finally:
        unsubscribe()
