"""Shrinking: the fewest parts that still fail."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from simulator.shrinking import shrunk


@given(st.sets(st.integers(0, 59), min_size=1, max_size=5))
def test_what_fails_by_some_parts_together_is_shrunk_to_just_those(guilty: set[int]) -> None:
    assert set(shrunk(range(60), lambda some: guilty <= set(some))) == guilty


def test_the_parts_keep_their_order() -> None:
    assert shrunk("abcdefgh", lambda some: "".join(some).find("c") < "".join(some).find("g") >= 0) in (
        ("g",),
        ("c", "g"),
    )


def test_no_more_tries_are_made_than_allowed() -> None:
    tries: list[int] = []

    def fails(some: Sequence[int]) -> bool:
        tries.append(len(some))
        return 7 in some and 55 in some

    left = shrunk(range(60), fails, tries=5)
    assert len(tries) <= 5
    assert {7, 55} <= set(left)
