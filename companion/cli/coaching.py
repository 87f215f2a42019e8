"""The coach: a process of its own, so that the table never waits while it thinks. It starts when it is first asked.

Run as a module this is that process: a JSON object a line in (``{"game", "state", "seconds"}``), one a line out.
Another line that comes while it thinks makes it answer at once.
"""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from queue import SimpleQueue
from typing import Any

from companion.rules.game import AnyGame, JsonObject
from companion.rules.registry import GAMES, QUICK
from companion.views.coach import CoachLost
from simulator.bots.coaching import advise

SECONDS = 1.2
"""How long it thinks."""
LATE_SECONDS = 30.0
"""An answer that is not there by then never comes; the first one waits for the process to start."""
STOP = b'{"stop": true}\n'
MOST_BYTES = 1 << 20


class CoachProcess:
    """Meets :class:`companion.views.coach.Coach`; asked on the event loop."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._process: Process | None = None
        self._one_at_a_time = asyncio.Lock()

    def knows(self, game: AnyGame, state: Any) -> bool:
        """Whether the game can be played fast and this position tells enough to be played on from."""
        quick = QUICK.get(game.name)
        if quick is None or game.outcome(state) is not None:
            return False
        try:
            quick.position(state)
        except ValueError:
            return False
        return True

    async def advise(self, game: AnyGame, state: Any) -> JsonObject:
        """Ask the process. Raises CoachLost where it has none to give."""
        question = {"game": game.name, "state": game.state_json(state), "seconds": self._seconds}
        async with self._one_at_a_time:
            try:
                answer = await asyncio.wait_for(self._ask(json.dumps(question).encode() + b"\n"), LATE_SECONDS)
            except (OSError, TimeoutError) as failure:
                self.close()
                raise CoachLost(f"the coach does not answer: {failure!r}") from None
        if "best" not in answer:
            raise CoachLost(f"the coach has no advice: {answer.get('fault')}")
        return answer

    async def _ask(self, question: bytes) -> dict[str, Any]:
        process = await self._started()
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(question)
        try:
            line = await process.stdout.readline()
        except asyncio.CancelledError:
            await self._hush(process)
            raise
        if not line:
            raise BrokenPipeError("its process has ended")
        answer: dict[str, Any] = json.loads(line)
        return answer

    async def _hush(self, process: Process) -> None:
        """Have it stop thinking, and read the answer that nobody waits for any more."""
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(STOP)
        if not await asyncio.shield(process.stdout.readline()):
            self.close()

    async def _started(self) -> Process:
        if self._process is None or self._process.returncode is not None:
            words = (sys.executable, "-m", "companion.cli.coaching")
            self._process = await asyncio.create_subprocess_exec(*words, stdin=PIPE, stdout=PIPE, limit=MOST_BYTES)
        return self._process

    def close(self) -> None:
        """End the process, if there is one."""
        if self._process is not None and self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.kill()
        self._process = None


def main() -> None:
    """Answer questions until the input ends."""
    lines: SimpleQueue[str] = SimpleQueue()
    threading.Thread(target=_read, args=(lines,), daemon=True).start()
    while line := lines.get():
        question = json.loads(line)
        if "stop" in question:
            continue
        print(json.dumps(_answer(question, lines)), flush=True)


def _read(lines: SimpleQueue[str]) -> None:
    for line in sys.stdin:
        lines.put(line)
    lines.put("")


def _answer(question: dict[str, Any], lines: SimpleQueue[str]) -> dict[str, Any]:
    game, quick = GAMES[question["game"]], QUICK[question["game"]]
    try:
        return advise(quick, game, game.read_state(question["state"]), question["seconds"], lines.empty)
    except ValueError as fault:
        return {"fault": str(fault)}


if __name__ == "__main__":
    main()
