"""Presence: many reads, one arrival."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.ports import TagArrived, TagGone, TagReadAgain
from drivers.presence import GRACE_SECONDS, MISSED_POLLS, PassingTags, RestingTags

READER = "reader"
CARD, OTHER = "04A3C6CAE26180", "04FFFFFFFFFFFF"


def arrived(tag: str) -> TagArrived:
    return TagArrived(READER, tag)


def again(tag: str) -> TagReadAgain:
    return TagReadAgain(READER, tag)


def gone(tag: str) -> TagGone:
    return TagGone(READER, tag)


def test_a_tag_left_on_the_reader_is_one_arrival() -> None:
    presence = RestingTags(READER)
    told = [change for poll in range(100) for change in presence.poll([CARD], poll * 0.065)]
    assert told == [arrived(CARD), again(CARD)]


def test_a_tag_that_answers_only_every_second_poll_stays() -> None:
    presence = RestingTags(READER)
    told = [change for poll in range(100) for change in presence.poll([CARD] if poll % 2 else [], poll * 0.25)]
    assert told == [arrived(CARD), again(CARD)]


def test_a_tag_is_gone_after_three_missed_polls_and_half_a_second() -> None:
    presence = RestingTags(READER)
    presence.poll([CARD], 0.0)
    assert [presence.poll([], at) for at in (0.1, 0.2, 0.3, 0.4, 0.49)] == [[]] * 5
    assert presence.poll([], 0.5) == [gone(CARD)]
    assert presence.poll([], 0.6) == []


def test_half_a_second_of_silence_is_not_enough_without_three_missed_polls() -> None:
    presence = RestingTags(READER)
    presence.poll([CARD], 0.0)
    assert [presence.poll([], at) for at in (1.0, 2.0)] == [[], []]
    assert presence.poll([], 3.0) == [gone(CARD)]


def test_a_tag_put_down_again_is_a_new_arrival() -> None:
    presence = RestingTags(READER)
    presence.poll([CARD], 0.0)
    for at in (0.2, 0.4, 0.6):
        presence.poll([], at)
    assert presence.poll([CARD], 0.8) == [arrived(CARD)]


def test_a_ghost_changes_nothing_for_the_tag_that_lies_there() -> None:
    presence = RestingTags(READER)
    presence.poll([CARD], 0.0)
    assert presence.poll([OTHER], 0.1) == [arrived(OTHER)]
    told = [change for poll in range(2, 20) for change in presence.poll([CARD], poll * 0.1)]
    assert told == [again(CARD), gone(OTHER)]


def test_a_tag_exchanged_for_another_goes_as_the_other_stays() -> None:
    presence = RestingTags(READER)
    presence.poll([CARD], 0.0)
    told = [change for poll in range(1, 8) for change in presence.poll([OTHER], poll * 0.1)]
    assert told == [arrived(OTHER), again(OTHER), gone(CARD)]


def test_a_tag_that_lay_there_through_an_unplugging_is_no_new_arrival() -> None:
    presence = RestingTags(READER)
    presence.poll([CARD], 0.0)
    presence.resume(60.0)
    told = [change for poll in range(20) for change in presence.poll([], 60 + poll * 0.1)]
    told += presence.poll([CARD], 62.5)
    assert told == []


def test_a_tag_taken_away_while_unplugged_is_gone_once_the_reader_had_time_to_boot() -> None:
    presence = RestingTags(READER)
    presence.poll([CARD], 0.0)
    presence.resume(60.0)
    told = [(at, change) for at in range(60, 70) for change in presence.poll([], at)]
    assert told == [(60 + GRACE_SECONDS + 1, gone(CARD))]


def test_a_tag_put_down_while_unplugged_arrives() -> None:
    presence = RestingTags(READER)
    presence.poll([CARD], 0.0)
    presence.resume(60.0)
    assert presence.poll([OTHER], 60.1) == [arrived(OTHER)]


def test_every_line_of_a_scanner_that_sends_once_is_a_placement() -> None:
    presence = PassingTags(READER, repeat_gap=1.0)
    assert [presence.poll([CARD], at) for at in (0.0, 1.0, 2.5)] == [[arrived(CARD)]] * 3


def test_a_scanner_in_continuous_mode_is_one_placement() -> None:
    presence = PassingTags(READER, repeat_gap=1.0)
    told = [change for line in range(10) for change in presence.poll([CARD], line * 0.4)]
    assert told == [arrived(CARD), again(CARD)]


def test_the_second_read_of_each_placement_is_told_once() -> None:
    resting, passing = RestingTags(READER), PassingTags(READER)
    lying = [change for poll in range(5) for change in resting.poll([CARD], poll * 0.1)]
    lifted = [change for poll in range(10, 20) for change in resting.poll([], poll * 0.1)]
    laid_again = [change for poll in range(30, 33) for change in resting.poll([CARD], poll * 0.1)]
    assert [*lying, *lifted, *laid_again] == [arrived(CARD), again(CARD), gone(CARD), arrived(CARD), again(CARD)]
    scans = [change for at in (0.0, 0.4, 0.8, 5.0, 5.5) for change in passing.poll([CARD], at)]
    assert scans == [arrived(CARD), again(CARD), arrived(CARD), again(CARD)]


def test_a_tag_that_lay_there_through_an_unplugging_is_not_told_again() -> None:
    presence = RestingTags(READER)
    presence.poll([CARD], 0.0)
    presence.resume(60.0)
    assert presence.poll([CARD], 60.1) == []


def test_two_codes_in_turn_are_both_told() -> None:
    presence = PassingTags(READER, repeat_gap=1.0)
    assert [presence.poll([tag], at) for tag, at in ((CARD, 0.0), (OTHER, 0.1))] == [[arrived(CARD)], [arrived(OTHER)]]


POLLS = st.lists(st.tuples(st.sets(st.sampled_from([CARD, OTHER])), st.floats(0.01, 2.0, allow_nan=False)), max_size=60)


@given(POLLS)
def test_arrivals_and_departures_of_a_tag_always_alternate(polls: list[tuple[set[str], float]]) -> None:
    presence, now, there = RestingTags(READER), 0.0, set[str]()
    for tags, pause in polls:
        now += pause
        for change in presence.poll(tags, now):
            match change:
                case TagArrived(_, tag):
                    assert tag not in there
                    there.add(tag)
                case TagGone(_, tag):
                    assert tag not in tags
                    there.remove(tag)
        assert tags <= there


@given(POLLS)
def test_no_tag_goes_before_its_silence_is_long_enough(polls: list[tuple[set[str], float]]) -> None:
    presence, now = RestingTags(READER), 0.0
    seen: dict[str, tuple[float, int]] = {}
    for poll, (tags, pause) in enumerate(polls):
        now += pause
        for change in presence.poll(tags, now):
            if isinstance(change, TagGone):
                at, number = seen[change.tag]
                assert now - at >= 0.5
                assert poll - number >= MISSED_POLLS
        seen.update(dict.fromkeys(tags, (now, poll)))
