"""The machine as a whole: power, heat, memory, clock, Python and packages, other tables, and the pages' port."""

from __future__ import annotations

import importlib.metadata
import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime

from companion.cli.doctor.findings import Case, Finding, Grade
from companion.cli.doctor.panel import numbers

LEAST_PYTHON = (3, 11)
FIRST_YEAR = 2024
LOW_KILOBYTES = 60_000
HOT_MILLIDEGREES = 80_000
UNDER_VOLTAGE, THROTTLED, TOO_HOT = 0x1, 0x4, 0x8
SINCE_START = 16
LISTENING = "0A"
PACKAGE = "table-companion"
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)\s*>=\s*([0-9.]+)")


def power(case: Case) -> Iterator[Finding]:
    """Under-voltage, which spoils cards and panels."""
    said = case.machine.run(("vcgencmd", "get_throttled"))
    if said is None or "=" not in said.text:
        yield Finding("power", Grade.OK, "how good the power is cannot be told here (no vcgencmd)")
        return
    bits = int(said.text.partition("=")[2].split()[0], 16)
    mend = "the power supply made for this Pi, and a short cable"
    if bits & UNDER_VOLTAGE:
        told = "the power is too weak: the machine may stop at any moment, and the card may be spoiled"
        yield Finding("power", Grade.PROBLEM, told, mend)
    elif bits >> SINCE_START & UNDER_VOLTAGE:
        told = "the power was too weak at times since the start: the card may be spoiled"
        yield Finding("power", Grade.WARNING, told, mend)
    elif bits & (THROTTLED | TOO_HOT):
        yield Finding("power", Grade.WARNING, "the processor is slowed down, so pages are slow", "let it cool down")
    else:
        yield Finding("power", Grade.OK, "the power is good")


def temperature(case: Case) -> Iterator[Finding]:
    """Heat."""
    told = case.machine.text("/sys/class/thermal/thermal_zone0/temp")
    if told is None:
        return
    degrees = int(told) // 1000
    if int(told) > HOT_MILLIDEGREES:
        yield Finding("temperature", Grade.WARNING, f"{degrees} degrees: it slows down", "give it air, or a heat sink")
    else:
        yield Finding("temperature", Grade.OK, f"{degrees} degrees")


def memory(case: Case) -> Iterator[Finding]:
    """Memory that is left."""
    found = re.search(r"MemAvailable:\s*(\d+)", case.machine.text("/proc/meminfo") or "")
    if found is None:
        return
    free = int(found[1])
    if free < LOW_KILOBYTES and not case.machine.companions():
        told = f"only {free // 1000} MB of memory are free: the table may be ended by the system"
        yield Finding("memory", Grade.WARNING, told, "'ps -eo rss,pid,comm --sort -rss | head' names what to close")
    else:
        yield Finding("memory", Grade.OK, f"{free // 1000} MB of memory are free")


def clock(case: Case) -> Iterator[Finding]:
    """The date, which no game depends on; only the history shows it."""
    year = datetime.fromtimestamp(case.machine.now(), UTC).year
    if year < FIRST_YEAR:
        told = f"the clock says {year}: games play on, but the history shows wrong dates"
        yield Finding(
            "clock", Grade.WARNING, told, "sudo timedatectl set-ntp true, or by hand: sudo date -s '2026-11-30 20:00'"
        )
        return
    told_sync = case.machine.run(("timedatectl", "show", "-p", "NTPSynchronized", "--value"))
    synchronised = told_sync is not None and told_sync.text.strip() == "yes"
    source = "set by the network" if synchronised else "not set by the network"
    kept = "kept" if case.machine.names("/sys/class/rtc", "rtc*") else "not kept"
    told = f"the date is plausible, {source}, {kept} while the machine is off; no game depends on it"
    yield Finding("clock", Grade.OK, told)


def python(case: Case) -> Iterator[Finding]:
    """Python's version."""
    version = ".".join(map(str, case.machine.python))
    if case.machine.python < LEAST_PYTHON:
        told = f"Python {version} is too old: the companion needs 3.11"
        yield Finding(
            "python", Grade.PROBLEM, told, "Raspberry Pi OS Bookworm or newer: https://www.raspberrypi.com/software/"
        )
    else:
        yield Finding("python", Grade.OK, f"Python {version}")


def packages(case: Case) -> Iterator[Finding]:
    """The packages that the companion is made for."""
    faults = []
    for name, least in requirements():
        version = case.machine.version(name)
        if version is None:
            faults.append(f"{name} is missing")
        elif numbers(version) < numbers(least):
            faults.append(f"{name} {version} is older than {least}")
    if faults:
        mend = f"pip install --upgrade {PACKAGE} in the companion's environment, or run the installer again"
        yield Finding("packages", Grade.PROBLEM, f"{'; '.join(faults)}: the companion may not start", mend)
    else:
        yield Finding("packages", Grade.OK, f"companion {case.machine.version(PACKAGE)} with all that it needs")


def requirements() -> tuple[tuple[str, str], ...]:
    """What the companion needs at least, by name; what only some tables need is left to their checks."""
    told = importlib.metadata.requires(PACKAGE) or []
    found = (_REQUIREMENT.match(line) for line in told if "extra ==" not in line)
    return tuple((match[1], match[2]) for match in found if match)


def service(case: Case) -> Iterator[Finding]:
    """Whether a table runs already, or tried to and failed."""
    running = case.machine.companions()
    state = case.machine.run(("systemctl", "is-active", "companion.service"))
    if len(running) > 1:
        pids = ", ".join(str(process.pid) for process in running)
        told = f"{len(running)} tables run (pids {pids}); each needs a port, a state folder and devices of its own"
        yield Finding("companion", Grade.WARNING, told, f"end what nobody needs: sudo kill {running[-1].pid}")
    elif running:
        yield Finding("companion", Grade.OK, f"the table runs (pid {running[0].pid})")
    elif state is not None and state.text.strip() == "failed":
        told = "the table's service has failed"
        yield Finding(
            "companion",
            Grade.PROBLEM,
            told,
            "sudo journalctl -u companion -n 20 says why; sudo systemctl restart companion",
        )
    else:
        yield Finding("companion", Grade.OK, "no table runs now")


def port(case: Case) -> Iterator[Finding]:
    """Who has the port of the pages."""
    number, machine = case.settings.web.port, case.machine
    inodes = _listeners(case, number)
    if not inodes:
        yield Finding("port", Grade.OK, f"port {number} is free")
        return
    own = {process.pid for process in machine.companions()}
    holders = _socket_holders(case, inodes)
    if own & holders.keys() or (own and not holders):
        yield Finding("port", Grade.OK, f"the table's pages are on port {number}")
        return
    who = ", ".join(f"{name} (pid {pid})" for pid, name in holders.items()) or "a program that only root can see"
    told = f"port {number} is taken by {who}: the table does not start"
    mend = f"sudo kill {' '.join(map(str, holders))}" if holders else f"sudo ss -ltnp 'sport = :{number}' names it"
    yield Finding("port", Grade.PROBLEM, told, f"{mend}, or another port in the table [web] of the settings")


def _listeners(case: Case, number: int) -> frozenset[str]:
    """The inodes of the sockets that listen on a port."""
    inodes = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        for line in (case.machine.text(table) or "").splitlines()[1:]:
            cells = line.split()
            if len(cells) > 9 and cells[3] == LISTENING and int(cells[1].rpartition(":")[2], 16) == number:
                inodes.add(cells[9])
    return frozenset(inodes)


def _socket_holders(case: Case, inodes: frozenset[str]) -> dict[int, str]:
    wanted = {f"socket:[{inode}]" for inode in inodes}
    return {process.pid: process.name for process in case.machine.processes() if wanted & set(_open(case, process.pid))}


def _open(case: Case, pid: int) -> Iterator[str]:
    folder = case.machine.at(f"/proc/{pid}/fd")
    try:
        for descriptor in folder.iterdir():
            yield os.readlink(descriptor)  # noqa: PTH115 - "socket:[1]" is no path
    except OSError:
        return
