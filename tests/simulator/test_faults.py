"""Faults: seeded, each with a chance of its own."""

from __future__ import annotations

import pytest

from simulator.faults import ON_THE_WIRE, Chances, Fault
from simulator.fingers import strokes

MESSAGE = b"04 A1 B2 C3\r\n"


def wire(fault: Fault, seed: int = 1) -> list[list[tuple[float, bytes]]]:
    chances = Chances(seed, {fault: 1.0})
    return [chances.on_the_wire(MESSAGE) for _ in range(50)]


def test_with_no_fault_every_message_is_whole_and_at_once() -> None:
    chances = Chances(1)
    assert all(chances.on_the_wire(MESSAGE) == [(0.0, MESSAGE)] for _ in range(100))
    assert chances.ghost() is None
    assert chances.on_the_wire(b"") == []


@pytest.mark.parametrize("fault", ON_THE_WIRE)
def test_the_same_seed_strikes_in_the_same_way_again(fault: Fault) -> None:
    assert wire(fault) == wire(fault)


def test_a_torn_message_comes_in_two_parts_or_lacks_its_end() -> None:
    for first, rest in wire(Fault.TORN):
        assert first[1] + rest[1] in (MESSAGE, first[1])
        assert rest[0] > 0


def test_a_repeated_message_comes_twice() -> None:
    assert all(chunks == [(0.0, MESSAGE)] * 2 for chunks in wire(Fault.REPEATED))


def test_a_corrupted_message_differs_in_one_byte_at_most() -> None:
    for [(_, spoilt)] in wire(Fault.CORRUPTED):
        assert spoilt != MESSAGE
        assert len(MESSAGE) - len(spoilt) in (0, 1)


def test_a_ghost_is_an_id_that_nothing_has() -> None:
    chances = Chances(3, {Fault.GHOSTS: 1.0})
    ghosts = {chances.ghost() for _ in range(20)}
    assert len(ghosts) == 20
    assert all(ghost is not None and len(bytes.fromhex(ghost)) == 7 for ghost in ghosts)


def test_a_chance_is_about_as_often_as_it_says_and_no_other_fault_changes_it() -> None:
    alone, beside = Chances(5, {Fault.TORN: 0.2}), Chances(5, {Fault.TORN: 0.2, Fault.DEAD: 0.5})
    struck = [alone.strikes(Fault.TORN) for _ in range(1000)]
    assert 150 < sum(struck) < 250
    assert struck == [beside.strikes(Fault.DEAD) * 0 or beside.strikes(Fault.TORN) for _ in range(1000)]


def test_a_finger_closes_a_contact_and_opens_it_with_every_bounce_in_between() -> None:
    edges = list(strokes(0.08, 2))
    assert [closed for _, closed in edges] == [True, False, True, False, True, False, True, False, True, False]
    assert sum(pause for pause, _ in edges) == pytest.approx(0.08 + 8 * 0.0012)
