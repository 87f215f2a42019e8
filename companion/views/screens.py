"""The panel's screens as values: everything that is drawn, already chosen, not yet worded.

:func:`companion.views.panel.screen_for` makes one from a snapshot; :mod:`companion.panel` draws it.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules.portrait import Phrase, Portrait


@dataclass(frozen=True, slots=True)
class Footer:
    """What every screen carries so that a stale picture is recognisable: revision and, in a game, turn; any alerts.

    ``alerts`` are worded one-liners about lost devices and the like, most urgent first.
    """

    revision: int
    turn: int | None = None
    alerts: tuple[Phrase, ...] = ()


@dataclass(frozen=True, slots=True)
class JoinScreen:
    """No game yet: how a phone joins. ``url`` goes into the QR code and stands below it in plain text.

    Beside it the address by ``name``, and what the buttons do: make a new PIN, turn to the next address.
    """

    url: str
    pin: str | None
    footer: Footer
    name: str | None = None
    renews: bool = False
    turns: bool = False


@dataclass(frozen=True, slots=True)
class SetUpScreen:
    """A game was just started: how to lay out the real box (board, flooded tiles, hands, meter)."""

    portrait: Portrait
    footer: Footer


@dataclass(frozen=True, slots=True)
class TableScreen:
    """The game as it stands: results of this turn, meter, goals, whose turn, what is awaited, the board's map.

    ``question`` is what a gesture is asking, with ``options`` to step through and ``cursor`` on one of them.
    ``notice`` is the answer to the last scan where it matters (a refusal, a mismatch).
    """

    portrait: Portrait
    footer: Footer
    notice: Phrase | None = None
    options: tuple[Phrase, ...] = ()
    cursor: int = 0


@dataclass(frozen=True, slots=True)
class PausedScreen:
    """The table rests; enough is shown to go on another day, and how another phone joins meanwhile."""

    portrait: Portrait
    footer: Footer
    url: str = ""
    pin: str | None = None


@dataclass(frozen=True, slots=True)
class EndScreen:
    """Won or lost (``portrait.ending``), with the reason and the final standing."""

    portrait: Portrait
    footer: Footer


@dataclass(frozen=True, slots=True)
class ReaderLostScreen:
    """A reader (or another device) was lost: which, what to do, and that play goes on by buttons and phone.

    The game is shown if there is any.
    """

    device: str
    advice: Phrase | None
    portrait: Portrait | None
    footer: Footer


Screen = JoinScreen | SetUpScreen | TableScreen | PausedScreen | EndScreen | ReaderLostScreen
