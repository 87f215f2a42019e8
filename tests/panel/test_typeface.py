"""Texts are made to fit: smaller, then narrower, then shorter, and cut only in the end."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from companion.panel.box import Box
from companion.panel.symbols import SHAPES, mask_of, outline_of
from companion.panel.typeface import ELLIPSIS, Face, fit, fit_lines, fit_together, font, width_of

TEXTS = st.text(alphabet="abcdefghijklmnopqrstuvwxyzабвгдежзийклмнопрстуфхцчшщъьюяãçéíóú ’-", min_size=1, max_size=60)


def test_a_text_that_fits_is_set_in_the_largest_size() -> None:
    assert fit(["Watchtower"], 500, 20, 10).face == Face(20)


def test_a_wide_text_is_condensed_before_it_is_set_smaller() -> None:
    narrow = fit(["Watchtower"], width_of("Watchtower", Face(20)) - 1, 20, 10)
    assert narrow.face == Face(20, condensed=True)


def test_the_shorter_wording_is_taken_only_where_the_least_size_does_not_help() -> None:
    wordings = ["Temple of the Moon", "Moon"]
    room = width_of(wordings[0], Face(10, condensed=True))
    assert fit(wordings, room, 20, 10).text == "Temple of the Moon"
    assert fit(wordings, room - 1, 20, 10).text == "Moon"


def test_what_cannot_fit_ends_with_an_ellipsis_and_says_so() -> None:
    cut = fit(["Observatory"], 40, 20, 10)
    assert cut.cut
    assert cut.text.endswith(ELLIPSIS)
    assert cut.width <= 40


@given(TEXTS, st.integers(12, 300), st.integers(8, 40))
def test_a_fitted_text_is_never_wider_than_its_place(text: str, width: int, largest: int) -> None:
    assert fit([text], width, largest, 8).width <= width


@given(st.lists(TEXTS, min_size=1, max_size=7), st.integers(60, 300))
def test_a_list_is_set_in_one_face_unless_some_must_be_shortened(names: list[str], width: int) -> None:
    fitted = fit_together([((name, name[:3]), width) for name in names], 20, 10)
    assert all(label.width <= width for label in fitted)
    whole = all(label.text == name for label, name in zip(fitted, names, strict=True))
    assert not whole or len({label.face.size for label in fitted}) == 1


@given(TEXTS, st.integers(60, 300), st.integers(14, 120))
def test_lines_stay_within_their_place(text: str, width: int, height: int) -> None:
    lines = fit_lines([text], (width, height), 20, 10)
    assert all(line.width <= width for line in lines)
    assert sum(line.face.leading for line in lines[:-1]) <= height


def test_the_letters_of_all_three_languages_are_in_the_typeface() -> None:
    face = font(Face(16))
    missing = face.getmask("\uffff", mode="1")
    for letter in "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЬЮЯабвгдежзийклмнопрстуфхцчшщъьюяѝÁÂÃÀÇÉÊÍÓÔÕÚáâãàçéêíóôõú’“”„…·×":
        assert bytes(face.getmask(letter, mode="1")) != bytes(missing), letter


def test_every_symbol_can_be_told_from_every_other_at_eleven_pixels() -> None:
    synonyms = {"sank": "cross", "flooded": "waves", "water": "waves", "waters_rise": "rise"}
    masks = {name: mask_of(name, 11).tobytes() for name in SHAPES if name not in synonyms}
    assert len(set(masks.values())) == len(masks)
    assert all(mask_of(name, 11).tobytes() == masks[same] for name, same in synonyms.items())


def test_an_outline_is_part_of_its_symbol_and_hollow() -> None:
    full, outline = mask_of("crystal_of_fire", 32), outline_of("crystal_of_fire", 32)
    count = [sum(image.convert("L").histogram()[128:]) for image in (full, outline)]
    assert 0 < count[1] < count[0] * 2 // 3


@given(st.integers(0, 300), st.integers(0, 300), st.integers(1, 9), st.integers(0, 5))
def test_rows_and_columns_fill_their_box_without_overlapping(width: int, height: int, count: int, gap: int) -> None:
    box = Box(3, 4, 3 + width, 4 + height)
    for parts, first, last in (
        (box.rows(count, gap), "top", "bottom"),
        (box.columns(count, gap), "left", "right"),
    ):
        assert getattr(parts[0], first) == getattr(box, first)
        assert getattr(parts[-1], last) == getattr(box, last)
        assert all(getattr(one, last) + gap == getattr(two, first) for one, two in itertools.pairwise(parts))
