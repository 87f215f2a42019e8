"""What devices tell, made into commands, gestures and notices."""

from __future__ import annotations

import logging

from companion.ports import Button, DeviceStatus, Happening, Misread, Press, TagArrived
from companion.rules.game import Refused
from companion.rules.portrait import Phrase, Tone
from companion.table.play import Play
from companion.table.pointing import Pointing
from companion.table.snapshot import Snapshot
from companion.table.table import MISREAD, Table
from companion.table.tags import Tags, unknown_tag

logger = logging.getLogger(__name__)


class Observer:
    """Takes in what devices tell; every scan and press is answered at the table."""

    def __init__(self, table: Table, play: Play, pointing: Pointing, tags: Tags) -> None:
        self._table = table
        self._play = play
        self._pointing = pointing
        self._tags = tags

    def observe(self, happening: Happening) -> Snapshot:
        """Take in one happening. Never raises: what is refused, or fails, is told as a notice."""
        try:
            self._pointing.expire()
            return self._taken_in(happening)
        except Refused as refused:
            return self._table.answer(Phrase(f"refusal.{refused.code}", refused.params))
        except Exception:
            logger.exception("What a device told could not be taken in: %s", happening)
            return self._table.answer(Phrase("notice.failed"), Tone.DANGER)

    def _taken_in(self, happening: Happening) -> Snapshot:
        match happening:
            case TagArrived(tag=tag):
                return self._scan(tag)
            case Press():
                return self._press(happening)
            case DeviceStatus():
                return self._table.hear(happening)
            case Misread(reader, reason):
                told = Phrase(reason.code, reason.params)
                return self._table.answer(Phrase(MISREAD, {"reader": reader, "reason": told}))
        return self._table.snapshot

    def _scan(self, tag: str) -> Snapshot:
        thing = self._tags.thing(tag)
        if thing is None:
            return self._table.answer(unknown_tag(tag))
        if not self._table.going_on:
            self._table.keep_scan(thing)
        if self._table.record is None:
            return self._table.answer(Phrase("notice.scanned", {"thing": thing.name}), Tone.PLAIN)
        return self._pointing.scan(thing)

    def _press(self, press: Press) -> Snapshot:
        match press:
            case Press(Button.A, long=True):
                self._table.on_table()
                return self._table.rest(not self._table.paused, {})
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
