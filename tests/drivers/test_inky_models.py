"""What a panel's EEPROM says, and what to do where it says nothing."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from companion.ports import PANEL_MODELS
from drivers.inky_models import INKY_DRIVERS, PanelMissing, identify
from simulator.fake_spi import FakePanel, framing_of
from tests.wording import worded

VARIANTS = [
    (4, 1, "phat-black"),
    (1, 2, "phat-red"),
    (5, 3, "phat-yellow"),
    (10, 1, "phat2-black"),
    (11, 2, "phat2-red"),
    (12, 3, "phat2-yellow"),
    (3, 1, "what-black"),
    (6, 2, "what-red"),
    (8, 2, "what-red"),
    (2, 3, "what-yellow"),
    (17, 1, "what2-black"),
    (18, 2, "what2-red"),
    (19, 3, "what2-yellow"),
    (23, 7, "phat-four-colour"),
    (24, 7, "what-four-colour"),
    (28, 7, "what2-four-colour"),
    (14, 5, "impression-5.7"),
    (15, 5, "impression-4-seven-colour"),
    (16, 0, "impression-4-seven-colour"),
    (20, 5, "impression-7.3-seven-colour"),
    (22, 6, "impression-7.3"),
    (26, 6, "impression-7.3"),
    (25, 6, "impression-4"),
    (21, 6, "impression-13.3"),
    (27, 6, "impression-13.3"),
]


class Failing:
    """A bus on which every access fails."""

    def __init__(self, failure: Exception) -> None:
        self._failure = failure

    def write_i2c_block_data(self, *_: object) -> None:
        raise self._failure


@pytest.mark.parametrize(("variant", "colour", "name"), VARIANTS)
def test_a_panel_is_known_by_its_eeprom(variant: int, colour: int, name: str) -> None:
    panel = FakePanel(PANEL_MODELS[name], variant=variant, colour=colour)
    assert identify(panel.i2c) == PANEL_MODELS[name]


def test_every_model_can_be_recognised_and_driven() -> None:
    assert {name for _, _, name in VARIANTS} == set(PANEL_MODELS) == set(INKY_DRIVERS)


def test_a_panel_from_the_future_asks_for_its_name() -> None:
    panel = FakePanel(PANEL_MODELS["impression-7.3"], variant=99, colour=6)
    with pytest.raises(PanelMissing) as raised:
        identify(panel.i2c)
    told = worded(raised.value.advice)
    assert "variant 99 " in told
    assert "name its model" in told


@pytest.mark.parametrize(
    ("failure", "advice"),
    [
        (FileNotFoundError(2, "no"), "do_i2c 0"),
        (PermissionError(13, "no"), "group i2c"),
        (OSError(121, "Remote I/O error"), "push it fully onto the pins"),
    ],
)
def test_each_way_of_not_reading_it_has_its_own_fix(failure: Exception, advice: str) -> None:
    with pytest.raises(PanelMissing) as raised:
        identify(Failing(failure))
    assert advice in worded(raised.value.advice)


def test_without_the_i2c_library_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "smbus2", None)
    with pytest.raises(PanelMissing) as raised:
        identify()
    assert "pip install" in worded(raised.value.advice)


def test_the_page_on_panels_names_every_model_with_its_size() -> None:
    page = (Path(__file__).parents[2] / "docs" / "panels.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    told = {name: row for row in rows for name in re.findall(r"`([a-z0-9.-]+)`", row) if name in PANEL_MODELS}
    assert set(told) == set(PANEL_MODELS)
    for name, row in told.items():
        assert " x ".join(map(str, PANEL_MODELS[name].size)) in row
        assert f"{PANEL_MODELS[name].refresh_seconds:g} s" in row
        assert row.endswith("yes |") is bool(framing_of(PANEL_MODELS[name]).borders)
