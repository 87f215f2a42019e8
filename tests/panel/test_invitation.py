"""Phones can scan the code from the panel, and people can type the address."""

from __future__ import annotations

import pytest
import segno
from PIL import Image

from companion.i18n import translator
from companion.panel.canvas import Canvas
from companion.panel.draw import paint
from companion.panel.invitation import address_lines, code_of
from companion.panel.metrics import SIZES
from companion.ports import BLACK_WHITE, Ink
from companion.views.screens import Footer, JoinScreen
from tests.panel.screens import SCREENS, URL

UPRIGHT = tuple((height, width) for width, height in SIZES)
MODULES = [[bool(bit) for bit in row] for row in segno.make(URL, error="m", micro=False).matrix]


def modules_in(picture: Image.Image, left: int, top: int, pixels: int) -> list[list[bool]]:
    black = BLACK_WHITE.index(Ink.BLACK)
    count = len(MODULES)
    half = pixels // 2
    return [
        [picture.getpixel((left + half + x * pixels, top + half + y * pixels)) == black for x in range(count)]
        for y in range(count)
    ]


@pytest.mark.parametrize("size", SIZES + UPRIGHT, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_code_on_the_panel_is_the_address_with_a_quiet_border(size: tuple[int, int]) -> None:
    canvas = paint(SCREENS["join"], Canvas(size, BLACK_WHITE), translator("en"))
    picture = canvas.image
    black = picture.convert("RGB").convert("L").point(lambda grey: 255 * (grey == 0))
    words = [label.inked for label in canvas.labels]
    beside = (
        (min(ink.left for ink in words), size[1]) if size[0] > size[1] else (size[0], min(ink.top for ink in words))
    )
    left, top, _, _ = black.crop((0, 0, *beside)).getbbox() or (0, 0, 0, 0)
    finder = next(x for x in range(left, size[0]) if black.getpixel((x, top)) == 0) - left
    pixels = finder // 7
    assert pixels >= 2
    assert modules_in(picture, left, top, pixels) == MODULES
    assert min(left, top) >= 2 * pixels
    end = left + len(MODULES) * pixels
    quiet = black.crop((end, top, end + pixels, top + len(MODULES) * pixels))
    assert quiet.getbbox() is None


def test_a_code_has_whole_pixels_and_the_standards_border_where_it_costs_nothing() -> None:
    assert code_of(URL, 37 * 3).width == 37 * 3
    assert code_of(URL, 37 * 3 - 1).width == 33 * 3
    assert code_of(URL, 104).width == 99


def test_the_address_stands_in_one_line_or_breaks_before_the_port() -> None:
    assert address_lines(URL, 400, 12) == ["http://192.168.1.37:8000/"]
    assert address_lines(URL, 100, 11) == ["192.168.1.37", ":8000/"]
    assert address_lines("http://table.local/", 60, 11) == ["table.local/"]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_pin_is_shown_where_there_is_one(size: tuple[int, int]) -> None:
    with_pin = paint(JoinScreen(URL, "482913", Footer(1)), Canvas(size, BLACK_WHITE), translator("bg"))
    without = paint(JoinScreen(URL, None, Footer(1)), Canvas(size, BLACK_WHITE), translator("bg"))
    assert any("482913" in label.text for label in with_pin.labels)
    assert not any("ПИН" in label.text for label in without.labels)
