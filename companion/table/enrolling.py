"""Enrolment at the table: pieces are named, their tags scanned. While it goes on no scan means anything else.

A tag counts when it was read twice in a row (:mod:`companion.table.reads`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.ports import TagArrived, TagGone, TagReadAgain
from companion.rules.game import Refused
from companion.rules.portrait import Phrase, Tone
from companion.table.box import Box, box_of
from companion.table.enrolment import Enrolment, Known, enrolment_text, read_enrolment
from companion.table.journal import Pen
from companion.table.labels import is_label
from companion.table.meaning import label_of, read_meaning
from companion.table.reads import Reading, Reads
from companion.table.snapshot import Enrolling, Snapshot
from companion.table.table import Request, Table
from companion.table.tags import Tags, is_cut, is_fit

REST_SECONDS = 900.0
"""After so long without a scan or an order the enrolment rests, so that scans mean something again."""

SAID = {
    Reading.ONCE: (Phrase("notice.enrol.once"), Tone.PLAIN),
    Reading.CHANGED: (Phrase("notice.enrol.changed"), Tone.WARNING),
    Reading.TWO: (Phrase("notice.enrol.two"), Tone.WARNING),
    Reading.GHOST: (Phrase("notice.enrol.ghost"), Tone.WARNING),
}


class Enroller:
    """The enrolment that goes on, if any; its standing is in the journal, so that it can go on after a restart."""

    def __init__(self, table: Table, tags: Tags) -> None:
        self._table = table
        self._tags = tags
        self._box: Box | None = None
        self._enrolment = Enrolment()
        self._reads = Reads()
        self._since = 0.0
        self.steps: Mapping[str, Callable[[Request], Snapshot]] = {
            "skip": self.skip,
            "skip_kind": self.skip_kind,
            "back": self.back,
            "again": self.again,
            "rest": self.rest,
        }

    @property
    def going_on(self) -> bool:
        """Whether scans are taken for tags to be taught."""
        return self._box is not None

    # -- what the host asks
    def begin(self, game: str, piece: str | None, replacing: str | None, request: Request) -> Snapshot:
        """Begin, go on where it was left, or name ``piece`` next. Refused: unknown_game, unknown_piece, piece_full."""
        box, known = box_of(self._table.game(game)), self._tags.taught()
        kept = read_enrolment(self._table.journal.enrolment(game))
        enrolment = kept.resumed(box, known) if piece is None else _jumped(kept, box, known, (piece, replacing))
        snapshot = self._keep(box, enrolment, request)
        self._box = box
        return snapshot

    def skip(self, request: Request) -> Snapshot:
        """Leave the piece without a tag. Refused: not_enrolling."""
        return self._go(self._enrolment.skip, request)

    def skip_kind(self, request: Request) -> Snapshot:
        """Leave the piece and all others of its kind without a tag. Refused: not_enrolling."""
        return self._go(lambda box, known: self._enrolment.skip(box, known, kind=True), request)

    def back(self, request: Request) -> Snapshot:
        """Name again what was passed last. Refused: not_enrolling, nothing_before."""
        return self._go(lambda _box, known: self._enrolment.back(known), request)

    def again(self, request: Request) -> Snapshot:
        """Name what was skipped. Refused: not_enrolling."""
        return self._go(self._enrolment.unskipped, request)

    def rest(self, request: Request) -> Snapshot:
        """Stop; scans mean something again. Refused: not_enrolling."""
        self._open()
        self._stop()
        return self._table.tell(None, request)

    def expire(self) -> None:
        """Rest where nobody goes on."""
        if self.going_on and self._table.clock() - self._since > REST_SECONDS:
            self._stop()
            self._table.answer(Phrase("notice.enrol.rests"), Tone.PLAIN)

    # -- what the readers tell
    def take(self, happening: TagArrived | TagReadAgain | TagGone) -> Snapshot:
        """A tag came, was read again, or went."""
        tag, self._since = happening.tag, self._table.clock()
        if isinstance(happening, TagGone):
            return self._read(self._reads.left(tag), tag)
        if isinstance(happening, TagReadAgain):
            return self._read(self._reads.again(tag), tag)
        objection = self._objection(tag)
        if objection is None:
            return self._read(self._reads.arrived(tag), tag)
        self._reads = Reads()
        return self._table.answer(*objection)

    def _read(self, reading: Reading, tag: str) -> Snapshot:
        if reading is Reading.NOTHING:
            return self._table.snapshot
        if reading is Reading.CLEAR:
            return self._taken(tag)
        phrase, tone = SAID[reading]
        return self._table.answer(Phrase(phrase.code, {"tag": tag}), tone)

    def _objection(self, tag: str) -> tuple[Phrase, Tone] | None:
        """Why a tag can be nobody's, None where it can."""
        at, meaning = self._enrolment.at, self._tags.meaning(tag)
        if at is None:
            return Phrase("notice.enrol.done"), Tone.PLAIN
        if is_label(tag):
            return Phrase("notice.enrol.label", {"thing": label_of(meaning)} if meaning else {}), Tone.WARNING
        if not is_fit(tag) or is_cut(tag):
            return Phrase("notice.enrol.cut" if is_cut(tag) else "notice.enrol.unfit", {"tag": tag}), Tone.WARNING
        if meaning is None:
            return None
        code = "notice.enrol.same" if meaning == at else "notice.enrol.used"
        return Phrase(code, {"thing": label_of(meaning)}), Tone.WARNING

    def _taken(self, tag: str) -> Snapshot:
        box, at, replacing = self._open(), self._enrolment.at, self._enrolment.replacing
        if at is None:
            return self._table.snapshot

        def write(pen: Pen) -> None:
            if replacing is not None:
                pen.unbind(replacing)
            pen.bind(tag, str(at))

        known = {each: meaning for each, meaning in self._tags.taught().items() if each != replacing}
        after = self._enrolment.taken(box, {**known, tag: at}, tag)
        return self._keep(box, after, {}, write, Phrase("notice.enrol.taken", {"thing": label_of(at)}))

    # -- where it stands
    def _open(self) -> Box:
        if self._box is None:
            raise Refused("not_enrolling")
        return self._box

    def _stop(self) -> None:
        self._box, self._table.enrolling = None, None

    def _go(self, step: Callable[[Box, Known], Enrolment], request: Request) -> Snapshot:
        box = self._open()
        try:
            return self._keep(box, step(box, self._tags.taught()), request)
        except LookupError:
            raise Refused("nothing_before") from None

    def _keep(
        self,
        box: Box,
        enrolment: Enrolment,
        request: Request,
        write: Callable[[Pen], None] | None = None,
        said: Phrase | None = None,
    ) -> Snapshot:
        """Keep where it stands, with what is written for it, then publish both."""

        def keep(pen: Pen) -> None:
            if write is not None:
                write(pen)
            pen.enrol(box.game, enrolment_text(enrolment))

        before = self._table.enrolling
        self._table.enrolling = _told(box, enrolment)
        try:
            snapshot = self._table.note(keep, request, said)
        except Refused:
            self._table.enrolling = before
            raise
        self._enrolment, self._reads, self._since = enrolment, Reads(), self._table.clock()
        return snapshot


def _told(box: Box, enrolment: Enrolment) -> Enrolling:
    skipped, can_go_back = len(enrolment.skipped), bool(enrolment.passed)
    return Enrolling(box.game, enrolment.at, enrolment.replacing, skipped, can_go_back)


def _jumped(kept: Enrolment, box: Box, known: Known, to: tuple[str, str | None]) -> Enrolment:
    """To a piece, and perhaps to one tag of it. Refused: unknown_piece, piece_full."""
    try:
        meaning = read_meaning(to[0])
        piece = box.piece(meaning)
    except (ValueError, KeyError):
        raise Refused("unknown_piece", piece=to[0]) from None
    try:
        return kept.jumped(piece, known, to[1])
    except ValueError:
        raise Refused("piece_full", thing=label_of(meaning)) from None
