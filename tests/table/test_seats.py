from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.table.seats import GAMES_AT_MOST, Held, Seats


def test_several_phones_share_a_seat_and_one_holds_several() -> None:
    seats = Seats().taken(1, "pilot", 7).taken(1, "pilot", 8).taken(1, "diver", 7)
    assert seats.holders(1, "pilot") == (7, 8)
    assert seats.of(1, 7) == {"pilot", "diver"}


def test_a_seat_is_of_its_game() -> None:
    seats = Seats().taken(1, "pilot", 7)
    assert seats.of(2, 7) == frozenset()
    assert seats.of(None, 7) == frozenset()
    assert seats.taken(2, "diver", 7).of(1, 7) == {"pilot"}


def test_whoever_hands_a_seat_over_has_it_no_longer() -> None:
    seats = Seats().taken(1, "pilot", 7).handed(1, "pilot", 7, 8)
    assert seats.holders(1, "pilot") == (8,)
    assert seats.handed(1, "pilot", 8, 8).holders(1, "pilot") == (8,)


def test_sitting_down_twice_is_sitting_down_once() -> None:
    once = Seats().taken(1, "pilot", 7)
    assert once.taken(1, "pilot", 7) is once


def test_a_phone_takes_the_place_of_another_beside_those_who_share_it() -> None:
    seats = Seats().taken(1, "pilot", 7).taken(1, "pilot", 9).passed_on(7, 9)
    assert seats.holders(1, "pilot") == (9,)


@given(st.lists(st.tuples(st.integers(1, 200), st.sampled_from("abc"), st.integers(1, 5)), max_size=150))
def test_only_the_newest_games_are_remembered_and_nobody_holds_a_seat_twice(told: list[tuple[int, str, int]]) -> None:
    seats = Seats()
    for game, seat, phone in told:
        seats = seats.taken(game, seat, phone)
    assert len(set(seats.held)) == len(seats.held)
    assert len({held.game for held in seats.held}) <= GAMES_AT_MOST
    assert not told or Held(*max(told, key=lambda one: one[0])) in seats.held
    assert all(held.phone != 3 for held in seats.without(3).held)
