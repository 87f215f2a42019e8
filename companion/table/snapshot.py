"""What the session publishes: one immutable value a revision, read by panel and phones alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.ports import DeviceStatus
from companion.rules.game import AnyGame, JsonObject, Outcome, Thing
from companion.rules.portrait import Phrase, Tone
from companion.table.meaning import Meaning


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log: the journal's sequence number, the sentences of one command, whether it was taken back.

    ``kind`` is what the command was: an ``action``, a ``draw`` of a card, or a ``correction``.
    """

    number: int
    turn: int
    sentences: tuple[Phrase, ...]
    retracted: bool = False
    kind: str = "action"


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that can be picked next while a gesture is being told: a verb or a thing, or a whole command.

    ``pick`` is the text form to hand to ``Session.pick``: ``do:move``, ``tile:watchtower`` or ``command:3``.
    """

    pick: str
    label: Phrase


@dataclass(frozen=True, slots=True)
class Gesture:
    """What was scanned and pressed so far, and what can follow; ``cursor`` is the option the buttons stand on."""

    verb: str | None
    things: tuple[Thing, ...]
    options: tuple[Option, ...]
    cursor: int = 0


@dataclass(frozen=True, slots=True)
class Notice:
    """The answer to the last scan, press or refusal; ``revision`` is what caused it: a phone shows it once."""

    revision: int
    phrase: Phrase
    tone: Tone


@dataclass(frozen=True, slots=True)
class Unsaved:
    """What happened from revision ``since`` on is in memory only; ``cause`` says why."""

    since: int
    cause: Phrase

    @property
    def phrase(self) -> Phrase:
        """The whole sentence."""
        return Phrase("notice.unsaved", {"revision": self.since, "cause": self.cause})

    @property
    def brief(self) -> Phrase:
        """The sentence for narrow places."""
        return Phrase("notice.unsaved.short", {"revision": self.since, "cause": self.cause})


@dataclass(frozen=True, slots=True)
class Scanned:
    """A thing that was scanned while no game went on; ``revision`` is what told it: a page takes it in once."""

    revision: int
    thing: Thing


@dataclass(frozen=True, slots=True)
class Enrolling:
    """Tags are being taught, for the box of ``game``, and scans mean nothing else.

    ``at`` is the piece whose tag is awaited, None where there is none left; ``replacing`` is the tag that it shall have
    no more, and ``skipped`` the number of pieces that were left out.
    """

    game: str
    at: Meaning | None
    replacing: str | None = None
    skipped: int = 0
    can_go_back: bool = False


@dataclass(frozen=True, slots=True)
class Seated:
    """The game on the table: which, its completed set-up, the position and what happened."""

    id: int
    game: AnyGame
    setup: JsonObject
    state: Any
    recent: tuple[Any, ...]
    """The events whose results still matter: since the active player's turn began, or the whole last turn until the
    next one brings a card."""
    log: tuple[LogLine, ...]
    """Oldest first."""
    can_undo: bool
    can_redo: bool


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that people may see after one change. ``revision`` grows by one with every published change, for ever."""

    revision: int
    seated: Seated | None = None
    paused: bool = False
    gesture: Gesture | None = None
    notice: Notice | None = None
    devices: tuple[DeviceStatus, ...] = ()
    news: DeviceStatus | None = None
    """The device whose change of state is all that is new in this revision."""
    scanned: tuple[Scanned, ...] = ()
    """What was scanned since no game goes on, oldest first, for a page that asks how the next one lies."""
    enrolling: Enrolling | None = None
    unsaved: Unsaved | None = None
    """Set while the card does not take what happens; None while all is on the disk."""


@dataclass(frozen=True, slots=True)
class PastGame:
    """One game of the history: ``started_at`` (ISO 8601, UTC) is a hint only; ``outcome`` is None while unfinished."""

    id: int
    game: str
    setup: JsonObject
    started_at: str
    turns: int
    outcome: Outcome | None = None
