"""The panel's pictures are those that somebody looked at. ``python -m tests.golden.renew`` draws them anew."""

from __future__ import annotations

from itertools import product

import pytest
from PIL import Image, ImageChops

from companion.i18n import LANGUAGES
from companion.ports import PALETTES
from tests.golden.pictures import FOLDER, PICTURES, SIZES, Golden
from tests.panel.screens import SCREENS

TOLERANCE = 0.015
"""The share of pixels that may differ: releases of FreeType place some pixels of a letter's edge differently."""


def differing(one: Image.Image, other: Image.Image) -> float:
    difference = ImageChops.difference(one.convert("RGB"), other.convert("RGB")).convert("L")
    unequal = difference.point(lambda grey: 255 * (grey > 0))
    return unequal.histogram()[255] / (one.width * one.height)


@pytest.mark.parametrize("golden", PICTURES, ids=lambda golden: golden.path.stem)
def test_a_screen_looks_as_it_did_when_somebody_looked(golden: Golden) -> None:
    drawn = golden.draw()
    with Image.open(golden.path) as kept:
        assert kept.size == drawn.size
        assert kept.mode == "P"
        assert differing(kept, drawn) <= TOLERANCE


def test_a_changed_picture_is_noticed() -> None:
    golden = PICTURES[0]
    with Image.open(golden.path) as kept:
        assert differing(kept, PICTURES[1].draw().resize(kept.size)) > TOLERANCE


def test_no_picture_lies_about_that_is_not_compared() -> None:
    assert set(FOLDER.glob("*.png")) == {golden.path for golden in PICTURES}


def test_every_palette_is_kept_at_three_sizes_in_three_languages() -> None:
    kept = {(golden.size, golden.palette, golden.language) for golden in PICTURES}
    assert kept >= set(product(SIZES, PALETTES, LANGUAGES))


@pytest.mark.parametrize("size", SIZES)
def test_every_screen_is_kept_at_each_of_the_three_sizes(size: tuple[int, int]) -> None:
    assert {golden.screen for golden in PICTURES if golden.size == size} == set(SCREENS)
