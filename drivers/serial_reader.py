"""A tag reader on a serial port: one thread that opens, reads, and opens again for as long as it lives.

What the bytes mean is the decoder's business, what a placement is the presence's; neither knows of ports or threads.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from companion.ports import Advice, DeviceState, DeviceStatus, Happening, Listener, Misread
from drivers.decoder import Bad, Decoder, Read
from drivers.presence import Presence
from drivers.serial_port import OpenWire, PortSettings, Wire, advise, open_wire

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 5.0
"""Seconds between attempts to open a port: the pause doubles from the first to the longest."""

MISREAD_GAP = 1.0
"""At most one misread a reader is told in so many seconds: a wrong baud rate makes hundreds."""


class SerialReader:
    """A scanner on a serial port.

    ``clock`` gives seconds that never go back. A missing, forbidden or unplugged port is told as a status, with the
    fix, each time that changes; it is tried again for ever, so the reader heals by itself.
    """

    def __init__(
        self,
        name: str,
        settings: PortSettings,
        decoder: Decoder,
        presence: Presence,
        *,
        clock: Callable[[], float] = time.monotonic,
        open_port: OpenWire = open_wire,
    ) -> None:
        self._name = name
        self._settings = settings
        self._decoder = decoder
        self._presence = presence
        self._clock = clock
        self._open_port = open_port
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._tell: Listener = _nobody
        self._status: DeviceStatus | None = None
        self._ever_ready = False
        self._misread_at = float("-inf")

    @property
    def name(self) -> str:
        """The name in the settings, used in every message about it."""
        return self._name

    @property
    def alive(self) -> bool:
        """Whether its thread lives."""
        return self._thread is not None and self._thread.is_alive()

    def start(self, listener: Listener) -> None:
        """Begin to read in a thread of its own."""
        self._tell = listener
        self._stopping.clear()
        self._thread = threading.Thread(target=self._run, name=f"reader {self._name}", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop reading and release the port; may be called twice."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(timeout=5.0)
            self._thread = None

    def _run(self) -> None:
        try:
            self._keep_reading()
        except Exception as fault:
            self._report(DeviceState.FAILED, Advice("advice.reader.fault", {"cause": repr(fault)}))
            raise

    def _keep_reading(self) -> None:
        pause = FIRST_PAUSE
        while not self._stopping.is_set():
            wire = self._connect()
            if wire is not None:
                self._read_until_lost(wire)
                pause = FIRST_PAUSE
            self._stopping.wait(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _connect(self) -> Wire | None:
        try:
            wire = self._open_port(self._settings)
        except (OSError, ValueError) as failure:
            state = DeviceState.LOST if self._ever_ready else DeviceState.WAITING
            self._report(state, advise(self._settings, failure))
            return None
        self._ever_ready = True
        self._report(DeviceState.READY)
        return wire

    def _read_until_lost(self, wire: Wire) -> None:
        try:
            self._presence.resume(self._clock())
            self._read(wire)
        except (OSError, TypeError):
            self._report(DeviceState.LOST, Advice("advice.reader.gone", {"port": self._settings.port}))
        finally:
            _close(wire)

    def _read(self, wire: Wire) -> None:
        _send(wire, self._decoder.opened())
        last_byte = self._clock()
        while not self._stopping.is_set():
            _send(wire, self._decoder.question())
            received = wire.read(wire.in_waiting or 1)
            now = self._clock()
            last_byte = now if received else last_byte
            found = self._decoder.feed(received) if received else self._decoder.silence(now - last_byte)
            self._take(found, bool(received), now)

    def _take(self, found: list[Read | Bad], received: bool, now: float) -> None:
        """Tell what one poll brought. Half a message and a misread are no poll: they change nobody's presence."""
        tags = [each.tag for each in found if isinstance(each, Read)]
        for bad in (each for each in found if isinstance(each, Bad)):
            self._misread(bad, now)
        if tags or not (received or found):
            for change in self._presence.poll(tags, now):
                self._tell(change)

    def _misread(self, bad: Bad, now: float) -> None:
        if now - self._misread_at >= MISREAD_GAP:
            self._misread_at = now
            self._tell(Misread(self._name, bad.reason))

    def _report(self, state: DeviceState, advice: Advice | None = None) -> None:
        status = DeviceStatus(self._name, state, advice)
        if status != self._status:
            self._status = status
            self._tell(status)


def _send(wire: Wire, message: bytes) -> None:
    if message:
        wire.write(message)


def _close(wire: Wire) -> None:
    try:
        wire.close()
    except (OSError, TypeError):
        return


def _nobody(_: Happening) -> None:
    """The listener before the start."""
