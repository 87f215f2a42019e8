"""Every screen on every panel: the right size, the panel's own inks and nothing else."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from companion.i18n import LANGUAGES, translator
from companion.panel import draw, picture_png
from companion.panel.metrics import SIZES
from companion.ports import PALETTES, SCREEN_RGB, Ink, Palette
from companion.views.screens import Footer, TableScreen
from tests.panel.samples import ORCHARD
from tests.panel.screens import SCREENS

UPRIGHT = tuple((height, width) for width, height in SIZES)


def only_its_inks(size: tuple[int, int], palette: Palette) -> None:
    for name, screen in SCREENS.items():
        picture = draw(screen, size, palette, translator("bg"))
        assert (picture.mode, picture.size) == ("P", size), name
        assert {index for _, index in picture.getcolors() or ()} <= {index for _, index in palette.inks}, name


@pytest.mark.parametrize("size", SIZES + UPRIGHT, ids=lambda size: f"{size[0]}x{size[1]}")
def test_every_screen_is_drawn_for_a_panel_of_any_size_lying_or_upright(size: tuple[int, int]) -> None:
    only_its_inks(size, PALETTES["four-colour"])


@pytest.mark.parametrize("palette", PALETTES.values(), ids=lambda palette: palette.name)
def test_every_screen_is_drawn_in_the_indices_of_any_palette(palette: Palette) -> None:
    only_its_inks((400, 300), palette)


def test_equal_screens_make_equal_pictures() -> None:
    one, other = (draw(SCREENS["table"], (400, 300), PALETTES["spectra-six"], translator("en")) for _ in range(2))
    assert one.tobytes() == other.tobytes()


@pytest.mark.parametrize("language", LANGUAGES)
def test_languages_differ(language: str) -> None:
    english = draw(SCREENS["table"], (800, 480), PALETTES["black-white"], translator("en"))
    drawn = draw(SCREENS["table"], (800, 480), PALETTES["black-white"], translator(language))
    assert (drawn.tobytes() == english.tobytes()) == (language == "en")


@pytest.mark.parametrize("palette", PALETTES.values(), ids=lambda palette: palette.name)
def test_a_panel_with_colours_uses_them(palette: Palette) -> None:
    picture = draw(SCREENS["seven-results"], (800, 480), palette, translator("en"))
    used = {index for _, index in picture.getcolors() or ()}
    expected = {Ink.BLACK, Ink.WHITE, Ink.RED, Ink.BLUE, Ink.GREEN, Ink.YELLOW}
    assert used == {index for ink, index in palette.inks if ink in expected}


def test_the_png_shows_the_inks_as_a_screen_does() -> None:
    palette = PALETTES["spectra-six"]
    picture = draw(SCREENS["seven-results"], (400, 300), palette, translator("en"))
    with Image.open(BytesIO(picture_png(picture))) as png:
        seen = {colour for _, colour in png.convert("RGB").getcolors() or ()}
    assert seen == {SCREEN_RGB[ink] for ink, _ in palette.inks}


@pytest.mark.parametrize("size", SIZES + UPRIGHT, ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_game_that_no_catalogue_and_no_symbol_knows_is_drawn_all_the_same(size: tuple[int, int]) -> None:
    picture = draw(TableScreen(ORCHARD, Footer(9, 3)), size, PALETTES["four-colour"], translator("pt-BR"))
    assert len(picture.getcolors() or ()) >= 3


def test_a_panel_that_is_too_small_is_said_so() -> None:
    with pytest.raises(ValueError, match="a panel of 128x64 is too small; the least is 212x104"):
        draw(SCREENS["table"], (128, 64), PALETTES["black-white"], translator("en"))


def test_a_panel_of_an_odd_size_gets_the_texts_of_the_next_smaller_one() -> None:
    assert draw(SCREENS["table"], (480, 320), PALETTES["black-white"], translator("en")).size == (480, 320)
