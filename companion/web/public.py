"""What anyone in the room may look at: the live table, its JSON for testers, the panel's picture, the bell."""

from __future__ import annotations

from dataclasses import asdict
from fractions import Fraction
from http import HTTPStatus
from typing import Annotated, Any
from urllib.parse import urlsplit

from fastapi import APIRouter, Query, Request
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, RedirectResponse, Response

from companion.i18n import LANGUAGES, Translator
from companion.ports import DeviceStatus
from companion.rules.odds import Odds
from companion.views.table import table_view
from companion.web.bell import event_stream
from companion.web.language import COOKIE as LANGUAGE_COOKIE
from companion.web.pages import SHARED, TABLE_GROUPS, Page, Pages, packed_answer
from companion.web.templating import BOARDS, SIZES, THEMES

TABLE = Page("table", TABLE_GROUPS, "/table", SHARED)
YEAR_SECONDS = 60 * 60 * 24 * 365


def public_routes(pages: Pages) -> APIRouter:
    """The routes that every reader gets."""
    router = APIRouter()
    _add_table(router, pages)
    _add_bell(router, pages)
    _add_files(router, pages)
    _add_preferences(router)
    return router


def _add_table(router: APIRouter, pages: Pages) -> None:
    @router.get("/")
    async def table_page(request: Request) -> Response:
        return pages.whole(request, TABLE)

    @router.get("/table")
    async def table_regions(request: Request) -> Response:
        return pages.fragment(request, TABLE)

    @router.get("/table.json")
    async def table_json() -> Response:
        return JSONResponse(public_json(pages), headers={"Cache-Control": "no-store"})

    @router.get("/health")
    async def health() -> Response:
        told = {"ok": True, "revision": pages.desk.session.snapshot.revision, "build": pages.assets.version}
        return JSONResponse(told, headers={"Cache-Control": "no-store"})


def _add_bell(router: APIRouter, pages: Pages) -> None:
    @router.get("/bell")
    async def bell() -> Response:
        return event_stream(pages.desk.bell, pages.rung)


def _add_files(router: APIRouter, pages: Pages) -> None:
    @router.get("/panel.png")
    async def panel_picture(request: Request) -> Response:
        picture = pages.picture(request)
        if picture is None:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        headers = {"ETag": f'"{picture.tag}"', "Cache-Control": "private, no-cache", "Vary": "Cookie"}
        if headers["ETag"] == request.headers.get("if-none-match"):
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
        return Response(picture.png, media_type="image/png", headers=headers)

    @router.get("/static/{version}/{path:path}")
    async def static_file(request: Request, version: str, path: str) -> Response:
        asset = pages.assets.files.get(path)
        if asset is None:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        current = version == pages.assets.version
        caching = f"public, max-age={YEAR_SECONDS}, immutable" if current else "no-store"
        return packed_answer(request, asset.content, asset.packed, asset.media_type, {"Cache-Control": caching})


def _add_preferences(router: APIRouter) -> None:
    @router.get("/preferences")
    async def preferences(
        back: Annotated[str, Query()] = "/",
        language: Annotated[str | None, Query()] = None,
        theme: Annotated[str | None, Query()] = None,
        size: Annotated[str | None, Query()] = None,
        board: Annotated[str | None, Query()] = None,
    ) -> Response:
        response = RedirectResponse(_own_path(back), HTTPStatus.SEE_OTHER)
        looks = (("theme", theme, THEMES), ("size", size, SIZES), ("board", board, BOARDS))
        for name, wished, offered in ((LANGUAGE_COOKIE, language, LANGUAGES), *looks):
            if wished is not None and wished in offered:
                response.set_cookie(name, wished, max_age=YEAR_SECONDS, httponly=True, samesite="strict")
        return response


def public_json(pages: Pages) -> dict[str, Any]:
    """The table as testers read it; nothing in it is hidden from anyone who sits at the table."""
    snapshot = pages.desk.session.snapshot
    view, seated = table_view(snapshot), snapshot.seated
    return {
        "revision": view.revision,
        "build": pages.assets.version,
        "paused": view.paused,
        "game": view.game,
        "game_id": seated.id if seated else None,
        "state": seated.game.state_json(seated.state) if seated else None,
        "portrait": asdict(view.portrait) if view.portrait else None,
        "can_undo": bool(seated and seated.can_undo),
        "can_redo": bool(seated and seated.can_redo),
        "gesture": asdict(view.gesture) if view.gesture else None,
        "notice": asdict(view.notice) if view.notice else None,
        "unsaved": asdict(snapshot.unsaved) if snapshot.unsaved else None,
        "devices": [_device_json(status, pages.desk.translator(LANGUAGES[0])) for status in snapshot.devices],
        "log": [asdict(line) for line in view.log],
        "odds": _odds_json(seated.game.odds(seated.state)) if seated and pages.desk.odds.granted else None,
    }


def _odds_json(odds: Odds | None) -> dict[str, Any] | None:
    """The odds with each chance as an exact fraction, such as ``1/3``."""

    def told(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        return {key: str(value) if isinstance(value, Fraction) else value for key, value in pairs}

    return None if odds is None else asdict(odds, dict_factory=told)


def _device_json(status: DeviceStatus, words: Translator) -> dict[str, Any]:
    """A device's state; its advice as code and parameters, and in English."""
    advice = status.advice
    told = {**asdict(advice), "text": words.text(advice.code, **advice.params)} if advice else None
    return {**asdict(status), "advice": told}


def _own_path(back: str) -> str:
    """A path of this table to go back to; the table's page for anything that could lead elsewhere."""
    try:
        parts = urlsplit(back)
    except ValueError:
        return "/"
    own = not parts.scheme and not parts.netloc and back.startswith("/") and "\\" not in back and back.isprintable()
    return back if own and not back.startswith("//") else "/"
