"""A tag reader on a pseudo-terminal: the real serial driver opens, reads and loses it as it would a USB reader.

It speaks a protocol of :mod:`simulator.dialects`, with the real thing's timing, at the speed that it is spoken at: a
driver that listens at another hears the noise that a wire would carry.
"""

from __future__ import annotations

import contextlib
import os
import select
import termios
import threading
import time
import tty
from pathlib import Path

from simulator.dialects import REPEAT_OF_SKETCH, Dialect, Lines, line_of
from simulator.faults import Chances
from simulator.uart import heard

__all__ = ["GIBBERISH", "SimReader", "line_of"]

DEVICE = "usb-Simulated_Tag_Reader_0001-if00"

GIBBERISH = bytes((0xFF, 0x00, 0x93, 0xFE, 0x0D, 0x80, 0x0A))
"""Bytes that are no protocol's."""

_SPEEDS = {getattr(termios, name): int(name[1:]) for name in dir(termios) if name[:1] == "B" and name[1:].isdecimal()}
_IDLE = 0.5


class SimReader:
    """A reader for as many tags as are laid on it.

    ``port`` is a link below ``folder`` that stands for /dev/serial/by-id; it is there while the reader is plugged in.
    Every method may be called from any thread. ``repeat`` is the time between two messages about a resting tag in
    seconds, where it is not the dialect's own; with a ``pace`` of 0.1 everything is ten times as fast. ``chances`` are
    what befalls its messages on the wire.
    """

    def __init__(
        self,
        folder: Path,
        dialect: Dialect | None = None,
        *,
        repeat: float | None = None,
        pace: float = 1.0,
        device: str = DEVICE,
        chances: Chances | None = None,
    ) -> None:
        self.port = folder / "by-id" / device
        self.port.parent.mkdir(parents=True, exist_ok=True)
        self._dialect = dialect or Lines(REPEAT_OF_SKETCH if repeat is None else repeat)
        self._repeat = self._dialect.repeat if repeat is None else repeat
        self._pace = pace
        self.chances = chances or Chances()
        self._placed: dict[str, None] = {}
        self._ends: tuple[int, int] | None = None
        self._lock = threading.RLock()
        self._wake_read, self._wake_write = os.pipe()
        self._closing = threading.Event()
        self.plug()
        self._thread = threading.Thread(target=self._live, name="simulated reader", daemon=True)
        self._thread.start()

    @property
    def plugged(self) -> bool:
        """Whether the reader is plugged in."""
        return self._ends is not None

    @property
    def placed(self) -> tuple[str, ...]:
        """The tags that lie on the reader, first laid first."""
        with self._lock:
            return tuple(self._placed)

    def place(self, tag: str) -> None:
        """Lay a tag on the reader."""
        with self._lock:
            self._placed[tag] = None
            self.scan_once(tag)

    def lift(self, tag: str | None = None) -> None:
        """Take one tag off the reader, or all."""
        with self._lock:
            for each in (tag,) if tag is not None else self.placed:
                self._placed.pop(each, None)

    def tap(self, tag: str, seconds: float = 0.6) -> None:
        """Hold a tag to the reader for a moment; returns when it was taken away."""
        self.place(tag)
        time.sleep(seconds)
        self.lift(tag)

    def scan_once(self, tag: str) -> None:
        """Send the message for a tag that does not stay."""
        self._say(self._dialect.arrival(tag))

    def split(self, tag: str, gap: float = 0.03) -> None:
        """Send a tag's message in two parts with a pause between them."""
        message = self._dialect.arrival(tag)
        with self._lock:
            self.send(message[:9])
            time.sleep(gap)
            self.send(message[9:])

    def noise(self, sent: bytes = GIBBERISH) -> None:
        """Send bytes that are no tag."""
        self.send(sent)

    def send(self, sent: bytes) -> None:
        """Send bytes; an unplugged reader sends nothing, and what nobody reads is lost."""
        with self._lock:
            if self._ends is None or not sent:
                return
            with contextlib.suppress(BlockingIOError):
                os.write(self._ends[0], self._on_the_wire(sent))

    def plug(self) -> None:
        """Plug the reader in; it becomes another device, found at the same link, and is switched on anew."""
        with self._lock:
            if self._ends is not None:
                return
            master, slave = os.openpty()
            tty.setraw(slave)
            os.set_blocking(master, False)
            # Our own slave end stays open: without it, a driver that closes the port would hang up the reader.
            self._ends = master, slave
            self._dialect.power()
            self.port.unlink(missing_ok=True)
            self.port.symlink_to(os.ttyname(slave))
        os.write(self._wake_write, b".")

    def unplug(self) -> None:
        """Pull the reader's plug."""
        with self._lock:
            ends, self._ends = self._ends, None
            self.port.unlink(missing_ok=True)
            for end in ends or ():
                os.close(end)

    def swap(self, dialect: Dialect) -> None:
        """Put another reader in this one's place: unplugged, and plugged in where this one was."""
        with self._lock:
            self.unplug()
            self._dialect, self._repeat = dialect, dialect.repeat
            self.plug()

    def reset(self) -> None:
        """Switch the reader itself off and on, while its adapter stays plugged in."""
        with self._lock:
            self._dialect.power()

    def close(self) -> None:
        """Put the reader away; may be called twice."""
        if self._closing.is_set():
            return
        self._closing.set()
        os.write(self._wake_write, b".")
        self._thread.join()
        self.unplug()
        for end in (self._wake_read, self._wake_write):
            os.close(end)

    # -- the reader's own thread
    def _live(self) -> None:
        due = time.monotonic()
        while not self._closing.is_set():
            now = time.monotonic()
            if self._repeat is not None and now >= due:
                self._say(self._dialect.presence(self._seen()))
                due = now + self._repeat * self._pace
            self._listen(_IDLE if self._repeat is None else max(0.0, due - now))

    def _listen(self, seconds: float) -> None:
        """Take in what the driver sends, until it is time to speak."""
        with self._lock:
            ends = self._ends
        ears = [self._wake_read, *(ends[:1] if ends else ())]
        try:
            ready, _, _ = select.select(ears, [], [], seconds)
        except (OSError, ValueError):
            return
        if self._wake_read in ready:
            os.read(self._wake_read, 64)
        if ends and ends[0] in ready:
            self._answer(self._asked(ends))

    def _asked(self, ends: tuple[int, int]) -> bytes:
        with self._lock:
            if self._ends != ends:
                return b""
            try:
                asked = os.read(ends[0], 4096)
            except OSError:
                return b""
            speed = self._dialect.baud
            return asked if speed is None else heard(asked, self._driver_speed(), speed)

    def _answer(self, asked: bytes) -> None:
        with self._lock:
            answers = self._dialect.answer(asked, self._seen()) if asked else []
        for pause, answer in answers:
            time.sleep(pause * self._pace)
            self._say(answer)

    def _seen(self) -> tuple[str, ...]:
        """The tags that the reader sees: those that lie there, and seldom a ghost beside them."""
        placed = self.placed
        ghost = self.chances.ghost() if placed else None
        return placed if ghost is None else (ghost, *placed)

    def _say(self, message: bytes) -> None:
        """Send a message, with what befalls it on the wire."""
        for pause, chunk in self.chances.on_the_wire(message):
            time.sleep(pause)
            self.send(chunk)

    def _on_the_wire(self, sent: bytes) -> bytes:
        speed = self._dialect.baud
        return sent if speed is None else heard(sent, speed, self._driver_speed())

    def _driver_speed(self) -> int:
        """The speed that the driver has set."""
        assert self._ends is not None
        speed = int(termios.tcgetattr(self._ends[1])[5])
        return _SPEEDS.get(speed, speed)
