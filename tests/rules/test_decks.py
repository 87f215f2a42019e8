"""Decks as zones of cards in unknown order."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.decks import Deck

from .examples import examples

ZONES = st.lists(st.lists(st.sampled_from("abcde"), max_size=5), max_size=4)


@examples(100)
@given(ZONES)
def test_a_deck_is_its_zones_sorted_without_the_empty_ones(zones: list[list[str]]) -> None:
    deck = Deck.of(*zones)
    assert deck.zones == tuple(tuple(sorted(zone)) for zone in zones if zone)
    assert Counter(deck.cards) == Counter(card for zone in zones for card in zone)
    assert len(deck) == sum(map(len, zones))
    assert deck.top == (deck.zones[0] if deck.zones else ())


@examples(100)
@given(ZONES, st.sampled_from("abcde"))
def test_a_card_leaves_the_topmost_zone_that_holds_it(zones: list[list[str]], card: str) -> None:
    deck = Deck.of(*zones)
    if card not in deck.cards:
        with pytest.raises(ValueError, match=card):
            deck.without(card)
        return
    left = deck.without(card)
    assert Counter(left.cards) + Counter([card]) == Counter(deck.cards)
    assert all(left.zones)
    touched = next(index for index, zone in enumerate(deck.zones) if card in zone)
    assert left.zones[:touched] == deck.zones[:touched]
    assert left.zones[::-1][: len(deck.zones) - touched - 1] == deck.zones[:touched:-1]


@examples(100)
@given(ZONES, st.lists(st.sampled_from("abcde"), max_size=5))
def test_cards_put_on_top_are_a_zone_of_their_own(zones: list[list[str]], cards: list[str]) -> None:
    deck = Deck.of(*zones)
    topped = deck.topped(cards)
    assert topped.zones == ((tuple(sorted(cards)), *deck.zones) if cards else deck.zones)
