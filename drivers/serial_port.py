"""Serial ports by path or by USB identity, and what to do when one cannot be opened."""

from __future__ import annotations

import errno
import getpass
import os
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from companion.ports import Advice
from drivers.port_holders import port_holders

_USB_IDENTITY = re.compile(r"^([0-9a-f]{4}):([0-9a-f]{4})(?::(.+))?$", re.I)


@dataclass(frozen=True, slots=True)
class PortSettings:
    """Where a reader is: a device path, or its USB identity as ``VENDOR:PRODUCT[:SERIAL]`` in hexadecimal."""

    port: str
    baud: int = 115200


class Wire(Protocol):
    """An open serial port, as pyserial gives it; every call may raise OSError or TypeError once it is unplugged."""

    baudrate: int
    """The speed; may be set."""

    @property
    def in_waiting(self) -> int:
        """Bytes that can be read at once."""
        ...

    def read(self, size: int, /) -> bytes:
        """Up to ``size`` bytes; fewer, or none, at the time-out."""
        ...

    def write(self, sent: bytes, /) -> int | None:
        """Send bytes."""
        ...

    def close(self) -> None:
        """Release the port."""
        ...


OpenWire = Callable[[PortSettings], Wire]


class UsbPort(Protocol):
    """What pyserial's list of ports tells of one."""

    device: str
    vid: int | None
    pid: int | None
    serial_number: str | None


def open_wire(settings: PortSettings) -> Wire:
    """Open a port for one reader alone, with a read time-out of 0.1 s. Raises OSError, ValueError for a bad baud rate.

    The path is looked up anew each time: USB devices change their number when they come back.
    """
    import serial

    return serial.Serial(resolve(settings.port), settings.baud, timeout=0.1, write_timeout=1.0, exclusive=True)


def resolve(port: str, listed: Callable[[], Iterable[UsbPort]] | None = None) -> str:
    """The device path of a port; FileNotFoundError where no USB device has that identity."""
    identity = _USB_IDENTITY.match(port)
    if identity is None:
        return port
    vendor, product, number = int(identity[1], 16), int(identity[2], 16), identity[3]
    for usb in (listed or _usb_ports)():
        if (usb.vid, usb.pid) == (vendor, product) and number in (None, usb.serial_number):
            return usb.device
    raise FileNotFoundError(errno.ENOENT, "no such USB device", port)


def device_of(port: str) -> str:
    """The device path of a port as far as it can be told; the port itself where it is not there."""
    try:
        return resolve(port)
    except OSError:
        return port


def _usb_ports() -> Iterable[UsbPort]:
    from serial.tools.list_ports import comports

    return comports()


def advise(settings: PortSettings, failure: Exception) -> Advice:
    """Why a port could not be opened and what to do."""
    port = settings.port
    match getattr(failure, "errno", None):
        case errno.ENOENT | errno.ENXIO | errno.ENODEV:
            return _missing(port)
        case errno.EACCES | errno.EPERM:
            return _forbidden(port)
        case errno.EBUSY | errno.EAGAIN:
            return _busy(port)
        case _ if isinstance(failure, ValueError) and "baud" in str(failure).lower():
            return Advice("advice.port.baud", {"port": port, "baud": settings.baud})
        case _:
            return Advice("advice.port.unusable", {"port": port, "cause": str(failure)})


def advise_lost(port: str) -> Advice:
    """Why a port that was open can be read no more: it is gone, or another program reads from it too."""
    others = port_holders(device_of(port), but=os.getpid())
    if others:
        return Advice("advice.port.shared", {"port": port, "programs": ", ".join(others)})
    return Advice("advice.reader.gone", {"port": port})


def _missing(port: str) -> Advice:
    with suppress(OSError, ImportError):
        usb = [_identity(each) for each in _usb_ports() if each.vid is not None]
        if usb:
            return Advice("advice.port.elsewhere", {"port": port, "plugged": ", ".join(sorted(usb))})
    return Advice("advice.port.missing", {"port": port})


def _identity(usb: UsbPort) -> str:
    number = f":{usb.serial_number}" if usb.serial_number else ""
    return f"{usb.vid:04x}:{usb.pid:04x}{number}"


def _busy(port: str) -> Advice:
    device = device_of(port)
    holders = port_holders(device)
    if holders:
        return Advice("advice.port.held", {"port": port, "programs": ", ".join(holders)})
    return Advice("advice.port.busy", {"port": port, "command": f"sudo fuser -v {device}"})


def _forbidden(port: str) -> Advice:
    with suppress(OSError, KeyError, ImportError):
        device = Path(device_of(port))
        group, shared = device.group(), device.stat().st_mode & 0o060 == 0o060
        if group != "root" and shared:
            command = f"sudo usermod -aG {group} {getpass.getuser()}"
            return Advice("advice.port.group", {"port": port, "group": group, "command": command})
    return Advice("advice.port.forbidden", {"port": port})
