"""The whole table in virtual time: the companion's own code, its drivers and pages too, and hardware that is in memory.

The companion lives in a folder of its own. When it is killed it goes on in a copy of that folder, made as it lay on the
disk at that moment.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from fastapi import FastAPI

from companion.cli.address import Doorplate
from companion.cli.devices import Devices, TableClocks
from companion.cli.house import Door, House
from companion.cli.readers import interpreter
from companion.cli.simulation import disk
from companion.cli.simulation.asking import HOST, ask
from companion.cli.simulation.phones import Phone
from companion.cli.simulation.stand import Answer, Stand, tags_of
from companion.panel.worker import Clockwork as PanelClockwork
from companion.ports import PANEL_MODELS, Button, button_pins
from companion.rules.game import AnyGame, JsonObject
from companion.settings import Settings, TableSettings, WebSettings
from companion.table.journal import Journal
from companion.table.table import Clocks
from companion.web.pairing import Pins
from companion.web.phone_file import PhoneFile
from companion.web.phones import Phones
from drivers.buttons import GpioButtons
from drivers.clockwork import Clockwork
from drivers.serial_reader import SerialReader
from simulator.faults import Chances, Fault
from simulator.fingers import NEXT_PRESS, strokes
from simulator.sim_buttons import SimButtons
from simulator.sim_signal import SimSignal
from simulator.software_panel import SoftwarePanel
from simulator.table import DIALECTS
from simulator.virtual_reader import VirtualReader
from simulator.world import VirtualLoop, World

T = TypeVar("T")

JOURNAL = "journal.sqlite3"
PIN = "123456"
DATE = 1_700_000_000.0
"""When every virtual evening begins, in seconds since the epoch."""

BOOT_SECONDS = 2.0


class Troubles(logging.Handler):
    """What was logged that must not happen at a table: failures with a traceback, and tasks that failed unseen."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.told: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep it."""
        if record.exc_info or record.name.startswith(("asyncio", "companion.web", "companion.panel")):
            cause = f": {record.exc_info[1]!r}" if record.exc_info else ""
            self.told.append(f"{record.name}: {record.getMessage()}{cause}")


class Life:
    """One life of the companion's process, from its start to its end."""

    def __init__(self, table: VirtualTable, folder: Path) -> None:
        self.world = table.world
        self.loop = VirtualLoop(self.world)
        self.folder = folder
        self.journal = Journal(folder / JOURNAL)
        self.buttons = SimButtons(button_pins(PANEL_MODELS[table.stand.panel]))
        self.house = House(
            table.settings(folder), table.games, self.journal, table.devices(self.buttons), _door(folder)
        )
        self.app: FastAPI | None = self.house.app()
        self.put_away = ExitStack()
        self.world.settle = self.loop.settle
        self._lifespan = self.app.router.lifespan_context(self.app)
        self.run(self._lifespan.__aenter__())
        self.house.open(self.loop, self.put_away)
        self.house.session.subscribe(lambda _snapshot: self.world.stir())  # last: whoever waits has been told by then
        self.world.stir()

    def run(self, asking: Coroutine[Any, Any, T]) -> T:
        """What comes of a call, in no time."""
        return self.loop.run_until_complete(asking)

    def stop(self) -> None:
        """End it as it should end."""
        self.put_away.close()
        self.run(self._lifespan.__aexit__(None, None, None))
        self._leave()

    def kill(self, remains: Path) -> None:
        """End it where it stands; what lies on the disk then is kept in ``remains``."""
        shutil.copytree(self.folder, remains)
        self.app = None
        self.world.end()
        self._leave()

    def _leave(self) -> None:
        for task in asyncio.all_tasks(self.loop):
            task.cancel()
        self.loop.settle()
        self.world.settle = lambda: None
        self.loop.close()
        self.journal.close()


class VirtualTable:
    """A table at work in virtual time; ``folder`` takes what it keeps. ``close`` must be called in the end.

    ``life`` is the companion's present life; ``lives`` counts them.
    """

    def __init__(self, stand: Stand, games: Mapping[str, AnyGame], folder: Path) -> None:
        self.stand = stand
        self.games = games
        self.chances = Chances(stand.seed)
        self.readers = stand.all_readers
        self.world = World()
        self.panel = SoftwarePanel(PANEL_MODELS[stand.panel], sleep=self.world.rest, clock=self.world.clock)
        self.lives = 0
        self._folder = folder
        self._date = DATE - self.world.now
        self._tags = tags_of(games)
        self._stands = {each.name: self._reader(each.protocol) for each in self.readers}
        self._stuck: set[Button] = set()
        self._full = False
        self._phones: dict[int, Phone] = {}
        self._troubles = Troubles()
        logging.getLogger().addHandler(self._troubles)
        self.life = self._born(folder / "state")

    @property
    def now(self) -> float:
        """The table's own seconds."""
        return self.world.now

    def close(self) -> None:
        """Put everything away."""
        disk.empty()
        self._hush()
        self.life.stop()
        self.life.buttons.close()
        self.world.end()
        logging.getLogger().removeHandler(self._troubles)

    # -- putting it together
    def settings(self, folder: Path) -> Settings:
        """The settings of a life."""
        table = TableSettings(state=folder, language=self.stand.language)
        readers = tuple(each.settings(f"/dev/{each.name}") for each in self.readers)
        return replace(Settings(table=table, web=WebSettings(host=HOST, pin=PIN)), readers=readers)

    def devices(self, buttons: SimButtons) -> Devices:
        """The real drivers of a life, in virtual time, at hardware that outlives it."""
        world = self.world
        time = Clockwork(world.clock, world.wait, world.take, world.rest, world.thread)
        scanners = tuple(
            SerialReader(
                each.name,
                f"/dev/{each.name}",
                interpreter(each.settings(f"/dev/{each.name}")),
                open_port=self._stands[each.name].open_port,
                clockwork=time,
            )
            for each in self.readers
        )
        clocks = Clocks(world.clock, lambda: world.now + self._date)
        return Devices(
            scanners=scanners,
            buttons=GpioButtons(buttons.pins, pin_factory=buttons.factory, clockwork=time),
            panel=self.panel,
            signal=SimSignal(),
            tags=self._tags,
            clocks=TableClocks(clocks, PanelClockwork(world.clock, world.wait_held, thread=world.thread)),
        )

    def _reader(self, protocol: str) -> VirtualReader:
        return VirtualReader(self.world, DIALECTS[protocol](), self.chances)

    def _born(self, folder: Path) -> Life:
        self.lives += 1
        life = Life(self, folder)
        for button in self._stuck:
            life.buttons.touch(button, True)
        return life

    @property
    def phones(self) -> tuple[int, ...]:
        """The numbers of the phones that there are."""
        return tuple(self._phones)

    # -- time
    def live(self, seconds: float) -> None:
        """Let time pass."""
        self.world.live(seconds)

    def live_until(self, reached: Callable[[], bool], seconds: float) -> bool:
        """Let time pass until something is so, at most for so long; whether it came to be."""
        return self.world.live_until(reached, seconds)

    # -- hands
    def place(self, reader: str, tag: str) -> None:
        """Lay a tag on a reader."""
        self._stands[reader].place(tag)

    def lift(self, reader: str, tag: str | None) -> None:
        """Take a tag off a reader, or all."""
        self._stands[reader].lift(tag)

    def reader_does(self, reader: str, what: str) -> None:
        """``plug``, ``unplug``, ``reset`` it, or have it make ``noise``."""
        getattr(self._stands[reader], what)()

    def hold(self, button: Button, seconds: float, bounces: int) -> None:
        """Hold a button for so long."""
        for pause, closed in strokes(seconds, bounces):
            self.live(pause)
            self._touch(button, closed)
        self.live(NEXT_PRESS)

    def touch(self, button: Button, closed: bool) -> None:
        """Put something on a button, or take it away."""
        (self._stuck.add if closed else self._stuck.discard)(button)
        self._touch(button, closed)

    def _touch(self, button: Button, closed: bool) -> None:
        self.life.buttons.touch(button, closed)
        self.world.stir()

    # -- what befalls it
    def crash(self, *, power: bool) -> None:
        """Kill the process, or cut all power, and start again."""
        self._hush()
        if power:
            self.panel.interrupt()
        remains = self._folder / f"state-{self.lives}"
        disk.empty()
        self.life.kill(remains)
        self.life.buttons.close()
        self.live(BOOT_SECONDS)
        self.life = self._born(remains)
        if self._full:
            disk.fill()
        for phone in tuple(self._phones.values()):
            self._phones[phone.number] = self._phone(phone.number, phone)

    def set_chance(self, fault: Fault, chance: float) -> None:
        """Let a fault strike with a chance from 0 to 1."""
        self.chances.of[fault] = chance

    def fill_disk(self, full: bool) -> None:
        """Leave no room on the disk, or make room."""
        self._full = full
        (disk.fill if full else disk.empty)()

    def panel_is(self, *, dead: bool | None = None, ageing: float | None = None) -> None:
        """Kill the panel or revive it; let its pictures take so many times as long."""
        self.panel.dead = self.panel.dead if dead is None else dead
        self.panel.ageing = self.panel.ageing if ageing is None else ageing

    def jump_clock(self, seconds: float) -> None:
        """Set the machine's clock forward or back."""
        self._date += seconds

    # -- phones
    def order(self, phone: int, order: JsonObject) -> Answer:
        """Have a phone send an order."""
        return self.life.run(self._on(phone).order(order))

    def repeat(self, phone: int) -> Answer:
        """Have a phone send its last order once more, as it was."""
        return self.life.run(self._on(phone).repeat())

    def sleep(self, phone: int, asleep: bool) -> None:
        """Put a phone to sleep, or wake it."""
        known = self._on(phone)
        if known.asleep != asleep:
            (known.fall_asleep if asleep else known.wake)()
            self.live(0.0)

    def _on(self, number: int) -> Phone:
        if number not in self._phones:
            self._phones[number] = self._phone(number)
            self.live(1.0)
        return self._phones[number]

    def _phone(self, number: int, before: Phone | None = None) -> Phone:
        phone = Phone(number, self.life.loop, lambda life=self.life: life.app)  # type: ignore[misc]  # its default
        if before is not None:
            phone.take_over(before)
        return phone

    def _hush(self) -> None:
        for phone in self._phones.values():
            phone.lose()

    # -- looking
    def revision(self) -> int:
        """The table's newest revision."""
        return int(self._get("/health")["revision"])

    def look(self) -> Mapping[str, Any]:
        """The table's JSON as it is now."""
        return self._get("/table.json")

    def _get(self, path: str) -> Mapping[str, Any]:
        assert self.life.app is not None
        return self.life.run(ask(self.life.app, "GET", path)).body

    def seen(self, phone: int) -> Mapping[str, Any]:
        """The table's JSON as a phone shows it."""
        return self._on(phone).shown

    def panel_words(self) -> Sequence[str]:
        """The texts that can be read on the panel."""
        return self.panel.shown.words if self.panel.shown else ()

    def panel_has_ghost(self) -> bool:
        """Whether an earlier picture shines through."""
        return self.panel.shown is not None and self.panel.shown.ghost is not None

    def panel_is_current(self) -> bool:
        """Whether the panel shows all that it shall show."""
        standing = self.life.house.panel_standing
        newest = self.life.house.session.snapshot.revision
        return standing is not None and standing.ok and standing.shown == standing.wanted == newest

    def troubles(self) -> Sequence[str]:
        """What went wrong that must not."""
        return (*self._troubles.told, *(f"the thread {name} failed: {fault!r}" for name, fault in self.world.failed))


def _door(folder: Path) -> Door:
    return Door(Doorplate(HOST, 80, look=partial(_only, HOST)), Pins(PIN), Phones(PhoneFile(folder)))


def _only(address: str, _host: str) -> Sequence[str]:
    return (address,)
