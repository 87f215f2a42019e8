"""Golden counts of legal command sequences, as chess programs keep them, and the second reading's own count."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.engine.perft import perft

from .positions import GAME
from .second_reading import play

POSITIONS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "perft.json").read_text(encoding="utf-8"))
SLOWLY_COUNTED = 130_000
EACH = pytest.mark.parametrize("position", POSITIONS, ids=[position["name"] for position in POSITIONS])


def _state(position: dict[str, Any]) -> Any:
    return GAME.arrange(GAME.start(position["setup"]), position["set"])


@EACH
def test_the_rules_count_as_many_sequences_as_ever(position: dict[str, Any]) -> None:
    state = _state(position)
    assert perft(GAME, state, 0) == 1
    assert [perft(GAME, state, depth + 1) for depth in range(len(position["nodes"]))] == position["nodes"]


@EACH
def test_the_second_reading_counts_the_same(position: dict[str, Any]) -> None:
    p = GAME.state_json(_state(position))
    counted = [nodes for nodes in position["nodes"] if nodes < SLOWLY_COUNTED]
    assert [play.perft(p, depth + 1) for depth in range(len(counted))] == counted
