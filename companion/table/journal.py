"""The journal: what happened at the table, in one SQLite file that outlives every power cut."""

from __future__ import annotations

from pathlib import Path


class Journal:
    """The file at ``path`` (``:memory:`` for a table that forgets)."""

    def __init__(self, path: Path | str) -> None:
        self.path = path
