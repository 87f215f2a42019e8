"""A player that is a program of its own: it reads positions and writes commands, a JSON object a line.

A line in: ``{"game": NAME, "state": {...}, "legal": [{...}, ...], "may_wait": true}``, in the terms of the engine
protocol; draws are not among the legal commands. A line out: one of the legal commands, or ``{"do": "wait"}`` where it
may wait, for the dealer to go on.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from companion.rules.game import Refused
from companion.rules.quick import Chance, QuickGame
from companion.rules.registry import GAMES
from simulator.bots.player import WAIT, BadAnswer

SECONDS = 10.0
"""How long a program may think about an answer."""
MOST_BYTES = 65_536
"""The longest answer that is read."""
_groups: set[int] = set()
"""The process groups of the programs that this process has started and not yet ended."""


def end_programs() -> None:
    """End all programs that this process has started, with all that they have started: it will not go on itself."""
    for group in tuple(_groups):
        _end_group(group)


def _end_group(group: int) -> None:
    _groups.discard(group)
    with suppress(ProcessLookupError, PermissionError):  # nobody is left in it; macOS says the latter of the ended
        os.killpg(group, signal.SIGKILL)


class CommandPlayer:
    """Asks a program. One that ends, is too slow or talks nonsense loses that game and is started anew for the next."""

    def __init__(self, words: Sequence[str], seconds: float = SECONDS) -> None:
        self.name = " ".join(words)
        self._words, self._seconds = tuple(words), seconds
        self._program: subprocess.Popen[bytes] | None = None
        self._heard = b""

    def begin(self, game: QuickGame, chance: Chance) -> None:  # noqa: ARG002  # the program has chances of its own
        """A new game; the program learns of it by its first position."""
        self._game = game

    def choose(self, position: Any) -> Sequence[int]:
        """Ask the program; its answer as a code."""
        legal = self._legal(position)
        may_wait = any(self._game.draws(code) for code in position.legal())
        try:
            answer = self._ask(self._question(position, [told for told, _ in legal], may_wait))
            return self._read(answer, legal, may_wait)
        except BadAnswer:
            self.close()
            raise

    def _legal(self, position: Any) -> list[tuple[dict[str, Any], int]]:
        rules, game = GAMES[self._game.name], self._game
        return [
            (rules.command_json(game.command(position, code)), code)
            for code in position.legal()
            if not game.draws(code)
        ]

    def _question(self, position: Any, legal: Sequence[Mapping[str, Any]], may_wait: bool) -> bytes:
        state = GAMES[self._game.name].state_json(self._game.state(position))
        told = {"game": self._game.name, "state": state, "legal": legal, "may_wait": may_wait}
        return json.dumps(told).encode() + b"\n"

    def _read(self, line: bytes, legal: Sequence[tuple[dict[str, Any], int]], may_wait: bool) -> Sequence[int]:
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            raise BadAnswer(f"{self.name}: not a JSON object: {line[:80]!r}") from None
        if answer == {"do": "wait"}:
            if may_wait:
                return WAIT
            raise BadAnswer(f"{self.name}: there is no card to wait for")
        for told, code in legal:
            if told == answer or self._same(answer, told):
                return (code,)
        raise BadAnswer(f"{self.name}: not legal here: {line[:120].decode(errors='replace')}")

    def _same(self, answer: Any, told: Mapping[str, Any]) -> bool:
        """Whether an answer is that command in other words: keys left out, lists in another order."""
        rules = GAMES[self._game.name]
        try:
            return isinstance(answer, dict) and rules.command_json(rules.read_command(answer)) == told
        except Refused:
            return False

    # -- the program ------------------------------------------------------------------------------------------------
    def _ask(self, question: bytes) -> bytes:
        program = self._started()
        deadline = time.monotonic() + self._seconds
        try:
            self._write(program, question, deadline)
            return self._line(program, deadline)
        except BrokenPipeError:
            raise self._silent(program, "input", deadline) from None

    def start(self) -> None:
        """Start the program where it does not run. BadAnswer says why that cannot be."""
        self._started()

    def _started(self) -> subprocess.Popen[bytes]:
        if self._program is None:
            try:
                self._program = subprocess.Popen(
                    self._words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, start_new_session=True
                )
            except OSError as failure:
                raise BadAnswer(f"{self.name}: cannot be started: {failure.strerror}") from None
            _groups.add(self._program.pid)
            assert self._program.stdin is not None
            os.set_blocking(self._program.stdin.fileno(), False)
            self._heard = b""
        return self._program

    def _write(self, program: subprocess.Popen[bytes], question: bytes, deadline: float) -> None:
        assert program.stdin is not None
        pipe = program.stdin.fileno()
        while question:
            if not select.select([], [pipe], [], max(0.0, deadline - time.monotonic()))[1]:
                raise BadAnswer(f"{self.name}: does not read its input")
            question = question[os.write(pipe, question) :]

    def _line(self, program: subprocess.Popen[bytes], deadline: float) -> bytes:
        assert program.stdout is not None
        pipe = program.stdout.fileno()
        while b"\n" not in self._heard:
            if not select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))[0]:
                raise BadAnswer(f"{self.name}: no answer within {self._seconds:g} s")
            more = os.read(pipe, MOST_BYTES)
            if not more:
                raise self._silent(program, "output", deadline)
            self._heard += more
            if len(self._heard) > MOST_BYTES:
                raise BadAnswer(f"{self.name}: an answer of more than {MOST_BYTES} bytes")
        line, _, self._heard = self._heard.partition(b"\n")
        return line

    def _silent(self, program: subprocess.Popen[bytes], pipe: str, deadline: float) -> BadAnswer:
        """What is wrong with a program that closed a pipe: as a rule it has ended, but it may live on."""
        try:
            status = program.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            return BadAnswer(f"{self.name}: has closed its {pipe}")
        return BadAnswer(f"{self.name}: has ended (exit status {status})")

    def close(self) -> None:
        """End the program, and all that it has started."""
        if self._program is None:
            return
        program, self._program = self._program, None
        for pipe in (program.stdin, program.stdout):
            if pipe is not None:
                pipe.close()
        _end_group(program.pid)
        program.wait()
