"""Who may act for the table: a browser that was given the table's PIN, or one on the companion itself.

A viewer needs neither; the cookie only opens the host's pages and commands.
"""

from __future__ import annotations

import hmac
from collections import deque
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from secrets import compare_digest

from starlette.requests import HTTPConnection

COOKIE = "host"
COOKIE_SECONDS = 60 * 60 * 24 * 30
WRONG_PINS = 5
WINDOW_SECONDS = 60.0


class TooManyWrongPins(Exception):
    """No PIN is looked at until the wrong ones are a minute old."""


class PinGate:
    """Compares PINs; five wrong ones within a minute, from anywhere, close it for everybody."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._wrong: deque[float] = deque(maxlen=WRONG_PINS)

    def admits(self, offered: str, pin: str) -> bool:
        """Whether the PIN is right. Raises TooManyWrongPins, whatever was offered."""
        now = self._clock()
        while self._wrong and now - self._wrong[0] >= WINDOW_SECONDS:
            self._wrong.popleft()
        if len(self._wrong) == WRONG_PINS:
            raise TooManyWrongPins
        right = compare_digest(offered.encode(), pin.encode())
        if not right:
            self._wrong.append(now)
        return right


def host_token(secret: bytes) -> str:
    """The cookie's value: it outlives restarts and a new PIN, and cannot be made without the secret."""
    return hmac.new(secret, b"host of this table", "sha256").hexdigest()


def offered_token(request: HTTPConnection) -> str:
    """The token that a request brings: a program's ``Authorization: Bearer``, else a browser's cookie; "" for none."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else request.cookies.get(COOKIE, "")


def may_host(request: HTTPConnection, secret: bytes, *, open_to_all: bool) -> bool:
    """Whether this request may see the host's pages and act for the table."""
    offered = offered_token(request)
    return open_to_all or compare_digest(offered.encode(), host_token(secret).encode()) or _is_from_here(request)


def _is_from_here(request: HTTPConnection) -> bool:
    if request.client is None or "x-forwarded-for" in request.headers or "forwarded" in request.headers:
        return False
    try:
        address = ip_address(request.client.host)
    except ValueError:
        return False
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    return address.is_loopback
