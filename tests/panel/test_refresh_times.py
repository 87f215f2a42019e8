"""What is learned of a panel's refresh time."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from companion.panel.refresh_times import RefreshTimes

PANEL, USUAL = "impression-7.3", 30.0


def learned(*seconds: float, kept: Mapping[str, float] | None = None) -> tuple[float, list[dict[str, float]]]:
    """The time after some refreshes, and everything that was written for the next run."""
    written: list[dict[str, float]] = []
    times = RefreshTimes(kept, lambda changed: written.append(dict(changed)))
    for each in seconds:
        times.learn(PANEL, USUAL, each)
    return times.of(PANEL, USUAL), written


def test_before_the_first_picture_the_models_usual_time_counts() -> None:
    assert learned() == (USUAL, [])


def test_one_odd_refresh_changes_nothing() -> None:
    assert learned(24.0, 24.2, 60.0, 24.1, 24.2)[0] == 24.2


def test_only_the_last_five_count() -> None:
    assert learned(*[24.0] * 20, *[41.0] * 3)[0] == 41.0


def test_a_driver_that_did_not_wait_teaches_nothing() -> None:
    assert learned(1.2, 14.9) == (USUAL, [])


@pytest.mark.parametrize("kept", [3.0, 300.0])
def test_what_a_simulated_panel_of_the_same_name_took_is_no_matter(kept: float) -> None:
    assert learned(kept={PANEL: kept})[0] == USUAL
    assert learned(24.0, kept={PANEL: kept}) == (24.0, [{PANEL: 24.0}])


def test_what_an_earlier_run_kept_is_where_this_one_begins() -> None:
    assert learned(kept={PANEL: 24.0})[0] == 24.0
    assert learned(26.0, kept={PANEL: 24.0})[0] == 25.0


@pytest.mark.parametrize("evening", [[24.0, 24.3, 23.9] * 100])
def test_a_whole_evening_writes_to_the_card_once(evening: list[float]) -> None:
    assert learned(*evening)[1] == [{PANEL: 24.0}]


def test_a_panel_that_grows_slow_is_written_again() -> None:
    assert learned(24.0, *[30.0] * 9)[1] == [{PANEL: 24.0}, {PANEL: 27.0}, {PANEL: 30.0}]


def test_each_panel_has_its_own_time() -> None:
    times = RefreshTimes({"phat2-red": 15.0})
    times.learn(PANEL, USUAL, 25.0)
    assert (times.of("phat2-red", 9.0), times.of(PANEL, USUAL), times.of("what-black", 8.0)) == (15.0, 25.0, 8.0)
