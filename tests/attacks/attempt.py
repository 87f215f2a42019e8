"""An attack: a name, and what it does. One that gets somewhere says how far."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.attacks.target import Target


class GotThrough(Exception):
    """An attack got somewhere; the text says where."""


@dataclass(frozen=True)
class Attack:
    """One thing to try; ``go`` raises GotThrough where it works."""

    name: str
    go: Callable[[Target], None]


def foiled(holds: bool, *, else_: object) -> None:
    """Go on only where the attack got nowhere so far."""
    if not holds:
        raise GotThrough(str(else_)[:400])


def named(go: Callable[[Target], None]) -> Attack:
    """The attack that a function makes, named like it."""
    return Attack(go.__name__.replace("_", " "), go)


def attacks_of(module: object) -> tuple[Attack, ...]:
    """All attacks of a module, in the order they stand there: its functions that take a target."""
    functions = (value for name, value in vars(module).items() if not name.startswith("_") and callable(value))
    own = (one for one in functions if getattr(one, "__module__", "") == getattr(module, "__name__", None))
    return tuple(named(one) for one in own if getattr(one, "__annotations__", {}).get("target") == "Target")
