"""A peer of ``companion engine``: a process that is spoken to line by line."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from tests.patience import PATIENCE

Answer = dict[str, Any]

NEW = {"cmd": "new", "game": "forbidden_island", "players": ["explorer", "pilot"], "difficulty": "novice", "seed": 7}


class Peer:
    """The engine in a process of its own; every answer is checked to be one JSON object on one line."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "companion", "engine"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def send(self, raw: bytes) -> Answer:
        """Send one line as it is and read its answer."""
        self.write(raw)
        return self.read()

    def write(self, raw: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(raw + b"\n")
        self._process.stdin.flush()

    def read(self) -> Answer:
        assert self._process.stdout is not None
        answer = json.loads(self._process.stdout.readline())
        assert isinstance(answer, dict)
        assert isinstance(answer["ok"], bool)
        if not answer["ok"]:
            assert set(answer) == {"ok", "error"}
            assert set(answer["error"]) == {"code", "message"}
            assert answer["error"]["message"]
        return answer

    def ask(self, cmd: str, **fields: Any) -> Answer:
        return self.send(json.dumps({"cmd": cmd, **fields}).encode())

    def told(self, cmd: str, **fields: Any) -> Answer:
        """The answer to a request that must be granted."""
        answer = self.ask(cmd, **fields)
        assert answer["ok"], answer
        return answer

    def refused(self, cmd: str, **fields: Any) -> str:
        """The code of a refusal."""
        answer = self.ask(cmd, **fields)
        assert not answer["ok"], answer
        return str(answer["error"]["code"])

    def new(self, **changes: Any) -> Answer:
        return self.send(json.dumps({**NEW, **changes}).encode())

    def do(self, do: str, **fields: Any) -> Answer:
        return self.ask("do", command={"do": do, **fields})

    @property
    def state(self) -> dict[str, Any]:
        state: dict[str, Any] = self.told("state")["state"]
        return state

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def leave(self) -> tuple[int, str]:
        """End the input; the exit status and all that was written to standard error."""
        rest, errors = self._process.communicate(timeout=PATIENCE)
        assert rest == b""
        return self._process.returncode, errors.decode()
