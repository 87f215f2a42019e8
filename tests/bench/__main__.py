"""``python -m tests.bench``: the figures, one a line. Ratios hold on any machine, milliseconds on this one."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from companion.engine.perft import perft
from companion.i18n.translator import translator
from companion.panel.draw import draw
from companion.ports import SEVEN_COLOUR, SPECTRA_SIX
from companion.rules.game import AnyGame
from companion.rules.registry import GAMES
from companion.table.dealer import Dealer
from companion.table.journal import Journal
from companion.table.line import Line
from companion.table.session import Session
from companion.views.panel import Join, screen_for
from tests.bench.phones import lines as phones
from tests.bench.play import lines as play
from tests.bench.stopwatch import Figure, compare
from tests.bench.writes import whole_game

YARDSTICK = "a loop of 10,000 additions"
SETUP = {"players": ["navigator", "engineer", "messenger", "pilot"], "difficulty": "novice", "seed": 11}
LONG_GAME = 200


def loop() -> int:
    """The yardstick: pure Python that does nothing but add."""
    total = 0
    for number in range(10_000):
        total += number
    return total


def played(game: AnyGame, commands: int) -> Line:
    """A line of ``commands`` commands, cards dealt as they are due; an end that comes too soon is taken back."""
    dealer = Dealer(11)
    setup = {key: value for key, value in SETUP.items() if key != "seed"}
    line = Line(game, game.start(game.complete(setup, dealer.chance)), dealer)
    while len(line.moves) < commands:
        legal = game.legal(line.state)
        if not legal:
            line.undo()
        elif game.due(line.state) is not None:
            line.deal()
        else:
            line.do(legal[len(line.moves) * 7 % len(legal)])
    return line


def rules(game: AnyGame) -> Iterator[Figure]:
    """The pure core."""
    positions = [move.before for move in played(game, 40).moves]
    state = max(positions, key=lambda position: len(game.legal(position)))
    command = game.legal(state)[0]
    yield compare(
        f"the {len(game.legal(state))} legal commands of a position", lambda: game.legal(state), YARDSTICK, loop
    )
    yield compare("decide and evolve one command", lambda: _advance(game, state, command), YARDSTICK, loop)
    yield compare("faults of a position", lambda: game.faults(state), YARDSTICK, loop)
    yield compare("the odds of the rest of the turn", lambda: game.odds(state), YARDSTICK, loop)
    yield compare("perft 2 from there", lambda: perft(game, state, 2), YARDSTICK, loop)


def _advance(game: AnyGame, state: Any, command: Any) -> Any:
    for event in game.decide(state, command):
        state = game.evolve(state, event)
    return state


def journal(game: AnyGame, folder: Path) -> Iterator[Figure]:
    """The journal against the disk itself, and resuming against playing."""
    session = Session(GAMES, Journal(folder / "bench.sqlite3"))
    session.start(game.name, SETUP)

    def command_and_undo() -> None:
        session.deal()
        session.undo()
        session.undo()

    yield compare(
        "a press of deal and two undos, journaled and published",
        command_and_undo,
        "the same bytes synced",
        _synced(folder),
    )
    long_path = folder / "long.sqlite3"
    long = Journal(long_path)
    play_long(Session(GAMES, long), game)
    long.close()

    def resume() -> None:
        again = Journal(long_path)
        Session(GAMES, again)
        again.close()

    yield compare(f"start again after {LONG_GAME} commands", resume, YARDSTICK, loop)


def _synced(folder: Path) -> Callable[[], None]:
    """The yardstick of the journal: three appends of a command's size, each synced."""
    file = os.open(folder / "raw", os.O_CREAT | os.O_WRONLY | os.O_APPEND)

    def write() -> None:
        for _ in range(3):
            os.write(file, b"x" * 4096)
            os.fsync(file)

    return write


def play_long(session: Session, game: AnyGame) -> None:
    """Play ``LONG_GAME`` commands: deal, and take back what would end the game."""
    session.start(game.name, SETUP)
    for number in range(LONG_GAME):
        legal = session.legal()
        if legal:
            session.play(legal[number * 7 % len(legal)])
        else:
            session.undo()


def pictures(game: AnyGame) -> Iterator[Figure]:
    """The panel's pictures, against one copy of such a picture."""
    with tempfile.TemporaryDirectory() as folder:
        session = Session(GAMES, Journal(Path(folder) / "panel.sqlite3"))
        session.start(game.name, SETUP)
        session.deal()
        screen = screen_for(session.snapshot, Join("http://192.168.1.37:8000/", "123456"))
        for size, palette in (((400, 300), SPECTRA_SIX), ((800, 480), SEVEN_COLOUR), ((1600, 1200), SPECTRA_SIX)):
            words = translator("bg")
            picture = draw(screen, size, palette, words)
            yield compare(
                f"draw the table screen, {size[0]} x {size[1]}",
                lambda size=size, palette=palette, words=words: draw(screen, size, palette, words),  # type: ignore[misc]
                "a copy of the picture",
                picture.copy,
            )


def memory() -> Iterator[str]:
    """Peak memory of a whole process that has everything loaded, and of this one after all of the above."""
    empty, loaded = _peak_after("pass"), _peak_after("import companion.cli.house")
    here = _peak(Path("/proc/self/status").read_text())
    for name, peak in (("with everything imported", loaded), ("of this benchmark", here)):
        yield f"{'peak memory ' + name:<58} {peak / 1024:>10.1f} MB   {peak / empty:>9.2f} x bare Python"


def _peak_after(code: str) -> int:
    source = f"{code}; print(open('/proc/self/status').read())"
    run = subprocess.run([sys.executable, "-c", source], check=True, capture_output=True, text=True)
    return _peak(run.stdout)


def _peak(status: str) -> int:
    """The peak of resident memory in kilobytes, from the text of Linux's /proc/.../status."""
    (line,) = (line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1])


def main() -> None:
    """Print every figure."""
    game = next(iter(GAMES.values()))
    print(json.dumps({"python": platform.python_version(), "machine": platform.machine(), "cores": os.cpu_count()}))
    with tempfile.TemporaryDirectory() as folder:
        for figure in (*rules(game), *journal(game, Path(folder)), *pictures(game)):
            print(figure, flush=True)
        print(whole_game(game, {**SETUP, "seed": 5}, Path(folder) / "whole.sqlite3", seed=5))
    for line in play(loop):
        print(line, flush=True)
    for line in memory():
        print(line)
    with tempfile.TemporaryDirectory() as folder:
        for line in phones(Path(folder)):
            print(line, flush=True)


if __name__ == "__main__":
    main()
