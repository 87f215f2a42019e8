"""The chances of the rest of the turn, against every way the cards can come, and against games played out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from companion.rules.forbidden_island.state import State
from companion.rules.odds import Odds

from .examples import examples
from .positions import GAME, after, some_position, some_start

NUMBERS = st.integers(min_value=0, max_value=2**32)
ONE = Fraction(1)
MOST_WAYS = 1200

Way = tuple[Fraction, State, tuple[Any, ...]]


class TooMany(Exception):
    """There are too many ways to follow them all."""


def every_way(state: State) -> Iterator[Way]:
    """Each way the rest of this turn's cards can come, played by the rules themselves, with its chance."""
    left = [MOST_WAYS]
    yield from _ways(ended(state), state.turn, left)


def ended(state: State) -> State:
    state = answered(state, state.turn)
    command = GAME.ready_to_deal(state)
    return state if command is None else after(state, GAME.decide(state, command))


def _ways(state: State, turn: int, left: list[int]) -> Iterator[Way]:
    state = answered(state, turn)
    due = GAME.due(state)
    if state.over or state.turn != turn or due is None:
        left[0] -= 1
        if left[0] < 0:
            raise TooMany
        yield ONE, state, ()
        return
    for card, number in Counter(due.zone).items():
        events = GAME.decide(state, GAME.draw(state, card))
        for chance, end, told in _ways(after(state, events), turn, left):
            yield chance * Fraction(number, len(due.zone)), end, (*events, *told)


def answered(state: State, turn: int) -> State:
    """Whoever swims or holds too much does the first thing that helps."""
    while not state.over and state.turn == turn and (state.swimming or state.over_limit):
        wanted = ("Swim", "Discard") if state.swimming else ("Discard",)
        able = [command for command in GAME.legal(state) if type(command).__name__ in wanted]
        assume(able)
        state = after(state, GAME.decide(state, able[0]))
    return state


def chances(odds: Odds) -> dict[tuple[str, str], Fraction]:
    return {(risk.name, fate.effect): fate.chance for risk in odds.risks for fate in risk.fates}


def alarms(odds: Odds) -> dict[str, Fraction]:
    return {alarm.code: alarm.chance for alarm in odds.alarms}


def counted(ways: list[Way]) -> dict[tuple[str, str], Fraction]:
    """How likely each tile floods and sinks, by counting ways."""
    found: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
    for chance, _end, events in ways:
        names = {"TileFlooded": "flooded", "TileSank": "sank"}
        kinds = {(event.tile.value, names[type(event).__name__]) for event in events if type(event).__name__ in names}
        for kind in kinds:
            found[kind] += chance
    return dict(found)


def position(number: int) -> State:
    return GAME.read_state(some_position(number))


def enumerated(state: State) -> list[Way]:
    try:
        ways = list(every_way(state))
    except TooMany:
        assume(False)
    assert sum(chance for chance, _, _ in ways) == 1
    assume(not any(end.lost_by == "drowned" for _, end, _ in ways))
    return ways


@examples(25)
@given(NUMBERS)
def test_each_chance_is_what_counting_every_way_gives(number: int) -> None:
    state = position(number)
    assume(not state.swimming)
    ways = enumerated(state)
    odds = GAME.odds(state)
    assert odds is not None
    rises = sum((chance for chance, _, told in ways if "WatersRose" in map(_kind, told)), Fraction(0))
    lost = sum((chance for chance, end, _ in ways if end.over), Fraction(0))
    assert alarms(odds).get("waters_rise", Fraction(0)) == rises
    assert alarms(odds)["lost"] == lost
    if not lost:
        assert chances(odds) == counted(ways)


def _kind(event: Any) -> str:
    return type(event).__name__


@examples(15)
@given(NUMBERS)
def test_the_next_cards_are_those_that_can_come_with_their_shares(number: int) -> None:
    state = position(number)
    assume(not state.swimming)
    ways = enumerated(state)
    odds = GAME.odds(state)
    assert odds is not None
    first: dict[str, dict[str, Fraction]] = {"treasure": defaultdict(Fraction), "flood": defaultdict(Fraction)}
    for chance, _end, told in ways:
        for pile, kind, field in (("treasure", "TreasureCardDrawn", "card"), ("flood", "FloodCardDrawn", "tile")):
            cards = [getattr(event, field).value for event in told if _kind(event) == kind]
            if cards:
                first[pile][cards[0]] += chance
    told_of = {prospect.pile: {card.card: card.chance for card in prospect.cards} for prospect in odds.prospects}
    assert told_of == {pile: dict(cards) for pile, cards in first.items() if cards}


@pytest.mark.parametrize("seed", [3, 11])
def test_turns_played_out_come_near_the_chances(seed: int) -> None:
    rng = Random(seed)
    state = some_start(rng, difficulty="legendary", island="classic")
    odds = GAME.odds(state)
    assert odds is not None
    turns = 500
    seen = Counter(kind for _ in range(turns) for kind in _one_turn(rng, state))
    for kind, chance in chances(odds).items():
        assert abs(seen[kind] / turns - chance) < 0.08, kind


def _one_turn(rng: Random, state: State) -> set[tuple[str, str]]:
    told: list[Any] = []
    turn, state = state.turn, ended(state)
    while not state.over and state.turn == turn:
        state = answered(state, turn)
        due = GAME.due(state)
        if due is None:
            break
        events = GAME.decide(state, GAME.draw(state, rng.choice(due.zone)))
        told += events
        state = after(state, events)
    return set(counted([(ONE, state, tuple(told))]))


@examples(60)
@given(NUMBERS)
def test_every_position_has_chances_between_never_and_sure(number: int) -> None:
    state = position(number)
    odds = GAME.odds(state)
    assert odds is not None
    assert all(0 < chance <= 1 for chance in chances(odds).values())
    assert all(0 <= chance <= 1 for chance in alarms(odds).values())
    assert all(sum(card.chance for card in prospect.cards) <= 1 for prospect in odds.prospects)


@pytest.mark.parametrize("tracking", ["cards", "island"])
def test_the_chances_need_no_pawns_and_no_hands(tracking: str) -> None:
    tracked, reduced = (some_start(Random(5), tracking=kind) for kind in ("everything", tracking))
    one, other = GAME.odds(tracked), GAME.odds(reduced)
    assert one is not None
    assert other is not None
    assert (one.risks, one.prospects) == (other.risks, other.prospects)


def test_a_fresh_novice_game_can_be_reckoned_by_hand() -> None:
    """Two players hold four of the 28 cards; two of the 24 left come, three of which are Waters Rise!"""
    setup = {"players": ["explorer", "pilot"], "difficulty": "novice"}
    odds = GAME.odds(GAME.start(GAME.complete(setup, lambda _purpose, options: options[0])))
    assert odds is not None
    calm = Fraction(21, 24) * Fraction(20, 23)
    assert alarms(odds)["waters_rise"] == 1 - calm
    two = Fraction(3, 24) * Fraction(2, 23)
    dry = [fate.chance for risk in odds.risks for fate in risk.fates if fate.effect == "flooded"]
    wet = [fate.chance for risk in odds.risks for fate in risk.fates if fate.effect == "sank"]
    assert set(dry) == {calm * Fraction(2, 18)}
    assert set(wet) == {(1 - calm - two) * Fraction(2, 6) + two * Fraction(3, 6)}


def test_a_game_that_is_over_has_no_chances_left() -> None:
    state = some_start(Random(1))
    lost = after(state, GAME.decide(state, GAME.read_command({"do": "correct", "water": 10})))
    assert GAME.odds(lost) is None
