"""A few of the hundred thousand games, and that they find what is broken."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.forbidden_island.fast.position import Position
from tests.hundred_thousand import BATCH, Broken, play, play_batch


def test_two_hundred_of_them_hold() -> None:
    ends, commands = play_batch(0)
    more, _ = play_batch(7 * BATCH)
    assert sum((ends + more).values()) == 2 * BATCH
    assert commands > 30 * BATCH
    assert play(3) == play(3)


def test_a_card_that_is_lost_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Position.play

    def careless(self: Position, code: int) -> None:
        honest(self, code)
        if self.turn == 2:
            self.treasure_discard = 0

    monkeypatch.setattr(Position, "play", careless)
    with pytest.raises(Broken, match="treasure cards lost or doubled"):
        play_batch(0)


def test_a_rule_that_the_two_read_differently_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Position.play

    def thirsty(self: Any, code: int) -> None:
        honest(self, code)
        self.water = min(self.water + (code >> 12 == 8), 9)

    monkeypatch.setattr(Position, "play", thirsty)
    with pytest.raises(Broken, match="water"):
        play(0)
