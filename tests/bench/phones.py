"""Fifty phones that watch one table: how long after a command was acknowledged each shows what came of it.

A real server in a process of its own; each phone holds the bell's stream open and fetches the table's regions on a
second connection whenever it rings, in one of three languages, packed, as a browser does.
"""

from __future__ import annotations

import asyncio
import gzip
import re
import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from companion.i18n import LANGUAGES
from tests.cli.companions import Companion, running

PHONES = 50
ROUNDS = 40
WARM_UP = 5
PATIENCE = 30.0
WATCHER = "Forwarded: for=192.0.2.1\r\n"
"""What makes the server take a caller from this machine for one from elsewhere: it may only look."""


@dataclass
class Line:
    """One connection, kept open."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    head: str

    @classmethod
    async def to(cls, port: int, language: str) -> Line:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        head = f"Host: 127.0.0.1:{port}\r\nAccept-Language: {language}\r\nAccept-Encoding: gzip\r\n{WATCHER}"
        return cls(reader, writer, head)

    def ask(self, path: str, more: str = "") -> None:
        self.writer.write(f"GET {path} HTTP/1.1\r\n{self.head}{more}\r\n".encode())

    async def headers(self) -> str:
        return (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1")

    async def fetch(self, path: str, more: str = "") -> tuple[str, bytes]:
        """An answer's headers and body."""
        self.ask(path, more)
        headers = await self.headers()
        length = re.search(r"content-length: (\d+)", headers, re.IGNORECASE)
        return headers, await self.reader.readexactly(int(length[1])) if length else b""


@dataclass
class Phone:
    """Listens, fetches, and remembers when it first had each revision."""

    bell: Line
    page: Line
    tag: str = '""'
    shown: int = 0
    arrived: dict[int, float] = field(default_factory=dict)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    async def watch(self) -> None:
        self.bell.ask("/bell")
        await self.bell.headers()
        while True:
            told = await self.bell.reader.readuntil(b"\n\n")
            if b"data:" in told and b"event: beat" not in told:
                await self._look()

    async def _look(self) -> None:
        headers, _ = await self.page.fetch("/table", f"If-None-Match: {self.tag}\r\n")
        found = re.search(r'etag: ("(\d+)-[^\r]*)', headers, re.IGNORECASE)
        assert found, headers
        self.tag, self.shown = found[1], int(found[2])
        self.arrived[self.shown] = time.perf_counter()
        self.news.set()

    async def reach(self, revision: int) -> float:
        """When it had a revision, or a later one."""
        while self.shown < revision:
            self.news.clear()
            await self.news.wait()
        return min(at for known, at in self.arrived.items() if known >= revision)


async def _rounds(port: int, table: Companion) -> tuple[list[float], list[float]]:
    """Seconds from each acknowledgement to each phone, and those of single requests at rest."""
    phones = [
        Phone(await Line.to(port, language), await Line.to(port, language))
        for language in (LANGUAGES[n % len(LANGUAGES)] for n in range(PHONES))
    ]
    watching = [asyncio.create_task(phone.watch()) for phone in phones]
    taken: list[float] = []
    for number in range(WARM_UP + ROUNDS):
        answer = await asyncio.to_thread(table.order, "undo" if number % 2 else "deal")
        acknowledged = time.perf_counter()
        async with asyncio.timeout(PATIENCE):
            arrived = await asyncio.gather(*(phone.reach(answer.json()["revision"]) for phone in phones))
        if number >= WARM_UP:
            taken += [max(0.0, at - acknowledged) for at in arrived]
    alone = [await _timed(phones[0].page) for _ in range(200)]
    for task in watching:
        task.cancel()
    return taken, alone


async def _timed(line: Line) -> float:
    begun = time.perf_counter()
    await line.fetch("/health")
    return time.perf_counter() - begun


def watching(folder: Path, *arguments: str) -> tuple[float, float, float]:
    """Seconds until a phone shows a new revision, the median and the 99th percentile, and one request's at rest."""
    folder.mkdir()
    with running(folder, "--state", str(folder / "state"), *arguments) as table:
        table.start()
        port = int(table.http.base_url.port or 80)
        taken, alone = asyncio.run(_rounds(port, table))
    return statistics.median(taken), statistics.quantiles(taken, n=100)[98], statistics.median(alone)


def lines(folder: Path) -> Iterator[str]:
    """The figures, worded."""
    for name, arguments in (("no panel", ()), ("a panel that draws", ("--simulate",))):
        median, last, alone = watching(folder / name, *arguments)
        what = f"{PHONES} phones at a new revision, {name}: median and p99"
        yield f"{what:<58} {median * 1000:>6.1f} {last * 1000:>6.1f} ms   {last / alone:>9.2f} x one request at rest"
    yield from weights(folder / "weight")


def weights(folder: Path) -> Iterator[str]:
    """What a phone loads at first: the page and all that it names, packed as it is sent."""
    folder.mkdir()
    with running(folder, "--state", str(folder / "state")) as table:
        table.start()
        sent, plain = asyncio.run(_first_load(int(table.http.base_url.port or 80)))
    yield f"{'a phone loads at first, packed':<58} {sum(sent) / 1000:>10.1f} kB   {sum(plain) / 1000:>9.1f} kB unpacked"


async def _first_load(port: int) -> tuple[list[int], list[int]]:
    line = await Line.to(port, LANGUAGES[0])
    sent, plain = [], []
    paths = ["/"]
    for path in paths:
        headers, body = await line.fetch(path)
        whole = gzip.decompress(body) if "content-encoding: gzip" in headers.lower() else body
        sent.append(len(body))
        plain.append(len(whole))
        if path == "/":
            paths += dict.fromkeys(re.findall(r'(?:src|href)="(/static/[^"#]+)', whole.decode()))
        elif path.endswith(".js"):
            paths += [found for found in _imported(path, whole.decode()) if found not in paths]
    return sent, plain


def _imported(path: str, script: str) -> list[str]:
    folder = path.rpartition("/")[0]
    return [f"{folder}/{name}" for name in re.findall(r'from "\./([\w.-]+)"', script)]


def main() -> None:
    """The figures of the phones alone: ``python -m tests.bench.phones``."""
    with tempfile.TemporaryDirectory() as folder:
        for line in lines(Path(folder)):
            print(line, flush=True)


if __name__ == "__main__":
    main()
