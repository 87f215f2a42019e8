"""A companion in a process of its own, spoken to over HTTP as a person's browser does."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import httpx

from tests.patience import PATIENCE
from tests.ports import free_port

T = TypeVar("T")


def companion(*arguments: str, cwd: Path, sent: bytes | None = b"") -> subprocess.CompletedProcess[str]:
    """A companion that ends by itself."""
    run = subprocess.run(
        [sys.executable, "-m", "companion", *arguments],
        cwd=cwd,
        input=sent,
        capture_output=True,
        timeout=3 * PATIENCE,
        check=False,
    )
    return subprocess.CompletedProcess(run.args, run.returncode, run.stdout.decode(), run.stderr.decode())


class Companion:
    """A running table."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process = process
        self.http = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE)
        self._ids = 0

    def table(self) -> dict[str, Any]:
        return dict(self.http.get("/table.json").json())

    def post(self, path: str, body: dict[str, Any]) -> httpx.Response:
        return self.http.post(path, json=body, headers={"Origin": str(self.http.base_url)})

    def order(self, kind: str, **order: Any) -> httpx.Response:
        """What the host page sends."""
        self._ids += 1
        named = {"command_id": f"{self.process.pid}-{self._ids}", "expected_revision": self.table()["revision"]}
        return self.post("/commands", {**named, "kind": kind, **order})

    def start(self, **setup: Any) -> None:
        named = {"players": ["explorer", "pilot"], "difficulty": "novice", "seed": 5, **setup}
        answer = self.order("start", game="forbidden_island", setup=named)
        assert answer.status_code == 200, answer.text

    def press(self, button: str, long: bool = False) -> None:
        self.post("/sim/press", {"button": button, "long": long}).raise_for_status()

    def scan(self, tag: str) -> None:
        self.post("/sim/tap", {"tag": tag}).raise_for_status()

    def until(self, found: Callable[[dict[str, Any]], T | None]) -> T:
        """Look at the table until ``found`` finds what it wants there."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            wanted = found(self.table())
            if wanted:
                return wanted
            time.sleep(0.02)
        raise AssertionError(f"never seen; the table is {self.table()}")

    def stop(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


@contextmanager
def running(cwd: Path, *arguments: str, port: int | None = None) -> Iterator[Companion]:
    """``companion run`` with these arguments, once it serves its pages; killed at the end if it still runs."""
    port = port or free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "companion", "run", "--port", str(port), *arguments],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    table = Companion(process, port)
    try:
        _await_pages(table)
        yield table
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
        table.http.close()


def _await_pages(table: Companion) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and table.process.poll() is None:
        try:
            table.http.get("/health").raise_for_status()
        except httpx.HTTPError:
            time.sleep(0.05)
        else:
            return
    table.process.kill()
    said = table.process.stdout.read() if table.process.stdout else ""
    raise AssertionError(f"the companion did not come up: {said}")


def one_line(text: str) -> str:
    """The only line of a text."""
    lines = text.strip().splitlines()
    assert len(lines) == 1, text
    assert not re.search("Traceback", text)
    return lines[0]
