"""How a phone is let in: with the PIN or the ticket that only those in the room can see.

Both are made by chance, for a game or half a day, whichever is shorter, and again whenever someone asks at the table.
The PIN is short, so that wrong ones are counted: five from one address, or twenty from anywhere, within ten minutes,
and no more PINs are looked at from there. One stranger's address cannot close the gate for others; whoever has many
can, for ten minutes at a time (then the PIN is another one), but nobody can close it to the ticket in the QR code,
which is too long to be guessed.
"""

from __future__ import annotations

import secrets
import time
from collections import deque
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

from starlette.requests import HTTPConnection

COOKIE = "phone"
COOKIE_SECONDS = 60 * 60 * 24 * 30
WRONG_FROM_ONE = 5
WRONG_FROM_ALL = 20
WINDOW_SECONDS = 600.0
PIN_SECONDS = 60 * 60 * 12.0
GRACE_SECONDS = 600.0
"""How long the PIN of the game before still lets in: someone may be typing it while the next game begins."""
PIN_DIGITS = 6
TICKET_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
TICKET_LENGTH = 12


class TooManyWrongPins(Exception):
    """No PIN is looked at for now; ``everywhere`` tells whether that goes for everybody."""

    def __init__(self, everywhere: bool) -> None:
        super().__init__()
        self.everywhere = everywhere


def new_pin() -> str:
    """Digits, for every keyboard has them."""
    return f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}d}"


def new_ticket() -> str:
    """Sixty bits of chance in letters that are hard to mix up."""
    return "".join(secrets.choice(TICKET_LETTERS) for _ in range(TICKET_LENGTH))


class Pins:
    """The PIN and the ticket of now, and the gate before them. A ``fixed`` PIN stays; its ticket changes all the same.

    ``version`` grows with every new PIN and ticket.
    """

    def __init__(
        self,
        fixed: str | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        make: Callable[[], str] = new_pin,
    ) -> None:
        self._fixed = fixed
        self._clock = clock
        self._make = make
        self._wrong: deque[tuple[float, str]] = deque()
        self._closed = False
        self._former: tuple[str, str] = ("", "")
        self._former_until = float("-inf")
        self.version = 0
        self._issue()

    @property
    def pin(self) -> str:
        """The PIN that lets in now."""
        self._look_at_the_clock()
        return self._pin

    @property
    def ticket(self) -> str:
        """What the QR code carries."""
        self._look_at_the_clock()
        return self._ticket

    def renew(self) -> None:
        """Make a new PIN and open the gate; the old one is worth nothing from now on."""
        self._former_until = float("-inf")
        self._wrong.clear()
        self._issue()

    def begin_game(self) -> None:
        """Make a new PIN for a new game; the old one lets in for a little while yet."""
        self._former, self._former_until = (self._pin, self._ticket), self._clock() + GRACE_SECONDS
        self._issue()

    def admits(self, offered: str, address: str) -> bool:
        """Whether a PIN or ticket is right. Raises TooManyWrongPins for any PIN where there were too many."""
        self._look_at_the_clock()
        graced = self._former if self._clock() < self._former_until else ("", "")
        if _same(offered, self._ticket) or (graced[1] and _same(offered, graced[1])):
            return True
        self._count(caller := _one_caller(address))
        right = _same(offered, self._pin) or bool(graced[0] and _same(offered, graced[0]))
        if not right:
            self._wrong.append((self._clock(), caller))
            self._closed = len(self._wrong) >= WRONG_FROM_ALL
        return right

    def _count(self, caller: str) -> None:
        if self._closed:
            raise TooManyWrongPins(everywhere=True)
        if sum(one == caller for _, one in self._wrong) >= WRONG_FROM_ONE:
            raise TooManyWrongPins(everywhere=False)

    def _look_at_the_clock(self) -> None:
        """Forget old mistakes; replace a PIN that is too old, or at which too many guesses were made."""
        now = self._clock()
        while self._wrong and now - self._wrong[0][0] >= WINDOW_SECONDS:
            self._wrong.popleft()
        if now - self._issued >= PIN_SECONDS or (self._closed and len(self._wrong) < WRONG_FROM_ALL):
            self.renew()

    def _issue(self) -> None:
        self._pin = self._fixed or self._make()
        self._ticket = new_ticket()
        self._issued = self._clock()
        self._closed = False
        self.version += 1


def _same(offered: str, right: str) -> bool:
    return secrets.compare_digest(offered.encode("utf-8", "surrogateescape"), right.encode())


def _one_caller(address: str) -> str:
    """Whose guesses count together: one IPv4 address, or the IPv6 network that one machine may roam."""
    read = _read_address(address)
    if isinstance(read, IPv6Address):
        return str(IPv6Network((read, 64), strict=False))
    return str(read or "unknown")


def _read_address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        read = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return read.ipv4_mapped or read if isinstance(read, IPv6Address) else read


def is_from_here(request: HTTPConnection) -> bool:
    """Whether a browser on the companion itself asks, and asks for itself."""
    if request.client is None or "x-forwarded-for" in request.headers or "forwarded" in request.headers:
        return False
    read = _read_address(request.client.host)
    return read is not None and read.is_loopback
