"""What other programs may do: be let in, give orders, and choose how a browser is answered."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any, Literal

from fastapi import Request
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError
from starlette.responses import JSONResponse, Response

from companion.rules.game import Refused
from companion.web.acting import set_token
from companion.web.api import beside, shapes
from companion.web.api.answers import Fault, refusal
from companion.web.api.documented import ORDERING, PAIRING, PREFERRING
from companion.web.api.operations import Operations
from companion.web.api.reading import known_caller
from companion.web.commands import carry_out, read_any_order
from companion.web.entrance import WrongPin, let_in
from companion.web.language import COOKIE as LANGUAGE_COOKIE
from companion.web.orders import Order, read_json
from companion.web.pages import Pages
from companion.web.pairing import TooManyWrongPins
from companion.web.phone_orders import PhoneOrder
from companion.web.public import YEAR_SECONDS

ORDERS: TypeAdapter[Order | PhoneOrder] = TypeAdapter(Annotated[Order | PhoneOrder, Field(discriminator="kind")])


class Wishes(BaseModel):
    """How this browser wants to be answered; what is left out stays as it is."""

    model_config = ConfigDict(extra="forbid", strict=True)

    language: Literal["en", "pt-BR", "bg"] | None = None
    theme: Literal["auto", "light", "dark"] | None = None
    board: Literal["map", "list"] | None = None
    size: Literal["normal", "large", "largest"] | None = None


class Knock(BaseModel):
    """What someone at the door says."""

    model_config = ConfigDict(extra="forbid", strict=True)

    pin: Annotated[str, StringConstraints(max_length=64)] = Field(description="The PIN that the panel shows.")
    name: Annotated[str, StringConstraints(max_length=200)] = Field(
        "", description="What others at the table call it; cut where it is long."
    )


def body_of(schema: str, examples: dict[str, Any]) -> dict[str, Any]:
    """A request body for the document: a schema by name, with named examples."""
    told = {name: {"value": value} for name, value in examples.items()}
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}, "examples": told}}
    return {"requestBody": {"required": True, "content": content}}


_EXAMPLES: dict[str, dict[str, Any]] = {
    "start": {"kind": "start", "game": "lamps", "setup": {"players": ["otter", "heron"]}},
    "play": {"kind": "play", "command": {"do": "walk", "places": ["dune"]}, "expected_revision": 42},
    "correct": {"kind": "play", "command": {"do": "correct", "storm": 2}},
    "pick": {"kind": "pick", "option": "do:walk"},
    "cancel": {"kind": "cancel"},
    "deal": {"kind": "deal", "expected_revision": 42},
    "undo": {"kind": "undo"},
    "redo": {"kind": "redo"},
    "pause": {"kind": "pause"},
    "resume": {"kind": "resume"},
    "leave": {"kind": "leave"},
    "reopen": {"kind": "reopen", "game_id": 7},
    "bind": {"kind": "bind", "tag": "04A3C6CA", "thing": "place:pier"},
    "unbind": {"kind": "unbind", "tag": "04A3C6CA"},
    "sit": {"kind": "sit", "seat": "otter"},
    "hand_over": {"kind": "hand_over", "seat": "otter", "phone": 3},
    "go": {"kind": "go"},
}
EXAMPLES = {name: {"command_id": f"my-program-{n}", **order} for n, (name, order) in enumerate(_EXAMPLES.items())}


def add_acting(operations: Operations, pages: Pages) -> None:
    """The operations that change something."""
    _add_orders(operations, pages)
    _add_pairing(operations, pages)
    _add_preferences(operations)


def _add_orders(operations: Operations, pages: Pages) -> None:
    @operations.under("table").send(
        "POST",
        "/commands",
        "sendCommand",
        ORDERING,
        response_model=beside.Played,
        openapi_extra=body_of("Order", EXAMPLES),
    )
    async def send(request: Request) -> Response:
        """Give the table an order.

        The same orders as the companion's own pages give. `command_id` names the order for ever: sent twice, it is
        played once, so that an order without an answer can be sent again. `expected_revision` is the revision that the
        order was meant for: if the game has moved on since, it is refused as `stale`.

        `go` takes the asker off the list of phones: its token lets nobody in any more.
        """
        caller = known_caller(pages, request)
        try:
            order = read_any_order(await request.body())
        except ValueError as error:
            raise Fault(HTTPStatus.BAD_REQUEST, "web.error.bad_body") from error
        try:
            done = carry_out(pages.desk, caller, order)
        except Refused as refused:
            return refusal(pages.words(request), refused)
        told = beside.Played(revision=done.snapshot.revision, saved=done.snapshot.unsaved is None)
        response = _fresh(told)
        if done.token is not None:
            set_token(response, done.token)
        return response


def _add_pairing(operations: Operations, pages: Pages) -> None:
    @operations.under("pairing").send(
        "POST",
        "/pair",
        "pairPhone",
        PAIRING,
        response_model=beside.Paired,
        openapi_extra=body_of("Knock", {"a program": {"pin": "482913", "name": "Score board"}}),
    )
    async def pair(request: Request) -> Response:
        """Be let in with the PIN that the panel shows.

        A program keeps the token and sends it with each request; it needs the PIN only once. An asker that was let in
        already gets a new token instead of its old one.
        """
        try:
            knock = Knock.model_validate(read_json(await request.body()))
        except ValueError as error:
            raise Fault(HTTPStatus.BAD_REQUEST, "web.error.bad_body") from error
        try:
            phone, token = let_in(pages.desk, request, knock.pin, knock.name)
        except TooManyWrongPins as closed:
            code = "web.pair.closed" if closed.everywhere else "web.pair.wait"
            raise Fault(HTTPStatus.TOO_MANY_REQUESTS, code) from closed
        except WrongPin as wrong:
            raise Fault(HTTPStatus.FORBIDDEN, "web.pair.wrong") from wrong
        except Refused as refused:
            return refusal(pages.words(request), refused)
        role: Literal["player", "host"] = "host" if phone.host else "player"
        return _fresh(beside.Paired(token=token, phone=phone.number, role=role))


def _add_preferences(operations: Operations) -> None:
    @operations.under("companion").send(
        "PATCH",
        "/preferences",
        "setPreferences",
        PREFERRING,
        status_code=HTTPStatus.NO_CONTENT,
        openapi_extra=body_of("Wishes", {"dark, in Bulgarian": {"language": "bg", "theme": "dark"}}),
    )
    async def prefer(request: Request) -> Response:
        """Choose how this browser is answered.

        Kept in cookies for a year. Programs rather send `Accept-Language` with each request.
        """
        try:
            wishes = Wishes.model_validate(read_json(await request.body()))
        except (ValidationError, ValueError) as error:
            raise Fault(HTTPStatus.BAD_REQUEST, "web.error.bad_body") from error
        response = Response(status_code=HTTPStatus.NO_CONTENT)
        for name, wished in wishes.model_dump(exclude_none=True).items():
            cookie = LANGUAGE_COOKIE if name == "language" else name
            response.set_cookie(cookie, wished, max_age=YEAR_SECONDS, httponly=True, samesite="strict")
        return response


def _fresh(told: shapes.Shape) -> Response:
    """An answer that nobody keeps."""
    return JSONResponse(told.model_dump(), headers={"Cache-Control": "no-store"})
