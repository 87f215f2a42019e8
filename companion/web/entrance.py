"""Who calls: a watcher, a player or a host, and how a watcher becomes more."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import HTTPConnection

from companion.web.desk import Desk
from companion.web.pairing import COOKIE, is_from_here
from companion.web.phones import Phone, Role


class WrongPin(Exception):
    """What was offered is neither the PIN nor the ticket."""


class Unpaired(Exception):
    """What was asked for is for those who were let in."""


class HostOnly(Exception):
    """What was asked for is for hosts."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: a role, the phone where it is on the list, and the seats that it holds in the game on the table."""

    role: Role
    phone: Phone | None = None
    seats: frozenset[str] = frozenset()

    @property
    def may_act(self) -> bool:
        """Whether it may act for the seats."""
        return self.role is not Role.WATCHER

    @property
    def hosts(self) -> bool:
        """Whether it may do everything."""
        return self.role is Role.HOST


def offered_token(request: HTTPConnection) -> str:
    """The token that a request brings: a program's ``Authorization: Bearer``, else a browser's cookie; "" for none."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else request.cookies.get(COOKIE, "")


def caller_of(desk: Desk, request: HTTPConnection) -> Caller:
    """Who asks."""
    token = offered_token(request)
    phone = desk.phones.of(token) if token else None
    seated = desk.session.snapshot.seated
    seats = desk.phones.house.seats.of(seated.id, phone.number) if phone and seated else frozenset[str]()
    if desk.open_to_all or (desk.own_browser and is_from_here(request)) or (phone and phone.host):
        return Caller(Role.HOST, phone, seats)
    return Caller(Role.PLAYER, phone, seats) if phone else Caller(Role.WATCHER)


def let_in(desk: Desk, request: HTTPConnection, pin: str, name: str = "") -> tuple[Phone, str]:
    """Let a caller in for the PIN or the ticket; answers with its token. The token it came with is worth nothing then.

    Raises WrongPin, TooManyWrongPins.
    """
    caller = caller_of(desk, request)
    address = request.client.host if request.client else ""
    if not desk.open_to_all and not desk.pins.admits(pin, address):
        raise WrongPin
    return desk.phones.let_in(name, instead=caller.phone)


def enlist(desk: Desk, caller: Caller) -> tuple[Phone, str | None]:
    """The caller's phone; one that may act without being on the list (the companion's own) is put on it now."""
    if caller.phone is not None:
        return caller.phone, None
    return desk.phones.let_in(host=caller.hosts)
