"""A tag reader on a pseudo-terminal: the real serial driver opens, reads and loses it as it would a USB reader."""

from __future__ import annotations

import os
import threading
import time
import tty
from pathlib import Path

DEVICE = "usb-Simulated_Tag_Reader_0001-if00"

GIBBERISH = bytes((0xFF, 0x00, 0x93, 0xFE, 0x0D, 0x80, 0x0A))
"""What a reader at the wrong baud rate sounds like."""


class SimReader:
    """A reader that sends a line for every tag that lies on it, again and again.

    ``port`` is a link below ``folder`` that stands for /dev/serial/by-id; it is there while the reader is plugged in.
    Every method may be called from any thread. ``repeat`` is the time between two lines in seconds.
    """

    def __init__(self, folder: Path, *, repeat: float = 0.1) -> None:
        self.port = folder / "by-id" / DEVICE
        self.port.parent.mkdir(parents=True, exist_ok=True)
        self._repeat = repeat
        self._placed: dict[str, None] = {}
        self._ends: tuple[int, int] | None = None
        self._lock = threading.RLock()
        self._closing = threading.Event()
        self.plug()
        self._thread = threading.Thread(target=self._keep_sending, name="simulated reader", daemon=True)
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
        """Send one line for a tag that does not stay."""
        self.send(line_of(tag))

    def split(self, tag: str, gap: float = 0.03) -> None:
        """Send a tag's line in two parts with a pause between them."""
        line = line_of(tag)
        with self._lock:
            self.send(line[:9])
            time.sleep(gap)
            self.send(line[9:])

    def noise(self, sent: bytes = GIBBERISH) -> None:
        """Send bytes that are no tag."""
        self.send(sent)

    def send(self, sent: bytes) -> None:
        """Send bytes; an unplugged reader sends nothing, and what nobody reads is lost."""
        with self._lock:
            if self._ends is None:
                return
            try:
                os.write(self._ends[0], sent)
            except BlockingIOError:
                return

    def plug(self) -> None:
        """Plug the reader in; it becomes another device, found at the same link."""
        with self._lock:
            if self._ends is not None:
                return
            master, slave = os.openpty()
            tty.setraw(slave)
            os.set_blocking(master, False)
            # Our own slave end stays open: without it, a driver that closes the port would hang up the reader.
            self._ends = master, slave
            self.port.unlink(missing_ok=True)
            self.port.symlink_to(os.ttyname(slave))

    def unplug(self) -> None:
        """Pull the reader's plug."""
        with self._lock:
            ends, self._ends = self._ends, None
            self.port.unlink(missing_ok=True)
            for end in ends or ():
                os.close(end)

    def close(self) -> None:
        """Put the reader away; may be called twice."""
        self._closing.set()
        self._thread.join()
        self.unplug()

    def _keep_sending(self) -> None:
        while not self._closing.wait(self._repeat):
            for tag in self.placed:
                self.scan_once(tag)


def line_of(tag: str) -> bytes:
    """The line that a sketch prints for a tag: its bytes in hexadecimal; a text that is no id as it stands."""
    try:
        text = bytes.fromhex(tag).hex(" ").upper()
    except ValueError:
        text = tag
    return text.encode() + b"\r\n"
