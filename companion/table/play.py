"""Commands, dealing, undo and redo at the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.rules.game import JsonObject, Refused
from companion.table.dealing import go_on, press
from companion.table.line import AnyMove, Line, deck_drawn
from companion.table.snapshot import Snapshot
from companion.table.table import Request, Table


class Play:
    """What moves the game on the table, or back. Every method refuses no_game and paused."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def command(self, json: JsonObject, request: Request) -> Snapshot:
        """Play a command in its JSON form."""
        record = self._table.playing()
        if not isinstance(json, Mapping):
            raise Refused("bad_request")
        return self.known(record.game.read_command(json), request)

    def names_a_dealt_card(self, json: JsonObject) -> bool:
        """Whether a command names a card that is the companion's to deal."""
        record = self._table.record
        if record is None or record.line.dealer is None:
            return False
        try:
            command = record.game.read_command(json)
        except Refused:
            return False
        return deck_drawn(record.game, record.state, command) is not None

    def known(self, command: Any, request: Request) -> Snapshot:
        """Play a command of the game; one that answers what the dealing stopped for lets it go on."""
        record, one_card = self._table.playing(), self._table.options.one_card_a_press

        def act(line: Line) -> list[AnyMove]:
            move = line.do(command)
            return [move, *(go_on(line, one_card) if record.game.answers_the_deal(command) else ())]

        return self._table.advance(record.play(act), request)

    def deal(self, request: Request) -> Snapshot:
        """Press "deal" once."""
        one_card = self._table.options.one_card_a_press
        return self._table.advance(self._table.playing().play(lambda line: press(line, one_card)), request)

    def undo(self, request: Request) -> Snapshot:
        """Take the last command back."""
        return self._table.advance(self._table.playing().undo(), request)

    def redo(self, request: Request) -> Snapshot:
        """Play again what was taken back last."""
        return self._table.advance(self._table.playing().redo(), request)
