"""Recording what a real table's readers send and its buttons do, and what the drivers tell of it."""

from __future__ import annotations

import queue
from collections.abc import Callable
from typing import Any

from companion.ports import DeviceStatus, Happening, Misread, Press, TagArrived, TagGone, TagReadAgain
from companion.reader_settings import ReaderSettings
from drivers.clockwork import REAL, Clockwork
from drivers.serial_port import OpenWire, PortSettings, Wire
from simulator.recording import Recorder

NOT_SET = "-"
FIELDS = ("protocol", "format", "baud", "mode", "gone_after", "repeat_gap", "idle")
"""How a reader is read, as its settings say it, in the order of a record's line about it."""


def describe(recorder: Recorder, readers: tuple[ReaderSettings, ...]) -> None:
    """Write down how the readers are read."""
    for reader in readers:
        told = (getattr(reader, field) for field in FIELDS)
        recorder.head("reader", word(reader.name), *(NOT_SET if each is None else str(each) for each in told))


def word(name: str) -> str:
    """A name without blanks."""
    return "_".join(name.split())


def recorded(name: str, recorder: Recorder, open_port: OpenWire) -> OpenWire:
    """Opens a reader's port, and writes down all that it sends."""

    def opening(settings: PortSettings) -> Wire:
        wire = open_port(settings)
        recorder.note("open", word(name), str(settings.baud))
        return RecordedWire(wire, word(name), recorder)

    return opening


class RecordedWire:
    """An open port that writes down what is read from it."""

    def __init__(self, wire: Wire, name: str, recorder: Recorder) -> None:
        self._wire = wire
        self._name = name
        self._recorder = recorder

    @property
    def baudrate(self) -> int:
        """The speed."""
        return self._wire.baudrate

    @baudrate.setter
    def baudrate(self, speed: int) -> None:
        self._wire.baudrate = speed

    @property
    def in_waiting(self) -> int:
        """Bytes that can be read at once."""
        waiting: int = self._told_lost(lambda: self._wire.in_waiting)
        return waiting

    def read(self, size: int, /) -> bytes:
        """Up to ``size`` bytes, written down."""
        received: bytes = self._told_lost(lambda: self._wire.read(size))
        if received:
            self._recorder.note("<", self._name, received.hex().upper())
        return received

    def write(self, sent: bytes, /) -> int | None:
        """Send bytes."""
        return self._wire.write(sent)

    def close(self) -> None:
        """Release the port."""
        self._wire.close()

    def _told_lost(self, ask: Callable[[], Any]) -> Any:
        try:
            return ask()
        except (OSError, TypeError):
            self._recorder.note("lost", self._name)
            raise


def recorded_edges(recorder: Recorder) -> Clockwork:
    """The time that the buttons live in, which writes down each edge that they take."""

    def take(edges: queue.SimpleQueue[Any], seconds: float | None) -> Any:
        edge = REAL.take(edges, seconds)
        if edge is not None:
            button, down, _at = edge
            recorder.note("button", str(button), "down" if down else "up")
        return edge

    return Clockwork(take=take)


def heard(recorder: Recorder) -> Callable[[Happening], None]:
    """Writes down what a driver told."""
    return lambda happening: recorder.note(">", *told(happening))


def told(happening: Happening) -> tuple[str, ...]:
    """What a driver told, as the words of a line."""
    match happening:
        case TagArrived(reader, tag) | TagReadAgain(reader, tag) | TagGone(reader, tag):
            return type(happening).__name__, word(reader), word(tag)
        case Misread(reader, reason):
            return "Misread", word(reader), reason.code
        case Press(button, long):
            return "Press", str(button), "long" if long else "short"
        case DeviceStatus(device, state):
            return "DeviceStatus", word(device), str(state)
    return (type(happening).__name__, "table")
