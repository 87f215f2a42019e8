"""The phones that were let in: their names, what they may do, which seats they hold.

A phone is a browser with a cookie of chance; only the cookie's hash is kept, so that the file lets nobody in. Whoever
is struck off the list is out with the next request. Times of day are hints: a clock that was never set expires nobody.

``PLAYER`` may act for every seat, ``HOST`` also begin and end games, correct them, and see to the phones. The first
phone let in is a host, and so is the next where none is left; a host makes others hosts, and where no host was seen
for ten minutes any player may become one.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from hashlib import sha256
from typing import Protocol

from companion.rules.game import Refused
from companion.table.seats import Seats

_log = logging.getLogger(__name__)

PHONES_AT_MOST = 64
NAME_LETTERS = 24
UNSEEN_SECONDS = 60 * 60 * 24 * 30.0
"""How long a phone that is not seen stays let in."""
HOST_AWAY_SECONDS = 600.0
KEEP_SEEN_SECONDS = 3600.0
"""How old the kept time of the last look may get."""
KEEP_AGAIN_SECONDS = 10.0
"""How long after a failure the card is tried again."""
CLOCK_IS_SET = 1_600_000_000.0
"""No clock that was ever set tells an earlier time (seconds since the epoch)."""


class Role(StrEnum):
    """What a caller may do: look, act for the seats, or see to all of it."""

    WATCHER = "watcher"
    PLAYER = "player"
    HOST = "host"


class UndoRule(StrEnum):
    """Who may take moves back on a phone; the table's own buttons always can."""

    ALL = "all"
    HOST = "host"


@dataclass(frozen=True, slots=True)
class Phone:
    """One that was let in. ``digest`` is its cookie's hash, ``seen`` the date of its last look in seconds."""

    number: int
    digest: str
    name: str = ""
    host: bool = False
    seen: float = 0.0


@dataclass(frozen=True, slots=True)
class House:
    """All that is kept of the phones; ``numbered`` is the highest number ever given."""

    phones: tuple[Phone, ...] = ()
    seats: Seats = field(default_factory=Seats)
    undo: UndoRule = UndoRule.ALL
    numbered: int = 0


class Keeping(Protocol):
    """Where a house is kept."""

    def read(self) -> House:
        """What was kept last; an empty house where nothing was, or nothing can be read."""
        ...

    def write(self, house: House) -> None:
        """Keep it whole. Raises OSError where it cannot; what was kept before is kept then."""
        ...


@dataclass
class Memory:
    """A house that is forgotten when the companion stops."""

    kept: House = field(default_factory=House)

    def read(self) -> House:
        """What was kept last."""
        return self.kept

    def write(self, house: House) -> None:
        """Keep it."""
        self.kept = house


class Phones:
    """The list of phones. Refused: no_such_phone, no_such_seat.

    Every change is kept at once; where the card takes nothing it counts all the same, and ``keep_again`` tries until
    it does. ``version`` grows with every change that pages show, and ``changed`` is called then.
    """

    def __init__(
        self,
        keeping: Keeping | None = None,
        *,
        date: Callable[[], float] = time.time,
        clock: Callable[[], float] = time.monotonic,
        undo: UndoRule | None = None,
    ) -> None:
        self._keeping = keeping or Memory()
        self._date = date
        self._clock = clock
        self._owed_since: float | None = None
        self.version = 0
        self.changed: Callable[[], None] = lambda: None
        self.house = self._without_strangers(self._keeping.read())
        if undo is not None:
            self.house = replace(self.house, undo=undo)
        self._looked = dict.fromkeys((phone.number for phone in self.house.phones), clock())

    # -- who calls
    def of(self, token: str) -> Phone | None:
        """The phone with this cookie, which is seen by that; None for a cookie of nobody."""
        digest = digest_of(token)
        found = next((phone for phone in self.house.phones if secrets.compare_digest(phone.digest, digest)), None)
        if found is not None:
            self._see(found)
        return found

    def phone(self, number: int) -> Phone:
        """A phone by its number."""
        for phone in self.house.phones:
            if phone.number == number:
                return phone
        raise Refused("no_such_phone")

    def unseen(self, phone: Phone) -> float:
        """Seconds since a phone last looked."""
        return self._clock() - self._looked.get(phone.number, self._clock())

    def minute(self) -> int:
        """What changes when the times since the last looks are worth showing anew."""
        return int(self._clock() // 60)

    @property
    def hosts_are_away(self) -> bool:
        """Whether no host was seen for so long that a player may become one."""
        return all(self.unseen(phone) >= HOST_AWAY_SECONDS for phone in self.house.phones if phone.host)

    # -- coming and going
    def let_in(self, name: str = "", *, host: bool = False, instead: Phone | None = None) -> tuple[Phone, str]:
        """Let a browser in; answers with its cookie. One that was in before leaves its seats and rights to the new."""
        token = secrets.token_urlsafe(32)
        first = not any(phone.host for phone in self.house.phones)
        number = self.house.numbered + 1
        host = host or first or bool(instead and instead.host)
        phone = Phone(number, digest_of(token), named(name) or (instead.name if instead else ""), host, self._date())
        others = tuple(one for one in self.house.phones if one != instead)
        seats = self.house.seats.passed_on(instead.number, number) if instead else self.house.seats
        self._keep(replace(self.house, phones=(*others, phone), seats=seats, numbered=number))
        self._looked[number] = self._clock()
        self._make_room()
        return phone, token

    def strike(self, number: int) -> None:
        """Strike a phone off the list: it is out, and its seats are free."""
        self.phone(number)
        left = tuple(phone for phone in self.house.phones if phone.number != number)
        self._keep(replace(self.house, phones=left, seats=self.house.seats.without(number)))

    def strike_others(self, kept: Phone | None) -> None:
        """Strike all phones off the list but one."""
        for phone in self.house.phones:
            if kept is None or phone.number != kept.number:
                self.strike(phone.number)

    def call(self, number: int, name: str) -> None:
        """Give a phone a name."""
        self._change(self.phone(number), name=named(name))

    def appoint(self, number: int, host: bool) -> None:
        """Make a phone a host, or a player again. Refused: last_host for the only one."""
        phone = self.phone(number)
        if not host and phone.host and sum(one.host for one in self.house.phones) == 1:
            raise Refused("last_host")
        self._change(phone, host=host)

    def succeed(self, number: int) -> None:
        """Make a player a host where all hosts are away. Refused: host_is_here."""
        if not self.hosts_are_away:
            raise Refused("host_is_here")
        self._change(self.phone(number), host=True)

    # -- seats and rules
    def seat(self, change: Callable[[Seats], Seats]) -> None:
        """Change who holds which seat."""
        self._keep(replace(self.house, seats=change(self.house.seats)))

    def rule(self, undo: UndoRule) -> None:
        """Say who may take moves back."""
        self._keep(replace(self.house, undo=undo))

    def names(self) -> Mapping[int, str]:
        """By its number, the name of each phone that has one."""
        return {phone.number: phone.name for phone in self.house.phones if phone.name}

    # -- how
    def _see(self, phone: Phone) -> None:
        self._looked[phone.number] = self._clock()
        now = self._date()
        if abs(now - phone.seen) >= KEEP_SEEN_SECONDS:
            seen = replace(phone, seen=now)
            self.house = replace(self.house, phones=self._with(seen))
            self._write()

    def _change(self, phone: Phone, **news: str | bool) -> None:
        self._keep(replace(self.house, phones=self._with(replace(phone, **news))))  # type: ignore[arg-type]  # Phone's own

    def _with(self, changed: Phone) -> tuple[Phone, ...]:
        return tuple(changed if phone.number == changed.number else phone for phone in self.house.phones)

    def _keep(self, house: House) -> None:
        if house == self.house:
            return
        self.house = house
        self._write()
        self.version += 1
        self.changed()

    def keep_again(self) -> None:
        """Try once more to keep what the card did not take; to be called now and then."""
        if self._owed_since is not None and self._clock() - self._owed_since >= KEEP_AGAIN_SECONDS:
            self._write()

    def _write(self) -> None:
        try:
            self._keeping.write(self.house)
        except OSError as failure:
            if self._owed_since is None:
                _log.warning("The list of phones is in memory only, until it can be written: %s", failure.strerror)
            self._owed_since = self._clock()
        else:
            self._owed_since = None

    def _make_room(self) -> None:
        """Strike off those who were away longest, hosts last, where there are too many."""
        while len(self.house.phones) > PHONES_AT_MOST:
            self.strike(min(self.house.phones, key=lambda phone: (phone.host, phone.seen, phone.number)).number)

    def _without_strangers(self, house: House) -> House:
        now = self._date()
        dated = tuple(phone if phone.seen >= CLOCK_IS_SET else replace(phone, seen=now) for phone in house.phones)
        return replace(house, phones=tuple(phone for phone in dated if now - phone.seen < UNSEEN_SECONDS))


def digest_of(token: str) -> str:
    """The hash that is kept of a cookie; 256 bits of chance need no salt."""
    return sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


def named(name: str) -> str:
    """A name as it is kept: printable, spaces single, not too long."""
    kept = "".join(letter if letter.isprintable() else " " for letter in name)
    return " ".join(kept.split())[:NAME_LETTERS].strip()
