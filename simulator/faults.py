"""Faults by name, each with its chance, decided by a seed: the same seed strikes at the same places again."""

from __future__ import annotations

import random
from collections.abc import Mapping
from enum import StrEnum


class Fault(StrEnum):
    """What goes wrong at tables. The first five are on a reader's wire; each other befalls the table between two acts.

    The wire's strike at a message, the others at an act of a script.
    """

    TORN = "torn frames"
    REPEATED = "repeated frames"
    CORRUPTED = "corrupted frames"
    GHOSTS = "ghost tags"
    TWO_TAGS = "two tags at once"
    BOUNCING = "bouncing buttons"
    STUCK = "stuck buttons"
    UNPLUGGED = "reader unplugged"
    DEAD = "panel dead"
    SLOW = "panel slow"
    FULL = "disk full"
    KILLED = "process killed"
    JUMPING = "clock jumping"
    ASLEEP = "phone asleep"


ON_THE_WIRE = (Fault.TORN, Fault.REPEATED, Fault.CORRUPTED, Fault.GHOSTS)
"""The faults that befall a message between reader and driver."""

TEAR_SECONDS = 0.03
"""The pause in a torn message that arrives all the same."""

Chunk = tuple[float, bytes]
"""Seconds to wait, and what is sent then."""


class Chances:
    """The chance of each fault, from 0 to 1; those that are not named never strike.

    May be changed while a table runs. Each fault's chance is its own, so that one more of another changes nothing.
    """

    def __init__(self, seed: int = 0, chances: Mapping[Fault, float] | None = None) -> None:
        self._seed = seed
        self._dice = {fault: random.Random(f"{seed} {fault}") for fault in Fault}
        self.of: dict[Fault, float] = dict(chances or {})

    def strikes(self, fault: Fault) -> bool:
        """Whether a fault strikes now."""
        chance = self.of.get(fault, 0.0)
        return chance > 0 and self._dice[fault].random() < chance

    def dice(self, fault: Fault) -> random.Random:
        """What decides how a fault strikes."""
        return self._dice[fault]

    @property
    def bounces(self) -> int:
        """How often a contact bounces at each end of a press."""
        return self.dice(Fault.BOUNCING).randint(5, 15) if self.strikes(Fault.BOUNCING) else 2

    def on_the_wire(self, message: bytes) -> list[Chunk]:
        """What becomes of a message between reader and driver: mostly itself, whole and at once."""
        if not message:
            return []
        if self.strikes(Fault.CORRUPTED):
            message = self._corrupted(message)
        chunks = self._torn(message) if self.strikes(Fault.TORN) else [(0.0, message)]
        if self.strikes(Fault.REPEATED):
            chunks.append((0.0, message))
        return chunks

    def ghost(self) -> str | None:
        """The id of a tag that is not there and is read all the same; None where there is none, as mostly."""
        if not self.strikes(Fault.GHOSTS):
            return None
        return f"04{self.dice(Fault.GHOSTS).randbytes(6).hex().upper()}"

    def _corrupted(self, message: bytes) -> bytes:
        dice, spoilt = self.dice(Fault.CORRUPTED), bytearray(message)
        at = dice.randrange(len(spoilt))
        if dice.random() < 0.3:
            del spoilt[at]
        else:
            spoilt[at] ^= 1 << dice.randrange(8)
        return bytes(spoilt)

    def _torn(self, message: bytes) -> list[Chunk]:
        dice = self.dice(Fault.TORN)
        at = dice.randrange(len(message)) if len(message) > 1 else 0
        rest = b"" if dice.random() < 0.3 else message[at:]
        return [(0.0, message[:at]), (TEAR_SECONDS, rest)]
