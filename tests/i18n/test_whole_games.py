"""Games are played at random, and all that people would read of them is worded in each language."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from companion.i18n import LANGUAGES, Translator, translator
from companion.rules.forbidden_island.game import ForbiddenIsland
from companion.rules.portrait import Phrase, Portrait
from companion.table.dealer import Dealer
from companion.table.line import Line

GAME = ForbiddenIsland()


def phrases(tracking: str, seed: int) -> Iterator[Phrase]:
    """Everything told in one game: commands offered, events, what is awaited, alerts, the end."""
    dealer, chance = Dealer(seed), Random(seed)
    asked = {"players": ["diver", "engineer", "explorer", "messenger"], "difficulty": "elite", "tracking": tracking}
    line = Line(GAME, GAME.start(GAME.complete(asked, dealer.chance)), dealer)
    for _ in range(400):
        commands = GAME.legal(line.state)
        if not commands:
            break
        yield from (GAME.word(command) for command in commands[:20])
        yield from (Phrase(f"verb.{GAME.mentions(line.state, command).verb}") for command in commands[:20])
        move = line.do(chance.choice(commands))
        yield from filter(None, map(GAME.tell, move.events))
        yield from of_portrait(GAME.portray(line.state, [event for past in line.moves[-8:] for event in past.events]))


def of_portrait(portrait: Portrait) -> Iterator[Phrase]:
    yield portrait.awaited
    yield Phrase(f"phase.{portrait.phase}")
    yield from (seat.alert for seat in portrait.seats if seat.alert)
    yield from (Phrase(f"effect.{result.effect}") for result in portrait.results)
    yield from (Phrase(f"condition.{space.condition}") for space in (portrait.board.spaces if portrait.board else ()))
    if portrait.ending:
        yield portrait.ending.reason


def named(value: Any) -> Iterator[str]:
    """The names among a phrase's parameters."""
    if isinstance(value, Phrase):
        for param in value.params.values():
            yield from named(param)
    elif isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        yield from value


@pytest.mark.parametrize("tracking", ["cards", "island", "everything"])
def test_nothing_that_is_said_in_a_game_lacks_a_message_or_a_name(
    tracking: str, caplog: pytest.LogCaptureFixture
) -> None:
    told = {repr(phrase): phrase for seed in range(3) for phrase in phrases(tracking, seed)}.values()
    assert len(told) > 50
    for words in [Translator(language, translator(language)._catalogue) for language in LANGUAGES]:
        with caplog.at_level(logging.ERROR):
            assert all(words.say(phrase).strip() for phrase in told)
        assert {name for phrase in told for name in named(phrase) if f"name.{name}" not in words} == set()
    assert caplog.messages == []
