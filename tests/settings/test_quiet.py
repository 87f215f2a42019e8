"""Quiet hours, by the clock on the wall."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.quiet import QuietHours

NIGHT = QuietHours(time(22), time(7))
NAP = QuietHours(time(13), time(15))
SOFIA = ZoneInfo("Europe/Sofia")
TIMES = st.times()


@pytest.mark.parametrize(
    ("hours", "now", "quiet"),
    [
        (NIGHT, time(21, 59, 59), False),
        (NIGHT, time(22), True),
        (NIGHT, time(0), True),
        (NIGHT, time(6, 59, 59, 999999), True),
        (NIGHT, time(7), False),
        (NIGHT, time(12), False),
        (NAP, time(12, 59), False),
        (NAP, time(13), True),
        (NAP, time(15), False),
        (NAP, time(0), False),
    ],
)
def test_they_hold_from_their_beginning_until_their_end_across_midnight_too(
    hours: QuietHours, now: time, quiet: bool
) -> None:
    assert hours.hold(now) is quiet


@given(TIMES, TIMES, TIMES)
def test_every_time_belongs_to_the_hours_or_to_those_turned_round(begin: time, end: time, now: time) -> None:
    if begin != end:
        assert QuietHours(begin, end).hold(now) is not QuietHours(end, begin).hold(now)


def quiet_minutes(hours: QuietHours, noon: datetime) -> int:
    """How many minutes of the day that begins at this noon are quiet, as they really pass."""
    begin, end = noon.astimezone(UTC), (noon + timedelta(days=1)).astimezone(UTC)
    minutes = int((end - begin).total_seconds() // 60)
    passing = (begin + timedelta(minutes=minute) for minute in range(minutes))
    return sum(hours.hold(moment.astimezone(SOFIA).time()) for moment in passing)


@pytest.mark.parametrize(
    ("noon", "hours", "minutes"),
    [
        (datetime(2026, 3, 28, 12, tzinfo=SOFIA), NIGHT, 8 * 60),
        (datetime(2026, 6, 28, 12, tzinfo=SOFIA), NIGHT, 9 * 60),
        (datetime(2026, 10, 24, 12, tzinfo=SOFIA), NIGHT, 10 * 60),
        (datetime(2026, 3, 28, 12, tzinfo=SOFIA), QuietHours(time(22), time(3, 30)), 5 * 60),
        (datetime(2026, 3, 28, 12, tzinfo=SOFIA), QuietHours(time(3, 30), time(7)), 3 * 60),
    ],
    ids=["an hour less", "any night", "an hour more", "their end is skipped", "their beginning is skipped"],
)
def test_the_night_in_which_the_clock_changes_ends_when_the_wall_says_so(
    noon: datetime, hours: QuietHours, minutes: int
) -> None:
    assert quiet_minutes(hours, noon) == minutes
