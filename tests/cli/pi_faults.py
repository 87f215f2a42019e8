"""What can be wrong with a Pi, one fault at a time: what breaks it, and what the doctor is to say of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from companion.cli.doctor.findings import Grade
from companion.cli.doctor.machine import Owner
from companion.ports import Advice
from drivers.inky_models import PanelMissing
from tests.cli.pis import SETTINGS, Pi, space


def no_panel(code: str, **params: Any) -> Callable[[], Any]:
    def identify() -> Any:
        raise PanelMissing(Advice(f"advice.panel.{code}", params))

    return identify


HEADER = SETTINGS.replace("/dev/serial/by-id/usb-1a86-if00", "/dev/serial0")


def with_header(pi: Pi, target: str = "ttyAMA0") -> None:
    """The reader is on the pins, which are the good serial port."""
    pi.settings = HEADER
    pi.write(f"/dev/{target}", "")
    pi.link("/dev/serial0", target)
    pi.owners["serial0"] = Owner("root", "dialout", 0o660)


# -- one fault each: what is broken, the check that finds it, words of the finding, words of what mends it
def spi_off(pi: Pi) -> None:
    pi.remove("/dev/spidev0.0")
    pi.edit("/boot/firmware/config.txt", "dtparam=spi=on", "#dtparam=spi=on")


def spi_waits(pi: Pi) -> None:
    pi.remove("/dev/spidev0.0")


def i2c_off(pi: Pi) -> None:
    pi.remove("/dev/i2c-1")
    pi.edit("/boot/firmware/config.txt", "i2c_arm=on", "i2c_arm=off")


def i2c_waits(pi: Pi) -> None:
    pi.remove("/dev/i2c-1")


def chip_select_claimed(pi: Pi) -> None:
    pi.edit("/boot/firmware/config.txt", "dtoverlay=spi0-0cs", "")


def chip_select_waits(pi: Pi) -> None:
    pi.write("/dev/spidev0.1", "")


def not_in_group(pi: Pi) -> None:
    pi.edit("/etc/group", "spi:x:1:ana", "spi:x:1:")


def plugdev_owns_the_reader(pi: Pi) -> None:
    pi.owners["usb-1a86-if00"] = Owner("root", "plugdev", 0o660)


def group_not_active(pi: Pi) -> None:
    pi.changed["groups"] = frozenset({"ana", "i2c", "gpio", "dialout"})


def nobodys_device(pi: Pi) -> None:
    pi.owners["usb-1a86-if00"] = Owner("root", "root", 0o600)


def no_udev_rule(pi: Pi) -> None:
    pi.remove("/etc/udev/rules.d/61-table-companion.rules")


def console(pi: Pi) -> None:
    with_header(pi)
    pi.edit("/boot/firmware/cmdline.txt", "console=tty1", "console=serial0,115200 console=tty1")


def getty(pi: Pi) -> None:
    with_header(pi)
    pi.process(612, "/sbin/agetty", "-o", "-p", "115200", "ttyAMA0", "vt220")


def mini_uart(pi: Pi) -> None:
    with_header(pi, "ttyS0")


def debug_port(pi: Pi) -> None:
    with_header(pi, "ttyAMA10")


def uart_off(pi: Pi) -> None:
    pi.settings = HEADER


def brltty(pi: Pi) -> None:
    pi.write("/usr/bin/brltty", "")


def modem_manager(pi: Pi) -> None:
    no_udev_rule(pi)
    pi.process(700, "/usr/sbin/ModemManager")


def port_held(pi: Pi) -> None:
    pi.process(4711, "minicom", opens=[str(pi.at("/dev/ttyUSB0"))])


def reader_gone(pi: Pi) -> None:
    pi.remove("/dev/ttyUSB0")
    pi.remove("/dev/serial/by-id/usb-1a86-if00")


def reader_renumbered(pi: Pi) -> None:
    pi.settings = SETTINGS.replace("/dev/serial/by-id/usb-1a86-if00", "/dev/ttyUSB1")


def reader_numbered(pi: Pi) -> None:
    pi.settings = SETTINGS.replace("/dev/serial/by-id/usb-1a86-if00", "/dev/ttyUSB0")


def wrong_speed(pi: Pi) -> None:
    pi.settings = f'{SETTINGS}protocol = "rdm6300"\nbaud = 115200\n'


def panel_silent(pi: Pi) -> None:
    pi.changed["identify"] = no_panel("no_answer")


def panel_forbidden(pi: Pi) -> None:
    pi.changed["identify"] = no_panel("bus_forbidden", group="i2c")


def panel_unknown(pi: Pi) -> None:
    pi.changed["identify"] = no_panel("unknown", variant=99, colour=1)


def other_panel(pi: Pi) -> None:
    pi.settings = SETTINGS.replace('model = "auto"', 'model = "impression-4"')


def no_inky(pi: Pi) -> None:
    pi.changed["version"] = lambda name: None if name == "inky" else "99"


def old_inky(pi: Pi) -> None:
    pi.changed["version"] = lambda name: "1.5.0" if name == "inky" else "99"


def no_lgpio(pi: Pi) -> None:
    pi.changed["has_module"] = lambda name: name != "lgpio"


def lgpio_shut_out(pi: Pi) -> None:
    pi.changed["environment"] = lambda name: "/run/nowhere" if name == "LG_WD" else None


def wrong_chip(pi: Pi) -> None:
    pi.settings = SETTINGS.replace("[buttons]", "[buttons]\nchip = 4")


def other_chip(pi: Pi) -> None:
    pi.settings = SETTINGS.replace("[buttons]", "[buttons]\nchip = 4")
    pi.write("/dev/gpiochip4", "")


def unknown_chip(pi: Pi) -> None:
    pi.remove("/sys/bus/gpio/devices/gpiochip0/of_node/compatible")


def clock_wrong(pi: Pi) -> None:
    pi.changed["now"] = lambda: 100.0


def disk_low(pi: Pi) -> None:
    pi.changed["space"] = space(f_bavail=12_000)


def disk_full(pi: Pi) -> None:
    pi.changed["space"] = space(f_bavail=12)


def no_inodes(pi: Pi) -> None:
    pi.changed["space"] = space(f_favail=0)


def read_only(pi: Pi) -> None:
    pi.changed["space"] = space(f_flag=os.ST_RDONLY)


def overlay(pi: Pi) -> None:
    pi.write("/proc/mounts", "overlayroot / overlay rw 0 0\n")


def others_folder(pi: Pi) -> None:
    pi.changed["user"] = "root"
    pi.edit("/etc/passwd", "ana:", "companion:x:99:99::/:/bin/false\nana:")
    pi.edit("/etc/group", ":ana\n", ":ana,companion\n")


def state_is_a_file(pi: Pi) -> None:
    for file in pi.state.iterdir():
        file.unlink()
    pi.state.rmdir()
    pi.state.write_text("no folder")


def journal_damaged(pi: Pi) -> None:
    journal = pi.state / "journal.sqlite3"
    content = bytearray(journal.read_bytes())
    content[600:1200] = b"\xa5" * 600
    journal.write_bytes(content)


def journal_is_no_journal(pi: Pi) -> None:
    (pi.state / "journal.sqlite3").write_bytes(b"\0" * 9000)


def journal_gone(pi: Pi) -> None:
    journal = pi.state / "journal.sqlite3"
    journal.rename(journal.with_name("journal.sqlite3.copy"))


def copy_damaged(pi: Pi) -> None:
    (pi.state / "journal.sqlite3.copy").write_bytes(b"\x1f\x8b torn")


def set_aside(pi: Pi) -> None:
    (pi.state / "journal.sqlite3.broken-1").write_bytes(b"")


def two_tables(pi: Pi) -> None:
    pi.process(900, "python3", "/usr/bin/companion", "run")
    pi.process(901, "python3", "-m", "companion", "run")


def service_failed(pi: Pi) -> None:
    pi.programs["systemctl"] = "failed\n"


def port_taken(pi: Pi) -> None:
    line = "   0: 00000000:1F40 00000000:0000 0A 00000000:00000000 00:00000000 00000000 0 0 4242 1\n"
    pi.write("/proc/net/tcp", f"{pi.at('/proc/net/tcp').read_text()}{line}")
    pi.process(333, "node", opens=["socket:[4242]"])


def port_taken_by_the_unseen(pi: Pi) -> None:
    port_taken(pi)
    pi.remove("/proc/333/fd/0")


def weak_power(pi: Pi) -> None:
    pi.programs["vcgencmd"] = "throttled=0x50005\n"


def weak_power_before(pi: Pi) -> None:
    pi.programs["vcgencmd"] = "throttled=0x50000\n"


def hot(pi: Pi) -> None:
    pi.write("/sys/class/thermal/thermal_zone0/temp", "84000\n")


def throttled(pi: Pi) -> None:
    pi.programs["vcgencmd"] = "throttled=0x80008\n"


def little_memory(pi: Pi) -> None:
    pi.write("/proc/meminfo", "MemAvailable: 20000 kB\n")


def old_python(pi: Pi) -> None:
    pi.changed["python"] = (3, 9)


def old_package(pi: Pi) -> None:
    pi.changed["version"] = lambda name: {"fastapi": "0.100", "inky": "2.6"}.get(name, "99")


def missing_package(pi: Pi) -> None:
    pi.changed["version"] = lambda name: {"babel": None, "inky": "2.6"}.get(name, "99")


def bad_settings(pi: Pi) -> None:
    pi.settings = "[web]\nport = 'eight'\n"


FAULTS: list[tuple[Callable[[Pi], None], Grade, str, str, str]] = [
    (spi_off, Grade.PROBLEM, "spi", "SPI is off", "sudo raspi-config nonint do_spi 0"),
    (spi_waits, Grade.PROBLEM, "spi", "not there yet", "sudo reboot"),
    (i2c_off, Grade.PROBLEM, "i2c", "I2C is off", "sudo raspi-config nonint do_i2c 0"),
    (i2c_waits, Grade.PROBLEM, "i2c", "not there yet", "modprobe i2c-dev"),
    (chip_select_claimed, Grade.PROBLEM, "chip-select", "CE0", "dtoverlay=spi0-0cs | sudo tee -a /boot/firmware"),
    (chip_select_waits, Grade.PROBLEM, "chip-select", "until the next start", "sudo reboot"),
    (not_in_group, Grade.PROBLEM, "groups", "ana is not in the group spi", "sudo usermod -aG spi ana"),
    (plugdev_owns_the_reader, Grade.PROBLEM, "groups", "group plugdev", "sudo usermod -aG plugdev ana"),
    (group_not_active, Grade.PROBLEM, "groups", "not in this session yet", "log out and in again"),
    (nobodys_device, Grade.PROBLEM, "groups", "root:root alone", "udevadm trigger"),
    (no_udev_rule, Grade.WARNING, "udev", "rule is missing", "sudo cp deploy/61-table-companion.rules"),
    (console, Grade.PROBLEM, "serial-console", "serial0,115200", "do_serial_cons 1"),
    (getty, Grade.PROBLEM, "serial-console", "pid 612", "serial-getty@ttyAMA0.service"),
    (mini_uart, Grade.WARNING, "uart", "Bluetooth", "dtoverlay=disable-bt"),
    (debug_port, Grade.PROBLEM, "uart", "debug connector", "dtparam=uart0=on"),
    (uart_off, Grade.PROBLEM, "uart", "is off", "do_serial_hw 0"),
    (brltty, Grade.PROBLEM, "brltty", "CH340", "sudo apt remove brltty"),
    (modem_manager, Grade.PROBLEM, "modemmanager", "confuses readers", "disable --now ModemManager"),
    (port_held, Grade.PROBLEM, "port-holder", "minicom (pid 4711)", "sudo kill 4711"),
    (reader_gone, Grade.PROBLEM, "reader", "no serial device is plugged in", "plug it in"),
    (reader_renumbered, Grade.PROBLEM, "reader", "elsewhere", 'port = "/dev/serial/by-id/usb-1a86-if00"'),
    (reader_numbered, Grade.WARNING, "reader", "another number", 'port = "/dev/serial/by-id/usb-1a86-if00"'),
    (wrong_speed, Grade.WARNING, "baud", "speak 9600", "baud = 115200 out of"),
    (panel_silent, Grade.PROBLEM, "panel", "no panel answers", "onto all 40 pins"),
    (panel_forbidden, Grade.PROBLEM, "panel", "may not use I2C", "sudo usermod -aG i2c ana"),
    (panel_unknown, Grade.PROBLEM, "panel", "unknown", "name its model"),
    (other_panel, Grade.PROBLEM, "panel", "says it is impression-7.3", 'model = "auto"'),
    (no_inky, Grade.PROBLEM, "inky", "not installed", "pip install"),
    (old_inky, Grade.PROBLEM, "inky", "too old", "--upgrade"),
    (no_lgpio, Grade.PROBLEM, "lgpio", "missing", "sudo apt install python3-lgpio"),
    (lgpio_shut_out, Grade.PROBLEM, "lgpio", "/run/nowhere", "unset LG_WD"),
    (wrong_chip, Grade.PROBLEM, "gpiochip", "not there", "chip = 4 out of"),
    (other_chip, Grade.WARNING, "gpiochip", "is gpiochip 0", "chip = 4 out of"),
    (unknown_chip, Grade.WARNING, "gpiochip", "cannot be told", "gpiodetect"),
    (clock_wrong, Grade.WARNING, "clock", "1970", "sudo timedatectl set-ntp true"),
    (disk_low, Grade.WARNING, "disk", "only 49 MB", "sudo apt clean"),
    (disk_full, Grade.PROBLEM, "disk", "cannot save", "sudo apt clean"),
    (no_inodes, Grade.PROBLEM, "disk", "cannot save", "sudo apt clean"),
    (read_only, Grade.PROBLEM, "state", "read-only", "sudo mount -o remount,rw /"),
    (overlay, Grade.WARNING, "state", "forgotten at the next start", "disable_overlayfs"),
    (others_folder, Grade.PROBLEM, "state", "which is ana's", "sudo chown -R companion /var/lib/companion"),
    (state_is_a_file, Grade.PROBLEM, "state", "is a file", "--state FOLDER"),
    (journal_damaged, Grade.PROBLEM, "journal", "no sound copy", "sudo systemctl restart companion"),
    (journal_is_no_journal, Grade.PROBLEM, "journal", "damaged", "sudo systemctl restart companion"),
    (journal_gone, Grade.PROBLEM, "journal", "last copy", "sudo systemctl restart companion"),
    (copy_damaged, Grade.WARNING, "journal", "copy", "rm "),
    (set_aside, Grade.WARNING, "journal", "kept aside", "rm "),
    (two_tables, Grade.WARNING, "companion", "2 tables run", "sudo kill"),
    (service_failed, Grade.PROBLEM, "companion", "has failed", "sudo systemctl restart companion"),
    (port_taken, Grade.PROBLEM, "port", "node (pid 333)", "sudo kill 333"),
    (port_taken_by_the_unseen, Grade.PROBLEM, "port", "only root can see", "sudo ss -ltnp"),
    (weak_power, Grade.PROBLEM, "power", "too weak", "power supply"),
    (weak_power_before, Grade.WARNING, "power", "since the start", "power supply"),
    (hot, Grade.WARNING, "temperature", "84 degrees", "heat sink"),
    (throttled, Grade.WARNING, "power", "slowed down", "cool"),
    (little_memory, Grade.WARNING, "memory", "20 MB", "ps -eo"),
    (old_python, Grade.PROBLEM, "python", "3.9 is too old", "Bookworm"),
    (old_package, Grade.PROBLEM, "packages", "fastapi 0.100 is older", "pip install --upgrade"),
    (missing_package, Grade.PROBLEM, "packages", "babel is missing", "pip install --upgrade"),
    (bad_settings, Grade.PROBLEM, "settings", "web.port must be", "companion.example.toml"),
]
MORE = {
    "modem_manager": {"udev"},
    "uart_off": {"reader"},
    "i2c_off": set[str](),
    "state_is_a_file": set[str](),
}
"""Checks that rightly find the same fault too."""
