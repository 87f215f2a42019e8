"""What must hold at every table, whatever people do and whatever breaks: looked at after each act in virtual time."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from companion.cli.simulation.performer import TAP_SECONDS, Performer, mishaps
from companion.cli.simulation.virtual_table import JOURNAL, VirtualTable
from companion.i18n.translator import translator
from companion.panel.draw import WORDS, draw
from companion.ports import PANEL_MODELS, Button, DeviceState
from companion.reader_settings import LINE, PN532, R200, RDM6300
from companion.table import record as records
from companion.table.journal_copy import read_journal
from companion.table.snapshot import Snapshot
from companion.views.panel import Join, screen_for
from simulator.faults import ON_THE_WIRE, Fault
from simulator.script import Act

HEARD_BELOW = {LINE: 0.1, RDM6300: 0.1, PN532: 0.001, R200: 0.001}
"""Where fewer messages than this are spoilt, a tag that lies there for a moment is heard all the same.

A reader that repeats by itself says it ten times meanwhile; one that must be asked waits long for a lost answer.
"""

AFRESH_SECONDS = 5.0
"""So long after it was lifted a tag is a new one, at every reader."""

FOLDS_EVERY = 4
"""The journal is read anew after every so many acts that moved the game: it takes the longer, the longer a game is."""

HEALING_SECONDS = 400.0
"""So long a table may take to be well again when everything is mended: a failing panel rests for a minute at most."""


class Wrong(Exception):
    """Something that must never be was seen; ``check`` names what, and the text says what was there."""

    def __init__(self, check: str, told: str) -> None:
        super().__init__(f"{check}: {told}")
        self.check = check


@dataclass(frozen=True, slots=True)
class _Before:
    """How the table was before an act."""

    snapshot: Snapshot
    saved: bool
    legal: bool
    heard: bool
    lives: int


class Watch:
    """Looks at a virtual table before and after each act. Its methods raise Wrong."""

    def __init__(self, performer: Performer, table: VirtualTable) -> None:
        self._performer = performer
        self._table = table
        self._lives = 0
        self._moves = self._folds = 0
        self._seated: object = None
        self._lifted: dict[str, float] = {}
        self._lying: dict[str, set[str]] = {reader.name: set() for reader in table.readers}
        self._disturbed: dict[str, float] = {}
        self._stuck: set[str] = set()
        self._acknowledged: list[str] = []
        self._follow()

    # -- around an act
    def perform(self, act: Act) -> None:
        """Have an act performed, and look."""
        before = self._look(act)
        self._moves = 0
        self._performer.perform(act)
        self._note(act)
        self._check_troubles()
        if self._table.lives != before.lives:
            self._check_nothing_lost(before)
            self._follow()
        else:
            self._check_played_once(act)
            self._check_heard(act, before)
        self._check_taken(act, before)
        self._check_position()
        if self._moves:
            self._folds += 1
            if self._folds % FOLDS_EVERY == 0:
                self._check_fold()

    def heal(self) -> None:
        """Mend everything, and see the table become well: saved, shown on panel and phones as it is."""
        self._mend()
        told = "after everything was mended"
        self._eventually(lambda: self._snapshot.unsaved is None, "unsaved", f"{told}, games are not saved")
        self._eventually(self._readers_are_ready, "reader", f"{told}, {self._devices()}")
        self._eventually(self._table.panel_is_current, "panel", f"{told}, {self._table.life.house.panel_standing}")
        self._eventually(self._phones_agree, "phone", f"{told}, phones do not show the table as it is")
        self._check_troubles()
        self._check_picture()
        self._check_fold()
        self._check_file()

    # -- what there was
    @property
    def _snapshot(self) -> Snapshot:
        return self._table.life.house.session.snapshot

    def _reader(self, act: Act) -> str:
        return act.given.get("reader", self._table.readers[0].name)

    def _look(self, act: Act) -> _Before:
        snapshot, session = self._snapshot, self._table.life.house.session
        legal = False
        if act.name == "order_play" and not snapshot.paused:
            command = json.loads(act.given["json"])
            legal = command in session.legal() and not session.names_a_dealt_card(command)
        return _Before(snapshot, snapshot.unsaved is None, legal, self._must_be_heard(act, snapshot), self._table.lives)

    def _follow(self) -> None:
        """Count the moves of this life."""
        self._seated = self._snapshot.seated
        self._table.life.house.session.subscribe(self._count)

    def _count(self, snapshot: Snapshot) -> None:
        if snapshot.seated is not self._seated:
            self._seated = snapshot.seated
            self._moves += 1

    def _note(self, act: Act) -> None:
        match act.name:
            case "place":
                self._lying[self._reader(act)].add(act.given["piece"])
            case "lift" | "tap":
                lying = self._lying[self._reader(act)]
                self._lifted |= dict.fromkeys((*lying, act.given.get("piece", "")), self._table.now)
                lying.clear()
            case "plug" | "unplug" | "reset" | "noise":
                self._disturbed[self._reader(act)] = self._table.now
            case "kill" | "cut_power":
                self._disturbed = dict.fromkeys(self._lying, self._table.now)
            case "stick" | "free":
                (self._stuck.add if act.name == "stick" else self._stuck.discard)(act.given["button"])

    # -- what must hold
    def _check_troubles(self) -> None:
        troubles = self._table.troubles()
        if troubles:
            raise Wrong("traceback", troubles[0])

    def _check_position(self) -> None:
        seated = self._snapshot.seated
        faults = seated.game.faults(seated.state) if seated else ()
        if faults:
            raise Wrong("invariant", f"{faults[0].code} {dict(faults[0].params)}")
        legal = () if seated is None else seated.game.legal(seated.state)
        if seated and not legal and seated.game.outcome(seated.state) is None:
            raise Wrong("stuck", "the game goes on and nobody can do anything")

    def _check_played_once(self, act: Act) -> None:
        chances = self._table.chances.of
        most = int(act.number("n", 1)) if act.name == "press" else int(act.name not in ("wait", "fault", "no_fault"))
        most += (
            sum(map(len, self._lying.values()))
            + len(self._stuck)
            + (1 if act.name in ("tap", "place") and chances.get(Fault.TWO_TAGS) else 0)
        )
        if any(chances.get(fault) for fault in (Fault.STUCK, Fault.UNPLUGGED)):
            return
        if self._moves > most:
            raise Wrong("twice", f"{act}: {self._moves} commands were played, {most} at most were told")

    def _must_be_heard(self, act: Act, snapshot: Snapshot) -> bool:
        chances = self._table.chances.of
        if snapshot.seated is None or any(chances.get(fault) for fault in mishaps()):
            return False
        ready = {device.device for device in snapshot.devices if device.state is DeviceState.READY}
        if act.name == "press":
            return not snapshot.paused and not self._stuck and "buttons" in ready
        name = self._reader(act)
        if act.name != "tap" or self._lying[name] or act.number("seconds", TAP_SECONDS) < TAP_SECONDS:
            return False
        spoilt = max(chances.get(fault, 0.0) for fault in ON_THE_WIRE)
        kind = next(each.protocol for each in self._table.readers if each.name == name)
        lately = max(self._lifted.get(act.given["piece"], 0.0), self._disturbed.get(name, 0.0))
        afresh = self._table.now - lately >= AFRESH_SECONDS
        return name in ready and spoilt < HEARD_BELOW.get(kind, 0.0) and afresh

    def _check_heard(self, act: Act, before: _Before) -> None:
        if before.heard and self._snapshot.revision == before.snapshot.revision:
            raise Wrong("unheard", f"{act}: the table did not answer")

    def _check_taken(self, act: Act, before: _Before) -> None:
        if not act.name.startswith("order"):
            return
        answer = self._performer.answers[int(act.given["n"])]
        if answer.status >= 500:
            raise Wrong("answer", f"{act}: {answer.status}")
        if before.legal and answer.status == 422:
            raise Wrong("refused", f"{act}: a legal command was refused, {answer.body.get('code')}")

    def _check_nothing_lost(self, before: _Before) -> None:
        was, now = before.snapshot, self._snapshot
        if not before.saved or any(self._table.chances.of.get(fault) for fault in (Fault.FULL, Fault.KILLED)):
            return
        if _standing(was) != _standing(now):
            raise Wrong("lost", f"before the crash {_told(was)}, after it {_told(now)}")
        if now.revision <= was.revision:
            raise Wrong("revision", f"it went back from {was.revision} to {now.revision}")

    def _check_fold(self) -> None:
        seated, journal = self._snapshot.seated, self._table.life.journal
        if seated is None:
            return
        row = next(row for row in journal.games() if row.id == seated.id)
        folded = records.read(seated.game, row, journal.entries(seated.id))
        if folded.sound != folded.last or folded.state != seated.state:
            raise Wrong("fold", f"the journal tells another position than the table's, {_told(self._snapshot)}")
        if (bool(folded.numbers), bool(folded.undone)) != (seated.can_undo, seated.can_redo):
            raise Wrong("fold", "the journal tells another line of moves than the table's")

    def _check_file(self) -> None:
        with closing(read_journal(self._table.life.folder / JOURNAL)) as file:
            in_file = file.execute("SELECT game, count(*) FROM entry GROUP BY game ORDER BY game").fetchall()
        journal = self._table.life.journal
        counted = [(row.id, len(journal.entries(row.id))) for row in journal.games()]
        if in_file != [each for each in counted if each[1]]:
            raise Wrong("file", f"the file holds {in_file} entries of each game, the table {counted}")

    def _check_picture(self) -> None:
        """Whether the panel shows what the newest snapshot looks like, but for the revision's number."""
        snapshot, panel = self._snapshot, self._table.panel
        if snapshot.seated is None or snapshot.paused or panel.shown is None:
            return
        join = Join(self._table.life.house.url, None, None)
        words = translator(self._table.stand.language)
        model = PANEL_MODELS[self._table.stand.panel]
        fresh = draw(screen_for(replace(snapshot), join), model.size, model.palette, words)
        wanted, seen = (_unnumbered(told) for told in (fresh.info[WORDS], panel.shown.words))
        if wanted != seen:
            raise Wrong("picture", f"the panel says {' | '.join(seen)} instead of {' | '.join(wanted)}")
        if panel.shown.ghost is not None:
            raise Wrong("ghost", "an earlier picture shines through on the panel")

    # -- becoming well
    def _mend(self) -> None:
        table = self._table
        table.chances.of.clear()
        for reader in table.readers:
            table.reader_does(reader.name, "plug")
            table.lift(reader.name, None)
        for button in Button:
            table.touch(button, False)
        table.panel_is(dead=False, ageing=1.0)
        table.fill_disk(False)
        for phone in table.phones:
            table.sleep(phone, False)

    def _eventually(self, so: Callable[[], bool], check: str, told: str) -> None:
        if not self._table.live_until(so, HEALING_SECONDS):
            raise Wrong(check, told)

    def _readers_are_ready(self) -> bool:
        told = {device.device: device.state for device in self._snapshot.devices}
        return all(told.get(reader.name) is DeviceState.READY for reader in self._table.readers)

    def _devices(self) -> dict[str, str]:
        return {device.device: device.state.value for device in self._snapshot.devices}

    def _phones_agree(self) -> bool:
        newest = self._snapshot.revision
        return all(self._table.seen(phone).get("revision") == newest for phone in self._table.phones)


def _standing(snapshot: Snapshot) -> tuple[Any, ...]:
    seated = snapshot.seated
    game = None if seated is None else (seated.id, seated.state, seated.can_undo, seated.can_redo)
    return game, snapshot.paused


def _told(snapshot: Snapshot) -> str:
    seated = snapshot.seated
    if seated is None:
        return "no game"
    return f"game {seated.id} in turn {seated.game.turn(seated.state)}, {len(seated.log)} lines of log"


def _unnumbered(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(re.sub(r"#\d+", "#", word) for word in words)
