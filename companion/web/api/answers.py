"""Answers of the API: made once a revision and language for everyone who asks, and not sent to who has them already."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from http import HTTPStatus

from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response

from companion.rules.game import Refused
from companion.web.api.shapes import Problem, Shape
from companion.web.assets import packed
from companion.web.language import language_of
from companion.web.pages import packed_answer
from companion.web.words import Words

KEPT = 64
"""How many made answers are kept at most."""

REFUSED = {
    "stale": HTTPStatus.CONFLICT,
    "paused": HTTPStatus.LOCKED,
    "not_saved": HTTPStatus.SERVICE_UNAVAILABLE,
}
"""Refusals with a status of their own; every other is 422: understood, and against the rules as the table stands."""


class Fault(Exception):
    """A request that is answered with a problem; ``message`` is a message code."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


@dataclass(frozen=True, slots=True)
class Made:
    """A JSON body that is kept: as it is, in gzip's form, and the tag that changes with it."""

    body: bytes
    packed: bytes
    tag: str

    @classmethod
    def of(cls, body: bytes) -> Made:
        """Keep a body."""
        return cls(body, packed(body), f'"{hashlib.sha256(body).hexdigest()[:20]}"')


class Answers:
    """The made answers, by what was asked for."""

    def __init__(self) -> None:
        self._made: dict[Hashable, Made] = {}

    def give(self, request: Request, state: Hashable, make: Callable[[], Shape]) -> Response:
        """The answer to a reading request; ``state`` is everything it depends on besides address and language."""
        key = request.url.path, language_of(request), state
        if key not in self._made:
            if len(self._made) >= KEPT:
                self._made.clear()
            self._made[key] = Made.of(make().model_dump_json().encode())
        return unless_known(request, self._made[key])


def unless_known(request: Request, made: Made) -> Response:
    """A kept body, or 304 where the asker has it. It may be kept there too, but is asked for anew each time."""
    headers = {"ETag": made.tag, "Cache-Control": "private, no-cache", "Vary": "Accept-Language, Cookie, Authorization"}
    if is_known(request, made.tag):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    return packed_answer(request, made.body, made.packed, "application/json", headers)


def is_known(request: HTTPConnection, tag: str) -> bool:
    """Whether ``If-None-Match`` names this tag, compared weakly, or any by ``*``."""
    known = [each.strip().removeprefix("W/") for each in request.headers.get("if-none-match", "").split(",")]
    return tag in known or "*" in known


def problem(status: int, code: str, message: str) -> Response:
    """The one form of every error below ``/api``."""
    body = Problem(code=code, message=message).model_dump()
    asks = {"WWW-Authenticate": 'Bearer realm="table"'} if status == HTTPStatus.UNAUTHORIZED else None
    return JSONResponse(body, status, {"Cache-Control": "no-store", **(asks or {})})


def refusal(words: Words, refused: Refused) -> Response:
    """What the rules or the table refused."""
    status = REFUSED.get(refused.code, HTTPStatus.UNPROCESSABLE_ENTITY)
    return problem(status, refused.code, words.text(f"refusal.{refused.code}", **refused.params))
