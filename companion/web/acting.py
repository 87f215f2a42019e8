"""What a phone that was let in does: take a seat, play. And how it is let in."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from companion.rules.game import Refused
from companion.table.offering import MOST_STEPS
from companion.views.acting import acting_view
from companion.views.people import Guest, People, people
from companion.web.commands import carry_out, read_any_order
from companion.web.entrance import Caller, Unpaired, WrongPin, let_in
from companion.web.orders import read_json
from companion.web.pages import SHARED, TABLE_GROUPS, Group, Page, Pages
from companion.web.pairing import COOKIE, COOKIE_SECONDS, TooManyWrongPins
from companion.web.public import public_json

STEP = "step"
"""The query's key for each step that a page has told."""
STEP_LETTERS = 200

NOW = Group("now", ("notice", "devices", "turn", "controls", "me", "coach", "results", "meters", "goals"))
PLAY = Page(
    "play",
    (NOW, *TABLE_GROUPS[1:]),
    "/host/live/play",
    SHARED - {"turn", "board"},
)


def acting_routes(pages: Pages) -> APIRouter:
    """The routes of those who act; all but the pairing are for phones that were let in."""
    router = APIRouter()
    _add_play(router, pages)
    _add_pairing(router, pages)
    _add_commands(router, pages)
    return router


def people_of(pages: Pages, caller: Caller) -> People:
    """Who is at the table, as this caller sees them."""
    phones, seated = pages.desk.phones, pages.desk.session.snapshot.seated
    guests = tuple(Guest(one.number, one.name, one.host, phones.unseen(one)) for one in phones.house.phones)
    return people(guests, phones.house.seats, seated, caller.phone.number if caller.phone else None)


def _add_play(router: APIRouter, pages: Pages) -> None:
    def context(request: Request) -> dict[str, Any]:
        desk, caller = pages.desk, pages.caller(request)
        steps = tuple(step[:STEP_LETTERS] for step in request.query_params.getlist(STEP)[:MOST_STEPS])
        acting = acting_view(desk.session, caller.seats, steps)
        return {
            "playing": True,
            "acting_view": acting,
            "pointable": acting.pointable,
            "people": people_of(pages, caller),
            "asking": bool(acting.steps),
            "may_succeed": desk.phones.hosts_are_away,
            "coached": desk.coached and pages.mark(desk.coached),
            "tells_coach_too_little": desk.tells_coach_too_little,
            "may_undo": caller.hosts or desk.phones.house.undo == "all",
        }

    @router.get("/host", name="play page")
    async def whole(request: Request) -> Response:
        if not pages.caller(request).may_act:
            return pages.plain(request, "pair.html", HTTPStatus.FORBIDDEN)
        return pages.whole(request, PLAY, lambda: context(request))

    @router.get(PLAY.live, name="play regions")
    async def fragment(request: Request) -> Response:
        if not pages.caller(request).may_act:
            raise Unpaired
        return pages.fragment(request, PLAY, lambda: context(request))


def _add_pairing(router: APIRouter, pages: Pages) -> None:
    @router.post("/pair")
    async def pair(request: Request) -> Response:
        try:
            body = read_json(await request.body())
        except ValueError:
            return told(pages, request, HTTPStatus.BAD_REQUEST, "web.error.bad_body")
        try:
            _, token = let_in(pages.desk, request, _text(body.get("pin")), _text(body.get("name")))
        except TooManyWrongPins as closed:
            code = "web.pair.closed" if closed.everywhere else "web.pair.wait"
            return told(pages, request, HTTPStatus.TOO_MANY_REQUESTS, code)
        except WrongPin:
            return told(pages, request, HTTPStatus.FORBIDDEN, "web.pair.wrong")
        except Refused as refused:
            return refusal(pages, request, refused)
        response = told(pages, request, HTTPStatus.OK, "web.pair.welcome")
        set_token(response, token)
        return response


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def set_token(response: Response, token: str) -> None:
    """Hand a browser its token: no script reads it, no other site has it sent."""
    response.set_cookie(COOKIE, token, max_age=COOKIE_SECONDS, httponly=True, samesite="strict")


def _add_commands(router: APIRouter, pages: Pages) -> None:
    @router.post("/commands")
    async def commands(request: Request) -> Response:
        caller = pages.caller(request)
        if not caller.may_act:
            raise Unpaired
        try:
            order = read_any_order(await request.body())
        except ValueError:
            return told(pages, request, HTTPStatus.BAD_REQUEST, "web.error.bad_body")
        try:
            done = carry_out(pages.desk, caller, order)
        except Refused as refused:
            return refusal(pages, request, refused)
        response = JSONResponse({"revision": done.snapshot.revision, "saved": done.snapshot.unsaved is None})
        if done.token is not None:
            set_token(response, done.token)
        return response


def refusal(pages: Pages, request: Request, refused: Refused) -> Response:
    """What was refused, in words; one that came too late gets the table as it is now besides."""
    message = pages.words(request).text(f"refusal.{refused.code}", **refused.params)
    if refused.code == "stale":
        return _answer(pages, HTTPStatus.CONFLICT, refused.code, message, table=public_json(pages))
    return _answer(pages, HTTPStatus.UNPROCESSABLE_ENTITY, refused.code, message)


def told(pages: Pages, request: Request, status: HTTPStatus, code: str) -> Response:
    """An answer in words."""
    return _answer(pages, status, code.rpartition(".")[2], pages.words(request).text(code))


def _answer(pages: Pages, status: HTTPStatus, code: str, message: str, **more: Any) -> Response:
    body = {"code": code, "message": message, "revision": pages.desk.session.snapshot.revision, **more}
    return JSONResponse(body, status, {"Cache-Control": "no-store"})
