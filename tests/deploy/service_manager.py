"""A service manager for tests: it listens to what a service tells and judges nothing."""

from __future__ import annotations

import os
import secrets
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PATIENCE = 20.0


class Listening:
    """The socket of a service manager; each telling is a mapping of names to values."""

    def __init__(self, line: socket.socket, address: str) -> None:
        self._line = line
        self.address = address

    def next(self, patience: float = PATIENCE) -> dict[str, str]:
        """The next telling; AssertionError where none comes."""
        self._line.settimeout(patience)
        try:
            told = self._line.recv(4096).decode()
        except TimeoutError:
            raise AssertionError("nothing was told") from None
        return dict(line.split("=", 1) for line in told.splitlines())

    def until(self, name: str) -> dict[str, str]:
        """The next telling with this name in it."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            told = self.next()
            if name in told:
                return told
        raise AssertionError(f"{name} was never told")

    def rest(self) -> list[dict[str, str]]:
        """Everything told so far."""
        self._line.setblocking(False)
        told = []
        try:
            while True:
                told.append(dict(line.split("=", 1) for line in self._line.recv(4096).decode().splitlines()))
        except BlockingIOError:
            return told

    def silent(self, seconds: float, name: str) -> bool:
        """Whether this name is not told for so long."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            try:
                if name in self.next(left):
                    return False
            except AssertionError:
                return True
        return True


@contextmanager
def listening(folder: Path | None = None) -> Iterator[Listening]:
    """A service manager with a socket in a folder, or an abstract one where there is none."""
    name = f"companion-test-{os.getpid()}-{secrets.token_hex(4)}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        if folder is None:
            line.bind(f"\0{name}")
            yield Listening(line, f"@{name}")
        else:
            line.bind(str(folder / "notify"))
            yield Listening(line, str(folder / "notify"))
