"""Tags: what each is stuck to, taught once and kept from game to game."""

from __future__ import annotations

from collections.abc import Mapping

from companion.rules.game import Refused, Thing
from companion.rules.portrait import Phrase
from companion.table.snapshot import Snapshot
from companion.table.table import Request, Table


class Tags:
    """The tags of the table."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._last: str | None = None

    @property
    def last(self) -> str | None:
        """The last tag scanned that nobody taught yet."""
        return None if self._last in self.known() else self._last

    def known(self) -> Mapping[str, Thing]:
        """All tags that were taught; those whose rows name no thing any more are left out."""
        read = ((tag, _thing(text)) for tag, text in self._table.journal.tags().items())
        return {tag: thing for tag, thing in read if thing is not None}

    def thing(self, tag: str) -> Thing | None:
        """What a tag is stuck to; one that nobody taught becomes ``last``."""
        found = self.known().get(tag)
        if found is None:
            self._last = tag
        return found

    def bind(self, tag: str, thing: Thing, request: Request) -> Snapshot:
        """Teach a tag. Refused: bad_request for an empty tag and for a thing of no game."""
        if not tag or not self._is_of_a_game(thing):
            raise Refused("bad_request", field="thing" if tag else "tag")
        return self._table.note(lambda pen: pen.bind(tag, str(thing)), request)

    def unbind(self, tag: str, request: Request) -> Snapshot:
        """Forget a tag. Refused: unknown_tag."""
        if tag not in self.known():
            raise Refused("unknown_tag", tag=tag)
        return self._table.note(lambda pen: pen.unbind(tag), request)

    def _is_of_a_game(self, thing: Thing) -> bool:
        tagged = (tagged for game in self._table.games.values() for tagged in game.tagged())
        return any(kind.kind == thing.kind and thing.name in kind.names for kind in tagged)


def _thing(text: str) -> Thing | None:
    try:
        return Thing.parse(text)
    except ValueError:
        return None


def unknown_tag(tag: str) -> Phrase:
    """The notice for a tag that nobody taught."""
    return Phrase("notice.unknown_tag", {"tag": tag})
