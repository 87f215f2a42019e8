"""The desk: what the pages need from the rest of the companion, in one value that the composition root fills in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from companion.i18n import Translator, translator
from companion.ports import Advice
from companion.rules.game import AnyGame
from companion.table.session import Session
from companion.table.snapshot import Seated
from companion.table.wishes import Wish
from companion.views.coach import Coach
from companion.web.bell import Bell
from companion.web.pairing import Pins
from companion.web.phones import Phones


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

    @property
    def behind(self) -> int:
        """How many changes came since the one that it shows."""
        ...

    @property
    def takes(self) -> float | None:
        """How many seconds a picture takes, once that is known."""
        ...

    @property
    def resting(self) -> bool:
        """Whether the newest picture waits for the quiet hours to end."""
        ...


@dataclass(frozen=True, slots=True)
class Desk:
    """Everything the pages read or call. The session is called on the event loop only.

    Whoever changes what the panel shows rings ``bell`` (on the event loop), so that the phones look again.
    """

    session: Session
    games: Mapping[str, AnyGame]
    pins: Pins = field(default_factory=Pins)
    """What a browser elsewhere must know to act for the table."""
    phones: Phones = field(default_factory=Phones)
    """The browsers that knew it."""
    open_to_all: bool = False
    """Whether every browser that can reach the table is a host's, without a PIN."""
    own_browser: bool = True
    """Whether a browser on the companion itself is a host's, without a PIN."""
    watching_is_open: bool = True
    """Whether a browser that was not let in may look on."""
    odds: Wish = field(default_factory=lambda: Wish(None, True))
    """Whether the odds are shown; where not, they are in no answer."""
    coach: Coach | None = None
    """Whom a phone may ask what to do; None where the table wants none."""
    join_url: Callable[[], str] = lambda: ""
    """The address that other phones open."""
    names: frozenset[str] = frozenset()
    """Host names to answer to besides localhost and this machine's ``.local`` name; addresses always pass."""
    translator: Callable[[str], Translator] = translator
    panel_picture: Callable[[], PanelPicture | None] = lambda: None
    panel_standing: Callable[[], PanelStanding | None] = lambda: None
    bell: Bell = field(default_factory=Bell)

    @property
    def coached(self) -> Seated | None:
        """The game that a coach can be asked about now; None where there is no coach, no game, or nothing to say."""
        seated = self._played
        return seated if self.coach and seated and self.coach.knows(seated.game, seated.state) else None

    @property
    def tells_coach_too_little(self) -> bool:
        """Whether a coach is wanted who could advise this game, if only more of it were tracked."""
        seated = self._played
        return bool(self.coach and seated and self.coach.wants_more(seated.game, seated.state))

    @property
    def _played(self) -> Seated | None:
        """The game that is on, unless it is put to rest."""
        snapshot = self.session.snapshot
        return None if snapshot.paused else snapshot.seated
