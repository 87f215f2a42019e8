"""Which of our languages a request is answered in: the one it chose, else the browser's best."""

from __future__ import annotations

from starlette.requests import HTTPConnection

from companion.i18n import LANGUAGES, negotiate

COOKIE = "language"


def language_of(request: HTTPConnection) -> str:
    """One of LANGUAGES."""
    chosen = request.cookies.get(COOKIE)
    return chosen if chosen in LANGUAGES else negotiate(request.headers.get("accept-language", ""))
