"""A tag reader on a serial port: one thread that opens, reads, and opens again for as long as it lives.

What the bytes mean is the interpreter's business, which knows neither ports nor threads.
"""

from __future__ import annotations

import threading

from companion.ports import Advice, DeviceState, DeviceStatus, Happening, Listener, Misread, Running
from drivers.clockwork import REAL, Clockwork
from drivers.decoder import Bad
from drivers.interpreter import Interpreter
from drivers.serial_port import OpenWire, PortSettings, Wire, advise, advise_lost, open_wire

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 5.0
"""Seconds between attempts to open a port: the pause doubles from the first to the longest."""

MISREAD_GAP, SAME_MISREAD_GAP = 1.0, 10.0
"""Seconds between two misreads that are told, and between two that are the same and never stop: a wrong baud rate
makes hundreds. One that comes again after a pause is told again, for somebody tried again."""


class SerialReader:
    """A scanner on a serial port.

    A missing, forbidden or unplugged port is told as a status, with the
    fix, each time that changes; it is tried again for ever, so the reader heals by itself.
    """

    def __init__(
        self,
        name: str,
        port: str,
        interpreter: Interpreter,
        *,
        open_port: OpenWire = open_wire,
        clockwork: Clockwork = REAL,
    ) -> None:
        self._name = name
        self._port = port
        self._interpreter = interpreter
        self._clockwork = clockwork
        self._clock = clockwork.clock
        self._open_port = open_port
        self._stopping = threading.Event()
        self._thread: Running | None = None
        self._tell: Listener = _nobody
        self._status: DeviceStatus | None = None
        self._ever_ready = False
        self._misread: Bad | None = None
        self._misread_at = self._misread_told = float("-inf")

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
        self._thread = self._clockwork.thread(self._run, f"reader {self._name}")
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
            self._clockwork.wait(self._stopping, pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _connect(self) -> Wire | None:
        settings = PortSettings(self._port, self._interpreter.baud)
        try:
            return self._open_port(settings)
        except (OSError, ValueError) as failure:
            state = DeviceState.LOST if self._ever_ready else DeviceState.WAITING
            self._report(state, advise(settings, failure))
            return None

    def _read_until_lost(self, wire: Wire) -> None:
        try:
            self._read(wire)
        except (OSError, TypeError):
            self._report(DeviceState.LOST, advise_lost(self._port))
        finally:
            _close(wire)

    def _read(self, wire: Wire) -> None:
        last_byte = self._clock()
        _send(wire, self._interpreter.opened(last_byte))
        while not self._stopping.is_set():
            self._tune(wire)
            _send(wire, self._interpreter.question())
            received = wire.read(wire.in_waiting or 1)
            now = self._clock()
            last_byte = now if received else last_byte
            heard = self._interpreter.hear(received, now - last_byte, now)
            self._stand()
            for told in heard:
                self._tell_misread(told, now) if isinstance(told, Bad) else self._tell(told)

    def _tune(self, wire: Wire) -> None:
        if wire.baudrate != self._interpreter.baud:
            wire.baudrate = self._interpreter.baud

    def _stand(self) -> None:
        standing = self._interpreter.standing
        self._ever_ready = self._ever_ready or standing.state is DeviceState.READY
        self._report(standing.state, standing.advice)

    def _tell_misread(self, bad: Bad, now: float) -> None:
        goes_on = bad == self._misread and now - self._misread_at < MISREAD_GAP
        self._misread, self._misread_at = bad, now
        if now - self._misread_told >= (SAME_MISREAD_GAP if goes_on else MISREAD_GAP):
            self._misread_told = now
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
