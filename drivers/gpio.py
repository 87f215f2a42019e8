"""The pin library for buttons, lights and buzzers: lgpio, and no falling back to one that finds no edges."""

from __future__ import annotations

from typing import Any


def lgpio_factory(chip: int | None = None) -> Any:
    """gpiozero's pin factory on lgpio; ``chip`` is the gpiochip's number where gpiozero's own choice is wrong.

    Raises ImportError where lgpio is not installed, and lgpio's own errors where there are no pins to be had.
    """
    from gpiozero.pins.lgpio import LGPIOFactory

    return LGPIOFactory(chip=chip)


def explain(failure: Exception) -> str:
    """What to do about pins that cannot be had, as the second half of a sentence."""
    if isinstance(failure, ImportError):
        return "lgpio is not installed; run sudo apt install python3-lgpio"
    if type(failure).__name__ == "GPIOPinInUse":
        return f"another part of the companion uses a pin ({failure}); correct the pins in the settings"
    return f"the pins cannot be had ({failure}); check that this is a Raspberry Pi and the user is in the group gpio"
