"""Tags: what each stands for, taught once and kept from game to game, or said by a printed label itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum

from companion.rules.game import Refused, Thing
from companion.rules.portrait import Phrase
from companion.table.box import box_of
from companion.table.journal import Pen
from companion.table.labels import Labels, is_label
from companion.table.meaning import Meaning, read_meaning
from companion.table.snapshot import Snapshot
from companion.table.table import Request, Table

LONGEST_TAG = 200
"""Letters in a tag; ids have 24 at most, the texts of codes may be longer."""

_CUT = re.compile(r"88[0-9A-F]{6}")
"""ISO 14443-3: 88 before three bytes announces the rest of a longer id and never begins a whole one of four bytes."""


class Merging(StrEnum):
    """How the tags of a file go with those of the table.

    ``add`` changes none of the table's; ``overwrite`` has the file's say win; ``replace`` leaves only the file's.
    """

    ADD = "add"
    OVERWRITE = "overwrite"
    REPLACE = "replace"


class Tags:
    """The tags of the table."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._last: str | None = None
        boxes = tuple(map(box_of, table.games.values()))
        self._meanings = frozenset(piece.meaning for box in boxes for piece in box.pieces)
        self._labels = Labels(boxes)

    @property
    def last(self) -> str | None:
        """The last tag scanned that nobody taught yet."""
        return None if self._last in self.taught() else self._last

    def known(self) -> Mapping[str, Thing]:
        """The tags that were taught to be pieces."""
        return {tag: meaning for tag, meaning in self.taught().items() if isinstance(meaning, Thing)}

    def taught(self) -> Mapping[str, Meaning]:
        """All tags that were taught; those whose rows mean nothing any more are left out."""
        read = ((tag, _meaning(text)) for tag, text in self._table.journal.tags().items())
        return {tag: meaning for tag, meaning in read if meaning is not None}

    def meaning(self, tag: str) -> Meaning | None:
        """What a tag stands for."""
        return self._labels.meaning(tag) or self.taught().get(tag)

    def scanned(self, tag: str) -> Meaning | None:
        """What a tag that was scanned stands for; one that nobody taught becomes ``last``."""
        found = self.meaning(tag)
        if found is None and is_fit(tag):
            self._last = tag
        return found

    def bind(self, tag: str, meaning: Meaning, request: Request) -> Snapshot:
        """Teach a tag. Refused: bad_request for a text that is no tag and for what stands in no box."""
        if not is_fit(tag) or is_label(tag):
            raise Refused("bad_request", field="tag")
        if meaning not in self._meanings:
            raise Refused("bad_request", field="thing")
        return self._table.note(lambda pen: pen.bind(tag, str(meaning)), request)

    def unbind(self, tag: str, request: Request) -> Snapshot:
        """Forget a tag. Refused: unknown_tag."""
        if tag not in self.taught():
            raise Refused("unknown_tag", tag=tag)
        return self._table.note(lambda pen: pen.unbind(tag), request)

    def bring(self, brought: Mapping[str, Meaning], merging: Merging, request: Request) -> Snapshot:
        """Take in the tags of a file, all at once. Refused: tags_differ where ``add`` would change a tag."""
        known = self.taught()
        differing = [tag for tag, meaning in brought.items() if known.get(tag, meaning) != meaning]
        if differing and merging is Merging.ADD:
            raise Refused("tags_differ", tag=differing[0], n=len(differing))
        gone = known.keys() - brought.keys() if merging is Merging.REPLACE else ()
        fresh = {tag: meaning for tag, meaning in brought.items() if known.get(tag) != meaning}
        said = Phrase("notice.tags_brought", {"n": len(fresh), "gone": len(gone)})

        def write(pen: Pen) -> None:
            for tag in sorted(gone):
                pen.unbind(tag)
            for tag, meaning in fresh.items():
                pen.bind(tag, str(meaning))

        return self._table.note(write, request, said)


def is_fit(tag: str) -> bool:
    """Whether a text can be a tag's: readable, of a bounded length, with no blanks around it."""
    return 0 < len(tag) <= LONGEST_TAG and tag.isprintable() and tag == tag.strip()


def is_cut(tag: str) -> bool:
    """Whether an id is the cut-off start of a longer one, as some readers' libraries send it."""
    return _CUT.fullmatch(tag) is not None


def _meaning(text: str) -> Meaning | None:
    try:
        return read_meaning(text)
    except ValueError:
        return None


def unknown_tag(tag: str) -> Phrase:
    """The notice for a tag that nobody taught."""
    return Phrase("notice.unknown_tag", {"tag": tag})
