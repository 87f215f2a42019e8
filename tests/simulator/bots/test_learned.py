"""The learned player: it overlooks no way to play a turn, values positions as it was taught, and plays by the rules."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.forbidden_island.components import Role
from companion.rules.forbidden_island.fast.codes import (
    CAPTURE,
    CARDS,
    DISCARD,
    GIVE,
    HELICOPTER,
    HELICOPTER_LIFT,
    LIFT_OFF,
    SANDBAGS,
    SHORE_UP,
)
from companion.rules.forbidden_island.fast.convert import fast, packed
from companion.rules.forbidden_island.fast.placed import ACTIONS, FLOOD, LOST, TREASURE, WON, Saved
from companion.rules.forbidden_island.fast.position import Position
from companion.rules.forbidden_island.fast.tables import ONE, SEATS
from simulator.bots.experts import expert
from simulator.bots.forbidden_island.turns import Stance, outcomes, stance
from simulator.bots.lineup import player
from simulator.bots.referee import play
from simulator.tournament.match import Match, seated
from tests.rules.examples import examples
from tests.rules.positions import GAME as RULES
from tests.rules.positions import some_position

from .matches import GAME, setup

NUMBERS = st.integers(min_value=0, max_value=2**32)
LEARNED = expert(GAME)
OPINIONS = json.loads((Path(__file__).parent / "second_opinion.json").read_text(encoding="utf-8"))


def some(number: int) -> Position:
    return fast(RULES.read_state(some_position(number)))


def some_turn(number: int) -> Position:
    """In the action phase, all hands within the limit and without a Helicopter Lift."""
    while (position := some(number)).phase != ACTIONS or position.over:
        number += 1
    for seat, hand in enumerate(position.hands):
        position.hands[seat] = hand - ONE[HELICOPTER] * (hand >> 4 * HELICOPTER & 15)
    return position


def opening(*players: str, seed: int = 1) -> Position:
    position: Position = GAME.deal(setup(*players), Random(seed).random)
    return position


def holding(*cards: str) -> int:
    return packed(cards)


# -- all ways to play a turn ----------------------------------------------------------------------------------------


@examples(40)
@given(NUMBERS)
def test_every_way_to_play_a_turn_is_legal_and_leads_where_it_says(number: int) -> None:
    position = some_turn(number)
    ways = list(outcomes(position, {stance(position): ()}).items())
    saved = position.save()
    for there, codes in Random(number).sample(ways, min(len(ways), 15)):
        position.restore(saved)
        for code in codes:
            assert code in position.legal()
            position.play(code)
        assert stance(position) == there


@pytest.mark.parametrize("role", sorted(set(Role) - {Role.ENGINEER}))
@examples(4)
@given(NUMBERS)
def test_no_way_to_play_a_turn_is_overlooked(role: Role, number: int) -> None:
    position = some_turn(number)
    position.actions = min(position.actions, 2)
    position.players = (role, *(each for each in Role if each is not role))[: len(position.pawns)]
    position.active = 0
    assert _by_the_rules(position) == set(outcomes(position, {stance(position): ()}))


def _by_the_rules(position: Position) -> set[Stance]:
    """What the legal commands lead to; cards of captured treasures stay, special cards only leave full hands."""
    start = position.save()
    found, edge = {stance(position)}, [start]
    for _ in range(position.actions):
        further: list[Saved] = []
        for saved in edge:
            position.restore(saved)
            for code in position.legal():
                if code >> 12 > CAPTURE or (code >> 12 == GIVE and position.captured >> (code & 31) & 1):
                    continue
                position.restore(saved)
                position.play(code)
                for then in _let_go(position):
                    position.restore(then)
                    if stance(position) not in found:
                        found.add(stance(position))
                        further.append(then)
                position.restore(saved)
        edge = further
    position.restore(start)
    return found


def _let_go(position: Position) -> list[Saved]:
    """The position itself, or what becomes of it when a full hand lets go of a card."""
    if not position.over:
        return [position.save()]
    full, seat, after = position.save(), SEATS[position.over][0], list[Saved]()
    for code in position.legal():
        if code >> 12 == DISCARD or (code >> 12 == SANDBAGS and code >> 5 & 127 == seat):
            position.play(code)
            after.append(position.save())
            position.restore(full)
    return after


# -- what it thinks of positions ------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(len(OPINIONS)))
def test_it_values_positions_as_the_program_did_that_taught_it(number: int) -> None:
    """The figures come from another program, in another language, that the weights were learned with."""
    opinion = OPINIONS[number]
    position = fast(RULES.read_state(opinion["state"]))
    assert LEARNED.forecast(position) == pytest.approx(opinion["chance"], abs=1e-4)


@examples(60)
@given(NUMBERS)
def test_it_has_a_legal_answer_to_every_position_and_leaves_it_as_it_was(number: int) -> None:
    position = some(number)
    if position.ended:
        return
    before = position.save()
    codes = LEARNED.choose(position)
    assert 0 <= LEARNED.forecast(position) <= 1
    assert position.save() == before
    assert tuple(codes) == tuple(LEARNED.choose(position)) == LEARNED.options(position, 3)[0]
    if not codes:
        assert position.phase in (TREASURE, FLOOD)
        assert not position.over and not position.swimming
    for code in codes:
        assert code in position.legal()
        position.play(code)
        if GAME.interrupted(position):
            break


def test_an_ended_game_needs_no_guess() -> None:
    position = opening()
    position.phase = WON
    assert LEARNED.forecast(position) == 1
    position.phase = LOST
    assert LEARNED.forecast(position) == 0


# -- what it does ---------------------------------------------------------------------------------------------------


def test_it_lifts_off_as_soon_as_it_can() -> None:
    position = opening("explorer", "pilot")
    position.captured, position.hands[1] = 15, holding("helicopter_lift")
    position.pawns = [position.board.landing.bit_length() - 1] * 2
    assert [code >> 12 for code in LEARNED.choose(position)] == [LIFT_OFF]


def test_it_walks_home_to_lift_off_in_the_same_turn() -> None:
    position = opening("explorer", "pilot")
    landing = position.board.landing.bit_length() - 1
    beside = next(place for place in range(24) if position.board.ground.beside[landing] >> place & 1)
    position.captured, position.hands[1], position.pawns = 15, holding("helicopter_lift"), [beside, landing]
    (codes,) = LEARNED.options(position, 1)
    for code in codes:
        position.play(code)
    assert [code >> 12 for code in LEARNED.choose(position)] == [LIFT_OFF]


def test_it_captures_the_last_treasure_it_stands_on() -> None:
    position = opening("explorer", "pilot")
    number = 2
    position.captured = 15 ^ 1 << number
    position.pawns[0] = position.board.treasure.index(number)
    position.hands = [holding(*[CARDS[number]] * 4), holding("helicopter_lift")]
    assert CAPTURE in [code >> 12 for code in LEARNED.choose(position)]


def test_it_saves_fools_landing_that_the_next_card_would_sink() -> None:
    position = opening("explorer", "pilot")
    landing = position.board.landing
    position.dry, position.flooded = position.dry & ~landing, position.flooded | landing
    position.flood_deck, position.flood_discard = (landing,), position.flood_discard & ~landing
    position.pawns[0] = landing.bit_length() - 1
    assert SHORE_UP in [code >> 12 for code in LEARNED.choose(position)]
    position.phase, position.actions, position.draws, position.hands[1] = FLOOD, 0, 2, holding("sandbags")
    (code,) = LEARNED.choose(position)
    assert (code >> 12, 1 << (code & 31)) == (SANDBAGS, landing)


def test_of_a_full_hand_it_lets_go_of_what_is_of_no_use() -> None:
    position = opening("explorer", "pilot")
    position.captured, position.phase, position.actions, position.draws = 1, TREASURE, 0, 0
    useless, rest = [CARDS[0]], [CARDS[1]] * 3 + [CARDS[2]] * 2
    position.hands[0], position.over = holding(*useless, *rest), 1
    (code,) = LEARNED.choose(position)
    assert (code >> 12, code & 31) == (DISCARD, 0)


def test_a_helicopter_takes_a_swimmer_off_who_has_nowhere_to_swim_to() -> None:
    position = opening("messenger", "engineer")
    place = position.pawns[0]
    near = position.board.ground.beside[place] | 1 << place
    keep = position.board.landing | sum(pair for pair in position.board.pairs)
    position.dry, position.flooded = position.dry & ~near, position.flooded & ~near
    assert (position.dry | position.flooded) & keep
    position.phase, position.actions, position.draws, position.swimming = FLOOD, 0, 1, 1
    position.hands[1] = holding("helicopter_lift")
    (code,) = LEARNED.choose(position)
    assert code >> 12 == HELICOPTER_LIFT
    assert code in position.legal()


def test_it_wins_most_novice_games_of_two() -> None:
    learned, games = player("learned"), 30
    setups = [seated(GAME, Match(2, "novice", number), Random(number).random) for number in range(games)]
    won = sum(play(GAME, setups[number], learned, f"most {number}").won for number in range(games))
    assert won >= 0.65 * games


@pytest.mark.parametrize(
    ("players", "told"),
    [
        (("explorer", "pilot"), (True, None, 18, 162)),
        (("engineer", "navigator", "messenger", "diver"), (False, "fools_landing_sank", 19, 179)),
    ],
)
def test_it_plays_the_same_game_on_every_machine(players: tuple[str, ...], told: tuple[object, ...]) -> None:
    game = play(GAME, setup(*players, difficulty="normal"), player("learned"), "pinned")
    assert (game.won, game.reason, game.turns, game.commands) == told
