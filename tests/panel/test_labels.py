"""No text runs out of its place, over another text, or below the least size, in any language on any panel."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from companion.i18n import LANGUAGES, translator
from companion.panel.box import Box
from companion.panel.canvas import Canvas, Label
from companion.panel.draw import paint
from companion.panel.metrics import SIZES
from companion.ports import BLACK_WHITE
from companion.rules.forbidden_island.island import Shape, cells, extent
from companion.rules.portrait import Phrase, Result, Tone
from companion.views.screens import Footer, SetUpScreen, TableScreen
from tests.panel import samples
from tests.panel.screens import LOST_READER, MENU, SCREENS

EVERYWHERE = pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
IN_EACH = pytest.mark.parametrize("language", LANGUAGES)


def labels(screen: str, size: tuple[int, int], language: str) -> list[Label]:
    return paint(SCREENS[screen], Canvas(size, BLACK_WHITE), translator(language)).labels


def overhang(label: Label) -> int:
    """By how many pixels the ink leaves the box that was given to the text."""
    ink, box = label.inked, label.given
    return max(box.left - ink.left, ink.right - box.right, box.top - ink.top, ink.bottom - box.bottom)


def overlap(one: Box, other: Box) -> int:
    across = min(one.right, other.right) - max(one.left, other.left)
    down = min(one.bottom, other.bottom) - max(one.top, other.top)
    return min(across, down)


@EVERYWHERE
@IN_EACH
@pytest.mark.parametrize("screen", SCREENS)
def test_texts_keep_to_their_places(screen: str, size: tuple[int, int], language: str) -> None:
    least = Canvas(size, BLACK_WHITE).metrics.least
    written = labels(screen, size, language)
    assert [label for label in written if label.cut] == []
    assert [label for label in written if overhang(label) > 2 + label.size // 12] == []
    assert [label for label in written if len(label.text) > 1 and label.size < least] == []
    pairs = combinations(written, 2)
    assert [(one.text, other.text) for one, other in pairs if overlap(one.inked, other.inked) > 0] == []


@EVERYWHERE
@IN_EACH
def test_seven_results_are_all_named_and_said_to_have_sunk_or_flooded(size: tuple[int, int], language: str) -> None:
    words = translator(language)
    written = [label.text for label in labels("seven-results", size, language)]
    for result in samples.WORST.results:
        assert {words.name(result.card), words.short(result.card)} & set(written), result.card
    assert written.count(words.text("effect.sank")) == 3


@EVERYWHERE
def test_seven_results_are_named_beside_a_question_an_answer_and_an_alert(size: tuple[int, int]) -> None:
    options = tuple(Phrase(f"verb.{verb}") for verb in MENU)
    asked = TableScreen(samples.WORST, Footer(99, 9, (LOST_READER,)), Phrase("refusal.not_flooded"), options, 4)
    words = translator("bg")
    written = {label.text for label in paint(asked, Canvas(size, BLACK_WHITE), words).labels}
    for result in samples.WORST.results:
        assert {words.name(result.card), words.short(result.card)} & written, result.card


@EVERYWHERE
@IN_EACH
def test_turn_and_revision_stand_on_every_screen_of_a_game(size: tuple[int, int], language: str) -> None:
    """Stale e-ink could not be told from fresh: https://github.com/openbook/shouldi-eink-display/issues/5."""
    for screen in SCREENS:
        text = " ".join(label.text for label in labels(screen, size, language))
        assert f"#{SCREENS[screen].footer.revision}" in text, screen


@EVERYWHERE
def test_the_longest_names_fit_at_every_place_in_every_language(size: tuple[int, int]) -> None:
    for language in LANGUAGES:
        names = sorted(samples.LAYOUT, key=lambda tile: -len(translator(language).name(tile)))
        results = tuple(Result("flood", tile, "sank", Tone.DANGER) for tile in names[:5])
        portrait = replace(samples.WORST, results=samples.WORST.results[:2] + results)
        painted = paint(TableScreen(portrait, Footer(1, 1)), Canvas(size, BLACK_WHITE), translator(language))
        assert not any(label.cut for label in painted.labels)


@EVERYWHERE
@pytest.mark.parametrize("shape", Shape)
def test_an_island_of_any_shape_stays_on_the_panel(size: tuple[int, int], shape: Shape) -> None:
    rows, columns = extent(shape)
    lines = [["."] * columns for _ in range(rows)]
    for row, column in cells(shape):
        lines[row][column] = "#"
    portrait = replace(samples.START, board=samples.board(shape=tuple(map("".join, lines))))
    for screen in (TableScreen(portrait, Footer(1, 1)), SetUpScreen(portrait, Footer(1, 1))):
        canvas = paint(screen, Canvas(size, BLACK_WHITE), translator("pt-BR"))
        assert not any(label.cut or overhang(label) > 2 + label.size // 12 for label in canvas.labels)
