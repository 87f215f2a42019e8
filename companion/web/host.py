"""What the host does: pair, start, play, correct, teach tags, look at earlier games."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from companion.rules.game import Refused
from companion.table.snapshot import PastGame
from companion.views.corrections import corrections
from companion.views.pointing import pointable
from companion.views.setup import lots, set_up_form
from companion.web.orders import read_json, read_order
from companion.web.pages import TABLE_GROUPS, Context, Group, Page, Pages
from companion.web.pairing import COOKIE, COOKIE_SECONDS, PinGate, TooManyWrongPins, host_token

PLAY = Page(
    "play",
    (Group("now", ("notice", "devices", "turn", "controls", "results", "meters", "goals")), *TABLE_GROUPS[1:]),
    "/host/live/play",
)
CORRECT = Page("correct", (Group("only", ("notice", "corrections")),), "/host/live/correct")
TAGS = Page("tags", (Group("only", ("notice", "tags")),), "/host/live/tags")
GAMES = Page("games", (Group("only", ("notice", "start", "history")),), "/host/live/games")
PAST = Page("past", (Group("only", ("past",)),))


class Unpaired(Exception):
    """The host's pages or commands were asked for by someone who was not let in."""


def host_routes(pages: Pages) -> APIRouter:
    """The routes of the host; all but the pairing need the host's cookie, or the companion's own browser."""
    router = APIRouter()
    for page, context in _contexts(pages):
        _add_page(router, pages, page, context)
    _add_past_game(router, pages)
    _add_lots(router, pages)
    _add_pairing(router, pages)
    _add_commands(router, pages)
    return router


def _contexts(pages: Pages) -> tuple[tuple[Page, Context], ...]:
    desk = pages.desk

    def play() -> dict[str, Any]:
        snapshot, menu = desk.session.snapshot, desk.session.menu()
        seated = None if snapshot.paused else snapshot.seated
        places = pointable(seated, menu, snapshot.gesture) if seated else {}
        return {"menu": menu, "playing": True, "pointable": places}

    def correct() -> dict[str, Any]:
        seated = desk.session.snapshot.seated
        return {"parts": corrections(seated) if seated else ()}

    def tags() -> dict[str, Any]:
        seated = desk.session.snapshot.seated
        games = (seated.game,) if seated else tuple(desk.games.values())
        things = tuple((game.name, game.tagged()) for game in games)
        return {"last_tag": desk.session.last_tag, "tags": desk.session.tags(), "things": things}

    def games() -> dict[str, Any]:
        scanned = tuple((scan.revision, scan.thing.name) for scan in desk.session.snapshot.scanned)
        forms = tuple(map(set_up_form, desk.games.values()))
        return {"forms": forms, "history": desk.session.history(), "scanned": scanned}

    return (PLAY, play), (CORRECT, correct), (TAGS, tags), (GAMES, games)


def _add_page(router: APIRouter, pages: Pages, page: Page, context: Context) -> None:
    address = "/host" if page is PLAY else f"/host/{page.name}"

    @router.get(address, name=f"{page.name} page")
    async def whole(request: Request) -> Response:
        if not pages.may_host(request):
            return pages.plain(request, "pair.html", HTTPStatus.FORBIDDEN)
        return pages.whole(request, page, context)

    @router.get(page.live, name=f"{page.name} regions")
    async def fragment(request: Request) -> Response:
        _let_in(pages, request)
        return pages.fragment(request, page, context)


def _add_past_game(router: APIRouter, pages: Pages) -> None:
    @router.get("/host/games/{game_id:int}")
    async def past_game(request: Request, game_id: int) -> Response:
        if not pages.may_host(request):
            return pages.plain(request, "pair.html", HTTPStatus.FORBIDDEN)
        try:
            log = pages.desk.session.log_of(game_id)
        except Refused as refused:
            raise HTTPException(HTTPStatus.NOT_FOUND) from refused
        past = _past(pages.desk.session.history(), game_id)
        return pages.whole(request, PAST, lambda: {"past": past, "past_log": log})


def _add_lots(router: APIRouter, pages: Pages) -> None:
    @router.get("/host/lots")
    async def board_to_name(request: Request, game: str, key: str, setup: str) -> Response:
        """The board that lies already, with the numbers of the names to come; 204 where the names are no places."""
        _let_in(pages, request)
        if game not in pages.desk.games:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        try:
            rows = lots(pages.desk.games[game], read_json(setup.encode()), key)
        except (ValueError, Refused) as error:
            raise HTTPException(HTTPStatus.BAD_REQUEST) from error
        return pages.plain(request, "lots.html", rows=rows) if rows else Response(status_code=HTTPStatus.NO_CONTENT)


def _past(history: tuple[PastGame, ...], game_id: int) -> PastGame:
    return next(game for game in history if game.id == game_id)


def _add_pairing(router: APIRouter, pages: Pages) -> None:
    desk, gate = pages.desk, PinGate(pages.desk.clock)

    @router.post("/host/pair")
    async def pair(request: Request) -> Response:
        try:
            offered = read_json(await request.body()).get("pin")
        except ValueError:
            return _told(pages, request, HTTPStatus.BAD_REQUEST, "web.error.bad_body")
        try:
            right = desk.pin is not None and gate.admits(str(offered), desk.pin)
        except TooManyWrongPins:
            return _told(pages, request, HTTPStatus.TOO_MANY_REQUESTS, "web.pair.wait")
        if not right:
            return _told(pages, request, HTTPStatus.FORBIDDEN, "web.pair.wrong")
        response = _told(pages, request, HTTPStatus.OK, "web.pair.welcome")
        token = host_token(desk.secret)
        response.set_cookie(COOKIE, token, max_age=COOKIE_SECONDS, httponly=True, samesite="strict")
        return response


def _add_commands(router: APIRouter, pages: Pages) -> None:
    session = pages.desk.session

    @router.post("/commands")
    async def commands(request: Request) -> Response:
        _let_in(pages, request)
        try:
            order = read_order(await request.body())
        except ValueError:
            return _told(pages, request, HTTPStatus.BAD_REQUEST, "web.error.bad_body")
        try:
            snapshot = order.carry_out(session)
        except Refused as refused:
            return _refused(pages, request, refused)
        return JSONResponse({"revision": snapshot.revision})


def _let_in(pages: Pages, request: Request) -> None:
    if not pages.may_host(request):
        raise Unpaired


def _refused(pages: Pages, request: Request, refused: Refused) -> Response:
    status = HTTPStatus.CONFLICT if refused.code == "stale" else HTTPStatus.UNPROCESSABLE_ENTITY
    message = pages.words(request).text(f"refusal.{refused.code}", **refused.params)
    return _answer(pages, status, refused.code, message)


def _told(pages: Pages, request: Request, status: HTTPStatus, code: str) -> Response:
    return _answer(pages, status, code.rpartition(".")[2], pages.words(request).text(code))


def _answer(pages: Pages, status: HTTPStatus, code: str, message: str) -> Response:
    told = {"code": code, "message": message, "revision": pages.desk.session.snapshot.revision}
    return JSONResponse(told, status)
