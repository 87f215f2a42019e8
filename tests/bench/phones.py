"""Fifty phones that watch one table: how long after a command was acknowledged each shows what came of it.

A real server in a process of its own; each phone holds the bell's stream open and fetches the table's regions on a
second connection whenever it rings, in one of three languages, packed, as a browser does. All phones live in this
process, so that the processor's time of server and phones is counted apart: real phones bring their own.

Then one phone alone, from a command and from a tag that the simulated reader reads (serial line and all), each synced
to the disk before it is told.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import re
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from companion.i18n import LANGUAGES
from simulator.tags import fake_tag
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
    told: dict[int, float] = field(default_factory=dict)
    arrived: dict[int, float] = field(default_factory=dict)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    async def watch(self) -> None:
        self.bell.ask("/bell")
        await self.bell.headers()
        while True:
            told = await self.bell.reader.readuntil(b"\n\n")
            if b"event: beat" not in told:
                revision = json.loads(told.partition(b"data: ")[2])["revision"]
                self.told.setdefault(revision, time.perf_counter())
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
        return _first(self.arrived, revision)


def _first(times: dict[int, float], revision: int) -> float:
    return min(at for known, at in times.items() if known >= revision)


@dataclass(frozen=True)
class Watched:
    """What the rounds came to, in seconds: until each phone had each revision, and of processor a round."""

    taken: list[float]
    server: float
    phones: float
    alone: float


async def _rounds(port: int, table: Companion) -> Watched:
    """Seconds from each acknowledgement to each phone, and those of single requests at rest."""
    phones = [
        Phone(await Line.to(port, language), await Line.to(port, language))
        for language in (LANGUAGES[n % len(LANGUAGES)] for n in range(PHONES))
    ]
    watching = [asyncio.create_task(phone.watch()) for phone in phones]
    taken: list[float] = []
    begun = (0.0, 0.0)
    for number in range(WARM_UP + ROUNDS):
        if number == WARM_UP:
            begun = (_processor(table.process.pid), time.process_time())
        answer = await asyncio.to_thread(table.order, "undo" if number % 2 else "deal")
        acknowledged = time.perf_counter()
        async with asyncio.timeout(PATIENCE):
            arrived = await asyncio.gather(*(phone.reach(answer.json()["revision"]) for phone in phones))
        if number >= WARM_UP:
            taken += [max(0.0, at - acknowledged) for at in arrived]
    server, here = _processor(table.process.pid) - begun[0], time.process_time() - begun[1]
    alone = [await _timed(phones[0].page) for _ in range(200)]
    for task in watching:
        task.cancel()
    return Watched(taken, server / ROUNDS, here / ROUNDS, statistics.median(alone))


def _processor(pid: int) -> float:
    """Seconds that a process and its threads have had a processor, as Linux counts them."""
    threads = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(each.read_text().split()[0]) for each in threads) / 1e9


async def _one(port: int, acts: Callable[[], object]) -> tuple[list[float], list[float]]:
    """Seconds from each act to the bell and to the phone that shows what came of it."""
    phone = Phone(await Line.to(port, LANGUAGES[0]), await Line.to(port, LANGUAGES[0]))
    watching = asyncio.create_task(phone.watch())
    async with asyncio.timeout(PATIENCE):
        await phone.reach(1)
    told, shown = [], []
    for number in range(WARM_UP + ROUNDS):
        seen, begun = phone.shown, time.perf_counter()
        await asyncio.to_thread(acts)
        async with asyncio.timeout(PATIENCE):
            arrived = await phone.reach(seen + 1)
        if number >= WARM_UP:
            told.append(_first(phone.told, seen + 1) - begun)
            shown.append(arrived - begun)
    watching.cancel()
    return told, shown


async def _timed(line: Line) -> float:
    begun = time.perf_counter()
    await line.fetch("/health")
    return time.perf_counter() - begun


def watching(folder: Path, *arguments: str) -> Watched:
    """Fifty phones at a table of its own."""
    folder.mkdir()
    with running(folder, "--state", str(folder / "state"), *arguments) as table:
        table.start()
        return asyncio.run(_rounds(int(table.http.base_url.port or 80), table))


def _scanner(table: Companion) -> Callable[[], object]:
    """Holds the tags of two commands to the simulated reader in turn."""
    tags = [fake_tag(command) for command in ("deal", "undo")]
    for tag, command in zip(tags, ("deal", "undo"), strict=True):
        table.order("bind", tag=tag, thing=command).raise_for_status()
    turns = count()
    return lambda: table.scan(tags[next(turns) % len(tags)])


def _orderer(table: Companion) -> Callable[[], object]:
    """Sends two commands in turn, whatever the revision."""
    turns = count()

    def order() -> None:
        number = next(turns)
        body = {"command_id": f"bench-{number}", "kind": "undo" if number % 2 else "deal"}
        table.post("/commands", body).raise_for_status()

    return order


def single(folder: Path) -> Iterator[str]:
    """One phone: from a command and from a scan to what was published and to the phone."""
    folder.mkdir()
    with running(folder, "--state", str(folder / "state"), "--simulate") as table:
        table.start()
        port = int(table.http.base_url.port or 80)
        for name, act in (("command", _orderer(table)), ("scan", _scanner(table))):
            for what, taken in zip(("published", "phone"), asyncio.run(_one(port, act)), strict=True):
                yield f"{f'{name} to {what}, synced: median and p99':<58} {_both(taken)} ms"


def _both(taken: list[float]) -> str:
    return f"{statistics.median(taken) * 1000:>6.1f} {statistics.quantiles(taken, n=100)[98] * 1000:>6.1f}"


def lines(folder: Path) -> Iterator[str]:
    """The figures, worded."""
    for name, arguments in (("no panel", ()), ("a panel that draws", ("--simulate",))):
        found = watching(folder / name, *arguments)
        what = f"{PHONES} phones at a new revision, {name}: median and p99"
        yield f"{what:<58} {_both(found.taken)} ms   load average {os.getloadavg()[0]:.1f}"
        what = f"... and of processor a round: server, all {PHONES} phones"
        spent = f"{found.server * 1000:>6.1f} {found.phones * 1000:>6.1f} ms"
        yield f"{what:<58} {spent}   one request at rest {found.alone * 1000:.2f} ms"
    yield from single(folder / "single")
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
