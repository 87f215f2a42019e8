"""Real small disks to fill, to make read-only and to pull, where this user may mount one."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

SIZE = "512k"


def mount(*arguments: str) -> bool:
    """Whether a mount succeeded."""
    try:
        return subprocess.run(["mount", *arguments], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


class Card:
    """A disk of half a megabyte in memory, mounted at ``folder``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._filler = folder / "filler"

    def fill(self) -> None:
        """Leave no byte free."""
        with self._filler.open("ab", buffering=0) as file:
            for size in (4096, 512, 1):
                try:
                    while True:
                        file.write(b"x" * size)
                except OSError:
                    continue

    def free(self) -> None:
        """Give the space back."""
        self._filler.unlink()

    def set_read_only(self, read_only: bool) -> None:
        """Mount it anew; a file that is open for writing hinders that."""
        assert mount("-o", f"remount,{'ro' if read_only else 'rw'}", str(self.folder))

    def pull(self) -> None:
        """Take it away, whoever uses it."""
        subprocess.run(["umount", "--lazy", str(self.folder)], check=True)


@contextmanager
def real_card(folder: Path) -> Iterator[Card]:
    """A card at ``folder``; the test is skipped where no disk can be mounted."""
    folder.mkdir()
    if os.geteuid() != 0 or not mount("-t", "tmpfs", "-o", f"size={SIZE}", "card", str(folder)):
        pytest.skip("no disk can be mounted here: that needs root")
    try:
        yield Card(folder)
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], capture_output=True, check=False)
