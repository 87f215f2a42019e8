"""How codes, names and numbers become sentences."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from companion.i18n import LANGUAGES, Translator, negotiate, translator
from companion.i18n.catalogue import read_catalogue
from companion.rules.portrait import Phrase


def test_a_phrase_is_worded_with_the_names_of_its_things() -> None:
    phrase = Phrase("forbidden_island.moved", {"player": "pilot", "to": "watchtower"})
    assert translator("en").say(phrase) == "The Pilot moved to Watchtower."
    assert translator("pt-BR").say(phrase) == "O Piloto foi até a Torre de Vigia."
    assert translator("bg").say(phrase) == "Пилотът отиде на „Стражева кула“."


def test_a_list_of_names_is_joined_as_the_language_joins_it() -> None:
    phrase = Phrase("forbidden_island.pawns_in_water", {"players": ("diver", "pilot", "explorer")})
    assert translator("en").say(phrase) == "In the water: Diver, Pilot, and Explorer."
    assert translator("pt-BR").say(phrase) == "Na água: Mergulhador, Piloto e Explorador."
    assert translator("bg").say(phrase) == "Във водата: Водолаз, Пилот и Изследовател."


def test_an_inner_phrase_is_worded_first() -> None:
    phrase = Phrase("forbidden_island.lost", {"reason": Phrase("forbidden_island.ending.water_level")})
    assert translator("en").say(phrase) == "Lost. The water reached the skull."


@pytest.mark.parametrize(
    ("language", "number", "told"),
    [
        ("en", 1, "Draw 1 card"),
        ("en", 0, "Draw 0 cards"),
        ("en", 3, "Draw 3 cards"),
        ("pt-BR", 1, "Puxe 1 carta"),
        ("pt-BR", 2, "Puxe 2 cartas"),
        ("bg", 1, "Теглете 1 карта"),
        ("bg", 5, "Теглете 5 карти"),
    ],
)
def test_n_chooses_the_plural(language: str, number: int, told: str) -> None:
    assert translator(language).text("meter.water.reading", n=number) == told


def test_peoples_names_and_braces_in_them_pass_through() -> None:
    assert translator("bg").text("panel.setup.begins", player="Ана {0}") == "Започва Ана {0}"


def test_a_message_that_can_name_what_is_known_is_preferred() -> None:
    words = translator("en")
    assert words.text("refusal.not_flooded") == "That tile is not flooded."
    assert words.text("refusal.not_flooded", tile="watchtower") == "Watchtower is not flooded."


def test_a_name_as_a_code_of_its_own_is_looked_up_like_any_name() -> None:
    assert translator("en").say(Phrase("name.watchtower")) == "Watchtower"
    assert translator("en").say(Phrase("name.Ana")) == "Ana"


def test_short_names_fall_back_to_the_name() -> None:
    words = translator("en")
    assert (words.short("temple_of_the_moon"), words.short("Ana")) == ("Moon", "Ana")
    assert words.text("forbidden_island.await.swim.short", players=("explorer",)) == "Swim: Expl."


def test_a_missing_code_shows_itself_and_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    words = Translator("en", read_catalogue("en", Path("nowhere")))
    with caplog.at_level(logging.ERROR):
        assert [words.text("refusal.odd") for _ in range(3)] == ["refusal.odd"] * 3
    assert [record.getMessage() for record in caplog.records] == ["message refusal.odd has no message in en"]


def test_a_missing_parameter_shows_the_code_and_never_raises(caplog: pytest.LogCaptureFixture) -> None:
    words = Translator("en", translator("en")._catalogue)
    assert words.text("panel.turn") == "panel.turn"
    assert "cannot be filled in" in caplog.text


def test_an_unknown_language_is_an_error_that_names_those_there_are() -> None:
    with pytest.raises(KeyError, match="en, pt-BR, bg"):
        translator("fr")


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("bg", "bg"),
        ("bg-BG,bg;q=0.9,en;q=0.8", "bg"),
        ("pt", "pt-BR"),
        ("pt-PT,pt;q=0.9,en;q=0.1", "pt-BR"),
        ("PT-br", "pt-BR"),
        ("fr,de;q=0.8,en;q=0.2", "en"),
        ("fr;q=0.9, bg;q=0.3, en;q=0.7", "en"),
        ("en;q=0, bg;q=0.1", "bg"),
        ("*", "en"),
        ("bg;q=oops, pt;q=0.1", "pt-BR"),
        (";;,,=,q=1;;", "en"),
    ],
)
def test_a_browser_gets_the_language_it_likes_best(header: str, language: str) -> None:
    assert negotiate(header) == language


def test_negotiation_always_ends_in_one_of_ours() -> None:
    assert {negotiate(header) for header in ("x" * 500, "\x00", "ru-RU;q=1.0", "zh")} <= set(LANGUAGES)
