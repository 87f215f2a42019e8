"""From a screen to a picture: the one way in. Pure: equal screens make equal pictures."""

from __future__ import annotations

from PIL import Image

from companion.i18n import Translator
from companion.panel.canvas import Canvas
from companion.panel.ending import paint_end
from companion.panel.invitation import paint_join
from companion.panel.laying import paint_set_up
from companion.panel.scene import scene_of
from companion.panel.screens import paint_paused, paint_reader_lost, paint_table
from companion.ports import Palette
from companion.views.screens import (
    EndScreen,
    JoinScreen,
    PausedScreen,
    ReaderLostScreen,
    Screen,
    SetUpScreen,
    TableScreen,
)

WORDS = "words"


def draw(screen: Screen, size: tuple[int, int], palette: Palette, translator: Translator) -> Image.Image:
    """A mode "P" picture of exactly ``size`` whose pixels are the palette's indices.

    ``info[WORDS]`` of it are the texts that stand on it. ValueError for a size smaller than the smallest panel.
    """
    canvas = paint(screen, Canvas(size, palette), translator)
    canvas.image.info[WORDS] = tuple(label.text for label in canvas.labels)
    return canvas.image


def paint(screen: Screen, canvas: Canvas, translator: Translator) -> Canvas:
    """Paint a screen on a canvas, which also tells what labels it bears."""
    scene = scene_of(canvas, translator, None if isinstance(screen, JoinScreen) else screen.portrait)
    match screen:
        case JoinScreen():
            paint_join(scene, screen)
        case SetUpScreen():
            paint_set_up(scene, screen)
        case TableScreen():
            paint_table(scene, screen)
        case PausedScreen():
            paint_paused(scene, screen)
        case EndScreen():
            paint_end(scene, screen)
        case ReaderLostScreen():
            paint_reader_lost(scene, screen)
    return canvas
