from __future__ import annotations

import pytest

from companion.rules.game import Adjustable, Choice, Refused
from companion.rules.portrait import Phrase
from companion.rules.registry import GAMES
from companion.table.snapshot import Option, Seated
from companion.views.corrections import corrections
from companion.views.setup import Asking, lots, set_up_form
from tests.defaults import defaults
from tests.tiny_game import State, TinyGame

GAME = TinyGame()
START = GAME.start({"players": ["otter", "heron"], "weather": "mild", "dark": "dune"})
WALK = Option("do:walk", Phrase("verb.walk"))
LIGHT = Option("do:light", Phrase("verb.light"))


def seated(state: State = START, game: TinyGame = GAME) -> Seated:
    return Seated(1, game, {}, state, (), (), can_undo=False, can_redo=False)


def test_each_question_is_put_as_its_choice_needs() -> None:
    form = set_up_form(GAME)
    assert [(question.choice.key, question.asking) for question in form.questions] == [
        ("players", Asking.SEATS),
        ("weather", Asking.ONE),
        ("dark", Asking.NAMED),
        ("stacked", Asking.NAMED),
    ]


def test_seats_beyond_the_least_may_stay_empty() -> None:
    players = set_up_form(GAME).questions[0]
    assert [(place.number, place.chosen, place.required) for place in players.places] == [
        (1, "otter", True),
        (2, "heron", False),
        (3, None, False),
    ]


def test_a_choice_of_several_in_any_order_is_ticked() -> None:
    class Expanded(TinyGame):
        def choices(self) -> tuple[Choice, ...]:
            return (Choice("expansions", ("a", "b"), (), least=0, most=2),)

    assert set_up_form(Expanded()).questions[0].asking is Asking.SEVERAL


@pytest.mark.parametrize("name", GAMES)
def test_every_registered_game_can_be_asked_for(name: str) -> None:
    form = set_up_form(GAMES[name])
    for question in form.questions:
        assert set(question.choice.default) <= set(question.choice.options)
        assert len(question.places) in (0, question.choice.most)


ISLAND = GAMES["forbidden_island"]


def test_a_board_that_lies_already_is_numbered_in_the_order_its_names_are_asked_for() -> None:
    rows = lots(ISLAND, {**defaults(ISLAND), "island": "classic"}, "layout")
    assert [len(row) for row in rows] == [6] * 6
    assert rows[0] == (None, None, 1, 2, None, None)
    assert [number for row in rows for number in row if number] == list(range(1, 25))


def test_the_other_answers_shape_the_board_and_half_named_ones_do_not_matter() -> None:
    rows = lots(ISLAND, {**defaults(ISLAND), "island": "bone_island", "flooded": ["watchtower"], "seed": "7"}, "layout")
    assert rows != lots(ISLAND, defaults(ISLAND), "layout")
    assert [number for row in rows for number in row if number] == list(range(1, 25))


@pytest.mark.parametrize("key", ["flooded", "players", "island", "seed"])
def test_only_the_places_of_the_board_are_numbered(key: str) -> None:
    assert lots(ISLAND, defaults(ISLAND), key) == ()


def test_ordered_names_that_are_no_places_have_no_board() -> None:
    class Queueing(TinyGame):
        def choices(self) -> tuple[Choice, ...]:
            cards = ("flare", "gale")
            return (*super().choices()[:2], Choice("stacked", cards, (), 2, 2, ordered=True, optional=True))

    assert lots(Queueing(), {}, "stacked") == ()


def test_a_board_cannot_be_numbered_for_answers_that_the_game_refuses() -> None:
    with pytest.raises(Refused, match="bad_request"):
        lots(ISLAND, {**defaults(ISLAND), "players": ["pilot"]}, "layout")


def test_corrections_stand_by_the_part_of_the_position() -> None:
    parts = corrections(seated())
    assert [(part.part, [value.chosen for value in part.values]) for part in parts] == [
        ("storm", ["1"]),
        ("lamps", ["lit", "dark", "lit", "lit"]),
        ("at", ["pier", "pier"]),
    ]


def test_parts_that_are_told_apart_are_still_shown_together() -> None:
    class Scattered(TinyGame):
        def adjustables(self, state: State) -> tuple[Adjustable, ...]:
            first, *rest = super().adjustables(state)
            return (rest[0], first, *rest[1:])

    assert [part.part for part in corrections(seated(game=Scattered()))] == ["lamps", "storm", "at"]


def test_a_value_of_many_counts_each_option() -> None:
    class Handy(TinyGame):
        def adjustables(self, state: State) -> tuple[Adjustable, ...]:
            return (Adjustable("hands", "otter", ("b", "a", "b"), ("a", "b", "c"), many=True),)

    value = corrections(seated(game=Handy()))[0].values[0]
    assert value.counts == (("a", 1), ("b", 2), ("c", 0))
