"""How much a game writes to the card, as the kernel counts it for this process."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.rules.game import AnyGame
from companion.table.journal import Journal
from companion.table.session import Session

ACCOUNT = Path("/proc/self/io")


@dataclass(frozen=True, slots=True)
class Written:
    """What a game came to: ``asked`` bytes were handed to the kernel, which wrote them in ``blocks`` bytes of blocks.

    A file system in memory has no blocks.
    """

    commands: int
    asked: int
    blocks: int

    def __str__(self) -> str:
        asked, blocks = self.asked / 1000, self.blocks / 1000
        name = f"written by a whole game of {self.commands} commands"
        return f"{name:<58} {asked:>10.0f} kB   {asked / self.commands:>9.1f} kB a command; {blocks:.0f} kB in blocks"


def whole_game(game: AnyGame, setup: dict[str, Any], path: Path, seed: int = 3) -> Written:
    """Play a game from its start to its end at random, every command with an id as phones send it."""
    journal = Journal(path)
    session, chance, commands = Session({game.name: game}, journal), random.Random(seed), 0
    before = _account()
    session.start(game.name, setup, command_id=f"{seed:036d}")
    while (seated := session.snapshot.seated) and game.outcome(seated.state) is None:
        commands += 1
        command_id = f"{seed}-{commands}".rjust(36, "0")
        if game.due(seated.state) is not None:
            session.deal(command_id=command_id)
        else:
            session.play(chance.choice(session.legal()), command_id=command_id)
    after = _account()
    session.leave()
    journal.close()
    return Written(commands, after["wchar"] - before["wchar"], after["write_bytes"] - before["write_bytes"])


def _account() -> dict[str, int]:
    rows = (line.split(":") for line in ACCOUNT.read_text().splitlines())
    return {name: int(number) for name, number in rows}
