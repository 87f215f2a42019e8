"""The table as every reader of a revision sees it, worked out once."""

from __future__ import annotations

from functools import cached_property

from companion.table.snapshot import Snapshot
from companion.views.odds import OddsView, odds_view
from companion.views.table import TableView, table_view


class Sight:
    """What a snapshot shows; nothing is worked out before somebody looks."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot

    @cached_property
    def view(self) -> TableView:
        """The public table."""
        return table_view(self.snapshot)

    @cached_property
    def odds(self) -> OddsView | None:
        """The odds of the game on the table; None where it gives none."""
        seated = self.snapshot.seated
        return None if seated is None else odds_view(seated)
