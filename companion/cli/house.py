"""The running table: one event loop that owns the session, with devices, panel and pages around it."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from hashlib import sha256

from PIL import Image

from companion.cli.devices import Devices
from companion.cli.notify import ServiceManager, keep_told
from companion.i18n import LANGUAGES, translator
from companion.panel.draw import draw
from companion.panel.png import picture_png
from companion.panel.worker import Pace, PanelStanding, PanelWorker
from companion.ports import DeviceState, DeviceStatus, Happening, Mood, Palette, TagGone
from companion.rules.game import AnyGame, Thing
from companion.rules.portrait import Tone
from companion.settings import Settings
from companion.table.journal import Journal
from companion.table.session import Session, TableOptions
from companion.table.snapshot import Snapshot
from companion.views.panel import Join, screen_for, shows_pin
from companion.web.app import create_app
from companion.web.desk import Desk, PanelPicture
from companion.web.serve import server

TICK_SECONDS = 1.0

NOBODY = ServiceManager()
"""A companion that was started by hand tells no service manager."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Door:
    """How phones come in: the address they open, and the secret that signs a host's cookie."""

    url: str
    secret: bytes


class House:
    """One table with all that stands around it; ``url`` is where phones find it."""

    def __init__(
        self, settings: Settings, games: Mapping[str, AnyGame], journal: Journal, devices: Devices, door: Door
    ) -> None:
        self.url = door.url
        self._settings = settings
        self._devices = devices
        self._translator = translator(settings.table.language)
        options = TableOptions(settings.table.one_card_a_press, settings.table.gesture_seconds)
        self.session = Session(games, journal, options=options)
        self._learn(devices.tags or {})
        self._picture: PanelPicture | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._worker = self._panel_worker()
        self._desk = Desk(
            session=self.session,
            games=games,
            pin=settings.web.pin,
            open_to_all=settings.web.open_to_all,
            join_url=door.url,
            names=frozenset(settings.web.names),
            secret=door.secret,
            panel_picture=lambda: self._picture,
            panel_standing=lambda: self._worker.standing if self._worker else None,
        )

    async def run(self, listening: socket.socket, manager: ServiceManager = NOBODY) -> None:
        """Serve until asked to stop, then let everything go in order; ``manager`` is told how it goes."""
        loop = asyncio.get_running_loop()
        app = create_app(self._desk, self._devices.pages)
        serving = server(app, self._desk.bell, self._settings.web.host, self._settings.web.port)
        with ExitStack() as put_away:
            self._watch_panel(loop, put_away)
            self._start_devices(loop)
            put_away.callback(self._devices.stop)
            ticking = loop.create_task(self._tick())
            put_away.callback(ticking.cancel)
            put_away.callback(manager.tell, STOPPING="1", STATUS="Putting the table away")
            telling = loop.create_task(keep_told(manager, lambda: serving.started, self._alive, self._standing))
            put_away.callback(telling.cancel)
            await serving.serve(sockets=[listening])

    def _learn(self, tags: Mapping[str, Thing]) -> None:
        known = self.session.tags()
        for tag, thing in tags.items():
            if known.get(tag) != thing:
                self.session.bind(tag, thing)

    # -- the panel --------------------------------------------------------------------------------------------------
    def _panel_worker(self) -> PanelWorker | None:
        panel = self._devices.panel
        pace = Pace(gap=self._settings.panel.min_gap or 0.0)
        return PanelWorker(panel, self._render, told=self._panel_told, pace=pace) if panel else None

    def _render(self, snapshot: Snapshot, size: tuple[int, int], palette: Palette) -> Image.Image:
        """Draw a snapshot; called in the panel's thread."""
        screen = screen_for(snapshot, Join(self.url, self._settings.web.pin))
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
        put_away.callback(self.session.subscribe(worker.submit))
        worker.submit(self.session.snapshot)

    # -- the other devices ------------------------------------------------------------------------------------------
    def _start_devices(self, loop: asyncio.AbstractEventLoop) -> None:
        def hand_over(happening: Happening) -> None:
            _soon(loop, lambda: self._observe(happening))

        for device in (*self._devices.scanners, self._devices.buttons, self._devices.signal):
            if device is not None:
                device.start(hand_over)

    def _observe(self, happening: Happening) -> None:
        """Take in what a device told, and answer at once by light or beep."""
        if isinstance(happening, DeviceStatus):
            _report(happening)
        before = self.session.snapshot.revision
        snapshot = self.session.observe(happening)
        if self._devices.signal and not isinstance(happening, DeviceStatus | TagGone):
            self._devices.signal.give(mood(snapshot, before))

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


def mood(snapshot: Snapshot, before: int) -> Mood:
    """What a scan or press came to: refused where a warning came after revision ``before``, else asking or taken."""
    notice = snapshot.notice
    if notice is not None and notice.revision > before and notice.tone in (Tone.WARNING, Tone.DANGER):
        return Mood.REFUSED
    return Mood.ASKING if snapshot.gesture is not None else Mood.TAKEN


def _report(status: DeviceStatus) -> None:
    if status.state is DeviceState.READY:
        _log.info("%s: ready", status.device)
        return
    advice = status.advice
    told = translator(LANGUAGES[0]).text(advice.code, **advice.params) if advice else ""
    _log.warning("%s: %s. %s", status.device, status.state.value, told)


def _soon(loop: asyncio.AbstractEventLoop, call: Callable[[], object]) -> None:
    """Have the loop make a call; a device that speaks after the loop has ended is not heard any more."""
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(call)
