"""The panel, its library, and the pins of the header."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from companion.cli.doctor.findings import Case, Finding, Grade
from companion.settings import AUTO_PANEL
from drivers.gpio import WORKING_FOLDER, header_chip
from drivers.inky_models import PanelMissing

LEAST_INKY = (2, 6)
LIBRARY_COMMAND = "/opt/table-companion/current/bin/pip install 'table-companion[pi]'"


def numbers(version: str) -> tuple[int, ...]:
    """The leading numbers of a version: 2.6.0rc1 is (2, 6, 0)."""
    found: list[int] = []
    for part in version.split("."):
        digits = part[: len(part) - len(part.lstrip("0123456789"))]
        if not digits:
            break
        found.append(int(digits))
    return tuple(found)


def panel(case: Case) -> Iterator[Finding]:
    """Which panel answers, and whether it is the one of the settings."""
    if not case.wants_panel:
        yield Finding("panel", Grade.OK, "the settings name no real panel; phones show everything")
        return
    try:
        found = case.machine.identify()
    except PanelMissing as missing:
        yield _no_panel(case, missing)
        return
    wanted = case.settings.panel.model
    if case.config is not None and wanted not in (AUTO_PANEL, found.name):
        told = f"the panel says it is {found.name}, the settings say {wanted}: its picture will be wrong or missing"
        yield Finding("panel", Grade.PROBLEM, told, f'model = "auto" in the table [panel] of {case.config}')
    else:
        yield Finding("panel", Grade.OK, f"the panel is {found.name}, {found.size[0]} x {found.size[1]}")


def _no_panel(case: Case, missing: PanelMissing) -> Finding:
    code, params = missing.advice.code.removeprefix("advice.panel."), missing.advice.params
    named = case.config is not None and case.settings.panel.model != AUTO_PANEL
    told, mend = {
        "no_library": ("the library inky is not installed, so no panel can be driven", LIBRARY_COMMAND),
        "bus_off": ("I2C is off, so the panel cannot be asked what it is", "sudo raspi-config nonint do_i2c 0"),
        "bus_forbidden": (
            f"{case.machine.user} may not use I2C, so the panel cannot be asked what it is",
            f"sudo usermod -aG i2c {case.machine.player}, then log in again",
        ),
        "no_answer": (
            "I2C is on, but no panel answers there",
            "power off, push the panel fully onto all 40 pins, power on; or name its model in the settings",
        ),
    }.get(code, (f"the panel says something unknown here: {dict(params)}", "name its model in the settings"))
    return Finding("panel", Grade.WARNING if named else case.fault, told, mend)


def library(case: Case) -> Iterator[Finding]:
    """The panel's library and Pillow: old ones end the program, return too early, or fail with each other."""
    if not case.wants_panel:
        return
    inky, pillow = case.machine.version("inky"), case.machine.version("pillow")
    if inky is None:
        yield Finding(
            "inky", case.fault, "the library inky is not installed, so no panel can be driven", LIBRARY_COMMAND
        )
    elif numbers(inky) < LEAST_INKY:
        told = f"inky {inky} is too old: large panels are cut off in mid-picture (inky#254)"
        yield Finding("inky", case.fault, told, f"{LIBRARY_COMMAND} --upgrade")
    elif pillow is not None and numbers(pillow) >= (13,):
        told = f"inky {inky}; with Pillow {pillow} it cannot match colours on five panels, which get them ready made"
        yield Finding("inky", Grade.OK, told)
    else:
        yield Finding("inky", Grade.OK, f"inky {inky}, Pillow {pillow}")


def pins(case: Case) -> Iterator[Finding]:
    """What buttons, light and buzzer need."""
    if not case.wants_pins:
        return
    if not case.machine.has_module("lgpio"):
        told = "lgpio is missing, so buttons, light and buzzer do not work"
        mend = "sudo apt install python3-lgpio (the companion's environment must be made with --system-site-packages)"
        yield Finding("lgpio", case.fault, told, mend)
    else:
        yield _pipe_folder(case)


def _pipe_folder(case: Case) -> Finding:
    """lgpio makes a pipe where it is told to, and fails where it may not (gpiozero#1106)."""
    given = case.machine.environment(WORKING_FOLDER)
    folder = Path(given or tempfile.gettempdir())
    if case.machine.at(folder).is_dir() and os.access(case.machine.at(folder), os.W_OK):
        return Finding("lgpio", Grade.OK, "lgpio is there, and may write its pipe")
    told = f"lgpio may not write in {folder}, so buttons, light and buzzer do not work"
    mend = f"unset {WORKING_FOLDER}" if given else f"make {folder} writable: sudo chmod 1777 {folder}"
    return Finding("lgpio", case.fault, told, mend)


def header(case: Case) -> Iterator[Finding]:
    """Which gpiochip the pin header is; kernels move it (gpiozero#1166)."""
    if not case.wants_pins:
        return
    chip, given = header_chip(case.machine.at("/sys/bus/gpio/devices")), case.settings.buttons.chip
    if given is not None and not case.machine.exists(f"/dev/gpiochip{given}"):
        told = f"the settings name gpiochip {given}, which is not there, so buttons, light and buzzer do not work"
        yield Finding("gpiochip", Grade.PROBLEM, told, f"take the line chip = {given} out of {case.config}")
    elif chip is None and given is None:
        told = "the pin header's gpiochip cannot be told; the usual one is tried"
        yield Finding("gpiochip", Grade.WARNING, told, "'gpiodetect' lists them: chip = N in the table [buttons]")
    elif given is not None and chip not in (None, given):
        told = f"the settings name gpiochip {given}, but the pin header is gpiochip {chip}: buttons may not work"
        yield Finding("gpiochip", Grade.WARNING, told, f"take the line chip = {given} out of {case.config}")
    else:
        yield Finding("gpiochip", Grade.OK, f"the pin header is gpiochip {chip if chip is not None else given}")
