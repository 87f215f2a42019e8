"""The three languages say the same things."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.pofile import read_po

import companion.i18n
from companion.i18n import LANGUAGES
from companion.i18n.catalogue import Catalogue, read_catalogue
from tests.i18n.emitted import forbidden_island_codes, literal_codes

FOLDER = Path(companion.i18n.__file__).parent
ONE_FORM_ONLY = re.compile(r"(name|short)\..*|.*\.(short|shortest)")
"""Grammatical forms and short wordings are each language's own business."""


@cache
def catalogue(language: str) -> Catalogue:
    return read_catalogue(language, FOLDER / language)


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_stands_in_every_language(language: str) -> None:
    codes = {code for code in catalogue("en").forms if not ONE_FORM_ONLY.fullmatch(code)}
    others = {code for code in catalogue(language).forms if not ONE_FORM_ONLY.fullmatch(code)}
    assert codes ^ others == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_name_has_a_plain_form_in_every_language(language: str) -> None:
    names = {code for code in catalogue("en").forms if code.startswith("name.")}
    plain = {code for code in names if ".".join(code.split(".")[:-1]) not in names}
    assert plain <= catalogue(language).forms.keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_message_has_the_same_placeholders_in_every_language_and_form(language: str) -> None:
    for code, forms in catalogue(language).forms.items():
        if english := catalogue("en").forms.get(code):
            wanted = placeholders(english[-1])
            assert [placeholders(form) for form in forms] == [wanted] * len(forms), code


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_message_that_counts_has_both_forms(language: str) -> None:
    for code, forms in catalogue("en").forms.items():
        if code in catalogue(language).forms:
            assert len(catalogue(language).forms[code]) == len(forms), code


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*/*.po")), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_file_has_no_message_twice_and_none_that_is_empty(path: Path) -> None:
    codes = re.findall(r'^msgid "(.+)"$', path.read_text("utf-8"), re.MULTILINE)
    assert len(codes) == len(set(codes))
    with path.open("rb") as file:
        assert [message.id for message in read_po(file) if message.id and not message.string] == []


def test_bulgarian_is_written_in_cyrillic() -> None:
    latin = {"panel.results.more", "name.A", "name.B", "name.C", "name.D"}
    for code, forms in catalogue("bg").forms.items():
        words = Formatter().parse(forms[0])
        text = "".join(literal for literal, _, _, _ in words)
        text = re.sub(r"„(?:tag|thing|command)“", "", text)
        if re.search(r"[a-z]{4}", re.sub(r"Wi-Fi|JSON|Raspberry Pi|udev|https?://\S+", "", text)):
            assert code in latin or code.startswith("web."), (code, text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_in_the_source_has_a_message(language: str) -> None:
    assert literal_codes() - catalogue(language).forms.keys() == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_that_the_game_puts_together_has_a_message(language: str) -> None:
    assert forbidden_island_codes() - catalogue(language).forms.keys() == set()


def test_a_code_in_two_files_is_an_error(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.po").write_text('msgid "verb.deal"\nmsgstr "Deal"\n', "utf-8")
    with pytest.raises(ValueError, match=r"verb\.deal stands twice"):
        read_catalogue("en", tmp_path)
