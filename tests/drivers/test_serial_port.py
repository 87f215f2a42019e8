"""Ports by path and by USB identity, and advice on those that do not open."""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass
from pathlib import Path

import pytest

import drivers.serial_port
from drivers.serial_port import PortSettings, advise, open_wire, resolve
from tests.wording import worded


@dataclass
class Usb:
    device: str
    vid: int | None
    pid: int | None
    serial_number: str | None = None


PLUGGED = [
    Usb("/dev/ttyS0", None, None),
    Usb("/dev/ttyUSB0", 0x1A86, 0x7523),
    Usb("/dev/ttyACM0", 0x2341, 0x0043, "AB12"),
    Usb("/dev/ttyACM1", 0x2341, 0x0043, "CD34"),
]


@pytest.mark.parametrize(
    ("port", "device"),
    [
        ("/dev/serial/by-id/usb-1a86-if00", "/dev/serial/by-id/usb-1a86-if00"),
        ("1a86:7523", "/dev/ttyUSB0"),
        ("1A86:7523", "/dev/ttyUSB0"),
        ("2341:0043", "/dev/ttyACM0"),
        ("2341:0043:CD34", "/dev/ttyACM1"),
    ],
)
def test_a_port_is_a_path_or_a_usb_identity(port: str, device: str) -> None:
    assert resolve(port, lambda: PLUGGED) == device


@pytest.mark.parametrize("port", ["1a86:7524", "2341:0043:XX"])
def test_a_usb_identity_that_is_not_plugged_in_is_a_missing_device(port: str) -> None:
    with pytest.raises(FileNotFoundError) as raised:
        resolve(port, lambda: PLUGGED)
    assert "plug it in" in worded(advise(PortSettings(port), raised.value))


def test_a_device_that_comes_back_under_another_number_is_found_there(monkeypatch: pytest.MonkeyPatch) -> None:
    plugged = [Usb("/dev/ttyUSB0", 0x1A86, 0x7523)]
    monkeypatch.setattr(drivers.serial_port, "_usb_ports", lambda: plugged)
    assert resolve("1a86:7523") == "/dev/ttyUSB0"
    plugged[0] = Usb("/dev/ttyUSB1", 0x1A86, 0x7523)
    assert resolve("1a86:7523") == "/dev/ttyUSB1"


def test_a_forbidden_port_names_the_group_that_owns_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "group", lambda _: "plugdev")
    tmp_path.chmod(0o660)
    told = worded(advise(PortSettings(str(tmp_path)), OSError(errno.EACCES, "no")))
    assert "sudo usermod -aG plugdev " in told


def test_a_missing_file_and_a_file_that_is_no_port_are_told_apart(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.touch()
    for path, expected in ((tmp_path / "missing", "plug it in"), (plain, "check that it is a serial port")):
        settings = PortSettings(str(path))
        with pytest.raises(OSError) as raised:
            open_wire(settings)
        assert expected in worded(advise(settings, raised.value))


@pytest.mark.parametrize(
    ("port", "baud", "expected"),
    [("/dev/null\0", 9600, "embedded null"), ("/dev/null", -1, "correct the reader's baud")],
)
def test_only_a_wrong_baud_rate_is_told_to_be_corrected(port: str, baud: int, expected: str) -> None:
    settings = PortSettings(port, baud)
    with pytest.raises(ValueError) as raised:
        open_wire(settings)
    told = worded(advise(settings, raised.value))
    assert expected in told
    assert ("correct the reader's baud" in told) is (baud < 0)


def test_a_port_that_is_open_already_is_in_use() -> None:
    master, slave = os.openpty()
    settings = PortSettings(os.ttyname(slave))
    first = open_wire(settings)
    with pytest.raises(OSError) as raised:
        open_wire(settings)
    told = worded(advise(settings, raised.value))
    assert f"(pid {os.getpid()})" in told
    assert "in use by" in told
    first.close()
    for end in (master, slave):
        os.close(end)
