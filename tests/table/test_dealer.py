from __future__ import annotations

from collections import Counter

from companion.table.dealer import Dealer

ZONE = ("dune", "gale", "mill", "pier")


def test_the_same_draw_of_the_same_seed_is_the_same_card() -> None:
    assert Dealer(7).pick("weather", 3, ZONE) == Dealer("7").pick("weather", 3, ZONE)


def test_a_seed_means_the_same_cards_for_ever() -> None:
    assert [Dealer(7).pick("weather", nth, ZONE) for nth in range(6)] == [
        "gale",
        "mill",
        "pier",
        "gale",
        "pier",
        "pier",
    ]


def test_each_draw_deck_and_seed_has_chance_of_its_own() -> None:
    by_nth = {Dealer(1).pick("weather", nth, ZONE) for nth in range(50)}
    by_deck = {Dealer(1).pick(f"deck{n}", 0, ZONE) for n in range(50)}
    by_seed = {Dealer(seed).pick("weather", 0, ZONE) for seed in range(50)}
    assert by_nth == by_deck == by_seed == set(ZONE)


def test_all_cards_are_about_as_likely() -> None:
    counts = Counter(Dealer(seed).pick("weather", 0, ZONE) for seed in range(4000))
    assert all(900 < count < 1100 for count in counts.values())


def test_chances_of_a_set_up_that_look_alike_still_differ() -> None:
    dealer = Dealer(2)
    assert len({dealer.chance("die", tuple("123456")) for _ in range(40)}) == 6


def test_secure_dealers_do_not_repeat() -> None:
    assert Dealer.secure().seed != Dealer.secure().seed
