"""What happens to a gesture and a notice when something else comes in between."""

from __future__ import annotations

from companion.ports import Advice, DeviceState, DeviceStatus, Misread
from tests.table.sittings import Clock, line_of, notice, press, sit_down, tiny_session
from tests.table.test_gestures import at_dune


def test_dealing_waits_for_a_half_told_command() -> None:
    session = at_dune(dune="dark", mill="dark")
    session.pick("do:light")
    before, moves = session.snapshot.gesture, len(line_of(session).moves)
    snapshot = press(session, "A")
    assert notice(snapshot) == "notice.half_told"
    assert snapshot.gesture == before
    assert len(line_of(session).moves) == moves


def test_a_misread_is_old_news_once_a_device_tells_how_it_is() -> None:
    session = tiny_session()
    session.observe(Misread("reader", Advice("advice.misread.byte", {})))
    snapshot = session.observe(DeviceStatus("reader", DeviceState.LOST))
    assert snapshot.notice is None


def test_a_date_that_jumps_drops_no_gesture() -> None:
    clock = Clock()
    session = sit_down(clock=clock, gesture_seconds=30)
    session.start("tiny", {})
    press(session, "C")
    for jump in (86_400.0, -86_400.0):
        clock.jump = jump
        assert session.tick().gesture is not None
    clock.now += 31
    assert session.tick().gesture is None
