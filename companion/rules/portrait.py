"""The generic picture of a position: what the panel and the phones can draw without knowing the game.

A game portrays its state in these values; :mod:`companion.views` adds what the table knows (revision, log, devices)
and :mod:`companion.i18n` words every :class:`Phrase` and every name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Union


@dataclass(frozen=True, slots=True)
class Phrase:
    """A sentence as a message code and its parameters.

    ``code`` is a message id such as ``refusal.not_held`` or ``<game>.<event>``. In ``params`` an int is a number, a
    str is the name of a thing (looked up as ``name.<str>``; shown as it is where there is no such message, so people's
    names pass through), a tuple is a list of names, a Phrase is worded first.
    """

    code: str
    params: Mapping[str, Word] = field(default_factory=dict)


Word = Union[int, str, tuple[str, ...], Phrase]


class Tone(StrEnum):
    """How much a thing matters; always shown by shape and word as well as by colour."""

    PLAIN = "plain"
    GOOD = "good"
    WARNING = "warning"
    DANGER = "danger"


@dataclass(frozen=True, slots=True)
class Space:
    """One place of the board, at ``row`` and ``column`` from 0 at the top left.

    ``condition`` is the game's word for its state (its message is ``condition.<condition>``). ``badge`` names a symbol
    printed on it (a treasure, the landing pad). A space with ``gone`` is drawn as an empty place.
    """

    name: str
    row: int
    column: int
    condition: str
    tone: Tone = Tone.PLAIN
    gone: bool = False
    pawns: tuple[str, ...] = ()
    badge: str | None = None


@dataclass(frozen=True, slots=True)
class Board:
    """The board as a grid of ``rows`` by ``columns``; cells with no space are off the board."""

    rows: int
    columns: int
    spaces: tuple[Space, ...]


@dataclass(frozen=True, slots=True)
class Meter:
    """A track with a marker: ``marks`` are the labels, first to last, ``at`` the marker's index from 0.

    A label that is not a number names a symbol (``skull``). ``reading`` is what the marker means now (cards drawn a
    turn), None at a symbol. ``danger`` is the index from which the meter is alarming.
    """

    name: str
    marks: tuple[str, ...]
    at: int
    danger: int
    reading: int | None = None


@dataclass(frozen=True, slots=True)
class Pile:
    """A deck and its discards: cards left to draw (their number in each zone, top first) and the open discards."""

    name: str
    zones: tuple[int, ...]
    discard: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    @property
    def left(self) -> int:
        """Cards left to draw."""
        return sum(self.zones)


@dataclass(frozen=True, slots=True)
class Goal:
    """Something to win; ``progress`` of ``needed`` gathered by whoever is nearest."""

    name: str
    reached: bool
    progress: int = 0
    needed: int = 0


@dataclass(frozen=True, slots=True)
class Seat:
    """A player: role, open hand (None where the companion does not track it), the place of the pawn.

    ``colour`` is the pawn's: black, blue, green, red, white or yellow.
    """

    name: str
    colour: str
    active: bool = False
    cards: tuple[str, ...] | None = None
    limit: int | None = None
    place: str | None = None
    alert: Phrase | None = None


class Cue(StrEnum):
    """What the whole table should look up for: a danger that grew, something that is gone for good."""

    ALARM = "alarm"
    LOSS = "loss"


@dataclass(frozen=True, slots=True)
class Result:
    """One card's result this turn: ``group`` is the deck, ``seat`` who drew it (None for nobody's), ``effect`` a code.

    ``effect`` (``flooded``, ``sank``, ``drawn`` ...) is worded as ``effect.<effect>`` and drawn by ``tone``. ``cue``
    is told by light and buzzer as well.
    """

    group: str
    card: str
    effect: str
    tone: Tone = Tone.PLAIN
    seat: str | None = None
    cue: Cue | None = None


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of the game and why."""

    won: bool
    reason: Phrase


@dataclass(frozen=True, slots=True)
class Portrait:
    """A whole position as people see it. All parts are public: nobody's view holds a secret."""

    turn: int
    phase: str
    """The game's phase, worded as ``phase.<phase>``."""
    awaited: Phrase
    """One sentence: what the table is waiting for."""
    active: str | None = None
    steps_left: int | None = None
    """Actions or cards left in this phase."""
    board: Board | None = None
    meters: tuple[Meter, ...] = ()
    piles: tuple[Pile, ...] = ()
    goals: tuple[Goal, ...] = ()
    seats: tuple[Seat, ...] = ()
    pool: tuple[str, ...] | None = None
    """Cards that are out among the players, where the companion does not track whose they are."""
    results: tuple[Result, ...] = ()
    ending: Ending | None = None
