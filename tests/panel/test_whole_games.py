"""Games played at random are drawn as they go, and nothing of them runs out of its place."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from companion.i18n import LANGUAGES, translator
from companion.panel.canvas import Canvas
from companion.panel.draw import paint
from companion.panel.metrics import SIZES
from companion.ports import FOUR_COLOUR
from companion.rules.forbidden_island.game import ForbiddenIsland
from companion.rules.portrait import Portrait
from companion.table.dealer import Dealer
from companion.table.line import Line
from companion.table.record import recent_events
from companion.views.screens import EndScreen, Footer, Screen, TableScreen

GAME = ForbiddenIsland()


def portraits(tracking: str, seed: int) -> Iterator[Portrait]:
    dealer, chance = Dealer(seed), Random(seed)
    players = ["messenger", "engineer", "explorer", "navigator"]
    asked = {"players": players, "difficulty": "legendary", "tracking": tracking}
    line = Line(GAME, GAME.start(GAME.complete(asked, dealer.chance)), dealer)
    while commands := GAME.legal(line.state):
        line.do(chance.choice(commands))
        yield GAME.portray(line.state, recent_events(GAME, line))


def screen_of(portrait: Portrait) -> Screen:
    footer = Footer(1234, portrait.turn)
    return EndScreen(portrait, footer) if portrait.ending else TableScreen(portrait, footer)


@pytest.mark.parametrize("tracking", ["cards", "island", "everything"])
def test_a_whole_game_keeps_to_its_places_on_every_panel(tracking: str) -> None:
    drawn = [*portraits(tracking, 11)]
    turns = [*drawn[::9], drawn[-1]]
    for number, (portrait, size) in enumerate(product(turns, SIZES)):
        language = LANGUAGES[number % len(LANGUAGES)]
        canvas = paint(screen_of(portrait), Canvas(size, FOUR_COLOUR), translator(language))
        assert [label.text for label in canvas.labels if label.cut] == [], (size, language)
        edge = canvas.box
        for label in canvas.labels:
            assert edge.left <= label.inked.left and label.inked.right <= edge.right, (size, label)
