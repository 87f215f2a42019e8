"""What a host does: start, correct, teach tags, see to the phones, look at earlier games."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from http import HTTPStatus
from typing import Any

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from companion.rules.game import Refused
from companion.views.corrections import corrections
from companion.views.setup import lots, set_up_form
from companion.web.acting import people_of
from companion.web.entrance import HostOnly, Unpaired
from companion.web.invitation import invitation
from companion.web.orders import read_json
from companion.web.pages import Context, Group, Page, Pages
from companion.web.tags import TAGS, tags_context

CORRECT = Page("correct", (Group("only", ("notice", "corrections")),), "/host/live/correct")
GAMES = Page("games", (Group("only", ("notice", "start", "history")),), "/host/live/games")
PHONES = Page("phones", (Group("only", ("notice", "phones")),), "/host/live/phones")


def host_routes(pages: Pages) -> APIRouter:
    """The routes of hosts."""
    router = APIRouter()
    for page, context in _contexts(pages):
        _add_page(router, pages, page, partial(_same_for_all, context))
    _add_phones(router, pages)
    _add_lots(router, pages)
    return router


def _contexts(pages: Pages) -> tuple[tuple[Page, Context], ...]:
    desk = pages.desk

    def correct() -> dict[str, Any]:
        seated = desk.session.snapshot.seated
        return {"parts": corrections(seated) if seated else ()}

    def tags() -> dict[str, Any]:
        return tags_context(desk.session, desk.games)

    def games() -> dict[str, Any]:
        scanned = tuple((scan.revision, scan.thing.name) for scan in desk.session.snapshot.scanned)
        forms = tuple(map(set_up_form, desk.games.values()))
        return {"forms": forms, "history": desk.session.history(), "scanned": scanned}

    return (CORRECT, correct), (TAGS, tags), (GAMES, games)


def _same_for_all(context: Context, _request: Request) -> Mapping[str, Any]:
    return context()


def _add_phones(router: APIRouter, pages: Pages) -> None:
    """The page of the phones, which is another one for each that reads it."""

    def context(request: Request) -> dict[str, Any]:
        desk, caller = pages.desk, pages.caller(request)
        return {
            "people": people_of(pages, caller),
            "pin": None if desk.open_to_all else desk.pins.pin,
            "invitation": invitation(desk.join_url(), desk.pins.ticket),
            "undo_rule": desk.phones.house.undo,
        }

    _add_page(router, pages, PHONES, context)


def _add_page(router: APIRouter, pages: Pages, page: Page, context: Callable[[Request], Mapping[str, Any]]) -> None:
    @router.get(f"/host/{page.name}", name=f"{page.name} page")
    async def whole(request: Request) -> Response:
        if not pages.caller(request).may_act:
            return pages.plain(request, "pair.html", HTTPStatus.FORBIDDEN)
        _let_in(pages, request)
        return pages.whole(request, page, lambda: context(request))

    @router.get(page.live, name=f"{page.name} regions")
    async def fragment(request: Request) -> Response:
        _let_in(pages, request)
        return pages.fragment(request, page, lambda: context(request))


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


def _let_in(pages: Pages, request: Request) -> None:
    caller = pages.caller(request)
    if not caller.may_act:
        raise Unpaired
    if not caller.hosts:
        raise HostOnly
