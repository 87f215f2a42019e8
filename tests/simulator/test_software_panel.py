"""The panel without hardware."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from companion.ports import PANEL_MODELS, SCREEN_RGB, Ink, PanelModel
from simulator.software_panel import SoftwarePanel, visible
from simulator.world import World
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


def colours(panel: SoftwarePanel) -> set[int]:
    assert panel.shown is not None
    return set(visible(panel.shown).tobytes())


def test_a_refresh_that_is_waited_for_leaves_no_ghost() -> None:
    world = World()
    calm = SoftwarePanel(MODEL, sleep=world.rest, clock=world.clock)
    for index in (3, 5, 2):
        calm.show(picture(index))
    assert colours(calm) == {2}
    assert world.now == 1000 + 3 * MODEL.refresh_seconds


def test_a_driver_that_does_not_wait_leaves_the_last_picture_shining_through() -> None:
    world = World()
    hasty = SoftwarePanel(MODEL, sleep=world.rest, clock=world.clock)
    hasty.early = True
    hasty.show(picture(3))
    hasty.show(picture(5))
    assert colours(hasty) == {3, 5}
    world.live(MODEL.refresh_seconds)
    hasty.show(picture(2))
    assert colours(hasty) == {2}


def test_a_picture_that_is_interrupted_stands_half_with_the_one_before() -> None:
    world = World()
    cut = SoftwarePanel(MODEL, sleep=world.rest, clock=world.clock)
    cut.show(picture(3))
    world.after(MODEL.refresh_seconds / 2, cut.interrupt)
    world.thread(lambda: (cut.show(picture(5)), None)[1], "panel").start()
    world.live(MODEL.refresh_seconds / 2 + 1)
    assert colours(cut) == {3, 5}


def test_an_aged_panel_takes_longer_than_its_driver_is_told(naps: list[float]) -> None:
    old = SoftwarePanel(MODEL, sleep=naps.append)
    old.ageing = 2.5
    old.show(picture(3))
    assert naps == [2.5 * MODEL.refresh_seconds]
    assert old.refresh_seconds == MODEL.refresh_seconds


@pytest.mark.parametrize("model", PANEL_MODELS.values(), ids=lambda model: model.name)
def test_every_model_takes_its_own_time_and_its_own_inks(model: PanelModel) -> None:
    world = World()
    each = SoftwarePanel(model, sleep=world.rest, clock=world.clock)
    for _, index in model.palette.inks:
        assert each.show(picture(index, model)).ok
    assert world.now == 1000 + len(model.palette.inks) * model.refresh_seconds
    assert not each.show(picture(250, model)).ok
