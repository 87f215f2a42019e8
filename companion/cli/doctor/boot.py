"""A Raspberry Pi's boot configuration and what comes of it: SPI, I2C, chip select, the serial port of the header."""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.cli.doctor.findings import Case, Finding, Grade
from companion.cli.doctor.machine import Machine
from companion.settings import Settings

CONFIGS = ("/boot/firmware/config.txt", "/boot/config.txt")
COMMAND_LINES = ("/boot/firmware/cmdline.txt", "/boot/cmdline.txt")
HEADER_PORTS = ("serial0", "ttyS0", "ttyAMA0")
DEBUG_PORT = "ttyAMA10"
"""The little connector between the HDMI sockets of a Pi 5."""
RESTART = "sudo reboot"
ON_PINS = re.compile(r"/dev/(serial\d|ttyS\d+|ttyAMA\d+)")
"""A port on the pins of the header, and no USB one."""


def config_path(machine: Machine) -> str:
    """Where the boot configuration is."""
    return next((path for path in CONFIGS if machine.exists(path)), CONFIGS[0])


def config_lines(machine: Machine) -> tuple[str, ...]:
    """The lines of the boot configuration that count, without comments and blanks."""
    lines = (
        line.split("#")[0].strip().replace(" ", "") for line in (machine.text(config_path(machine)) or "").split("\n")
    )
    return tuple(filter(None, lines))


def is_on(machine: Machine, *parameters: str) -> bool:
    """Whether a ``dtparam`` is switched on; the last line that says anything counts."""
    on = False
    for line in config_lines(machine):
        if line.startswith("dtparam="):
            for part in line.removeprefix("dtparam=").split(","):
                name, _, value = part.partition("=")
                on = value in ("", "on", "1", "true", "yes") if name in parameters else on
    return on


def has_overlay(machine: Machine, name: str) -> bool:
    """Whether a ``dtoverlay`` is loaded."""
    overlays = (line.removeprefix("dtoverlay=") for line in config_lines(machine) if line.startswith("dtoverlay="))
    return any(overlay.split(",")[0] == name for overlay in overlays)


def spi(case: Case) -> Iterator[Finding]:
    """The panel's bus."""
    machine = case.machine
    if not case.wants_panel:
        return
    if machine.names("/dev", "spidev0.*"):
        yield Finding("spi", Grade.OK, "SPI is on")
    elif is_on(machine, "spi"):
        yield Finding("spi", case.fault, "SPI is switched on but not there yet, so the panel stays blank", RESTART)
    else:
        mend = f"sudo raspi-config nonint do_spi 0 && {RESTART}"
        yield Finding("spi", case.fault, "SPI is off, so the panel stays blank", mend)


def i2c(case: Case) -> Iterator[Finding]:
    """The bus that tells which panel it is."""
    machine = case.machine
    if not case.wants_panel:
        return
    if machine.exists("/dev/i2c-1"):
        yield Finding("i2c", Grade.OK, "I2C is on")
    elif is_on(machine, "i2c_arm", "i2c"):
        told = "I2C is switched on but not there yet, so the panel cannot say what it is"
        yield Finding("i2c", case.fault, told, f"sudo modprobe i2c-dev, else {RESTART}")
    else:
        mend = f"sudo raspi-config nonint do_i2c 0 && {RESTART}"
        yield Finding("i2c", case.fault, "I2C is off, so the panel cannot say what it is", mend)


def chip_select(case: Case) -> Iterator[Finding]:
    """Pin 8 (CE0), which the panel's library drives itself and the kernel keeps unless it is told not to (inky#202)."""
    machine = case.machine
    if not case.wants_panel:
        return
    if not has_overlay(machine, "spi0-0cs"):
        told = (
            "the kernel keeps the chip select pins CE0 and CE1, so the panel cannot be driven "
            "(without them no other SPI device can be used beside it)"
        )
        mend = f"echo dtoverlay=spi0-0cs | sudo tee -a {config_path(machine)} && {RESTART}"
        yield Finding("chip-select", case.fault, told, mend)
    elif machine.exists("/dev/spidev0.1"):
        told = "the kernel still keeps the chip select pins, until the next start: the panel cannot be driven"
        yield Finding("chip-select", case.fault, told, RESTART)
    else:
        yield Finding("chip-select", Grade.OK, "the chip select pin is the panel's (dtoverlay=spi0-0cs)")


def header_reader(settings: Settings) -> str | None:
    """The port of the reader on pins 14 and 15, None where none is there."""
    ports = (reader.port for reader in settings.readers)
    return next((port for port in ports if ON_PINS.fullmatch(port)), None)


def serial_console(case: Case) -> Iterator[Finding]:
    """Linux's own text on the pins that a reader uses (libnfc#742)."""
    port = header_reader(case.settings)
    if port is None:
        return
    machine = case.machine
    line = next((text for path in COMMAND_LINES if (text := machine.text(path))), "")
    consoles = [
        word for word in line.split() if word.startswith("console=") and _is_header(word.removeprefix("console="))
    ]
    getty = [process for process in machine.running("agetty", "getty") if any(map(_is_header, process.words))]
    if consoles:
        told = f"Linux prints its console on the reader's pins ({consoles[0]}), so tags are misread"
        yield Finding("serial-console", Grade.PROBLEM, told, f"sudo raspi-config nonint do_serial_cons 1 && {RESTART}")
    if getty:
        tty = next(word for word in getty[0].words if _is_header(word))
        told = f"a login waits on the reader's pins ({getty[0].name}, pid {getty[0].pid}) and takes bytes away"
        mend = f"sudo systemctl disable --now serial-getty@{tty.split(',')[0]}.service"
        yield Finding("serial-console", Grade.PROBLEM, told, mend)
    if not consoles and not getty:
        yield Finding("serial-console", Grade.OK, "no console on the reader's pins")


def _is_header(word: str) -> bool:
    return word.removeprefix("/dev/").split(",")[0] in HEADER_PORTS


def header_uart(case: Case) -> Iterator[Finding]:
    """Which of the Pi's serial ports is on pins 14 and 15 (raspberrypi/linux#2932)."""
    port = header_reader(case.settings)
    if port is None:
        return
    machine = case.machine
    if not machine.exists("/dev/serial0") and not machine.exists(port):
        told = f"the serial port of the pins is off, so the reader at {port} is not heard"
        yield Finding("uart", Grade.PROBLEM, told, f"sudo raspi-config nonint do_serial_hw 0 && {RESTART}")
        return
    real = machine.at("/dev/serial0")
    target = real.readlink().name if real.is_symlink() else ""
    if port == "/dev/serial0" and target == DEBUG_PORT:
        told = "on this Pi serial0 is the debug connector, not pins 14 and 15, so the reader is not heard"
        mend = f'echo dtparam=uart0=on | sudo tee -a {config_path(machine)}, port = "/dev/ttyAMA0", {RESTART}'
        yield Finding("uart", Grade.PROBLEM, told, mend)
    elif "ttyS0" in (target, port.removeprefix("/dev/")):
        told = "Bluetooth has the good serial port; the reader's follows the clock of the processor and may misread"
        mend = f"echo dtoverlay=disable-bt | sudo tee -a {config_path(machine)} && {RESTART}"
        yield Finding("uart", Grade.WARNING, told, mend)
    else:
        yield Finding("uart", Grade.OK, f"the reader's pins are {target or port}")
