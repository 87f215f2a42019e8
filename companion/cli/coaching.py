"""The coach: a process of its own, so that the table never waits while it thinks. It starts when it is first asked.

Run as a module this is that process: a JSON object a line in (``{"game", "state", "seconds"}``), one a line out.
Another line that comes while it thinks makes it answer at once.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
from dataclasses import dataclass
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
HUSHED_SECONDS = 5.0
"""How long it may take to stop thinking before its process is ended."""
STOP = b'{"stop": true}\n'


@dataclass(slots=True)
class _Thought:
    """A question that is being thought about, and how many wait for its answer."""

    thinking: asyncio.Task[JsonObject]
    askers: int = 0


class CoachProcess:
    """Meets :class:`companion.views.coach.Coach`; asked on the event loop.

    Whoever asks the same before it is answered gets the same answer.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._one_at_a_time = asyncio.Lock()
        self._thoughts: dict[bytes, _Thought] = {}

    def knows(self, game: AnyGame, state: Any) -> bool:
        """Whether the game can be played fast and this position tells enough to be played on from."""
        return self._plays(game, state) and self._tells_enough(game, state)

    def wants_more(self, game: AnyGame, state: Any) -> bool:
        """Whether the game can be played fast, and this position tells too little for that."""
        return self._plays(game, state) and not self._tells_enough(game, state)

    def _plays(self, game: AnyGame, state: Any) -> bool:
        return game.name in QUICK and game.outcome(state) is None

    def _tells_enough(self, game: AnyGame, state: Any) -> bool:
        try:
            QUICK[game.name].position(state)
        except ValueError:
            return False
        return True

    async def advise(self, game: AnyGame, state: Any) -> JsonObject:
        """Ask the process; it stops thinking when nobody waits any more. Raises CoachLost where it has none to give."""
        told = {"game": game.name, "state": game.state_json(state), "seconds": self._seconds}
        question = json.dumps(told).encode() + b"\n"
        thought = self._thoughts.get(question)
        if thought is None:
            thought = self._thoughts[question] = _Thought(asyncio.ensure_future(self._think(question)))
        thought.askers += 1
        try:
            return await asyncio.shield(thought.thinking)
        finally:
            thought.askers -= 1
            if not thought.askers:
                del self._thoughts[question]
                thought.thinking.cancel()

    async def _think(self, question: bytes) -> JsonObject:
        async with self._one_at_a_time:
            try:
                answer = await asyncio.wait_for(self._ask(question), LATE_SECONDS)
            except (OSError, TimeoutError) as failure:
                self.close()
                raise CoachLost(f"the coach does not answer: {failure!r}") from None
        if "best" not in answer:
            raise CoachLost(f"the coach has no advice: {answer.get('fault')}")
        return answer

    async def _ask(self, question: bytes) -> dict[str, Any]:
        process = self._started()
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(question)
        hearing = asyncio.ensure_future(asyncio.to_thread(process.stdout.readline))
        try:
            line = await asyncio.shield(hearing)
        except asyncio.CancelledError:
            process.stdin.write(STOP)
            await asyncio.wait({hearing}, timeout=HUSHED_SECONDS)  # the answer that nobody waits for any more
            if not hearing.done():
                self.close()
            raise
        if not line:
            raise BrokenPipeError("its process has ended")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            words = (sys.executable, "-m", "companion.cli.coaching")
            self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        return self._process

    def close(self) -> None:
        """End the process, if there is one; may be called twice."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()


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
