"""Tags: what each is stuck to, taught once and kept from game to game."""

from __future__ import annotations

from collections.abc import Mapping

from companion.rules.game import Refused, Thing
from companion.rules.portrait import Phrase
from companion.table.snapshot import Snapshot
from companion.table.table import Request, Table


class Tags:
    """The tags of the table. ``last`` is the last one scanned that nobody taught yet."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._things = {tag: Thing.parse(thing) for tag, thing in table.journal.tags().items() if ":" in thing}
        self.last: str | None = None

    def known(self) -> Mapping[str, Thing]:
        """All tags that were taught."""
        return dict(self._things)

    def thing(self, tag: str) -> Thing | None:
        """What a tag is stuck to; one that nobody taught becomes ``last``."""
        found = self._things.get(tag)
        if found is None:
            self.last = tag
        return found

    def bind(self, tag: str, thing: Thing, request: Request) -> Snapshot:
        """Teach a tag. Refused: bad_request for an empty tag and for a thing of no game."""
        if not tag or not self._is_of_a_game(thing):
            raise Refused("bad_request", field="thing" if tag else "tag")
        snapshot = self._table.note(lambda pen: pen.bind(tag, str(thing)), request)
        self._things[tag] = thing
        self.last = None if self.last == tag else self.last
        return snapshot

    def unbind(self, tag: str, request: Request) -> Snapshot:
        """Forget a tag. Refused: unknown_tag."""
        if tag not in self._things:
            raise Refused("unknown_tag", tag=tag)
        snapshot = self._table.note(lambda pen: pen.unbind(tag), request)
        del self._things[tag]
        return snapshot

    def _is_of_a_game(self, thing: Thing) -> bool:
        tagged = (tagged for game in self._table.games.values() for tagged in game.tagged())
        return any(kind.kind == thing.kind and thing.name in kind.names for kind in tagged)


def unknown_tag(tag: str) -> Phrase:
    """The notice for a tag that nobody taught."""
    return Phrase("notice.unknown_tag", {"tag": tag})
