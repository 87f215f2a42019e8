"""Try every attack on a table of its own, on loopback: ``python -m tests.attacks``. 0 where none gets anywhere."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.attacks import cards, doors, pages, wire
from tests.attacks.attempt import Attack, GotThrough, attacks_of
from tests.attacks.target import Target, target

ALL: tuple[Attack, ...] = tuple(attack for room in (cards, doors, wire, pages) for attack in attacks_of(room))


def attack(target: Target, told: Callable[[str], object] = print, attacks: tuple[Attack, ...] = ALL) -> list[str]:
    """Try all attacks on a table; answers with those that got somewhere, and how far."""
    slow, through = wire.Slow(target), []
    for one in attacks:
        try:
            one.go(target)
        except GotThrough as how:
            through.append(f"{one.name}: {how}")
        told(f"{'GOT THROUGH' if through and through[-1].startswith(one.name) else 'nowhere    '}  {one.name}")
    for kind, waits in slow.keep_waiting().items():
        told(f"{'GOT THROUGH' if waits else 'nowhere    '}  keep the server waiting with {kind}")
        through += [f"the server waits for {kind}"] if waits else []
    return through


def main() -> int:
    """Attack, and say what came of it."""
    with tempfile.TemporaryDirectory() as folder, target(Path(folder)) as attacked:
        through = attack(attacked)
    print(f"\n{len(ALL) + len(wire.Slow.KINDS)} attacks tried, {len(through)} got somewhere.")
    for line in through:
        print(f"- {line}")
    return 1 if through else 0


if __name__ == "__main__":
    sys.exit(main())
