"""What people set at the devices, and what the devices taught: a small file in the state folder, rarely written."""

from __future__ import annotations

import json
import logging
import math
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.table.whole_file import write_whole

NAME = "devices.json"

_log = logging.getLogger(__name__)


class DeviceMemory:
    """Whether the buzzer is muted (None: nobody said so) and how long a picture takes on each panel, in seconds.

    A file that cannot be read counts as none; one that cannot be written is told in the log, and the evening goes on.
    May be used from any thread.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME
        self._writing = threading.Lock()
        kept = _read(self._path)
        muted, seconds = kept.get("muted"), kept.get("refresh_seconds")
        self.muted: bool | None = muted if isinstance(muted, bool) else None
        self.refresh_seconds = _seconds(seconds if isinstance(seconds, dict) else {})

    def mute(self, muted: bool) -> None:
        """Keep whether the buzzer is muted."""
        self.muted = muted
        self._write()

    def keep_refreshes(self, seconds: Mapping[str, float]) -> None:
        """Keep how long a picture takes on each panel."""
        self.refresh_seconds = dict(seconds)
        self._write()

    def _write(self) -> None:
        with self._writing:
            kept = {"muted": self.muted, "refresh_seconds": self.refresh_seconds}
            try:
                write_whole(self._path, json.dumps(kept).encode())
            except OSError as failure:
                _log.warning("%s cannot be written and is forgotten at the end: %s", self._path, failure.strerror)


def _read(path: Path) -> dict[str, Any]:
    try:
        kept = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as failure:
        _log.warning("%s cannot be read and is begun anew: %s", path, failure)
        return {}
    return kept if isinstance(kept, dict) else {}


def _seconds(found: dict[Any, Any]) -> dict[str, float]:
    numbers = {name: value for name, value in found.items() if isinstance(value, int | float)}
    return {name: float(value) for name, value in numbers.items() if math.isfinite(value) and 0 < value < 600}
