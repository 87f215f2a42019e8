"""What devices tell, made into commands, gestures and notices."""

from __future__ import annotations

import logging

from companion.ports import Button, DeviceStatus, Happening, Misread, Muted, Press, TagArrived, TagGone, TagReadAgain
from companion.rules.game import Refused
from companion.rules.portrait import Phrase, Tone
from companion.table.enrolling import Enroller
from companion.table.meaning import Act
from companion.table.play import Play
from companion.table.pointing import Pointing
from companion.table.snapshot import Snapshot
from companion.table.table import MISREAD, Table
from companion.table.tags import Tags, unknown_tag

logger = logging.getLogger(__name__)


class Observer:
    """Takes in what devices tell; every scan and press is answered at the table."""

    def __init__(self, table: Table, play: Play, pointing: Pointing, tags: Tags, enroller: Enroller) -> None:
        self._table = table
        self._play = play
        self._pointing = pointing
        self._tags = tags
        self._enroller = enroller

    def observe(self, happening: Happening) -> Snapshot:
        """Take in one happening. Never raises: what is refused, or fails, is told as a notice."""
        try:
            self._pointing.expire()
            self._enroller.expire()
            if self._enroller.going_on and isinstance(happening, TagArrived | TagReadAgain | TagGone):
                return self._enroller.take(happening)
            return self._taken_in(happening)
        except Refused as refused:
            return self._table.answer(Phrase(f"refusal.{refused.code}", refused.params))
        except Exception:
            logger.exception("What a device told could not be taken in: %s", happening)
            return self._table.answer(Phrase("notice.failed"), Tone.DANGER)

    def _taken_in(self, happening: Happening) -> Snapshot:
        match happening:
            case TagArrived(reader, tag):
                return self._scan(tag, self._table.options.places.get(reader))
            case Press():
                return self._press(happening)
            case Muted(on):
                return self._table.answer(Phrase("notice.muted" if on else "notice.heard_again"), Tone.PLAIN)
            case DeviceStatus():
                return self._table.hear(happening)
            case Misread(reader, reason):
                told = Phrase(reason.code, reason.params)
                return self._table.answer(Phrase(MISREAD, {"reader": reader, "reason": told}))
        return self._table.snapshot

    def _scan(self, tag: str, place: str | None) -> Snapshot:
        thing = self._tags.scanned(tag)
        if thing is None:
            return self._table.answer(unknown_tag(tag))
        if isinstance(thing, Act):
            return self._act(thing)
        if not self._table.going_on:
            self._table.keep_scan(thing)
        if self._table.record is None:
            return self._table.answer(Phrase("notice.scanned", {"thing": thing.name}), Tone.PLAIN)
        return self._pointing.scan(thing, place)

    def _act(self, act: Act) -> Snapshot:
        """Do what a command tag says: what the button of that name does, or the pick of that verb."""
        self._table.on_table()
        if act.verb is not None:
            return self._pointing.say(act)
        return {
            "deal": self._deal,
            "next": self._pointing.next_option,
            "choose": self._pointing.choose,
            "back": self._pointing.back,
            "undo": lambda: self._play.undo({}),
            "redo": lambda: self._play.redo({}),
            "cancel": lambda: self._pointing.cancel({}),
            "pause": self._rest_or_go_on,
        }[act.text]()

    def _rest_or_go_on(self) -> Snapshot:
        self._table.on_table()
        return self._table.rest(not self._table.paused, {})

    def _press(self, press: Press) -> Snapshot:
        match press:
            case Press(Button.A, long=True):
                return self._rest_or_go_on()
            case Press(Button.A):
                return self._deal()
            case Press(Button.B):
                return self._pointing.next_option()
            case Press(Button.C):
                return self._pointing.choose()
            case Press(Button.D, long=True):
                return self._play.redo({})
        return self._pointing.back()

    def _deal(self) -> Snapshot:
        """Deal, unless a command was begun and not finished: it would be lost without a word."""
        if self._pointing.half_told:
            return self._table.answer(Phrase("notice.half_told"), telling=self._table.telling)
        return self._play.deal({})
