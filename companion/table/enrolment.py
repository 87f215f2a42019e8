"""How far the enrolment of a box is: the piece that is named now, what was passed on the way. Pure.

Pieces are named in the box's order; one of which the box has several is named until each has its tag. What is skipped
is not named again until it is asked for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from companion.table.box import Box, Piece
from companion.table.meaning import Meaning, read_meaning

PASSED_AT_MOST = 500

Known = Mapping[str, Meaning]
"""What each tag stands for."""


@dataclass(frozen=True, slots=True)
class Passed:
    """A piece that was left behind: with the ``tag`` it got, or skipped (None)."""

    meaning: Meaning
    tag: str | None


@dataclass(frozen=True, slots=True)
class Enrolment:
    """``at`` is the piece named now, None at the end; ``replacing`` is the tag that it shall have no more."""

    at: Meaning | None = None
    replacing: str | None = None
    passed: tuple[Passed, ...] = ()

    @property
    def skipped(self) -> frozenset[Meaning]:
        """What is not named again by itself."""
        last = {passed.meaning: passed.tag for passed in self.passed}
        return frozenset(meaning for meaning, tag in last.items() if tag is None)

    def resumed(self, box: Box, known: Known) -> Enrolment:
        """Go on where it was left, with whatever tags were taught or forgotten meanwhile."""
        if self.at is None or self.at not in box:
            return self._onward(box, known)
        replaces = self.replacing is not None and known.get(self.replacing) == self.at
        return self if replaces or _wanted(box.piece(self.at), known) else self._onward(box, known)

    def jumped(self, piece: Piece, known: Known, replacing: str | None = None) -> Enrolment:
        """Name another piece; where all of it has tags, ``replacing`` is one of them, or the only one.

        ValueError where there are several and none is said.
        """
        tags = [tag for tag, meaning in known.items() if meaning == piece.meaning]
        if replacing not in tags:
            replacing = None
        if replacing is None and len(tags) >= piece.copies:
            if len(tags) > 1:
                raise ValueError(f"several tags of {piece.meaning}")
            replacing = tags[0]
        passed = tuple(one for one in self.passed if one.meaning != piece.meaning or one.tag is not None)
        return Enrolment(piece.meaning, replacing, passed)

    def taken(self, box: Box, known: Known, tag: str) -> Enrolment:
        """The piece got a tag, which is in ``known`` already."""
        after = self._passing(tag)
        if self.at is not None and _wanted(box.piece(self.at), known):
            return after
        return after._onward(box, known)

    def skip(self, box: Box, known: Known, *, kind: bool = False) -> Enrolment:
        """Leave the piece, or all of its kind, without a tag."""
        after = self._passing(None)
        if kind and self.at is not None:
            rest = (piece for piece in box.pieces if piece.kind == self.at.kind and _wanted(piece, known))
            passed = (Passed(piece.meaning, None) for piece in rest if piece.meaning != self.at)
            after = replace(after, passed=(*after.passed[:-1], *passed, after.passed[-1]))
        return after._onward(box, known)

    def back(self, known: Known) -> Enrolment:
        """Name again what was passed last; a tag that it got is replaced. LookupError where nothing was."""
        if not self.passed:
            raise LookupError("nothing was passed")
        *before, last = self.passed
        mine = last.tag is not None and known.get(last.tag) == last.meaning
        return Enrolment(last.meaning, last.tag if mine else None, tuple(before))

    def unskipped(self, box: Box, known: Known) -> Enrolment:
        """Name what was skipped after all."""
        return Enrolment(None, None, tuple(one for one in self.passed if one.tag is not None))._onward(box, known)

    def _passing(self, tag: str | None) -> Enrolment:
        if self.at is None:
            return self
        passed = (*self.passed, Passed(self.at, tag))[-PASSED_AT_MOST:]
        return Enrolment(self.at, None, passed)

    def _onward(self, box: Box, known: Known) -> Enrolment:
        skipped = self.skipped
        wanted = (piece for piece in box.after(self.at) if piece.meaning not in skipped and _wanted(piece, known))
        piece = next(wanted, None)
        return Enrolment(None if piece is None else piece.meaning, None, self.passed)


def _wanted(piece: Piece, known: Known) -> bool:
    return tags_of(piece.meaning, known) < piece.copies


def tags_of(meaning: Meaning, known: Known) -> int:
    """How many tags a piece has."""
    return sum(each == meaning for each in known.values())


def enrolment_text(enrolment: Enrolment) -> str:
    """The JSON text that the journal keeps."""
    passed = [[str(one.meaning), one.tag] for one in enrolment.passed]
    at = None if enrolment.at is None else str(enrolment.at)
    return json.dumps({"at": at, "replacing": enrolment.replacing, "passed": passed}, separators=(",", ":"))


def read_enrolment(text: str | None) -> Enrolment:
    """Read what ``enrolment_text`` wrote; anything else, and None, is one that begins."""
    try:
        told = json.loads(text or "{}")
        passed = tuple(Passed(read_meaning(meaning), _tag(tag)) for meaning, tag in told.get("passed", []))
        at = told.get("at")
        return Enrolment(None if at is None else read_meaning(at), _tag(told.get("replacing")), passed)
    except (ValueError, TypeError, AttributeError):
        return Enrolment()


def _tag(told: object) -> str | None:
    if told is not None and not isinstance(told, str):
        raise TypeError("a tag is a text")
    return told
