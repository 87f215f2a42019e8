"""What a table wishes once and for all, beside its games: a yes or no that outlives every restart."""

from __future__ import annotations

import logging
from pathlib import Path

from companion.table.whole_file import write_whole

_log = logging.getLogger(__name__)
_WORDS = {True: b"yes\n", False: b"no\n"}


class Wish:
    """A yes or no; ``path`` is the file that keeps it, None for one that is forgotten at the end.

    As long as nobody has wished, and where the file cannot be read as a wish, it is as the ``default`` says.
    """

    def __init__(self, path: Path | None, default: bool) -> None:
        self._path = path
        self.granted = default if path is None else _read(path, default)

    def wish(self, granted: bool) -> None:
        """Keep a new answer; one that cannot be written is in force until the end all the same, and logged."""
        self.granted = granted
        if self._path is None:
            return
        try:
            write_whole(self._path, _WORDS[granted])
        except OSError as error:
            _log.warning("A wish could not be kept in %s: %s", self._path, error.strerror)


def _read(path: Path, default: bool) -> bool:
    try:
        told = path.read_bytes()
    except OSError:
        return default
    return next((granted for granted, word in _WORDS.items() if word == told), default)
