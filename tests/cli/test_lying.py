"""Tags that lay on a reader when the companion started again."""

from __future__ import annotations

import pytest

from companion.cli.lying import LYING_SECONDS, LyingTags
from companion.ports import DeviceState, DeviceStatus, Press, TagArrived

READY = DeviceStatus("reader", DeviceState.READY)
ARRIVED = TagArrived("reader", "04A1B2C3")


class Clock:
    def __init__(self) -> None:
        self.now = 50.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_tag_that_is_read_as_the_reader_becomes_ready_lay_there(clock: Clock) -> None:
    lying = LyingTags(True, clock)
    assert not lying.lay_there(READY)
    clock.now += LYING_SECONDS - 0.1
    assert lying.lay_there(ARRIVED)


def test_a_tag_that_comes_later_was_laid_down_even_after_the_reader_was_lost(clock: Clock) -> None:
    lying = LyingTags(True, clock)
    lying.lay_there(READY)
    clock.now += LYING_SECONDS
    assert not lying.lay_there(ARRIVED)
    lying.lay_there(DeviceStatus("reader", DeviceState.LOST))
    lying.lay_there(READY)
    assert not lying.lay_there(ARRIVED)


def test_where_no_game_went_on_every_tag_counts(clock: Clock) -> None:
    lying = LyingTags(False, clock)
    lying.lay_there(READY)
    assert not lying.lay_there(ARRIVED)


def test_buttons_do_not_lie_there(clock: Clock) -> None:
    lying = LyingTags(True, clock)
    lying.lay_there(READY)
    assert not lying.lay_there(Press(next(iter("A"))))  # type: ignore[arg-type]  # any button
