"""A tag reader in virtual time: the real serial driver opens, reads and loses it, on a wire that is in memory."""

from __future__ import annotations

import errno
from collections.abc import Callable, Sequence
from typing import Protocol

from simulator.dialects import Dialect
from simulator.faults import Chances
from simulator.sim_reader import GIBBERISH
from simulator.uart import heard
from simulator.world import World

READ_SECONDS = 0.1
"""How long a read waits for a byte, as the real port does."""


class Opening(Protocol):
    """What a driver says when it opens a port."""

    @property
    def baud(self) -> int:
        """The speed."""
        ...


class VirtualReader:
    """A reader for as many tags as are laid on it; ``open_port`` opens it as a serial port."""

    def __init__(self, world: World, dialect: Dialect, chances: Chances) -> None:
        self._world = world
        self._dialect = dialect
        self._chances = chances
        self._placed: dict[str, None] = {}
        self._life = 0
        self.wire: VirtualWire | None = None
        self.plugged = False
        self.plug()

    @property
    def placed(self) -> tuple[str, ...]:
        """The tags that lie on the reader, first laid first."""
        return tuple(self._placed)

    def place(self, tag: str) -> None:
        """Lay a tag on the reader."""
        self._placed[tag] = None
        self.scan_once(tag)

    def lift(self, tag: str | None = None) -> None:
        """Take one tag off the reader, or all."""
        for each in (tag,) if tag is not None else self.placed:
            self._placed.pop(each, None)

    def scan_once(self, tag: str) -> None:
        """Send the message for a tag that does not stay."""
        self._say(self._dialect.arrival(tag))

    def noise(self) -> None:
        """Send bytes that are no tag."""
        self._send(GIBBERISH)

    def plug(self) -> None:
        """Plug the reader in, switched on anew."""
        if not self.plugged:
            self.plugged = True
            self._life += 1
            self._dialect.power()
            self._speak(self._life)

    def unplug(self) -> None:
        """Pull the reader's plug."""
        self.plugged, wire, self.wire = False, self.wire, None
        if wire is not None:
            wire.lost()

    def reset(self) -> None:
        """Switch the reader itself off and on, while its adapter stays plugged in."""
        self._dialect.power()

    def open_port(self, opening: Opening) -> VirtualWire:
        """Open the port. FileNotFoundError while the reader is unplugged."""
        if not self.plugged:
            raise FileNotFoundError(errno.ENOENT, "no such port")
        self.wire = VirtualWire(self._world, self, opening.baud)
        return self.wire

    def asked(self, question: bytes, speed: int) -> None:
        """Take in what the driver sends, and answer in the reader's own time."""
        own, pause = self._dialect.baud, 0.0
        for delay, answer in self._dialect.answer(heard(question, speed, own or speed), self._seen()):
            pause += delay
            self._world.after(pause, lambda answer=answer: self._say(answer))  # type: ignore[misc]  # a lambda's default

    def _seen(self) -> tuple[str, ...]:
        """The tags that the reader sees: those that lie there, and seldom a ghost beside them."""
        ghost = self._chances.ghost() if self._placed else None
        return self.placed if ghost is None else (ghost, *self.placed)

    def _speak(self, life: int) -> None:
        """Say what lies there, again and again, for as long as the reader is plugged in."""
        repeat = self._dialect.repeat
        if repeat is None or life != self._life or not self.plugged:
            return
        self._say(self._dialect.presence(self._seen()))
        self._world.after(repeat, lambda: self._speak(life))

    def _say(self, message: bytes) -> None:
        pause = 0.0
        for delay, chunk in self._chances.on_the_wire(message):
            pause += delay
            if pause:
                self._world.after(pause, lambda chunk=chunk: self._send(chunk))  # type: ignore[misc]  # as above
            else:
                self._send(chunk)

    def _send(self, sent: bytes) -> None:
        """Send bytes; what nobody reads is lost."""
        if self.wire is not None and sent:
            own = self._dialect.baud
            self.wire.arrive(sent if own is None else heard(sent, own, self.wire.baudrate))


class Device(Protocol):
    """What is at the other end of a wire; ``wire`` is the open one."""

    wire: VirtualWire | None

    def asked(self, question: bytes, speed: int) -> None:
        """Take in what the driver sends."""
        ...


class MutePort:
    """A port that says what it is told to say: what a reader said once."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.plugged = False
        self.wire: VirtualWire | None = None
        self._go_on: Callable[[], None] = _nobody_waits

    def plug(self) -> None:
        """Now it is opened."""
        self.plugged = True
        self._go_on()

    def unplug(self) -> None:
        """It is gone."""
        self.plugged, wire, self.wire = False, self.wire, None
        if wire is not None:
            wire.lost()

    def open_port(self, opening: Opening) -> VirtualWire:
        """Open it at the moment when it was opened. FileNotFoundError where it never was."""
        hand = self._world.current()
        if not self.plugged and hand is not None:
            self._go_on = hand.going_on()
            self._world.rest(None)
        if not self.plugged:
            raise FileNotFoundError(errno.ENOENT, "no such port")
        self.wire = VirtualWire(self._world, self, opening.baud)
        return self.wire

    def say(self, sent: bytes) -> None:
        """Have bytes come from it."""
        if self.wire is not None:
            self.wire.arrive(sent)

    def asked(self, question: bytes, speed: int) -> None:
        """It answers nothing but what it is told to say."""


class VirtualWire:
    """An open port, as the serial driver wants it."""

    def __init__(self, world: World, reader: Device, baud: int) -> None:
        self.baudrate = baud
        self._world = world
        self._reader = reader
        self._received = bytearray()
        self._lost = False
        self._go_on: Callable[[], None] = _nobody_waits

    @property
    def in_waiting(self) -> int:
        """Bytes that can be read at once."""
        self._check()
        return len(self._received)

    def read(self, size: int, /) -> bytes:
        """Up to ``size`` bytes; fewer, or none, at the time-out. OSError once it is unplugged."""
        if not self._received:
            self._check()
            hand = self._world.current()
            self._go_on = hand.going_on() if hand is not None else _nobody_waits
            self._world.rest(READ_SECONDS)
            self._go_on = _nobody_waits
        self._check()
        read = bytes(self._received[:size])
        del self._received[:size]
        return read

    def write(self, sent: bytes, /) -> int:
        """Send bytes to the reader."""
        self._check()
        self._reader.asked(sent, self.baudrate)
        return len(sent)

    def close(self) -> None:
        """Release the port."""
        if self._reader.wire is self:
            self._reader.wire = None

    def arrive(self, sent: bytes) -> None:
        """Bytes come in."""
        self._received += sent
        self._world.after(0.0, self._go_on)

    def lost(self) -> None:
        """The reader was unplugged."""
        self._lost = True
        self._world.after(0.0, self._go_on)

    def _check(self) -> None:
        if self._lost:
            raise OSError(errno.ENODEV, "the reader is gone")


def _nobody_waits() -> None:
    """Nobody reads the port just now."""


def tags_seen(protocol: str, tag: str) -> Sequence[str]:
    """The ids by which readers of a protocol know a tag of this id."""
    short = tag[-10:]
    return {"rdm6300": (short,), "id12": (short,), "r200": (tag if len(tag) % 4 == 0 else f"00{tag}",)}.get(
        protocol, (tag,)
    )
