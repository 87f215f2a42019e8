"""What the tests of bots share."""

from __future__ import annotations

from typing import Any

from companion.rules.registry import QUICK

GAME = QUICK["forbidden_island"]


def setup(*players: str, difficulty: str = "novice") -> dict[str, Any]:
    return {"players": list(players or ("explorer", "pilot")), "difficulty": difficulty}
