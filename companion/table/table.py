"""The table as it stands, and the only way to change it: write to the journal, then publish a new revision.

:class:`Table` is what the session's parts share. The game's changes are journaled before anybody sees them; gestures,
notices and devices live in memory only, but take a revision of their own too. Revisions never go back: a ceiling above
every published one lies in the journal, and a table that starts again begins above it. Where the card does not take
the journal the game goes on in memory, and every snapshot says so.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TypedDict

from companion.ports import DeviceStatus
from companion.rules.game import AnyGame, Refused, Thing
from companion.rules.portrait import Phrase, Tone
from companion.table import record as records
from companion.table.gestures import Telling
from companion.table.journal import Entry, Journal, Pen, Standing
from companion.table.record import GameRecord, Unsound
from companion.table.snapshot import Enrolling, Notice, Scanned, Seated, Snapshot, Unsaved

logger = logging.getLogger(__name__)

Subscriber = Callable[[Snapshot], None]
MISREAD = "notice.misread"
"""What a reader could not read; old news once a device tells how it is."""
REVISIONS_AHEAD = 100
"""How many revisions are kept free at a time for what is not journaled."""
HEARD_AT_MOST = 1000
SCANS_AT_MOST = 200
SAVE_AGAIN_SECONDS = 10.0
"""How often a table where nothing happens tries to save what it could not."""


class Request(TypedDict, total=False):
    """What comes with a request.

    ``command_id`` names it for ever: sent twice, it is played once. ``expected`` is the revision that the sender
    looked at: stale where the game has moved on since.
    """

    command_id: str | None
    expected: int | None


@dataclass(frozen=True, slots=True)
class TableOptions:
    """The settings of a table: whether a press of "deal" deals one card, and when a half-told gesture is dropped.

    ``places`` is what each reader stands for, by its name: a verb or thing in the text form of a gesture's step.
    """

    one_card_a_press: bool = False
    gesture_seconds: float = 60.0
    places: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Clocks:
    """``passing`` gives seconds that never go back, ``date`` seconds since the epoch, which may jump."""

    passing: Callable[[], float] = time.monotonic
    date: Callable[[], float] = time.time


class Table:
    """The state that the session's parts share. ``snapshot`` is the newest published."""

    def __init__(self, games: Mapping[str, AnyGame], journal: Journal, clocks: Clocks, options: TableOptions) -> None:
        self.games = games
        self.journal = journal
        self.clock = clocks.passing
        self._date = clocks.date
        self.options = options
        self._subscribers: list[Subscriber] = []
        self._heard: deque[str] = deque(maxlen=HEARD_AT_MOST)
        self._standing = journal.standing()
        self.record: GameRecord | None = None
        self._seated: Seated | None = None
        trouble = self._resume()
        self.telling: Telling | None = None
        self.enrolling: Enrolling | None = None
        self._notice: Notice | None = None
        self._devices: tuple[DeviceStatus, ...] = ()
        self._scanned: tuple[Scanned, ...] = ()
        self._unsaved: Unsaved | None = None
        self._tried = self.clock()
        self._revision = self._standing.ceiling
        if trouble is not None:
            self._standing = replace(self._standing, changed=self._revision + 1)
        said = journal.notice or trouble
        self._publish(None if said is None else self._noticed(said, Tone.DANGER))

    # -- who looks on
    @property
    def paused(self) -> bool:
        """Whether the game rests."""
        return self._standing.paused and self.record is not None

    @property
    def going_on(self) -> bool:
        """Whether a game is on the table that has not ended."""
        return self.record is not None and self.record.outcome is None

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Call ``subscriber`` with every new snapshot; returns what ends that."""
        self._subscribers.append(subscriber)
        return lambda: self._subscribers.remove(subscriber) if subscriber in self._subscribers else None

    # -- who asks
    def answered(self, request: Request) -> bool:
        """Whether a request was played already. Refused: stale."""
        command_id, expected = request.get("command_id"), request.get("expected")
        if command_id is not None and (command_id in self._heard or self.journal.knows(command_id)):
            return True
        if expected is not None and not self._standing.changed <= expected <= self._revision:
            raise Refused("stale")
        return False

    def on_table(self) -> GameRecord:
        """The game that is on the table, paused or not. Refused: no_game."""
        if self.record is None:
            raise Refused("no_game")
        return self.record

    def playing(self) -> GameRecord:
        """The game that goes on. Refused: no_game, paused."""
        record = self.on_table()
        if self.paused:
            raise Refused("paused")
        return record

    # -- what is journaled
    def advance(self, written: records.Written, request: Request) -> Snapshot:
        """Journal the entries that lead to a record, then publish it."""
        record, entries = written

        def write(pen: Pen) -> GameRecord:
            self._append(pen, record, entries)
            return record

        went_on = self.record is None or self.record.outcome is None
        snapshot = self.seat(write, request)
        if went_on and record.outcome is not None:
            self.journal.back_up()
        return snapshot

    def seat(self, write: Callable[[Pen], GameRecord | None], request: Request) -> Snapshot:
        """Journal what ``write`` writes, then publish the game that it returns as the one on the table."""
        with self.journal.writing() as pen:
            record = write(pen)
            seated = None if record is None else record.id
            standing = self._write_standing(pen, Standing(seated, changed=self._revision + 1), request)
        self._standing, self.telling, self._scanned = standing, None, ()
        self._put(record)
        return self._publish()

    def rest(self, paused: bool, request: Request) -> Snapshot:
        """Journal that the table is paused or goes on, then publish it."""
        with self.journal.writing() as pen:
            standing = self._write_standing(pen, replace(self._standing, paused=paused), request)
        self._standing, self.telling = standing, None
        return self._publish()

    def note(self, write: Callable[[Pen], None], request: Request, said: Phrase | None = None) -> Snapshot:
        """Journal what does not concern the game (tags), then publish, with what is ``said`` of it."""
        with self.journal.writing() as pen:
            write(pen)
            self._standing = self._write_standing(pen, self._standing, request)
        return self._publish(None if said is None else self._noticed(said, Tone.GOOD))

    def _put(self, record: GameRecord | None) -> None:
        self.record, self._seated = record, None if record is None else record.seated()

    def _append(self, pen: Pen, record: GameRecord, entries: tuple[Entry, ...]) -> None:
        for entry in entries:
            pen.append(record.id, entry, self._revision + 1, self.now())
        pen.sum_up(record.id, record.game.turn(record.state), records.outcome_text(record.outcome))

    def _write_standing(self, pen: Pen, standing: Standing, request: Request) -> Standing:
        standing = replace(standing, ceiling=self._revision + 1 + REVISIONS_AHEAD)
        pen.stand(standing)
        command_id = request.get("command_id")
        if command_id is not None:
            pen.remember(command_id)
        return standing

    # -- what is not journaled
    def tell(self, telling: Telling | None, request: Request | None = None) -> Snapshot:
        """Publish how far a gesture is told (None: it was dropped)."""
        command_id = (request or {}).get("command_id")
        if command_id is not None:
            self._heard.append(command_id)
        self.telling = telling
        return self._publish()

    def answer(self, phrase: Phrase, tone: Tone = Tone.WARNING, *, telling: Telling | None = None) -> Snapshot:
        """Publish a notice; the gesture stays as it is where ``telling`` gives no other."""
        self.telling = telling or self.telling
        return self._publish(self._noticed(phrase, tone))

    def hear(self, status: DeviceStatus) -> Snapshot:
        """Publish a device's state, where it is news."""
        known = {device.device: device for device in self._devices}
        if known.get(status.device) == status:
            return self.snapshot
        self._devices = tuple({**known, status.device: status}.values())
        misread = self._notice is not None and self._notice.phrase.code == MISREAD
        return self._publish(None if misread else self._notice, news=status)

    def keep_scan(self, thing: Thing) -> None:
        """Keep what was scanned while no game goes on; the next revision tells it."""
        self._scanned = (*self._scanned, Scanned(self._revision + 1, thing))[-SCANS_AT_MOST:]

    def now(self) -> str:
        """The time as ISO 8601, UTC: a hint, for a table's clock may be wrong."""
        return datetime.fromtimestamp(self._date(), UTC).isoformat(timespec="seconds")

    # -- publishing
    def _noticed(self, phrase: Phrase, tone: Tone) -> Notice:
        return Notice(self._revision + 1, phrase, tone)

    def _publish(self, notice: Notice | None = None, news: DeviceStatus | None = None) -> Snapshot:
        self._revision += 1
        self._keep_ahead()
        self._notice = notice
        self.snapshot = Snapshot(
            revision=self._revision,
            seated=self._seated,
            paused=self.paused,
            gesture=None if self.telling is None else self.telling.gesture(),
            notice=notice,
            devices=self._devices,
            news=news,
            scanned=self._scanned,
            enrolling=self.enrolling,
            unsaved=self._told_unsaved(),
        )
        for subscriber in tuple(self._subscribers):
            self._show(subscriber)
        return self.snapshot

    def _show(self, subscriber: Subscriber) -> None:
        """What was published stands, whatever a subscriber makes of it."""
        try:
            subscriber(self.snapshot)
        except Exception:
            logger.exception("A subscriber failed at revision %s", self._revision)

    def _keep_ahead(self) -> None:
        if self._revision <= self._standing.ceiling:
            return
        self._standing = replace(self._standing, ceiling=self._revision + REVISIONS_AHEAD)
        with self.journal.writing() as pen:
            pen.stand(self._standing)

    # -- what the card does not take
    def save_again(self) -> None:
        """Now and then, try to save what could not be; publish where that changed anything."""
        if self._unsaved is None or self.clock() < self._tried + SAVE_AGAIN_SECONDS:
            return
        self._tried = self.clock()
        self.journal.save_again()
        if self.journal.unsaved != self._unsaved.cause:
            self._publish(self._notice)

    def _told_unsaved(self) -> Unsaved | None:
        cause = self.journal.unsaved
        since = self._unsaved.since if self._unsaved else self._revision
        self._unsaved = None if cause is None else Unsaved(since, cause)
        return self._unsaved

    # -- starting again
    def _resume(self) -> Phrase | None:
        """Seat the game that was on the table; answers with what was wrong with its journal, if anything."""
        if self._standing.seated is None:
            return None
        try:
            record = self.read(self._standing.seated)
        except (Refused, Unsound) as error:
            logger.error("The game on the table cannot be resumed: %s", error)  # noqa: TRY400 - said in one line
            return Phrase("notice.game_unreadable", {"id": self._standing.seated})
        self._put(record)
        return records.cut_notice(record)

    def read(self, game_id: int) -> GameRecord:
        """Any game of the journal. Refused: no_such_game, unknown_game. Unsound where its set-up cannot be read."""
        for row in self.journal.games():
            if row.id == game_id:
                return records.read(self.game(row.name), row, self.journal.entries(game_id))
        raise Refused("no_such_game", id=game_id)

    def game(self, name: str) -> AnyGame:
        """The game of that name. Refused: unknown_game."""
        if name not in self.games:
            raise Refused("unknown_game", name=name)
        return self.games[name]
