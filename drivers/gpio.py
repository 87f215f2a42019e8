"""The pin library for buttons, lights and buzzers: lgpio, and no falling back to one that finds no edges."""

from __future__ import annotations

from typing import Any, Literal

from companion.ports import Advice


def lgpio_factory(chip: int | None = None) -> Any:
    """gpiozero's pin factory on lgpio; ``chip`` is the gpiochip's number where gpiozero's own choice is wrong.

    Raises ImportError where lgpio is not installed, and lgpio's own errors where there are no pins to be had.
    """
    from gpiozero.pins.lgpio import LGPIOFactory

    return LGPIOFactory(chip=chip)


def explain(failure: Exception, what: Literal["buttons", "signal"]) -> Advice:
    """What to do about pins that cannot be had, and what there is not because of it."""
    if isinstance(failure, ImportError):
        command = "sudo apt install python3-lgpio"
        return Advice(f"advice.{what}.no_library", {"library": "lgpio", "command": command})
    if type(failure).__name__ == "GPIOPinInUse":
        return Advice(f"advice.{what}.claimed", {"cause": str(failure)})
    return Advice(f"advice.{what}.no_pins", {"cause": str(failure), "group": "gpio"})
