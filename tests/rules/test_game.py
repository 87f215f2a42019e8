"""What the layers above ask the game for, in any position."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from companion.rules.game import Thing
from companion.rules.registry import GAMES

from .examples import examples
from .positions import GAME, some_position

NUMBERS = st.integers(min_value=0, max_value=2**32)
DRAWS = {"treasure": "draw_treasure", "flood": "draw_flood"}


def test_the_game_is_registered_by_its_name() -> None:
    assert GAMES[GAME.name].name == GAME.name == "forbidden_island"


@examples(150)
@given(NUMBERS)
def test_the_draw_that_is_due_is_the_one_that_is_legal(number: int) -> None:
    state = GAME.read_state(some_position(number))
    legal = [GAME.command_json(command) for command in GAME.legal(state)]
    draws = [command for command in legal if command["do"] in DRAWS.values()]
    due = GAME.due(state)
    if due is None:
        assert not draws
        return
    assert {command["do"] for command in draws} == {DRAWS[due.deck]}
    assert Counter(command["card"] for command in draws) == Counter(set(due.zone))
    assert list(due.zone) == sorted(due.zone)
    assert due.left == state.draws_left
    assert {GAME.command_json(GAME.draw(state, card))["card"] for card in due.zone} == set(due.zone)


@examples(100)
@given(NUMBERS)
def test_one_press_of_deal_ends_the_actions_just_where_that_is_legal(number: int) -> None:
    state = GAME.read_state(some_position(number))
    ending = [command for command in GAME.legal(state) if GAME.command_json(command)["do"] == "end_actions"]
    assert GAME.ready_to_deal(state) == (ending[0] if ending else None)


@examples(60)
@given(NUMBERS)
def test_commands_mention_things_of_the_box_only(number: int) -> None:
    state = GAME.read_state(some_position(number))
    box = {Thing(tagged.kind, name) for tagged in GAME.tagged() for name in tagged.names}
    for command in GAME.legal(state):
        mentions = GAME.mentions(state, command)
        assert mentions.verb == GAME.command_json(command)["do"]
        assert mentions.things | mentions.implied <= box


def test_only_a_draw_without_its_card_needs_one() -> None:
    for do, needs in (("draw_treasure", True), ("draw_flood", True), ("end_actions", False)):
        command = GAME.read_command({"do": do})
        assert GAME.needs_card(command) is needs
    assert not GAME.needs_card(GAME.read_command({"do": "draw_treasure", "card": "sandbags"}))


@examples(60)
@given(NUMBERS)
def test_every_value_that_can_be_adjusted_is_told_as_it_is(number: int) -> None:
    p = some_position(number)
    state = GAME.read_state(p)
    for value in GAME.adjustables(state):
        part = p[value.part] if value.key is None else p[value.part][value.key]
        told = sorted(value.value) if value.many else [*value.value]
        assert told == (sorted(part) if value.many else [str(part)])
        assert set(value.value) <= set(value.options) or value.part == "pawns"
