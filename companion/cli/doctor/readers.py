"""The readers' ports: there, renumbered, held by others, and spoken to in the right speed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.cli.doctor.access import INSTALL_RULE, has_rule
from companion.cli.doctor.boot import ON_PINS
from companion.cli.doctor.findings import Case, Finding, Grade
from companion.cli.doctor.machine import Machine
from companion.reader_settings import AUTO, LINE, MANNERS, ReaderSettings
from drivers.port_holders import port_holders
from drivers.serial_port import resolve

BY_ID = "/dev/serial/by-id"
_NUMBERED = re.compile(r"/dev/tty(USB|ACM)\d+")


def ports(case: Case) -> Iterator[Finding]:
    """Whether each reader is where the settings say."""
    for reader in case.settings.readers:
        yield from _port(case, reader)
    if case.config is not None and not case.settings.readers:
        told = "the settings name no reader; everything can be played from phones and buttons"
        yield Finding("reader", Grade.OK, told)


def _port(case: Case, reader: ReaderSettings) -> Iterator[Finding]:
    machine = case.machine
    device = _device(machine, reader.port)
    stable = _stable_name(machine, device) if device else None
    if device is None:
        yield _missing(case, reader)
    elif _NUMBERED.fullmatch(reader.port) and stable:
        told = f"{reader.name} is at {reader.port}, which gets another number when it is plugged in again"
        yield Finding("reader", Grade.WARNING, told, f'port = "{stable}" in {case.config}')
    else:
        yield Finding("reader", Grade.OK, f"{reader.name} is at {reader.port}")


def _device(machine: Machine, port: str) -> str | None:
    """The device node of a port, None where it is not there."""
    try:
        path = resolve(port, machine.usb)
    except OSError:
        return None
    return path if machine.exists(path) else None


def _stable_name(machine: Machine, device: str) -> str | None:
    """The name below /dev/serial/by-id, or the companion's own, that leads to a device."""
    for name in (*machine.names("/dev/companion", "reader-at-*"), *machine.names(BY_ID)):
        if machine.at(name).resolve() == machine.at(device).resolve():
            return name
    return None


def _missing(case: Case, reader: ReaderSettings) -> Finding:
    machine = case.machine
    told = f"{reader.name} is not at {reader.port}, so no tag is read"
    elsewhere = machine.names(BY_ID) or tuple(
        name for pattern in ("ttyUSB*", "ttyACM*") for name in machine.names("/dev", pattern)
    )
    if elsewhere:
        mend = f'port = "{elsewhere[0]}" in {case.config}' if len(elsewhere) == 1 else f"one of {', '.join(elsewhere)}"
        return Finding("reader", Grade.PROBLEM, f"{told}; what is plugged in is elsewhere", mend)
    if ON_PINS.fullmatch(reader.port):
        mend = "sudo raspi-config nonint do_serial_hw 0 && sudo reboot"
        return Finding("reader", Grade.PROBLEM, told, mend)
    mend = "plug it in, with a cable that carries data too; 'sudo dmesg | tail' says whether it is seen"
    return Finding("reader", Grade.PROBLEM, f"{told}, and no serial device is plugged in", mend)


def speeds(case: Case) -> Iterator[Finding]:
    """Whether the settings give a protocol a speed that its readers do not have."""
    for reader in case.settings.readers:
        if reader.protocol in (AUTO, LINE) or reader.baud is None:
            continue
        usual = MANNERS[reader.protocol].baud
        if reader.baud != usual:
            spoken = f"{reader.protocol} readers speak {usual}"
            told = f"{reader.name} is read at {reader.baud} baud, but {spoken}: every tag is misread"
            yield Finding("baud", Grade.WARNING, told, f"take the line baud = {reader.baud} out of {case.config}")


def holders(case: Case) -> Iterator[Finding]:
    """Which other programs have a reader's port open."""
    own = {process.pid for process in case.machine.companions()}
    for reader in case.settings.readers:
        device = _device(case.machine, reader.port)
        if device is None:
            continue
        held = port_holders(str(case.machine.at(device)), proc=case.machine.at("/proc"))
        others = [holder for holder in held if _pid(holder) not in own]
        if others:
            told = f"{device} is open in {', '.join(others)}, which takes the reader's bytes away"
            mend = f"close it: sudo kill {' '.join(str(_pid(other)) for other in others)}"
            yield Finding("port-holder", Grade.PROBLEM, told, mend)
        else:
            unseen = "" if case.machine.sees_all else " (only your own programs could be seen: sudo shows all)"
            yield Finding("port-holder", Grade.OK, f"no other program has {device} open{unseen}")


def _pid(holder: str) -> int:
    return int(holder.rpartition("pid ")[2].rstrip(")"))


def intruders(case: Case) -> Iterator[Finding]:
    """Programs that take every new serial device for their own: braille displays (arduino-ide#1788), modems."""
    if not any(not ON_PINS.fullmatch(reader.port) for reader in case.settings.readers):
        return
    machine = case.machine
    if machine.running("brltty") or any(map(machine.exists, ("/usr/bin/brltty", "/bin/brltty"))):
        told = "brltty, for braille displays, takes CH340 and CP210x readers for itself: their port vanishes"
        yield Finding("brltty", Grade.PROBLEM, told, "sudo apt remove brltty, then plug the reader in again")
    if not machine.running("ModemManager"):
        return
    if has_rule(case):
        yield Finding("modemmanager", Grade.OK, "ModemManager runs, and the udev rule keeps it off the readers")
    else:
        told = "ModemManager writes to new serial ports, which confuses readers for half a minute"
        yield Finding(
            "modemmanager", Grade.PROBLEM, told, f"sudo systemctl disable --now ModemManager, or {INSTALL_RULE}"
        )
