"""``companion tags enrol``: pieces named in a terminal, their tags taken from the configured readers."""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Iterable
from contextlib import ExitStack
from typing import TextIO

from companion.cli.readers import scanner
from companion.cli.tags import WORDS, CannotTag, game_named, refusal
from companion.ports import DeviceState, DeviceStatus, Happening, Misread, TagArrived, TagGone, TagReadAgain
from companion.rules.game import Refused
from companion.settings import Settings
from companion.table.box import Box, box_of
from companion.table.enrolment import tags_of
from companion.table.meaning import label_of
from companion.table.session import EnrolmentStep, Session
from companion.table.snapshot import Enrolling

KEYS = "Enter: s skip | k skip all of this kind | b back | a what was skipped | j NAME jump | l how far | q stop"
STEPS: dict[str, EnrolmentStep] = {"s": "skip", "k": "skip_kind", "b": "back", "a": "again"}
TICK_SECONDS = 1.0


def run_enrol(session: Session, settings: Settings, game: str | None, piece: str | None) -> int:
    """Go on until the input ends or someone stops; what was taught is kept at once. Raises CannotTag."""
    if not settings.readers:
        raise CannotTag("The settings name no reader: add a [[readers]] table and say which file with --config")
    seated = session.snapshot.seated
    box = box_of(game_named(game or (seated.game.name if seated else None)))
    heard: queue.SimpleQueue[Happening | str | None] = queue.SimpleQueue()
    with ExitStack() as put_away:
        talk = Talk(session, box)
        talk.begin(piece)
        for reader in map(scanner, settings.readers):
            reader.start(heard.put)
            put_away.callback(reader.stop)
        threading.Thread(target=_listen, args=(sys.stdin, heard), daemon=True).start()
        try:
            _go_on(talk, heard)
        except KeyboardInterrupt:
            print()
        talk.end()
    return 0


def _listen(lines: TextIO, heard: queue.SimpleQueue[Happening | str | None]) -> None:
    for line in lines:
        heard.put(line.strip())
    heard.put(None)


def _go_on(talk: Talk, heard: queue.SimpleQueue[Happening | str | None]) -> None:
    while talk.goes_on:
        try:
            told = heard.get(timeout=TICK_SECONDS)
        except queue.Empty:
            talk.tick()
            continue
        if told is None or told == "q":
            return
        if isinstance(told, str):
            talk.answer(told)
        else:
            talk.take(told)


class Talk:
    """What is said in the terminal, and what it comes to."""

    def __init__(self, session: Session, box: Box) -> None:
        self._session = session
        self._box = box
        self._named: Enrolling | None = None
        self._had = -1

    @property
    def goes_on(self) -> bool:
        """Whether scans are still taken for tags."""
        return self._session.snapshot.enrolling is not None

    def begin(self, piece: str | None) -> None:
        """Begin, or go on where it was left. Raises CannotTag for a piece that is not in the box."""
        try:
            self._session.enrol(self._box.game, None if piece is None else self._found(piece))
        except Refused as refused:
            raise CannotTag(refusal(refused)) from None
        print(f"Teaching the tags of {WORDS.name(self._box.game)}. Scan each piece as it is named: a tag reader takes")
        print(
            "it when it lies still for a moment, a scanner when it is scanned twice. Scans mean nothing else meanwhile."
        )
        print(KEYS)
        self._name()

    def take(self, happening: Happening) -> None:
        """A reader told something."""
        if isinstance(happening, DeviceStatus):
            self._say(_worded(happening))
        elif isinstance(happening, Misread):
            self._say(WORDS.text(happening.reason.code, **happening.reason.params))
        elif isinstance(happening, TagArrived | TagReadAgain | TagGone):
            before = self._session.snapshot.revision
            snapshot = self._session.observe(happening)
            if snapshot.revision > before and snapshot.notice is not None:
                self._say(WORDS.say(snapshot.notice.phrase))
        self._name()

    def answer(self, line: str) -> None:
        """Someone typed a line."""
        key, _, rest = line.partition(" ")
        try:
            if key in STEPS:
                self._session.enrolment(STEPS[key])
            elif key == "j" and rest.strip():
                self._session.enrol(self._box.game, self._found(rest.strip()))
            elif key == "l":
                self._tell_how_far()
            else:
                self._say(KEYS)
        except CannotTag as fault:
            self._say(str(fault))
        except Refused as refused:
            self._say(refusal(refused))
        self._name()

    def tick(self) -> None:
        """A second went by."""
        self._session.tick()

    def end(self) -> None:
        """Stop, and say how to go on."""
        if self.goes_on:
            self._session.enrolment("rest")
        self._tell_how_far()
        print("Go on at any time with: companion tags enrol")

    def _name(self) -> None:
        """Name the piece that is awaited, where it is another one or got a tag."""
        now, known = self._session.snapshot.enrolling, self._session.taught()
        if now is None or (now == self._named and len(known) == self._had):
            return
        self._named, self._had = now, len(known)
        if now.at is None:
            skipped = f", {now.skipped} skipped (a names them)" if now.skipped else ""
            print(f"Every piece has its tag{skipped}. Stop with q.", flush=True)
            return
        piece = self._box.piece(now.at)
        shelves = self._box.shelves(known)
        shelf = next(shelf for shelf in shelves if shelf.kind == piece.kind)
        number = tags_of(now.at, known) + (now.replacing is None)
        of_several = f" ({number} of {piece.copies})" if piece.copies > 1 else ""
        again = f", in place of {now.replacing}" if now.replacing else ""
        whole = f"{sum(each.tagged for each in shelves)}/{sum(each.places for each in shelves)}"
        kind = f"{WORDS.name(f'kind.{shelf.kind}')} {shelf.tagged}/{shelf.places}"
        print(f"[{whole}, {kind}]  {WORDS.say(label_of(now.at))}{of_several}{again}", flush=True)

    def _tell_how_far(self) -> None:
        shelves = self._box.shelves(self._session.taught())
        told = ", ".join(f"{WORDS.name(f'kind.{shelf.kind}')} {shelf.tagged} of {shelf.places}" for shelf in shelves)
        print(f"Taught: {told}", flush=True)

    def _found(self, name: str) -> str:
        """The piece of a name, in its text form. Raises CannotTag where it is none or several."""
        meanings = [piece.meaning for piece in self._box.pieces]
        exact = [str(meaning) for meaning in meanings if name == str(meaning)]
        names = {str(meaning): WORDS.say(label_of(meaning)).casefold() for meaning in meanings}
        found = exact or _matching(names, name.casefold())
        if len(found) != 1:
            raise CannotTag(f"Which one? {' | '.join(found)}" if found else f"There is no {name!r} in this box")
        return found[0]

    def _say(self, text: str) -> None:
        print(f"    {text}", flush=True)


def _matching(names: dict[str, str], wanted: str) -> list[str]:
    """The pieces of just that name, else those whose name begins with it."""
    whole = [text for text, name in names.items() if name == wanted]
    return whole or [text for text, name in names.items() if name.startswith(wanted)]


def _worded(status: DeviceStatus) -> str:
    if status.state is DeviceState.READY:
        return f"{status.device}: ready"
    told: Iterable[str] = [WORDS.text(status.advice.code, **status.advice.params)] if status.advice else []
    return f"{status.device}: {status.state.value}. {' '.join(told)}".strip()
