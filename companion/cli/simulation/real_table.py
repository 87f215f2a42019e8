"""A table in real time: a companion in a process of its own, at a real pseudo-terminal and gpiozero's pins.

Hands reach it through the simulator's page, phones through its pages.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from companion.cli.simulation import disk
from companion.cli.simulation.expecting import Expectations, Missed
from companion.cli.simulation.performer import Performer
from companion.cli.simulation.playing import Fault, Games, check, pieces_of
from companion.cli.simulation.stand import Answer, Stand, stand_of
from companion.ports import Button
from companion.rules.game import JsonObject
from simulator.faults import ON_THE_WIRE, Chances
from simulator.faults import Fault as Mishap
from simulator.script import Act, ScriptError, Sort

HOST = "127.0.0.1"
START_SECONDS, ANSWER_SECONDS, LOOK_SECONDS = 60.0, 60.0, 0.05
DARK_SECONDS = 1.0
"""How long the power is away."""


class RealTable:
    """A table at work in real time; ``folder`` takes what it keeps. ``close`` must be called in the end."""

    def __init__(self, stand: Stand, folder: Path) -> None:
        self.chances = Chances(stand.seed)
        self.readers = stand.all_readers
        self._folder = folder
        self._port = _free_port()
        self._phones: dict[int, _Page] = {}
        self._limited = False
        settings = folder / "companion.toml"
        settings.write_text(_settings(stand, folder), encoding="utf-8")
        self._process = self._born()

    @property
    def now(self) -> float:
        """The clock on the wall."""
        return time.monotonic()

    def close(self) -> None:
        """Stop the companion."""
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(ANSWER_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _born(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "companion", "run", "--simulate", "--config", "companion.toml"]
        with (self._folder / "said").open("ab") as said:
            process = subprocess.Popen(
                [*command, "--port", str(self._port)], cwd=self._folder, stdout=said, stderr=said, env=_surroundings()
            )
        deadline = self.now + START_SECONDS
        while self.now < deadline and process.poll() is None:
            with suppress(OSError, HTTPException):
                if self._ask("GET", "/health").taken:
                    return process
            time.sleep(LOOK_SECONDS)
        process.kill()
        process.wait()
        said_last = (self._folder / "said").read_text(errors="replace").splitlines()[-1:]
        raise ScriptError(f"the companion did not come up: {' '.join(said_last)}")

    # -- time
    def live(self, seconds: float) -> None:
        """Let time pass."""
        time.sleep(seconds)

    def live_until(self, reached: Callable[[], bool], seconds: float) -> bool:
        """Let time pass until something is so, at most for so long; whether it came to be."""
        deadline = self.now + seconds
        while not reached():
            if self.now >= deadline:
                return False
            time.sleep(LOOK_SECONDS)
        return True

    # -- hands
    def place(self, reader: str, tag: str) -> None:
        """Lay a tag on a reader."""
        self._do("place", reader=reader, tag=tag)

    def lift(self, reader: str, tag: str | None) -> None:
        """Take a tag off a reader, or all."""
        self._do("lift", reader=reader, tag=tag)

    def reader_does(self, reader: str, what: str) -> None:
        """``plug``, ``unplug``, ``reset`` it, or have it make ``noise``."""
        self._do("reader", reader=reader, do=what)

    def hold(self, button: Button, seconds: float, bounces: int) -> None:
        """Hold a button for so long."""
        self._do("hold", button=button, seconds=seconds, bounces=bounces)

    def touch(self, button: Button, closed: bool) -> None:
        """Put something on a button, or take it away."""
        self._do("touch", button=button, closed=closed)

    # -- what befalls it
    def crash(self, *, power: bool) -> None:
        """Kill the process, whose simulated devices go with it, and start again."""
        self._process.kill()
        self._process.wait()
        self.live(DARK_SECONDS if power else 0.0)
        self._process = self._born()
        if self._limited:
            disk.fill(self._process.pid)
        for fault, chance in self.chances.of.items():
            self.set_chance(fault, chance)

    def set_chance(self, fault: Mishap, chance: float) -> None:
        """Let a fault strike with a chance from 0 to 1."""
        self.chances.of[fault] = chance
        if fault in ON_THE_WIRE:
            self._do("fault", fault=fault, percent=100 * chance)

    def fill_disk(self, full: bool) -> None:
        """Leave no room on the disk, or make room."""
        self._limited = full
        (disk.fill if full else disk.empty)(self._process.pid)

    def panel_is(self, *, dead: bool | None = None, ageing: float | None = None) -> None:
        """Kill the panel or revive it; let its pictures take so many times as long."""
        self._do("panel", dead=dead, ageing=ageing)

    def jump_clock(self, seconds: float) -> None:
        """Refused: this machine's clock is not a script's to set."""
        raise ScriptError(f"clock jumps {seconds:g} s: only in virtual time, without --real-time")

    def _do(self, what: str, **order: Any) -> None:
        answer = self._ask("POST", f"/sim/{what}", {key: value for key, value in order.items() if value is not None})
        if not answer.taken:
            raise ScriptError(f"the simulated table refused {what}: {answer.status} {dict(answer.body)}")

    # -- phones
    def order(self, phone: int, order: JsonObject) -> Answer:
        """Have a phone send an order."""
        page = self._on(phone)
        page.orders += 1
        name = f"phone {phone}, order {page.orders}"
        page.last = {"command_id": name, "expected_revision": page.show()["revision"], **order}
        return self._ask("POST", "/commands", page.last)

    def repeat(self, phone: int) -> Answer:
        """Have a phone send its last order once more, as it was."""
        last = self._on(phone).last
        return self._ask("POST", "/commands", last) if last is not None else Answer(0)

    def sleep(self, phone: int, asleep: bool) -> None:
        """Put a phone to sleep, or wake it."""
        self._on(phone).show()
        self._on(phone).asleep = asleep

    def _on(self, number: int) -> _Page:
        return self._phones.setdefault(number, _Page(self.look))

    # -- looking
    def revision(self) -> int:
        """The table's newest revision."""
        return int(self._ask("GET", "/health").body["revision"])

    def look(self) -> Mapping[str, Any]:
        """The table's JSON as it is now."""
        return self._ask("GET", "/table.json").body

    def seen(self, phone: int) -> Mapping[str, Any]:
        """The table's JSON as a phone shows it."""
        return self._on(phone).show()

    def panel_words(self) -> Sequence[str]:
        """The texts that can be read on the panel."""
        return list(self._panel()["words"])

    def panel_has_ghost(self) -> bool:
        """Whether an earlier picture shines through."""
        return bool(self._panel()["ghost"])

    def panel_is_current(self) -> bool:
        """Whether the panel shows all that it shall show."""
        told = self._ask("GET", "/api/v1/devices").body
        panel = told.get("panel") or {}
        return panel.get("shown") == panel.get("wanted") == told.get("revision")

    def troubles(self) -> Sequence[str]:
        """What the companion said that it must not say."""
        said = (self._folder / "said").read_text(encoding="utf-8", errors="replace")
        return [line for line in said.splitlines() if line.startswith(("Traceback", "ERROR asyncio"))]

    def _panel(self) -> Mapping[str, Any]:
        panel: Mapping[str, Any] = self._ask("GET", "/sim/state").body["panel"]
        return panel

    def _ask(self, method: str, path: str, body: Any = None) -> Answer:
        connection = HTTPConnection(HOST, self._port, timeout=ANSWER_SECONDS)
        try:
            headers = {} if body is None else {"Content-Type": "application/json"}
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            content = answer.read()
        finally:
            connection.close()
        try:
            return Answer(answer.status, json.loads(content))
        except ValueError:
            return Answer(answer.status)


class _Page:
    """What a phone shows: the table as it is, unless the phone is asleep."""

    def __init__(self, look: Callable[[], Mapping[str, Any]]) -> None:
        self.asleep = False
        self.orders = 0
        self.last: JsonObject | None = None
        self._look = look
        self._shown: Mapping[str, Any] = {}

    def show(self) -> Mapping[str, Any]:
        """The table's JSON that stands on the page."""
        if not self.asleep:
            self._shown = self._look()
        return self._shown


def play_really(acts: Sequence[Act], games: Games) -> Fault | None:
    """Play a script in real time. Raises ScriptError for what is not there."""
    with TemporaryDirectory(prefix="real-table-") as folder:
        table = RealTable(stand_of(acts), Path(folder))
        try:
            performer = Performer(table, pieces_of(games))
            check(performer, acts)
            return _first_fault(acts, performer)
        finally:
            table.close()


def _first_fault(acts: Sequence[Act], performer: Performer) -> Fault | None:
    expectations = Expectations(performer)
    for act in acts:
        try:
            if act.sort is Sort.EXPECTATION:
                expectations.meet(act)
            elif act.sort is Sort.ACT:
                performer.perform(act)
        except Missed as missed:
            return Fault(act, "missed", str(missed))
    return None


def _settings(stand: Stand, folder: Path) -> str:
    lines = [
        f'[table]\nlanguage = "{stand.language}"\nstate = {json.dumps(str(folder / "state"))}',
        f'[web]\nhost = "{HOST}"',
        f'[panel]\nlike = "{stand.panel}"',
    ]
    for each in stand.all_readers:
        settings = each.settings(f"/dev/{each.name}")
        place = f'\nplace = "{settings.place}"' if settings.place else ""
        read = f'name = "{each.name}"\nport = "{settings.port}"\nprotocol = "{settings.protocol}"'
        lines.append(f'[[readers]]\n{read}\nformat = "{settings.format}"{place}')
    return "\n\n".join(lines) + "\n"


def _surroundings() -> dict[str, str]:
    """The environment of a companion that is started in another folder."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])
