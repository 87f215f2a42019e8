"""Numbers and the words around them, in each language's own way."""

from __future__ import annotations

from pathlib import Path

import pytest
from babel import Locale
from babel.messages.pofile import read_po

import companion.i18n
from companion.i18n import LANGUAGES, translator

FOLDER = Path(companion.i18n.__file__).parent
NUMBERS = (0, 1, 2, 3, 5, 11, 20, 21, 22, 100, 101)
FILES = sorted(FOLDER.glob("*/*.po"))

ENDED = {
    "en": {
        0: "0 games played to their end.",
        1: "1 game played to its end.",
        2: "2 games played to their end.",
        5: "5 games played to their end.",
        21: "21 games played to their end.",
        101: "101 games played to their end.",
    },
    "pt-BR": {
        0: "0 partida jogada até o fim.",
        1: "1 partida jogada até o fim.",
        2: "2 partidas jogadas até o fim.",
        5: "5 partidas jogadas até o fim.",
        21: "21 partidas jogadas até o fim.",
        101: "101 partidas jogadas até o fim.",
    },
    "bg": {
        0: "0 партии, изиграни докрай.",
        1: "1 партия, изиграна докрай.",
        2: "2 партии, изиграни докрай.",
        5: "5 партии, изиграни докрай.",
        21: "21 партии, изиграни докрай.",
        101: "101 партии, изиграни докрай.",
    },
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_number_brings_its_own_form_of_the_sentence(language: str) -> None:
    words = translator(language)
    assert {n: words.text("web.statistics.ended", n=n) for n in ENDED[language]} == ENDED[language]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_each_file_divides_the_numbers_as_its_language_does(path: Path) -> None:
    """The language's own rule, from the Unicode locale data; millions, which Portuguese tells apart, do not occur."""
    rule = Locale.parse(path.parent.name, sep="-").plural_form
    with path.open("rb") as file:
        catalogue = read_po(file)
    plural = companion.i18n.translator(path.parent.name)._catalogue.plural
    assert catalogue.num_plurals == 2
    assert [plural(n) for n in NUMBERS] == [0 if rule(n) == "one" else 1 for n in NUMBERS]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_that_counts_can_be_said_with_any_number(language: str) -> None:
    words = translator(language)
    counting = {code: forms for code, forms in words._catalogue.forms.items() if len(forms) > 1}
    assert len(counting) > 20
    for code, forms in counting.items():
        assert {words._lookup(code, n) for n in NUMBERS} == set(forms), code
