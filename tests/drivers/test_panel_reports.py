"""What went wrong with e-ink panels elsewhere, and what happens here."""

from __future__ import annotations

import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from PIL import Image

from companion.ports import PANEL_MODELS
from simulator.fake_spi import Health
from tests.drivers.inky_bench import Make, noisy_picture
from tests.wording import worded

ROOT = Path(__file__).parents[2]
LARGE, SPECTRA = "impression-13.3", "impression-7.3"


@pytest.mark.parametrize("refresh_seconds", [8.0, 20.0, 60.0])
def test_the_large_panel_is_not_switched_off_in_the_middle_of_a_refresh(make: Make, refresh_seconds: float) -> None:
    """Power off too early latched the panel: https://github.com/pimoroni/inky/issues/266 and pull/265."""
    bench = make(LARGE, refresh_seconds=refresh_seconds)
    assert bench.panel.show(noisy_picture(PANEL_MODELS[LARGE])).ok
    assert bench.fake.health is Health.SOUND


def test_a_panel_that_latched_asks_for_its_power_to_be_taken_away_and_shows_the_next_picture(make: Make) -> None:
    """Only that unlatches it: https://github.com/pimoroni/inky/issues/266."""
    bench = make(SPECTRA, refresh_seconds=50.0)
    picture = noisy_picture(PANEL_MODELS[SPECTRA])
    assert not bench.panel.show(picture).ok
    assert bench.fake.health is Health.STUCK
    assert "take its power away" in worded(bench.panel.show(picture).advice)
    bench.fake.health, bench.fake.refresh_seconds = Health.SOUND, 20.0
    assert bench.panel.show(picture).ok


def test_no_older_library_that_returns_early_is_ever_installed() -> None:
    """Mended in 2.6: https://github.com/pimoroni/inky/issues/254 and /266."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "inky>=2.6" in project["optional-dependencies"]["pi"]
    assert tuple(map(int, version("inky").split(".")[:2])) >= (2, 6)


@pytest.mark.parametrize("name", PANEL_MODELS)
def test_colours_are_sent_pure_and_never_washed_out_or_dithered(make: Make, name: str) -> None:
    """Blending by "saturation" paled them: https://github.com/pimoroni/inky/issues/225, fatihak/InkyPi issue 713."""
    model = PANEL_MODELS[name]
    for _, index in model.palette.inks:
        bench = make(name)
        assert bench.panel.show(Image.new("P", model.size, index)).ok
        width, height = model.size
        assert bench.fake.frames[0].getcolors() == [(width * height, index)]


@pytest.mark.parametrize("name", PANEL_MODELS)
@pytest.mark.parametrize("colours", [2, 6, 7, 256])
def test_a_pictures_own_palette_in_whatever_order_changes_nothing_on_the_panel(
    make: Make, name: str, colours: int
) -> None:
    """Palettes in another order came out wrong or blank: https://github.com/pimoroni/inky/issues/10 and /46."""
    bench = make(name)
    picture = noisy_picture(PANEL_MODELS[name])
    picture.putpalette([channel for number in range(colours) for channel in (255 - number, number, 7 * number % 256)])
    assert bench.panel.show(picture).ok
    assert bench.fake.frames[0].tobytes() == picture.tobytes()


@pytest.mark.parametrize("name", PANEL_MODELS)
def test_a_picture_that_lacks_some_of_the_inks_is_not_matched_to_others(make: Make, name: str) -> None:
    """Pictures of fewer colours were dithered: https://github.com/pimoroni/inky/issues/46."""
    model = PANEL_MODELS[name]
    picture = Image.new("P", model.size, model.palette.inks[0][1])
    picture.paste(model.palette.inks[-1][1], (3, 5, 60, 70))
    bench = make(name)
    assert bench.panel.show(picture).ok
    assert bench.fake.frames[0].tobytes() == picture.tobytes()
