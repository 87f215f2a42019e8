"""Which programs have a device open, read from /proc: all of one's own, and everybody's where the kernel allows it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

PROC = Path("/proc")


def port_holders(device: str, *, but: int | None = None, proc: Path = PROC) -> tuple[str, ...]:
    """The programs that have a device open, each as ``name (pid 123)``; ``but`` is a pid to leave out."""
    target = os.path.realpath(device)
    holders = ((pid, folder) for pid, folder in _running(proc) if pid != but and _has_open(folder, target))
    return tuple(f"{_name(folder)} (pid {pid})" for pid, folder in sorted(holders))


def _running(proc: Path) -> Iterator[tuple[int, Path]]:
    with suppress(OSError):
        for folder in proc.iterdir():
            if folder.name.isdecimal():
                yield int(folder.name), folder


def _has_open(folder: Path, target: str) -> bool:
    with suppress(OSError):
        return any(_is(descriptor, target) for descriptor in (folder / "fd").iterdir())
    return False


def _is(descriptor: Path, target: str) -> bool:
    """Whether a descriptor is the device: a container has devices of the same name that are others."""
    with suppress(OSError):
        return str(descriptor.readlink()) == target and descriptor.samefile(target)
    return False


def _name(folder: Path) -> str:
    with suppress(OSError):
        return (folder / "comm").read_text(encoding="utf-8", errors="replace").strip()
    return "a program"
