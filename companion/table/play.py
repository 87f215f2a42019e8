"""Commands, dealing, undo and redo at the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.rules.game import JsonObject, Refused
from companion.table.dealing import press
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

    def known(self, command: Any, request: Request) -> Snapshot:
        """Play a command of the game."""
        return self._table.advance(self._table.playing().play(lambda line: [line.do(command)]), request)

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
