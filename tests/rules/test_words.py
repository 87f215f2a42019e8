"""Sentences of the log that need more than the event's own name."""

from typing import Any

import pytest

from companion.i18n import translator
from companion.rules.registry import GAMES

GAME = GAMES["forbidden_island"]


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        ({"event": "Corrected", "water": 3}, "The table was corrected: water level."),
        ({"event": "Corrected", "hands": {"explorer": []}}, "The table was corrected: hands (Explorer)."),
        ({"event": "WatersRose", "water": 10}, "The water rises to the skull."),
        ({"event": "WatersRose", "water": 3}, "The water rises to mark 3. Flood cards a turn: 3."),
        ({"event": "TreasureCardDrawn", "player": "diver", "card": "waters_rise"}, "The Diver drew Waters Rise!"),
    ],
)
def test_an_event_is_told_in_a_whole_sentence(event: dict[str, Any], sentence: str) -> None:
    told = GAME.tell(GAME.read_event(event))
    assert told is not None
    assert translator("en").say(told) == sentence


def test_a_loss_by_a_treasure_names_it() -> None:
    request = {"players": ["explorer", "pilot"], "difficulty": "novice"}
    state = GAME.start(GAME.complete(request, lambda _purpose, options: options[0]))
    lost = GAME.arrange(state, {"tiles": {"coral_palace": "sunk", "tidal_palace": "sunk"}})
    ending = GAME.portray(lost, ()).ending
    assert ending is not None
    assert translator("en").say(ending.reason) == "Ocean’s Chalice sank with both of its tiles."
