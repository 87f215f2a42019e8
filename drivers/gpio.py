"""The pin library for buttons, lights and buzzers: lgpio, and no falling back to one that finds no edges."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from companion.ports import Advice

GPIO_DEVICES = Path("/sys/bus/gpio/devices")

HEADER_CHIPS = ("raspberrypi,rp1-gpio", "brcm,bcm2711-gpio", "brcm,bcm2835-gpio")
"""What the device tree calls the chip of a Raspberry Pi's pin header; newest first, the first that is there counts."""

WORKING_FOLDER = "LG_WD"


def lgpio_factory(chip: int | None = None) -> Any:
    """gpiozero's pin factory on lgpio; ``chip`` is the gpiochip's number where the pin header's is not the right one.

    Raises ImportError where lgpio is not installed, and lgpio's own errors where there are no pins to be had.
    """
    import_lgpio()
    from gpiozero.pins.lgpio import LGPIOFactory

    return LGPIOFactory(chip=header_chip() if chip is None else chip)


def header_chip(devices: Path = GPIO_DEVICES) -> int | None:
    """The N of the /dev/gpiochipN that is the pin header's; None where that cannot be told.

    Kernels keep moving it (gpiozero#1166, Adafruit_Blinka#1119): on a Pi 5 it was 4, then 0, lately beyond 10. The
    chips' labels (pinctrl-rp1 and so on) are in /sys/class/gpio only, which numbers them in another way.
    """
    found: dict[str, int] = {}
    for chip in devices.glob("gpiochip*"):
        compatible = chip / "of_node" / "compatible"
        if compatible.is_file():
            names = compatible.read_text("ascii", "replace").split("\0")
            found |= {name: int(chip.name.removeprefix("gpiochip")) for name in names}
    return next((found[name] for name in HEADER_CHIPS if name in found), None)


def import_lgpio() -> None:
    """Import lgpio where it may write, and stay in the folder where the program is.

    At its import lgpio makes a pipe in the folder LG_WD, else in the current one, which may be read-only
    (gpiozero#1106), and moves the program there. Nobody needs the pipe's name once it is open.
    """
    here = Path.cwd()
    given = os.environ.get(WORKING_FOLDER)
    with TemporaryDirectory(prefix="lgpio-") as folder:
        try:
            os.environ[WORKING_FOLDER] = given or folder
            import lgpio  # noqa: F401
        finally:
            os.chdir(here)
            if not given:
                del os.environ[WORKING_FOLDER]


class PinTaken(Exception):
    """A setting puts something on a pin that the panel needs."""

    def __init__(self, key: str, pin: int) -> None:
        super().__init__(f"{key} is on pin {pin}")
        self.key = key
        self.pin = pin


def refuse_taken(pins: Mapping[str, int], taken: frozenset[int]) -> None:
    """Raise PinTaken for the first setting, by its key, that is on a pin of ``taken``."""
    for key, pin in pins.items():
        if pin in taken:
            raise PinTaken(key, pin)


def explain(failure: Exception, what: Literal["buttons", "signal"]) -> Advice:
    """What to do about pins that cannot be had, and what there is not because of it."""
    if isinstance(failure, ImportError):
        command = "sudo apt install python3-lgpio"
        return Advice(f"advice.{what}.no_library", {"library": "lgpio", "command": command})
    if isinstance(failure, PinTaken):
        return Advice(f"advice.{what}.taken", {"key": failure.key, "pin": failure.pin})
    if type(failure).__name__ == "GPIOPinInUse":
        return Advice(f"advice.{what}.claimed", {"cause": str(failure)})
    return Advice(f"advice.{what}.no_pins", {"cause": str(failure), "group": "gpio"})
