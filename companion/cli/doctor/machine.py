"""The machine that the doctor looks at: its files below a root, its programs, its user; all of it can be a stand-in."""

from __future__ import annotations

import getpass
import grp
import importlib.metadata
import importlib.util
import os
import pwd
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from stat import S_IMODE

from companion.ports import PanelModel
from drivers.inky_models import identify
from drivers.serial_port import UsbPort

PROGRAM_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Output:
    """What a program printed, and its exit status."""

    status: int
    text: str


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose a file is, and its permission bits."""

    user: str
    group: str
    mode: int


@dataclass(frozen=True, slots=True)
class Process:
    """A running program: ``name`` as the kernel knows it, and its command line where that may be read."""

    pid: int
    name: str
    words: tuple[str, ...] = ()


def run_program(words: Sequence[str]) -> Output | None:
    """Run a program for at most five seconds; None where there is none of that name, or it does not end."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=PROGRAM_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return Output(done.returncode, done.stdout + done.stderr)


def owner_of(path: Path) -> Owner:
    """Whose a file is. Raises OSError."""
    found = path.stat()
    user, group = str(found.st_uid), str(found.st_gid)
    with suppress(KeyError):
        user = pwd.getpwuid(found.st_uid).pw_name
    with suppress(KeyError):
        group = grp.getgrgid(found.st_gid).gr_name
    return Owner(user, group, S_IMODE(found.st_mode))


def version_of(package: str) -> str | None:
    """The version of an installed package, None where it is not installed."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def has_module(name: str) -> bool:
    """Whether a module can be imported."""
    return importlib.util.find_spec(name) is not None


def usb_ports() -> Iterable[UsbPort]:
    """The serial ports of the machine."""
    from serial.tools.list_ports import comports

    return comports()


def own_groups() -> frozenset[str]:
    """The groups that this process acts in."""
    names = set()
    for number in {*os.getgroups(), os.getegid()}:
        with suppress(KeyError):
            names.add(grp.getgrgid(number).gr_name)
    return frozenset(names)


@dataclass(frozen=True, slots=True)
class Machine:
    """``root`` is where the file tree begins; everything else asks the system, unless it is told otherwise."""

    root: Path = Path("/")
    run: Callable[[Sequence[str]], Output | None] = run_program
    user: str = field(default_factory=getpass.getuser)
    groups: frozenset[str] = field(default_factory=own_groups)
    now: Callable[[], float] = time.time
    owner: Callable[[Path], Owner] = owner_of
    space: Callable[[Path], os.statvfs_result] = os.statvfs
    version: Callable[[str], str | None] = version_of
    has_module: Callable[[str], bool] = has_module
    identify: Callable[[], PanelModel] = identify
    usb: Callable[[], Iterable[UsbPort]] = usb_ports
    python: tuple[int, int] = sys.version_info[:2]
    environment: Callable[[str], str | None] = os.environ.get

    def at(self, path: str | Path) -> Path:
        """A path of the machine, below its root."""
        return self.root / str(path).lstrip("/")

    def exists(self, path: str | Path) -> bool:
        """Whether something is there."""
        return self.at(path).exists()

    def text(self, path: str | Path) -> str | None:
        """A file's text, None where there is none. Raises PermissionError."""
        try:
            return self.at(path).read_text("utf-8", "replace").rstrip("\0")
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return None

    def names(self, folder: str, pattern: str = "*") -> tuple[str, ...]:
        """The paths in a folder, as the machine names them."""
        return tuple(f"/{path.relative_to(self.root)}" for path in sorted(self.at(folder).glob(pattern)))

    @property
    def model(self) -> str | None:
        """Which Raspberry Pi this is, None for another machine."""
        told = self.text("/proc/device-tree/model") or self.text("/sys/firmware/devicetree/base/model") or ""
        return told if "Raspberry Pi" in told else None

    @property
    def sees_all(self) -> bool:
        """Whether everybody's processes may be looked into."""
        return self.user == "root"

    @property
    def player(self) -> str:
        """Who runs the companion: its own user where there is one, else who called the doctor."""
        users = {line.split(":")[0] for line in (self.text("/etc/passwd") or "").splitlines()}
        if self.sees_all:
            return "companion" if "companion" in users else self.environment("SUDO_USER") or self.user
        return self.user

    def members(self, group: str) -> tuple[str, ...] | None:
        """Who is in a group by /etc/group and /etc/passwd; None where there is no such group."""
        for name, _, number, members in _rows(self.text("/etc/group"), 4):
            if name == group:
                primary = (row[0] for row in _rows(self.text("/etc/passwd"), 4, more=True) if row[3] == number)
                return (*filter(None, members.split(",")), *primary)
        return None

    def processes(self) -> Iterator[Process]:
        """All that run."""
        for folder in self.at("/proc").glob("[0-9]*"):
            with suppress(OSError):
                name = (folder / "comm").read_text("utf-8", "replace").strip()
                words = (folder / "cmdline").read_text("utf-8", "replace").split("\0")
                yield Process(int(folder.name), name, tuple(filter(None, words)))

    def running(self, *names: str) -> tuple[Process, ...]:
        """The processes of these names."""
        return tuple(process for process in self.processes() if process.name in names)

    def companions(self) -> tuple[Process, ...]:
        """The tables that run."""
        return tuple(process for process in self.processes() if _is_table(process.words))


def _rows(text: str | None, width: int, *, more: bool = False) -> Iterator[list[str]]:
    for line in (text or "").splitlines():
        cells = line.split(":")
        if len(cells) == width or (more and len(cells) > width):
            yield cells


def _is_table(words: tuple[str, ...]) -> bool:
    """Whether a command line is a table's own, and not that of what started it (sudo, timeout, a shell)."""
    names = [Path(word).name for word in words]
    told = names[1:] if names and names[0].startswith("python") else names
    command = told[1:] if told[:1] == ["-m"] else told
    return command[:2] == ["companion", "run"]
