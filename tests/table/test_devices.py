"""Devices come and go."""

from __future__ import annotations

from companion.ports import Advice, DeviceState, DeviceStatus
from tests.table.sittings import notice, press, sit_down, tiny_session

READY = DeviceStatus("reader", DeviceState.READY)
LOST = DeviceStatus("reader", DeviceState.LOST, Advice("advice.reader.gone", {"port": "/dev/ttyACM0"}))
PANEL = DeviceStatus("panel", DeviceState.READY)


def test_the_latest_state_of_each_device_is_published() -> None:
    session = sit_down()
    for status in (READY, PANEL, LOST):
        session.observe(status)
    assert session.snapshot.devices == (LOST, PANEL)


def test_a_state_that_is_no_news_is_not_published() -> None:
    session = sit_down()
    session.observe(READY)
    before = session.snapshot
    assert session.observe(READY) is before


def test_a_device_leaves_game_gesture_and_notice_as_they_are() -> None:
    session = tiny_session()
    press(session, "D")
    press(session, "C")
    before = press(session, "D", long=True)
    after = session.observe(LOST)
    assert (after.seated, after.gesture, after.notice) == (before.seated, before.gesture, before.notice)
    assert notice(after) == "refusal.nothing_to_redo"
    assert after.revision == before.revision + 1


def test_a_revision_that_only_tells_of_a_device_says_which() -> None:
    session = tiny_session()
    assert session.observe(LOST).news == LOST
    assert session.deal().news is None
