"""The panel without hardware."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from companion.ports import PANEL_MODELS, SCREEN_RGB, Ink, PanelModel
from simulator.software_panel import SoftwarePanel
from tests.wording import worded

MODEL = PANEL_MODELS["impression-7.3"]


def picture(index: int, model: PanelModel = MODEL) -> Image.Image:
    return Image.new("P", model.size, index)


@pytest.fixture
def naps() -> list[float]:
    return []


@pytest.fixture
def panel(naps: list[float]) -> SoftwarePanel:
    return SoftwarePanel(MODEL, slowness=0.5, sleep=naps.append)


def test_it_is_its_model(panel: SoftwarePanel) -> None:
    assert (panel.name, panel.size, panel.palette) == (MODEL.name, MODEL.size, MODEL.palette)


def test_a_picture_takes_its_scaled_time_and_stands(panel: SoftwarePanel, naps: list[float]) -> None:
    result = panel.show(picture(3))
    assert (result.ok, result.seconds, naps) == (True, 15.0, [15.0])
    assert panel.shown is not None
    assert panel.shown.number == 1


def test_while_it_refreshes_the_old_picture_stands() -> None:
    standing = []
    slow = SoftwarePanel(MODEL, sleep=lambda _: standing.append((slow.refreshing, slow.shown)))
    slow.show(picture(3))
    first = slow.shown
    slow.show(picture(5))
    assert standing == [(True, None), (True, first)]
    assert not slow.refreshing
    assert slow.shown is not None
    assert slow.shown.number == 2


def test_a_dead_panel_keeps_its_picture_and_says_so(panel: SoftwarePanel) -> None:
    panel.show(picture(3))
    panel.dead = True
    result = panel.show(picture(5))
    assert not result.ok
    assert "no sign of life" in worded(result.advice)
    assert panel.shown is not None
    assert panel.shown.picture.getpixel((0, 0)) == 3


@pytest.mark.parametrize("misfit", [Image.new("P", (1, 1)), Image.new("RGB", MODEL.size), picture(4)])
def test_what_a_real_panel_could_not_show_is_refused(panel: SoftwarePanel, misfit: Image.Image) -> None:
    result = panel.show(misfit)
    assert not result.ok
    assert worded(result.advice)
    assert panel.shown is None


def test_it_can_be_looked_at_in_the_colours_of_a_screen(panel: SoftwarePanel) -> None:
    assert panel.png() is None
    half = picture(5)
    half.paste(1, (0, 0, 400, 480))
    panel.show(half)
    panel.close()
    png = panel.png()
    assert png is not None
    seen = Image.open(BytesIO(png)).convert("RGB")
    assert seen.size == MODEL.size
    assert seen.getpixel((0, 0)) == SCREEN_RGB[Ink.WHITE]
    assert seen.getpixel((799, 0)) == SCREEN_RGB[Ink.BLUE]


def test_drawing_on_a_picture_after_it_was_shown_changes_nothing(panel: SoftwarePanel) -> None:
    mine = picture(3)
    panel.show(mine)
    mine.paste(1, (0, 0, 800, 480))
    assert panel.shown is not None
    assert panel.shown.picture.getpixel((0, 0)) == 3
