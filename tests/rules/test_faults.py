"""Every kind of broken position is refused and named; each test breaks one thing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.engine.protocol import Engine
from companion.i18n.translator import translator
from companion.rules.forbidden_island import faults
from companion.rules.game import Refused
from companion.rules.registry import GAMES

from .positions import GAME, some_start
from .second_reading.box import ROLES, TILES, TREASURES

Position = dict[str, Any]
FINE = {
    "tiles": {"watchtower": "flooded", "observatory": "sunk"},
    "hands": {"explorer": ["sandbags", "earth_stone"], "pilot": ["helicopter_lift"]},
    "treasure_discard": ["waters_rise"],
}


def fine(**changes: Any) -> Position:
    """A sound position, some fields replaced."""
    start = some_start(Random(3), players=["explorer", "pilot"], island="classic", difficulty="novice")
    p: Position = json.loads(json.dumps(GAME.state_json(GAME.arrange(start, FINE))))
    return p | changes


def _set(*path: Any, to: Any) -> Callable[[Position], None]:
    def change(p: Position) -> None:
        *way, last = path
        place: Any = p
        for key in way:
            place = place[key]
        place[last] = to

    change.__name__ = f"{'.'.join(map(str, path))} is {to}"[:60]
    return change


def _drop(*path: Any) -> Callable[[Position], None]:
    def change(p: Position) -> None:
        *way, last = path
        place: Any = p
        for key in way:
            place = place[key]
        del place[last]

    change.__name__ = f"without {'.'.join(map(str, path))}"
    return change


def _all(*changes: Callable[[Position], None]) -> Callable[[Position], None]:
    def change(p: Position) -> None:
        for each in changes:
            each(p)

    change.__name__ = " and ".join(each.__name__ for each in changes)[:90]
    return change


def _add(pile: str, card: str) -> Callable[[Position], None]:
    def change(p: Position) -> None:
        p[pile].append(card)

    change.__name__ = f"{card} added to {pile}"
    return change


def _take(deck: str, card: str) -> Callable[[Position], None]:
    def change(p: Position) -> None:
        p[deck][0].remove(card)

    change.__name__ = f"{card} gone from {deck}"
    return change


def _sink(*tiles: str) -> Callable[[Position], None]:
    def change(p: Position) -> None:
        for tile in tiles:
            p["tiles"][tile] = "sunk"
            p["flood_removed"].append(tile)
            p["flood_discard"] = [card for card in p["flood_discard"] if card != tile]
            p["flood_deck"] = [[card for card in zone if card != tile] for zone in p["flood_deck"]]

    change.__name__ = f"{' and '.join(tiles)} sunk"
    return change


LOST = _set("phase", to="lost")
FLOOD = _all(_set("phase", to="flood"), _set("actions_left", to=0), _set("draws_left", to=1))
BROKEN = [
    (_set("players", to=["pilot"]), "players", "players"),
    (_set("players", to=["pilot", "pilot"]), "players", "players"),
    (_set("players", to=ROLES[:5]), "players", "players"),
    (_set("active", to="diver"), "active", "Diver"),
    (_set("layout", to=TILES[:23]), "layout", "layout"),
    (_set("layout", to=[*TILES[:23], TILES[0]]), "layout", "layout"),
    (_drop("tiles", "misty_marsh"), "tile_missing", "Misty Marsh"),
    (_drop("pawns", "pilot"), "pawns", "pawn"),
    (_set("pawns", "diver", to="gold_gate"), "pawns", "pawn"),
    (_drop("hands", "pilot"), "hands", "hand"),
    (_set("hands", "diver", to=[]), "hands", "hand"),
    (_set("turn", to=0), "turn", "turn"),
    (_set("water", to=0), "water", "water"),
    (_set("water", to=11), "water", "11"),
    (_set("actions_left", to=4), "actions_left", "4 actions"),
    (_set("actions_left", to=-1), "actions_left", "actions"),
    (_set("draws_left", to=1), "draws_left", "1 draw"),
    (_set("draws_left", to=-1), "draws_left", "draw"),
    (_all(_set("phase", to="treasure"), _set("draws_left", to=3)), "draws_left", "3 draws"),
    (_all(FLOOD, _set("draws_left", to=6)), "draws_left", "6 draws"),
    (_set("phase", to="treasure"), "draws_left", "0 draws"),
    (_set("phase", to="flood"), "draws_left", "0 draws"),
    (_set("flown", to=True), "flown", "Pilot"),
    (_set("captured", to=["earth_stone", "earth_stone"]), "captured", "captured"),
    (_take("flood_deck", "misty_marsh"), "flood_card_missing", "Misty Marsh"),
    (_add("flood_discard", "misty_marsh"), "flood_card_twice", "Misty Marsh"),
    (_add("flood_discard", "watchtower"), "flood_card_twice", "Watchtower"),
    (_add("flood_discard", "observatory"), "flood_card_twice", "Observatory"),
    (_set("tiles", "misty_marsh", to="sunk"), "flood_card_of_sunk_tile", "Misty Marsh"),
    (_set("tiles", "observatory", to="dry"), "flood_card_of_sunk_tile", "Observatory"),
    (
        _all(_set("flood_removed", to=[]), _add("flood_discard", "observatory")),
        "flood_card_of_sunk_tile",
        "Observatory",
    ),
    (_set("treasure_discard", to=[]), "treasure_cards", "Waters Rise"),
    (_add("treasure_discard", "sandbags"), "treasure_cards", "Sandbags"),
    (_set("hands", "pilot", to=["sandbags"]), "treasure_cards", "Helicopter Lift"),
    (
        _all(_set("treasure_discard", to=[]), _set("hands", "pilot", to=["helicopter_lift", "waters_rise"])),
        "waters_rise_held",
        "Waters Rise",
    ),
    (_set("pawns", "pilot", to="observatory"), "pawn_on_sunk_tile", "Observatory"),
    (_set("swimming", to=["pilot"]), "swimmer_on_land", "Pilot"),
    (_set("swimming", to=["diver"]), "swimmer_on_land", "Diver"),
    (
        _all(
            _set("pawns", "pilot", to="observatory"),
            _set("pawns", "explorer", to="observatory"),
            _set("swimming", to=["pilot", "explorer"]),
        ),
        "swimming_order",
        "order",
    ),
    (LOST, "lost_by", "reason"),
    (_set("lost_by", to="drowned"), "lost_by", "reason"),
    (_set("water", to=10), "lost_already", "water level"),
    (_sink("fools_landing", "lost_lagoon"), "pawn_on_sunk_tile", "Pilot"),
    (_all(_set("pawns", "pilot", to="gold_gate"), _sink("fools_landing")), "lost_already", "Fools"),
    (_sink("coral_palace", "tidal_palace"), "lost_already", "treasure"),
    (
        _all(
            _sink(*(tile for tile in TILES if tile not in ("observatory", "fools_landing"))),
            _set("captured", to=TREASURES),
            _set("pawns", "explorer", to="observatory"),
            _set("swimming", to=["explorer"]),
            _set("hands", "pilot", to=[]),
            _add("treasure_discard", "helicopter_lift"),
            _set("flood_discard", to=[]),
            _set("flood_deck", to=[["fools_landing"]]),
            _set("layout", to=["fools_landing", *[tile for tile in TILES if tile not in ("fools_landing",)]]),
        ),
        "lost_already",
        "drowned",
    ),
    (_all(LOST, _set("lost_by", to="water_level")), "lost_otherwise", "water level"),
    (_all(LOST, _set("lost_by", to="fools_landing_sank")), "lost_otherwise", "Fools"),
    (_all(LOST, _set("lost_by", to="treasure_sank")), "lost_otherwise", "treasure"),
    (_all(LOST, _set("lost_by", to="drowned")), "lost_otherwise", "drowned"),
    (_all(LOST, _set("lost_by", to="water_level"), _sink("coral_palace", "tidal_palace")), "lost_otherwise", "water"),
    (_set("phase", to="won"), "won", "treasures"),
    (_all(_set("phase", to="won"), _set("captured", to=TREASURES)), "won", "Fools"),
    (_set("game", to=5), None, "game"),
    (_drop("game"), None, "game"),
    (_set("tide", to=1), "field", "tide"),
    (_set("island", to="atlantis"), "field", "island"),
    (_set("phase", to="night"), "field", "phase"),
    (_set("water", to="1"), "field", "water"),
    (_set("water", to=True), "field", "water"),
    (_set("water", to=1.5), "field", "water"),
    (_set("flown", to=0), "field", "flown"),
    (_set("players", to="pilot"), "field", "players"),
    (_set("players", to=["cook", "pilot"]), "field", "players"),
    (_set("pawns", to=[]), "field", "pawns"),
    (_set("pawns", "pilot", to="atlantis"), "field", "pilot"),
    (_set("hands", "pilot", to="sandbags"), "field", "pilot"),
    (_set("hands", "pilot", to=["joker"]), "field", "pilot"),
    (_set("tiles", "misty_marsh", to="wet"), "field", "misty_marsh"),
    (_set("tiles", "atlantis", to="dry"), "field", "tiles"),
    (_set("treasure_deck", to=["sandbags"]), "field", "treasure_deck"),
    (_set("flood_deck", to={}), "field", "flood_deck"),
    (_set("lost_by", to="boredom"), "field", "lost_by"),
    *((_drop(field), "field", field) for field in fine() if field not in ("game", "lost_by")),
]
EACH = pytest.mark.parametrize(("break_it", "code", "word"), BROKEN, ids=[each[0].__name__ for each in BROKEN])


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(GAMES, translator("en"))


def test_the_position_that_is_broken_below_is_sound() -> None:
    assert GAME.faults(GAME.read_state(fine())) == ()


@EACH
def test_a_broken_position_is_refused_with_a_message_that_names_it(
    engine: Engine, break_it: Callable[[Position], None], code: str | None, word: str
) -> None:
    p = fine()
    break_it(p)
    answer = engine.answer(json.dumps({"cmd": "load", "state": p}).encode())
    assert answer["error"]["code"] == "bad_state"
    assert word.lower() in answer["error"]["message"].lower()
    if code is not None:
        with pytest.raises(Refused) as refused:
            GAME.read_state(p)
        assert refused.value.params["fault"].code == f"forbidden_island.fault.{code}"  # type: ignore[union-attr]


def test_no_kind_of_fault_goes_untried() -> None:
    source = Path(faults.__file__).read_text(encoding="utf-8")
    kinds = set(re.findall(r'"(\w+)"', " ".join(re.findall(r"_fault\(.*", source)))) | {"pawns", "hands"}
    assert kinds - {"part"} == {code for _break, code, _word in BROKEN} - {None, "field"}


def test_several_faults_are_all_named() -> None:
    state = GAME.read_state(fine())
    broken = replace(state, turn=0, water=0, flood_discard=())
    assert [fault.code.rpartition(".")[2] for fault in GAME.faults(broken)] == ["turn", "water", "flood_card_missing"]


def test_positions_that_only_look_odd_are_sound() -> None:
    for odd in (
        fine(actions_left=0),
        fine(turn=999),
        fine(active="pilot", flown=True),
        fine(captured=TREASURES[::-1]),
        fine(phase="treasure", draws_left=1, actions_left=0),
        fine(phase="flood", draws_left=5, actions_left=0),
    ):
        assert GAME.faults(GAME.read_state(odd)) == ()
