"""How a page is made: its words, its regions, and the tag that says whether a phone has it already.

A page is a frame around *regions*, the pieces that change. A live page fetches the regions alone and replaces those
whose ``data-rev``, a hash of what they show, is a new one, so that focus and scrolling stay where they were.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from companion.table.snapshot import Seated
from companion.web.assets import Assets, packed
from companion.web.desk import Desk, PanelPicture
from companion.web.entrance import Caller, caller_of
from companion.web.language import language_of
from companion.web.sight import Sight
from companion.web.templating import BOARDS, SIZES, THEMES, Region, Templates
from companion.web.words import Words

KEPT = 16
"""How many made pages are kept at most."""
LOOKER: Mapping[str, Any] = {"playing": False, "pointable": {}, "asking": False, "scanned": ()}
"""What the regions of the table know of someone who only looks."""


@dataclass(frozen=True, slots=True)
class Group:
    """Regions that stand together, in reading order."""

    name: str
    regions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """A page by name: its regions, group by group in reading order; ``live`` is where they are fetched alone.

    Regions that are ``shared`` show every reader with the same ``Share`` the same: they know nothing of who reads.
    """

    name: str
    groups: tuple[Group, ...]
    live: str = ""
    shared: frozenset[str] = frozenset()

    @property
    def regions(self) -> tuple[str, ...]:
        """All regions in reading order."""
        return tuple(region for group in self.groups for region in group.regions)


TABLE_GROUPS = (
    Group("now", ("notice", "devices", "turn", "results", "meters", "goals")),
    Group("table", ("board", "seats", "piles")),
    Group("told", ("panel", "odds", "log")),
)


SHARED = frozenset(region for group in TABLE_GROUPS for region in group.regions)
"""The regions of the table; those of a page that acts are others for each phone where they can be pointed at."""


Context = Callable[[], Mapping[str, Any]]
"""What a page knows besides the table; asked only when the page is made anew."""


class Pages:
    """Renders pages and their regions for one desk. What one phone was given, the next with equal wishes gets too."""

    def __init__(self, desk: Desk, assets: Assets) -> None:
        self.desk = desk
        self.assets = assets
        self._run = secrets.token_hex(4)  # another journal may count the same revisions again
        self._made: dict[str, tuple[bytes, bytes]] = {}
        self._shared: dict[tuple[object, ...], Region] = {}
        self._sight = Sight(desk.session.snapshot)
        self._templates = Templates(assets, desk.translator)

    def words(self, request: Request) -> Words:
        """The words of the reader's language."""
        return Words(self.desk.translator(language_of(request)))

    def rung(self) -> dict[str, Any]:
        """What the bell tells: the newest revision, and the build, whose change has pages loaded anew."""
        return {"revision": self.desk.session.snapshot.revision, "build": self.assets.version}

    def whole(self, request: Request, page: Page, context: Context = dict) -> Response:
        """The frame with all regions in it; 304 where the browser has it."""
        return self._answer(request, page, context, "frame.html")

    def fragment(self, request: Request, page: Page, context: Context = dict) -> Response:
        """The regions alone; 304 where the browser has them."""
        return self._answer(request, page, context, "regions.html")

    def plain(self, request: Request, template: str, status: int = HTTPStatus.OK, **context: Any) -> Response:
        """A page without regions: the PIN's, an error's."""
        content = self._templates.page(template, {**self._frame(request), **context})
        return HTMLResponse(content, status, headers={"Cache-Control": "no-store"})

    def _answer(self, request: Request, page: Page, context: Context, template: str) -> Response:
        tag = self._etag(request, page, template)
        headers = {"ETag": tag, "Cache-Control": "private, no-cache", "Vary": "Cookie, Accept-Language"}
        if tag in _tags(request):
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
        if tag not in self._made:
            if len(self._made) >= KEPT:
                self._made.clear()
            made = self._make(request, page, context(), template).encode()
            self._made[tag] = (made, packed(made))
        return packed_answer(request, *self._made[tag], "text/html; charset=utf-8", headers)

    def _make(self, request: Request, page: Page, context: Mapping[str, Any], template: str) -> str:
        common = {**LOOKER, **self._frame(request), **self._table(request)}
        known = {**common, **context, "page": page}
        share = self._share(request)
        known["regions"] = tuple(
            self._shared_region(name, common, share) if name in page.shared else self._templates.region(name, known)
            for name in page.regions
        )
        return self._templates.page(template, known)

    def _shared_region(self, name: str, common: Mapping[str, Any], share: tuple[object, ...]) -> Region:
        key = (name, *share)
        if key not in self._shared:
            if len(self._shared) >= KEPT * len(SHARED):
                self._shared.clear()
            self._shared[key] = self._templates.region(name, common)
        return self._shared[key]

    def _share(self, request: Request) -> tuple[object, ...]:
        """All that the regions of the table depend on: the revision, what stands beside it, some of who reads."""
        standing, picture, caller = self.desk.panel_standing(), self.picture(request), self.caller(request)
        shown = standing and (
            standing.wanted,
            standing.shown,
            standing.ok,
            standing.advice and repr(standing.advice),
            standing.behind,
            standing.takes,
            standing.resting,
        )
        beside = (shown, picture and picture.tag, self.desk.odds.granted, self.desk.join_url())
        whose = (language_of(request), wish(request, "board", BOARDS), caller.may_act, caller.hosts)
        return self.desk.session.snapshot.revision, *beside, *whose

    def _etag(self, request: Request, page: Page, template: str) -> str:
        """Revision, language, build, and what else the page depends on: its share, the reader, this run."""
        looks = (wish(request, "theme", THEMES), wish(request, "size", SIZES))
        caller = self.caller(request)
        asked = request.url.query if caller.may_act else ""
        whose = (caller.role, caller.phone and caller.phone.number, self.desk.phones.version, asked, self._door(caller))
        beside = repr((self._run, self._share(request), template, page.name, request.url.path, looks, whose))
        mark = hashlib.sha256(beside.encode()).hexdigest()[:8]
        return f'"{self.desk.session.snapshot.revision}-{language_of(request)}-{self.assets.version}-{mark}"'

    def _door(self, caller: Caller) -> tuple[object, ...]:
        """What pages show of the door to those who act: the PIN and, by the minute, who was away."""
        return (self.desk.pins.version, self.desk.phones.minute()) if caller.may_act else ()

    def mark(self, seated: Seated) -> str:
        """What tells the positions of this run apart, and nothing about them."""
        position = json.dumps((self._run, seated.id, seated.game.state_json(seated.state)), sort_keys=True)
        return hashlib.sha256(position.encode()).hexdigest()[:16]

    def picture(self, request: Request) -> PanelPicture | None:
        """The panel's picture as this reader may see it: one with the PIN only by who was let in."""
        picture = self.desk.panel_picture()
        return None if picture and picture.shows_pin and not self.caller(request).may_act else picture

    def may_host(self, request: Request) -> bool:
        """Whether this reader may do everything."""
        return self.caller(request).hosts

    def caller(self, request: Request) -> Caller:
        """Who reads."""
        return caller_of(self.desk, request)

    def _frame(self, request: Request) -> dict[str, Any]:
        words = self.words(request)
        return {
            "words": words,
            "text": words.text,
            "say": words.say,
            "name": words.name,
            "short": words.short,
            "titled": words.titled,
            "language": words.translator.language,
            "theme": wish(request, "theme", THEMES),
            "size": wish(request, "size", SIZES),
            "board": wish(request, "board", BOARDS),
            "build": self.assets.version,
            "skins": self.assets.skins,
            "path": request.url.path,
            "watching_is_open": self.desk.watching_is_open,
            "hosting": self.may_host(request),
            "acting": self.caller(request).may_act,
        }

    def _table(self, request: Request) -> dict[str, Any]:
        sight, seated = self._look(), self.desk.session.snapshot.seated
        picture, standing = self.picture(request), self.desk.panel_standing()
        granted = self.desk.odds.granted
        return {
            "view": sight.view,
            "initials": self.words(request).initials([seat.seat.name for seat in sight.view.seats]),
            "colours": {seat.seat.name: seat.seat.colour for seat in sight.view.seats},
            "picture": picture.tag if picture else None,
            "standing": standing,
            "join_url": self.desk.join_url(),
            "behind": standing.behind if standing else 0,
            "takes": round(standing.takes) if standing and standing.takes else 0,
            "can_undo": bool(seated and seated.can_undo),
            "can_redo": bool(seated and seated.can_redo),
            "seated_id": seated.id if seated else None,
            "odds_granted": granted,
            "odds": sight.odds if granted else None,
        }

    def _look(self) -> Sight:
        snapshot = self.desk.session.snapshot
        if self._sight.snapshot is not snapshot:
            self._sight = Sight(snapshot)
        return self._sight


def packed_answer(
    request: Request, content: bytes, packed: bytes, media_type: str, headers: Mapping[str, str]
) -> Response:
    """Content, packed where the browser can unpack it."""
    varying = {**headers, "Vary": ", ".join(filter(None, (headers.get("Vary"), "Accept-Encoding")))}
    if "gzip" in request.headers.get("accept-encoding", "") and len(packed) < len(content):
        return Response(packed, media_type=media_type, headers={**varying, "Content-Encoding": "gzip"})
    return Response(content, media_type=media_type, headers=varying)


def _tags(request: Request) -> list[str]:
    header = request.headers.get("if-none-match", "")
    return [tag.strip().removeprefix("W/") for tag in header.split(",")]


def wish(request: Request, name: str, offered: Sequence[str]) -> str:
    """What this reader chose, the first that is offered where nothing was."""
    wished = request.cookies.get(name, "")
    return wished if wished in offered else offered[0]
