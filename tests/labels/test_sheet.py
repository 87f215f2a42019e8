"""The sheet of labels, read back by a scanner that has never seen the program."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pypdfium2
import pytest
import zxingcpp
from PIL import Image

from companion.i18n import LANGUAGES, translator
from companion.labels.layout import PAGES, PRESETS, Layout, LayoutError, plain
from companion.labels.sheet import Label, labels_of, sheet_pdf
from companion.ports import TagArrived
from companion.rules.game import Thing
from companion.rules.registry import GAMES
from companion.table.box import box_of
from companion.table.labels import Labels
from companion.table.meaning import PRESSES, Act
from companion.table.tags import is_fit
from drivers.line_decoder import LineDecoder
from drivers.line_text import LineFormat
from tests.table.sittings import seated, sit_down
from tests.tiny_game import TinyGame

GAME = GAMES["forbidden_island"]
BOX, SMALL = box_of(GAME), box_of(TinyGame())
MM = 72 / 25.4
DPI = 200
"""A cheap printer's picture: half of what any printer gives today."""


@cache
def sheet(box: str, preset: str, language: str) -> tuple[tuple[Label, ...], bytes]:
    labels = labels_of({"real": BOX, "small": SMALL}[box], translator(language))
    return labels, sheet_pdf(labels, PRESETS[preset], "Labels", language)


def pictures(pdf: bytes) -> list[Image.Image]:
    return [page.render(scale=DPI / 72).to_pil() for page in pypdfium2.PdfDocument(pdf)]


def decoded(picture: Image.Image) -> list[str]:
    return [
        found.text
        for found in zxingcpp.read_barcodes(picture, formats=zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode))
    ]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_code_of_every_preset_is_read_back(preset: str) -> None:
    labels, pdf = sheet("real", preset, "bg")
    read = [text for picture in pictures(pdf) for text in decoded(picture)]
    assert Counter(read) == Counter(label.code for label in labels)


def test_what_a_scanner_reads_off_the_sheet_is_just_what_the_table_knows() -> None:
    _, pdf = sheet("real", "a4", "en")
    decoder, table = LineDecoder(LineFormat.TEXT), Labels([BOX])
    decoder.silence(2.0)
    read = [text for picture in pictures(pdf) for text in decoded(picture)]
    tags = [found.tag for text in read for found in decoder.feed(f"]Q1{text}\r\n".encode()) if hasattr(found, "tag")]
    assert len(tags) == len(read)
    known = Counter(table.meaning(tag) for tag in tags)
    assert known == {piece.meaning: piece.copies for piece in BOX.pieces}
    assert (known[Thing("treasure", "earth_stone")], known[Thing("tile", "watchtower")]) == (5, 1)
    assert all(known[Act(press)] == 1 for press in PRESSES)
    assert all(map(is_fit, tags))


def test_a_game_is_played_with_the_sheet_alone() -> None:
    _, pdf = sheet("small", "a4", "en")
    session = sit_down()
    session.start("tiny", {"seed": 1, "dark": "mill"})
    codes = {text: text for picture in pictures(pdf) for text in decoded(picture)}
    for wanted in ("TABLE:DO:WALK", "TABLE:PLACE:DUNE", "TABLE:UNDO"):
        session.observe(TagArrived("scanner", codes[wanted]))
    assert seated(session).state.at[0] == "pier"
    assert seated(session).can_redo


@pytest.mark.parametrize(("preset", "language"), [("a4", "bg"), ("letter", "pt-BR"), ("avery-l7651", "en")])
def test_the_words_stand_on_the_label_whose_code_they_explain(preset: str, language: str) -> None:
    labels, pdf = sheet("real", preset, language)
    layout = PRESETS[preset]
    document, waiting = pypdfium2.PdfDocument(pdf), list(labels)
    for page in document:
        words, picture = page.get_textpage(), page.render(scale=DPI / 72).to_pil()
        for (x, y), label in zip(layout.places(), waiting[: layout.a_page], strict=False):
            right, bottom = x + layout.label[0], y + layout.label[1]
            height = layout.page[1]
            told = words.get_text_bounded(x * MM, (height - bottom) * MM, right * MM, (height - y) * MM)
            assert "".join(told.split()) == "".join(f"{label.name}{label.kind}".split())
            cut = picture.crop(tuple(round(at * DPI / 25.4) for at in (x, y, right, bottom)))
            assert decoded(cut) == [label.code]
        del waiting[: layout.a_page]
    assert waiting == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_label_says_what_it_is_in_the_readers_language(language: str) -> None:
    labels = {label.code: label for label in labels_of(BOX, translator(language))}
    word = translator(language)
    assert labels["TABLE:TILE:WATCHTOWER"].name == word.name("watchtower")
    assert labels["TABLE:TREASURE:SANDBAGS/2"].kind == f"{word.name('kind.treasure')} 2/2"
    assert labels["TABLE:DO:SHORE-UP"].name == word.text("verb.shore_up")
    assert all(label.name and not label.name.startswith(("name.", "verb.")) for label in labels.values())
    assert not any(label.kind.startswith("kind.") for label in labels.values())


def test_only_the_kinds_that_are_wished_are_printed() -> None:
    assert {label.code for label in labels_of(BOX, translator("en"), ["press"])} == {
        f"TABLE:{press.upper()}" for press in PRESSES
    }
    assert len(labels_of(BOX, translator("en"), ["tile", "role"])) == 30


def test_places_that_are_used_already_stay_empty() -> None:
    labels = labels_of(BOX, translator("en"), ["press"])
    layout = PRESETS["avery-l7651"]
    (picture,) = pictures(sheet_pdf(labels, layout, "Labels", "en", skip=7))
    corner = list(layout.places())[7]
    used = picture.crop((0, 0, picture.width, round((corner[1]) * DPI / 25.4)))
    assert decoded(used) == []
    assert len(decoded(picture)) == len(labels)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_lies_on_its_page_with_no_label_on_another(preset: str) -> None:
    layout = PRESETS[preset]
    assert layout.pitch[0] >= layout.label[0] - 0.01
    assert layout.pitch[1] >= layout.label[1] - 0.01
    for x, y in layout.places():
        assert x >= 0
        assert y >= 0
        assert x + layout.label[0] <= layout.page[0] + 0.01
        assert y + layout.label[1] <= layout.page[1] + 0.01


def test_plain_paper_takes_as_many_labels_as_fit_in_its_middle() -> None:
    layout = plain(PAGES["a4"], (20, 20), margin=15, gap=5)
    assert layout.grid == (7, 10)
    left, top = layout.origin
    assert (left, top) == (15 + (180 - 7 * 25 + 5) / 2, 15 + (267 - 10 * 25 + 5) / 2)


@pytest.mark.parametrize(
    ("label", "margin", "gap", "said"),
    [
        ((9, 30), 10, 3, "at least 10 x 10 mm"),
        ((300, 30), 10, 3, "no label of 300 x 30 mm fits"),
        ((20, 20), 120, 3, "no label of 20 x 20 mm fits on the page inside a margin of 120 mm"),
        ((20, 20), -1, 3, "must be 0 mm or more, not -1 and 3"),
        ((20, 20), 10, float("nan"), "must be 0 mm or more, not 10 and nan"),
        ((20, 20), float("inf"), 3, "must be 0 mm or more, not inf and 3"),
    ],
)
def test_labels_that_cannot_be_laid_are_refused_in_a_line(
    label: tuple[float, float], margin: float, gap: float, said: str
) -> None:
    with pytest.raises(LayoutError, match=said):
        plain(PAGES["a4"], label, margin, gap)


def test_the_smallest_label_can_still_be_read() -> None:
    layout: Layout = plain(PAGES["letter"], (10, 10), gap=2)
    labels = labels_of(BOX, translator("en"), ["press", "role"])
    (picture,) = [
        page.render(scale=600 / 72).to_pil() for page in pypdfium2.PdfDocument(sheet_pdf(labels, layout, "", "en"))
    ]
    assert Counter(decoded(picture)) == Counter(label.code for label in labels)
