"""A disk with no room left, for one process: no file may grow any more (RLIMIT_FSIZE)."""

from __future__ import annotations

import resource

THIS = 0
"""The number of the process that asks."""


def fill(process: int = THIS) -> None:
    """Let every write to a file fail."""
    _limit(process, 0)


def empty(process: int = THIS) -> None:
    """Let files grow again."""
    _limit(process, None)


def _limit(process: int, size: int | None) -> None:
    _, most = resource.prlimit(process, resource.RLIMIT_FSIZE)
    resource.prlimit(process, resource.RLIMIT_FSIZE, (most if size is None else size, most))
