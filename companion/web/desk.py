"""The desk: what the pages need from the rest of the companion, in one value that the composition root fills in."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from companion.i18n import Translator, translator
from companion.ports import Advice
from companion.rules.game import AnyGame
from companion.table.session import Session
from companion.web.bell import Bell


@dataclass(frozen=True, slots=True)
class PanelPicture:
    """The panel's picture as PNG bytes; ``tag`` is any text that changes with it.

    One that ``shows_pin`` is for the people in the room: no browser gets it that was not let in already.
    """

    tag: str
    png: bytes
    shows_pin: bool = False


class PanelStanding(Protocol):
    """How far the panel is: ``wanted`` is the newest revision it was given, ``shown`` the one that it shows."""

    @property
    def wanted(self) -> int | None:
        """The revision the panel should show; None before there was any."""
        ...

    @property
    def shown(self) -> int | None:
        """The revision of the picture it shows; None before the first picture."""
        ...

    @property
    def ok(self) -> bool:
        """Whether the last picture came through."""
        ...

    @property
    def advice(self) -> Advice | None:
        """What to do where it did not; None when all is well."""
        ...


@dataclass(frozen=True, slots=True)
class Desk:
    """Everything the pages read or call. The session is called on the event loop only.

    Whoever changes what the panel shows rings ``bell`` (on the event loop), so that the phones look again.
    """

    session: Session
    games: Mapping[str, AnyGame]
    pin: str | None = None
    """What a browser elsewhere must know to act for the table; None lets no other browser in."""
    open_to_all: bool = False
    """Whether every browser that can reach the table may act for it, without a PIN."""
    join_url: str = ""
    """The address that other phones open, shown while no game is on the table."""
    names: frozenset[str] = frozenset()
    """Host names to answer to besides localhost and this machine's ``.local`` name; addresses always pass."""
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    """Signs the host's cookie; kept over restarts, it spares the host the PIN."""
    translator: Callable[[str], Translator] = translator
    panel_picture: Callable[[], PanelPicture | None] = lambda: None
    panel_standing: Callable[[], PanelStanding | None] = lambda: None
    clock: Callable[[], float] = time.monotonic
    bell: Bell = field(default_factory=Bell)
