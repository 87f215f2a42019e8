"""A Raspberry Pi made of files: healthy as it stands, with a way to break each part of it."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from companion.cli.doctor import examine
from companion.cli.doctor.findings import Finding, Grade
from companion.cli.doctor.machine import Machine, Output, Owner
from companion.ports import PANEL_MODELS
from companion.table.journal import Journal

SETTINGS = """
[table]
state = "{state}"
[panel]
model = "auto"
[buttons]
[[readers]]
name = "tags"
port = "/dev/serial/by-id/usb-1a86-if00"
"""

FILES = {
    "/proc/device-tree/model": "Raspberry Pi Zero 2 W Rev 1.0\0",
    "/proc/meminfo": "MemTotal: 440000 kB\nMemAvailable:   250000 kB\n",
    "/proc/mounts": "/dev/mmcblk0p2 / ext4 rw 0 0\n",
    "/proc/net/tcp": "  sl  local_address rem_address st tx rx tr tm retr uid timeout inode\n",
    "/boot/firmware/config.txt": "# a Pi\ndtparam=i2c_arm=on,audio=on\ndtparam=spi=on\n[all]\ndtoverlay=spi0-0cs\n",
    "/boot/firmware/cmdline.txt": "console=tty1 root=PARTUUID=1-02 rootwait",
    "/etc/passwd": "root:x:0:0::/root:/bin/sh\nana:x:1000:1000::/home/ana:/bin/bash\n",
    "/etc/group": "spi:x:1:ana\ni2c:x:2:ana\ngpio:x:3:ana\ndialout:x:4:ana\nana:x:1000:\n",
    "/etc/udev/rules.d/61-table-companion.rules": "",
    "/sys/class/thermal/thermal_zone0/temp": "45000\n",
    "/sys/bus/gpio/devices/gpiochip0/of_node/compatible": "brcm,bcm2835-gpio\0",
    "/dev/spidev0.0": "",
    "/dev/i2c-1": "",
    "/dev/gpiochip0": "",
    "/dev/ttyUSB0": "",
}
GROUPS = {"spidev0.0": "spi", "i2c-1": "i2c", "gpiochip0": "gpio", "ttyUSB0": "dialout", "usb-1a86-if00": "dialout"}


def space(**changed: int) -> Any:
    told = {"f_bavail": 1_000_000, "f_frsize": 4096, "f_files": 100_000, "f_favail": 90_000, "f_flag": 0, **changed}
    return lambda _path: SimpleNamespace(**told)


@dataclass
class Pi:
    """The machine below ``root``; ``programs`` are what runs can answer, ``changed`` replaces parts of the machine."""

    root: Path
    programs: dict[str, str] = field(default_factory=lambda: {"vcgencmd": "throttled=0x0", "timedatectl": "yes\n"})
    owners: dict[str, Owner] = field(default_factory=dict)
    changed: dict[str, Any] = field(default_factory=dict)
    settings: str = SETTINGS

    def __post_init__(self) -> None:
        for path, text in FILES.items():
            self.write(path, text)
        self.link("/dev/serial/by-id/usb-1a86-if00", "../../ttyUSB0")
        self.state.mkdir(parents=True)
        self.at(tempfile.gettempdir()).mkdir(parents=True, exist_ok=True)
        Journal(self.state / "journal.sqlite3").close()

    @property
    def state(self) -> Path:
        return self.root / "var/lib/companion"

    def at(self, path: str) -> Path:
        return self.root / path.lstrip("/")

    def write(self, path: str, text: str) -> None:
        self.at(path).parent.mkdir(parents=True, exist_ok=True)
        self.at(path).write_text(text)

    def remove(self, path: str) -> None:
        self.at(path).unlink()

    def link(self, path: str, target: str) -> None:
        self.at(path).parent.mkdir(parents=True, exist_ok=True)
        self.at(path).symlink_to(target)

    def edit(self, path: str, old: str, new: str) -> None:
        text = self.at(path).read_text()
        assert old in text
        self.write(path, text.replace(old, new))

    def process(self, pid: int, *words: str, opens: Sequence[str] = ()) -> None:
        self.write(f"/proc/{pid}/comm", Path(words[0]).name[:15] + "\n")
        self.write(f"/proc/{pid}/cmdline", "\0".join(words) + "\0")
        for number, path in enumerate(opens):
            self.link(f"/proc/{pid}/fd/{number}", path)

    def machine(self) -> Machine:
        plain = Machine(
            root=self.root,
            run=self._run,
            user="ana",
            groups=frozenset({"ana", "spi", "i2c", "gpio", "dialout"}),
            now=lambda: 1_790_000_000.0,
            owner=self._owner,
            space=space(),
            version=lambda name: {"inky": "2.6.0", "pillow": "12.3.0"}.get(name, "99.0"),
            has_module=lambda name: True,
            identify=lambda: PANEL_MODELS["impression-7.3"],
            usb=tuple,
            python=(3, 13),
            environment=lambda name: None,
        )
        return replace(plain, **self.changed)

    def doctor(self) -> tuple[Finding, ...]:
        config = self.root / "companion.toml"
        config.write_text(self.settings.format(state="/var/lib/companion"))
        return examine(self.machine(), config)

    def bad(self) -> list[Finding]:
        return [found for found in self.doctor() if found.grade in (Grade.WARNING, Grade.PROBLEM)]

    def _run(self, words: Sequence[str]) -> Output | None:
        text = self.programs.get(words[0])
        return None if text is None else Output(0, text)

    def _owner(self, path: Path) -> Owner:
        found = self.owners.get(path.name)
        if found is not None:
            return found
        group = GROUPS.get(path.name)
        return Owner("root", group, 0o660) if group else Owner("ana", "ana", 0o755)
