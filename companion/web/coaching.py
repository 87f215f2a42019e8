"""Asking the coach from a phone. Nothing is said unasked, and only the phone that asks is told."""

from __future__ import annotations

import asyncio
import logging
from http import HTTPStatus

from fastapi import APIRouter, Request
from starlette.responses import Response

from companion.rules.game import Refused
from companion.table.snapshot import Seated, Snapshot
from companion.views.coach import Coach, CoachLost, Opinion, opinion
from companion.web.acting import refusal, told
from companion.web.entrance import Unpaired
from companion.web.pages import Pages

_log = logging.getLogger(__name__)


def coach_routes(pages: Pages) -> APIRouter:
    """``POST /coach``: advice as a piece of a page."""
    router = APIRouter()

    @router.post("/coach")
    async def ask(request: Request) -> Response:
        if not pages.caller(request).may_act:
            raise Unpaired
        coach, seated = pages.desk.coach, pages.desk.coached
        if coach is None or seated is None:
            return told(pages, request, HTTPStatus.NOT_FOUND, "web.coach.none")
        try:
            thought = await _while_it_stands(pages, coach, seated)
        except CoachLost as lost:
            _log.warning("%s", lost)
            return told(pages, request, HTTPStatus.SERVICE_UNAVAILABLE, "web.coach.lost")
        if thought is None:
            return refusal(pages, request, Refused("stale"))
        return pages.plain(request, "coach.html", opinion=thought)

    return router


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
