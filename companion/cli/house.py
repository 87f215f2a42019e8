"""The running table: one event loop that owns the session, with devices, panel and pages around it."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256

from fastapi import FastAPI
from PIL import Image

from companion.cli.address import Doorplate
from companion.cli.automation import publisher
from companion.cli.coaching import CoachProcess
from companion.cli.device_memory import DeviceMemory
from companion.cli.devices import Devices
from companion.cli.lying import LyingTags
from companion.cli.notify import ServiceManager, keep_told
from companion.cli.readers import places
from companion.cli.table_signal import TableSignal
from companion.i18n import LANGUAGES, translator
from companion.panel.draw import draw
from companion.panel.png import picture_png
from companion.panel.refresh_times import RefreshTimes
from companion.panel.worker import Pace, PanelStanding, PanelWorker
from companion.ports import (
    Button,
    DeviceState,
    DeviceStatus,
    Happening,
    Misread,
    Muted,
    Palette,
    Press,
    TagArrived,
    TagGone,
    TagReadAgain,
)
from companion.rules.game import AnyGame
from companion.rules.portrait import Phrase
from companion.settings import OPEN, Settings
from companion.table.journal import Journal
from companion.table.meaning import Meaning
from companion.table.session import Session, TableOptions
from companion.table.snapshot import Snapshot
from companion.table.wishes import Wish
from companion.views.panel import Join, screen_for, shows_pin
from companion.web.app import create_app
from companion.web.desk import Desk, PanelPicture
from companion.web.invitation import ticketed
from companion.web.pairing import Pins
from companion.web.phones import Phones
from companion.web.serve import server

TICK_SECONDS = 1.0
ODDS = "odds"
"""The file that keeps whether a host wishes for the odds."""

NOBODY = ServiceManager()
"""A companion that was started by hand tells no service manager."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Door:
    """How phones come in: the address they open, the PIN they are asked for, the list of those that knew it."""

    plate: Doorplate
    pins: Pins
    phones: Phones


class House:
    """One table with all that stands around it."""

    def __init__(
        self, settings: Settings, games: Mapping[str, AnyGame], journal: Journal, devices: Devices, door: Door
    ) -> None:
        self._door = door
        self._settings = settings
        self._devices = devices
        self._translator = translator(settings.table.language)
        standing_for = places(settings.readers, games)
        options = TableOptions(settings.table.one_card_a_press, settings.table.gesture_seconds, standing_for)
        self.session = Session(games, journal, clocks=devices.clocks.session, options=options)
        self._learn(devices.tags or {})
        self._lying = LyingTags(self.session.snapshot.seated is not None, devices.clocks.session.passing)
        self._picture: PanelPicture | None = None
        self._join = self._invitation()
        self._loop: asyncio.AbstractEventLoop | None = None
        memory, muted = DeviceMemory(settings.table.state), settings.signal.muted
        self._signal = TableSignal(devices.signal, memory, self._quiet, muted=muted, begin=self.session.snapshot)
        self._worker = self._panel_worker(memory)
        self._publisher = publisher(settings.mqtt, self._translator, self.url)
        self._coach = CoachProcess() if settings.table.coach else None
        self._desk = Desk(
            session=self.session,
            games=games,
            pins=door.pins,
            phones=door.phones,
            open_to_all=settings.web.open_to_all,
            own_browser=settings.web.own_browser,
            watching_is_open=settings.web.watching == OPEN,
            coach=self._coach,
            odds=Wish(settings.table.state / ODDS, settings.table.odds),
            join_url=lambda: self.url,
            names=frozenset(settings.web.names),
            panel_picture=lambda: self._picture,
            panel_standing=lambda: self.panel_standing,
        )

    @property
    def url(self) -> str:
        """Where phones find the table."""
        return self._door.plate.url

    @property
    def pin(self) -> str:
        """What a phone is asked for now."""
        return self._door.pins.pin

    async def run(self, listening: socket.socket, manager: ServiceManager = NOBODY) -> None:
        """Serve until asked to stop, then let everything go in order; ``manager`` is told how it goes."""
        loop = asyncio.get_running_loop()
        serving = server(self.app(), self._desk.bell, self._settings.web.host, self._settings.web.port)
        with ExitStack() as put_away:
            self.open(loop, put_away)
            put_away.callback(manager.tell, STOPPING="1", STATUS="Putting the table away")
            telling = loop.create_task(keep_told(manager, lambda: serving.started, self._alive, self._standing))
            put_away.callback(telling.cancel)
            await serving.serve(sockets=[listening])

    def app(self) -> FastAPI:
        """The pages."""
        return create_app(self._desk, self._devices.pages)

    def open(self, loop: asyncio.AbstractEventLoop, put_away: ExitStack) -> None:
        """Start everything but the pages; ``put_away`` stops it again."""
        self._watch_panel(loop, put_away)
        self._start_devices(loop)
        put_away.callback(self._devices.stop)
        if self._coach is not None:
            put_away.callback(self._coach.close)
        self._start_publisher(loop, put_away)
        ticking = loop.create_task(self._tick())
        put_away.callback(ticking.cancel)

    @property
    def panel_standing(self) -> PanelStanding | None:
        """How far the panel is; None where there is none."""
        return self._worker.standing if self._worker else None

    def _learn(self, tags: Mapping[str, Meaning]) -> None:
        known = self.session.taught()
        for tag, meaning in tags.items():
            if known.get(tag) != meaning:
                self.session.bind(tag, meaning)

    # -- the panel --------------------------------------------------------------------------------------------------
    def _panel_worker(self, memory: DeviceMemory) -> PanelWorker | None:
        if self._devices.panel is None:
            return None
        return PanelWorker(
            self._devices.panel,
            self._render,
            told=self._panel_told,
            pace=Pace(gap=self._settings.panel.min_gap or 0.0),
            times=RefreshTimes(memory.refresh_seconds, memory.keep_refreshes),
            clockwork=replace(self._devices.clocks.panel, quiet=self._quiet),
        )

    def _quiet(self) -> bool:
        """Whether it is quiet now, by this machine's clock."""
        hours = self._settings.table.quiet
        return hours is not None and hours.hold(datetime.fromtimestamp(self._devices.clocks.session.date()).time())

    def _render(self, snapshot: Snapshot, size: tuple[int, int], palette: Palette) -> Image.Image:
        """Draw a snapshot; called in the panel's thread."""
        screen = screen_for(snapshot, self._join)
        picture = draw(screen, size, palette, self._translator)
        png = picture_png(picture)
        self._picture = PanelPicture(sha256(png).hexdigest()[:16], png, shows_pin(screen))
        return picture

    def _panel_told(self, _standing: PanelStanding) -> None:
        """Have the phones look again; called in the panel's thread."""
        if self._loop is not None:
            _soon(self._loop, self._desk.bell.ring)

    def _watch_panel(self, loop: asyncio.AbstractEventLoop, put_away: ExitStack) -> None:
        worker = self._worker
        if worker is None:
            return
        put_away.callback(worker.stop)
        self._loop = loop
        worker.start()
        put_away.callback(self.session.subscribe(lambda told: worker.submit(told, acted=told.news is None)))
        begin = self.session.snapshot
        worker.submit(begin, acted=begin.seated is None or begin.paused)  # at night too, people must see how to come in

    # -- the other devices ------------------------------------------------------------------------------------------
    def _start_devices(self, loop: asyncio.AbstractEventLoop) -> None:
        def hand_over(happening: Happening) -> None:
            if self._devices.heard is not None:
                self._devices.heard(happening)
            _soon(loop, lambda: self._observe(happening))

        for device in (*self._devices.scanners, self._devices.buttons, self._devices.signal):
            if device is not None:
                device.start(hand_over)
        self.session.subscribe(self._signal.follow)

    def _start_publisher(self, loop: asyncio.AbstractEventLoop, put_away: ExitStack) -> None:
        if self._publisher is not None:
            put_away.callback(self._publisher.stop)
            put_away.callback(self.session.subscribe(self._publisher.submit))
            self._publisher.submit(self.session.snapshot)
            self._publisher.start(lambda status: _soon(loop, lambda: self._observe(status)))

    def _observe(self, happening: Happening) -> None:
        """Take in what a device told, and answer at once by light or beep."""
        if isinstance(happening, DeviceStatus):
            _report(happening)
        if self._lying.lay_there(happening):
            self.session.warn(Phrase("notice.lay_there"))
            return
        if isinstance(happening, Press) and self._answers_at_the_door(happening):
            return
        if self._signal.can_mute(happening):
            happening = self._signal.toggle()
        before = self.session.snapshot
        snapshot = self.session.observe(happening)
        enrolled = isinstance(happening, TagReadAgain | TagGone) and snapshot is not before
        if enrolled or isinstance(happening, TagArrived | Press | Misread | Muted):
            self._signal.answer(before, snapshot)

    def _alive(self) -> bool:
        """Whether every reader's thread still works. The panel's does not count: it may rightly hang for a minute."""
        return all(scanner.alive for scanner in self._devices.scanners)

    def _standing(self) -> str:
        """How the table stands, in one line for whoever looks after the machine."""
        away = [f"{told.device} {told.state.value}" for told in self.session.snapshot.devices if told.advice]
        return "; ".join((f"The table is at {self.url}", *away))

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK_SECONDS)
            self.session.tick()
            self._door.phones.keep_again()
            self._door.plate.look_again()
            self._invite()
            if self._worker is not None:
                self._worker.look()

    # -- the door ---------------------------------------------------------------------------------------------------
    def _answers_at_the_door(self, press: Press) -> bool:
        """While no game goes on, B turns to the next address and C makes a new PIN; whether that was it."""
        snapshot = self.session.snapshot
        if press.long or not (snapshot.seated is None or snapshot.paused):
            return False
        if press.button is Button.B:
            self._door.plate.turn()
        elif press.button is Button.C:
            self._door.pins.renew()
        else:
            return False
        self._invite()
        return True

    def _invitation(self) -> Join:
        plate, pins = self._door.plate, self._door.pins
        asks = not self._settings.web.open_to_all
        url = ticketed(plate.url, pins.ticket) if asks else plate.url
        buttons = self._devices.buttons is not None
        return Join(url, pins.pin if asks else None, plate.name, buttons and asks, buttons and plate.choices > 1)

    def _invite(self) -> None:
        """Have panel and pages show the address and the PIN of now, where they are others than before."""
        invitation = self._invitation()
        if invitation == self._join:
            return
        self._join = invitation
        self._desk.bell.ring()
        if self._worker is not None:
            self._worker.submit(self.session.snapshot)


def _report(status: DeviceStatus) -> None:
    advice = status.advice
    told = translator(LANGUAGES[0]).text(advice.code, **advice.params) if advice else ""
    if status.state is DeviceState.READY:
        _log.info("%s: ready%s", status.device, f". {told}" if told else "")
        return
    _log.warning("%s: %s. %s", status.device, status.state.value, told)


def _soon(loop: asyncio.AbstractEventLoop, call: Callable[[], object]) -> None:
    """Have the loop make a call; a device that speaks after the loop has ended is not heard any more."""
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(call)
