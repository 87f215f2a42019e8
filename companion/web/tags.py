"""The page of the tags: teaching them piece by piece, known ones, files in and out, printed labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import Field, TypeAdapter
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from companion.labels.layout import PRESETS
from companion.labels.sheet import labels_of, sheet_pdf
from companion.rules.game import AnyGame, Refused
from companion.rules.portrait import Phrase
from companion.table.box import Box, Piece, Shelf, box_of
from companion.table.enrolment import tags_of
from companion.table.meaning import Meaning
from companion.table.session import Session
from companion.table.tag_file import TagFileError, read_tag_file, tag_file
from companion.table.tags import Merging
from companion.web.entrance import HostOnly, Unpaired
from companion.web.orders import BaseOrder, read_json
from companion.web.pages import Group, Page, Pages
from companion.web.words import Words

TAGS = Page("tags", (Group("only", ("notice", "enrol", "jump", "tags", "exchange")),), "/host/live/tags")


@dataclass(frozen=True, slots=True)
class Taught:
    """A box, shelf by shelf, with what the known tags make of it; ``starts`` is where each unfinished shelf begins."""

    game: str
    shelves: tuple[Shelf, ...]
    starts: Mapping[str, str]

    @property
    def tagged(self) -> int:
        """How many places have their tag."""
        return sum(shelf.tagged for shelf in self.shelves)

    @property
    def places(self) -> int:
        """How many tags the whole box takes."""
        return sum(shelf.places for shelf in self.shelves)


@dataclass(frozen=True, slots=True)
class Named:
    """The piece that is named: its ``number``-th tag is awaited, or one in place of ``replacing``."""

    piece: Piece
    number: int
    replacing: str | None


def tags_context(session: Session, games: Mapping[str, AnyGame]) -> dict[str, Any]:
    """What the page shows: the box of the game on the table, else every box."""
    snapshot, taught = session.snapshot, session.taught()
    chosen = (snapshot.seated.game,) if snapshot.seated else tuple(games.values())
    boxes = tuple(map(box_of, chosen))
    enrolling = snapshot.enrolling
    named = None
    if enrolling is not None and enrolling.at is not None:
        piece = box_of(games[enrolling.game]).piece(enrolling.at)
        number = tags_of(enrolling.at, taught) + (enrolling.replacing is None)
        named = Named(piece, number, enrolling.replacing)
    return {
        "last_tag": session.last_tag,
        "tags": taught,
        "enrolling": enrolling,
        "named": named,
        "boxes": tuple(_taught(box, taught) for box in boxes),
        "box_with": {piece.meaning: box.game for box in boxes for piece in box.pieces},
        "layouts": tuple(PRESETS),
    }


def tag_routes(pages: Pages) -> APIRouter:
    """Files in and out, and labels; for hosts."""
    router = APIRouter()
    _add_files(router, pages)
    _add_labels(router, pages)
    return router


def _taught(box: Box, taught: Mapping[str, Meaning]) -> Taught:
    shelves = box.shelves(taught)
    wanted = {
        shelf.kind: [piece for piece in shelf.pieces if tags_of(piece.meaning, taught) < piece.copies]
        for shelf in shelves
    }
    return Taught(box.game, shelves, {kind: str(pieces[0].meaning) for kind, pieces in wanted.items() if pieces})


class Brought(BaseOrder):
    """A file of tags, as its text, to be taken in."""

    file: Annotated[str, Field(max_length=60_000)]
    merging: Merging = Field(Merging.ADD, strict=False)


_BROUGHT: TypeAdapter[Brought] = TypeAdapter(Brought)


def _add_files(router: APIRouter, pages: Pages) -> None:
    session = pages.desk.session

    @router.get("/host/tags.json")
    async def export(request: Request) -> Response:
        """All tags as a file."""
        _let_in(pages, request)
        headers = {"Content-Disposition": 'attachment; filename="tags.json"', "Cache-Control": "no-store"}
        return Response(tag_file(session.taught()), media_type="application/json", headers=headers)

    @router.post("/host/tags/import")
    async def bring(request: Request) -> Response:
        """Take in a file, or say all that is wrong with it."""
        _let_in(pages, request)
        words = pages.words(request)
        try:
            brought = _BROUGHT.validate_python(read_json(await request.body()))
        except ValueError:
            return _told(HTTPStatus.BAD_REQUEST, words.text("web.error.bad_body"))
        try:
            tags = read_tag_file(brought.file, pages.desk.games)
            snapshot = session.bring(tags, brought.merging, **brought.how)
        except TagFileError as wrong:
            return _told(HTTPStatus.UNPROCESSABLE_ENTITY, words.text("web.tags.refused"), map(words.say, wrong.faults))
        except Refused as refused:
            said = words.say(Phrase(f"refusal.{refused.code}", refused.params))
            return _told(HTTPStatus.UNPROCESSABLE_ENTITY, said)
        return _told(HTTPStatus.OK, words.say(snapshot.notice.phrase) if snapshot.notice else "")


def _add_labels(router: APIRouter, pages: Pages) -> None:
    @router.get("/host/tags/labels.pdf")
    async def labels(request: Request, game: str, layout: str = "a4", language: str = "") -> Response:
        """Labels for a box, as a PDF."""
        _let_in(pages, request)
        if game not in pages.desk.games or layout not in PRESETS:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        words = pages.words(request)
        if language:
            try:
                words = Words(pages.desk.translator(language))
            except KeyError as unknown:
                raise HTTPException(HTTPStatus.NOT_FOUND) from unknown
        pdf = await run_in_threadpool(_sheet, pages.desk.games[game], layout, words)
        headers = {"Content-Disposition": 'attachment; filename="labels.pdf"', "Cache-Control": "no-store"}
        return Response(pdf, media_type="application/pdf", headers=headers)


def _sheet(game: AnyGame, layout: str, words: Words) -> bytes:
    labels = labels_of(box_of(game), words.translator)
    return sheet_pdf(labels, PRESETS[layout], words.name(game.name), words.translator.language)


def _let_in(pages: Pages, request: Request) -> None:
    caller = pages.caller(request)
    if not caller.may_act:
        raise Unpaired
    if not caller.hosts:
        raise HostOnly


def _told(status: HTTPStatus, message: str, faults: Any = ()) -> Response:
    return JSONResponse({"message": message, "faults": list(faults)}, status)
