"""The table that is attacked: a companion in a process of its own, with a host, a game that goes on, and a stranger."""

from __future__ import annotations

import re
import shutil
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from tests.cli.companions import Companion, running

STRANGER = "127.0.0.66"
SETTINGS = """
[web]
host = "127.0.0.1"
own_browser = false
"""
PATIENCE = 30.0


class Target:
    """A running table. ``host`` is let in and a host; strangers come from addresses of their own."""

    def __init__(self, companion: Companion, folder: Path, said: list[str]) -> None:
        self.companion = companion
        self.folder = folder
        self.said = said
        """All that the companion wrote to its terminal."""
        self.origin = str(companion.http.base_url).rstrip("/")
        self.address = companion.http.base_url.host, int(companion.http.base_url.port or 80)
        self.host = self.stranger("127.0.0.1")
        self._orders = 0

    def stranger(self, address: str = STRANGER, **headers: str) -> httpx.Client:
        """A browser at another address; all of 127.0.0.0/8 is this machine."""
        transport = httpx.HTTPTransport(local_address=address)
        return httpx.Client(base_url=self.origin, transport=transport, timeout=PATIENCE, headers=headers)

    def let_in(self, browser: httpx.Client, name: str = "") -> httpx.Client:
        """Have a browser type the PIN."""
        browser.post("/pair", json={"pin": self.pin, "name": name}).raise_for_status()
        return browser

    def order(self, kind: str, browser: httpx.Client | None = None, **order: Any) -> httpx.Response:
        """Give an order as the host, or as someone else."""
        self._orders += 1
        body = {"command_id": f"attack-{self._orders}", "kind": kind, **order}
        return (browser or self.host).post("/commands", json=body)

    @property
    def pin(self) -> str:
        """The PIN of now, as the host reads it."""
        page = self.host.get("/host/phones").text
        shown = re.search(r'class="pin">(\d+)<', page)
        assert shown, page
        return shown[1]

    @property
    def table(self) -> dict[str, Any]:
        """The table as everybody may see it."""
        return dict(self.host.get("/table.json").json())

    @property
    def seed(self) -> str:
        """The secret of the game on the table, read from the file that nobody is sent."""
        with TemporaryDirectory() as copied:
            for file in (self.folder / "state").glob("journal.sqlite3*"):
                shutil.copy(file, copied)
            return self._read_seed(Path(copied) / "journal.sqlite3")

    def _read_seed(self, path: Path) -> str:
        with closing(sqlite3.connect(path)) as journal:
            return str(journal.execute("SELECT seed FROM game ORDER BY id DESC LIMIT 1").fetchone()[0])

    def calls(self, address: str = STRANGER) -> socket.socket:
        """A bare connection."""
        return socket.create_connection(self.address, PATIENCE, source_address=(address, 0))

    def raw(self, said: bytes, address: str = STRANGER) -> bytes:
        """Say bytes, hang up the own side, and hear all that comes back; what was cut off counts as heard."""
        with self.calls(address) as caller:
            heard = b""
            try:
                caller.sendall(said)
                caller.shutdown(socket.SHUT_WR)
                while piece := caller.recv(65536):
                    heard += piece
            except OSError:
                return heard
            return heard


@contextmanager
def target(folder: Path, settings: str = "") -> Iterator[Target]:
    """A table to be attacked, with a game under way that nobody can foresee; ``settings`` are more lines of [web]."""
    (folder / "companion.toml").write_text(SETTINGS + settings)
    said: list[str] = []
    with running(folder, "--config", "companion.toml") as companion:
        attacked = Target(companion, folder, said)
        first = _read_pin(companion, said)
        attacked.host.post("/pair", json={"pin": first, "name": "Host"}).raise_for_status()
        setup = {"players": ["explorer", "pilot", "diver"], "difficulty": "normal"}
        attacked.order("start", game="forbidden_island", setup=setup).raise_for_status()
        attacked.order("deal").raise_for_status()
        yield attacked
        attacked.host.close()


def _read_pin(companion: Companion, said: list[str]) -> str:
    """The first PIN, from the terminal: a table without a panel has nowhere else to say it."""
    assert companion.process.stdout is not None
    for line in companion.process.stdout:
        said.append(line)
        shown = re.search(r"PIN from other machines: (\d+)", line)
        if shown or "For the host" in line:
            return shown[1] if shown else ""
    raise AssertionError(f"no PIN was told: {said}")
