"""What a host is asked before any game, and what the game makes of the answers."""

from __future__ import annotations

import pytest

from companion.rules.game import AnyGame, Choice, Refused
from companion.rules.registry import GAMES
from companion.table.dealer import Dealer
from tests.defaults import defaults, stored
from tests.tiny_game import TinyGame

ALL: list[AnyGame] = [*GAMES.values(), TinyGame()]
EVERY_GAME = pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
OPTIONAL = [(game, choice) for game in ALL for choice in game.choices() if choice.optional]
EVERY_OPTIONAL = pytest.mark.parametrize(("game", "choice"), OPTIONAL, ids=lambda one: getattr(one, "key", None))


@EVERY_GAME
def test_a_set_up_with_nothing_changed_can_be_completed_and_started(game: AnyGame) -> None:
    completed = game.complete(defaults(game), Dealer(1).chance)
    assert game.faults(game.start(completed)) == ()
    assert game.complete(completed, Dealer(2).chance) == completed


@EVERY_GAME
def test_a_choice_can_be_met(game: AnyGame) -> None:
    for choice in game.choices():
        assert len(set(choice.options)) == len(choice.options)
        assert 0 <= choice.least <= choice.most <= len(choice.options), choice.key
        assert set(choice.default) <= set(choice.options), choice.key
        wanted = 0 if choice.optional else choice.least
        assert wanted <= len(choice.default) <= (0 if choice.optional else choice.most), choice.key


@EVERY_OPTIONAL
def test_what_is_named_is_not_left_to_chance(game: AnyGame, choice: Choice) -> None:
    for number in {choice.least, choice.most}:
        named = stored(choice, choice.options[::-1][:number])
        for seed in range(3):
            completed = game.complete({**defaults(game), choice.key: named}, Dealer(seed).chance)
            assert completed[choice.key] == named
            game.start(completed)


@EVERY_OPTIONAL
def test_one_name_too_few_is_refused(game: AnyGame, choice: Choice) -> None:
    named = list(choice.options[: choice.least - 1])
    with pytest.raises(Refused, match="bad_request"):
        game.complete({**defaults(game), choice.key: named}, Dealer(1).chance)


def test_a_named_island_lies_as_it_was_named() -> None:
    game = GAMES["forbidden_island"]
    layout, flooded = (choice.options[::-1] for choice in game.choices() if choice.optional)
    named = {**defaults(game), "layout": list(layout), "flooded": list(flooded[:6])}
    board = game.portray(game.start(game.complete(named, Dealer(1).chance)), ()).board
    assert board is not None
    lying = sorted(board.spaces, key=lambda space: (space.row, space.column))
    assert tuple(space.name for space in lying) == layout
    assert {space.name for space in lying if space.condition == "flooded"} == set(flooded[:6])
