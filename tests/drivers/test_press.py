"""One contact with its bounce, as presses."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.ports import Button, Press
from drivers.press import Freed, PressEvent, PressMachine, Stuck, Timing

TIMING = Timing(settle=0.025, hold=1.5, stuck=10.0)
SHORT, LONG = Press(Button.A), Press(Button.A, long=True)


def machine(*, down: bool = False) -> PressMachine:
    return PressMachine(Button.A, down=down, now=0.0, timing=TIMING)


def played(button: PressMachine, edges: list[tuple[bool, float]], until: float) -> list[tuple[float, PressEvent]]:
    """Feed edges at their times, ticking exactly when the machine asks for it; what was told, with its time."""
    told: list[tuple[float, PressEvent]] = []
    for down, at in [*edges, (edges[-1][0] if edges else False, until)]:
        while button.due is not None and button.due <= at:
            now = button.due
            told += [(now, each) for each in button.tick(now)]
            assert button.due != now, "ticking when asked to must move on"
        told += [(at, each) for each in button.edge(down, at)]
    return told


def bounced(down: bool, at: float) -> list[tuple[bool, float]]:
    return [(down, at), (not down, at + 0.002), (down, at + 0.004), (not down, at + 0.005), (down, at + 0.009)]


def test_a_short_press_is_told_once_it_was_let_go() -> None:
    assert played(machine(), [(True, 1.0), (False, 1.2)], 5.0) == [(1.2 + TIMING.settle, SHORT)]


def test_a_bouncing_contact_is_one_press() -> None:
    """Bounces were many presses, or none: https://github.com/gpiozero/gpiozero/issues/550 and /378."""
    told = played(machine(), [*bounced(True, 1.0), *bounced(False, 1.2)], 5.0)
    assert [each for _, each in told] == [SHORT]


def test_a_glitch_shorter_than_the_settling_time_is_nothing() -> None:
    assert played(machine(), [(True, 1.0), (False, 1.02)], 5.0) == []


def test_a_long_press_is_told_once_while_it_is_held() -> None:
    """Held was told as pressed too, and after the release: https://github.com/gpiozero/gpiozero/issues/685, /697."""
    assert played(machine(), [(True, 1.0), (False, 5.0)], 9.0) == [(2.5, LONG)]


def test_a_press_let_go_just_before_the_hold_time_is_short() -> None:
    told = played(machine(), [(True, 1.0), (False, 2.49)], 5.0)
    assert [each for _, each in told] == [SHORT]


def test_a_contact_that_bounces_while_held_is_still_one_long_press() -> None:
    told = played(machine(), [(True, 1.0), (False, 2.49), (True, 2.501), (False, 4.0)], 5.0)
    assert [each for _, each in told] == [LONG]


def test_a_button_that_is_down_at_the_start_says_nothing_until_it_is_pressed_anew() -> None:
    told = played(machine(down=True), [(False, 3.0), (True, 4.0), (False, 4.2)], 6.0)
    assert [each for _, each in told] == [SHORT]


def test_a_button_held_for_ten_seconds_is_stuck_and_freed_when_let_go() -> None:
    told = played(machine(), [(True, 1.0), (False, 20.0)], 30.0)
    assert told == [(2.5, LONG), (11.0, Stuck(Button.A)), (20.0 + TIMING.settle, Freed(Button.A))]


def test_a_button_that_is_down_from_the_start_can_be_stuck_too() -> None:
    told = played(machine(down=True), [(False, 12.0)], 20.0)
    assert [each for _, each in told] == [Stuck(Button.A), Freed(Button.A)]


def test_edges_that_come_late_in_one_burst_are_told_by_their_times() -> None:
    button = machine()
    assert button.edge(True, 1.0) == []
    assert button.edge(False, 1.2) == []
    assert button.edge(True, 1.3) == [SHORT]
    assert button.edge(False, 3.0) == [LONG]


def test_a_release_whose_edge_was_lost_is_seen_when_the_contact_is_looked_at() -> None:
    """Bouncing loses edges: https://github.com/gpiozero/gpiozero/issues/550."""
    button = machine()
    button.edge(True, 1.0)
    button.tick(1.025)
    assert button.due == 2.5
    assert button.sample(False, 2.5) == []
    assert button.tick(2.525) == [SHORT]


def test_a_resting_button_needs_no_attention() -> None:
    button = machine()
    assert button.due is None
    played(button, [(True, 1.0), (False, 1.2)], 2.0)
    assert button.due is None


def test_a_stuck_button_needs_no_attention_until_it_moves() -> None:
    button = machine()
    played(button, [(True, 1.0)], 20.0)
    assert button.due is None


EDGES = st.lists(st.tuples(st.booleans(), st.floats(0.001, 3.0)), max_size=40)


@given(EDGES)
def test_no_press_is_told_without_a_contact_that_settled(edges: list[tuple[bool, float]]) -> None:
    at, times = 0.0, list[tuple[bool, float]]()
    for down, pause in edges:
        at += pause
        times.append((down, at))
    told = [each for _, each in played(machine(), times, at + 30) if isinstance(each, Press)]
    assert len(told) <= settled_closings(times)


def settled_closings(edges: list[tuple[bool, float]]) -> int:
    """How often the contact closed for at least the settling time."""
    changes = [edge for edge, before in zip(edges, [(False, 0.0), *edges], strict=False) if edge[0] != before[0]]
    ends = [*(at for _, at in changes[1:]), float("inf")]
    return sum(down and end - at >= TIMING.settle * 0.999 for (down, at), end in zip(changes, ends, strict=False))
