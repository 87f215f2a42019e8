"""What sank and what flooded is told by shape alone: a picture in black and white leaves no doubt."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PIL import Image

from companion.i18n import translator
from companion.panel.box import Box
from companion.panel.canvas import Canvas, Label
from companion.panel.draw import paint
from companion.panel.metrics import SIZES
from companion.panel.results import gone_things
from companion.ports import BLACK_WHITE, Ink
from companion.rules.portrait import Pile, Result, Tone
from tests.panel import samples
from tests.panel.screens import SCREENS

WORDS = translator("en")
EVERYWHERE = pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")


def painted(size: tuple[int, int]) -> Canvas:
    return paint(SCREENS["seven-results"], Canvas(size, BLACK_WHITE), WORDS)


def label_of(canvas: Canvas, result: Result) -> Label:
    """The result's own label: the first that bears its name, for the map comes later."""
    names = (WORDS.name(result.card), WORDS.short(result.card))
    return next(label for label in canvas.labels if label.text in names)


def black_share(picture: Image.Image, box: Box) -> float:
    cut = picture.crop((box.left, box.top, box.right, box.bottom))
    return cut.histogram()[BLACK_WHITE.index(Ink.BLACK)] / (box.width * box.height)


@EVERYWHERE
def test_danger_is_a_block_in_inverse_and_nothing_else_is(size: tuple[int, int]) -> None:
    canvas = painted(size)
    for result in samples.WORST.results:
        share = black_share(canvas.image, label_of(canvas, result).inked)
        assert (share > 0.5) == (result.tone is Tone.DANGER), (result.card, share)


@EVERYWHERE
def test_the_name_of_what_sank_is_struck_through(size: tuple[int, int]) -> None:
    canvas, white = painted(size), BLACK_WHITE.index(Ink.WHITE)
    for result in (result for result in samples.WORST.results if result.tone is Tone.DANGER):
        ink = label_of(canvas, result).inked
        rows = [
            all(canvas.image.getpixel((x, y)) == white for x in range(ink.left - 1, ink.right + 1))
            for y in range(ink.top, ink.bottom)
        ]
        assert any(rows) == (result.effect == "sank"), result.card


@EVERYWHERE
def test_every_effect_has_a_mark_of_its_own_before_the_name(size: tuple[int, int]) -> None:
    canvas = painted(size)
    marks: dict[str, set[bytes]] = {}
    for result in samples.WORST.results[1:]:
        label = label_of(canvas, result)
        side = label.inked.height
        mark = canvas.image.crop(
            (label.given.left - side - 2, label.inked.top, label.given.left - 2, label.inked.bottom)
        )
        marks.setdefault(result.effect, set()).add(mark.resize((16, 16), Image.Resampling.NEAREST).tobytes())
    effects = list(marks.values())
    assert not any(one & other for place, one in enumerate(effects) for other in effects[place + 1 :])


def test_a_place_is_gone_when_it_left_the_board_or_its_card_left_the_game() -> None:
    assert "fools_landing" in gone_things(samples.WORST)
    assert gone_things(samples.CARDS_ONLY) == {"twilight_hollow", "tidal_palace"}
    assert gone_things(replace(samples.CARDS_ONLY, piles=(Pile("flood", (3,)),))) == set()
