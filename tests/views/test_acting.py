from __future__ import annotations

from typing import Any

from companion.table.seats import Seats
from companion.views.acting import acting_view
from companion.views.people import Guest, people
from tests.table.sittings import seated, sit_down

OTTER, HERON = frozenset({"otter"}), frozenset({"heron"})
NOBODY: frozenset[str] = frozenset()


def at_dune(**lamps: str) -> Any:
    session = sit_down()
    session.start("tiny", {"players": ["otter", "heron"], "seed": 1, "dark": "tower"})
    session.play({"do": "walk", "places": ["dune"]})
    session.play({"do": "correct", "lamps": lamps} if lamps else {"do": "correct", "storm": 1})
    return session


def commands(ways: Any) -> list[Any]:
    return [way.command for way in ways]


def test_the_own_seats_ways_come_first_and_the_others_for_someone_else() -> None:
    session = at_dune()
    otter, heron = acting_view(session, OTTER, ()), acting_view(session, HERON, ())
    assert [offer.seat for offer in otter.own] == ["otter"]
    assert otter.others == ()
    assert (heron.own, [offer.seat for offer in heron.others]) == ((), ["otter"])
    assert (otter.may_deal, heron.may_deal, heron.deals) == (True, False, True)


def test_a_phone_without_a_seat_may_do_everything_in_its_own_name() -> None:
    view = acting_view(at_dune(), NOBODY, ())
    assert ([offer.seat for offer in view.own], view.others, view.may_deal) == (["otter"], (), True)


def test_a_verb_with_one_command_left_is_that_command() -> None:
    (offer,) = acting_view(at_dune(mill="dark"), OTTER, ()).own
    walk, light, rest = offer.ways
    assert (walk.command, walk.steps) == (None, ("do:walk",))
    assert light.command == {"do": "light", "places": ["mill"]}
    assert light.label.code == "tiny.word.light"
    assert rest.command == {"do": "rest"}


def test_a_seat_whose_turn_it_is_not_is_offered_a_verb_and_not_bare_names() -> None:
    """Someone who could only play one special card saw a row of names, and nothing that said what they would do."""
    session = sit_down()
    session.start("forbidden_island", {"players": ["explorer", "pilot"], "difficulty": "novice", "seed": 1})
    session.play({"do": "correct", "hands": {"explorer": [], "pilot": ["helicopter_lift"]}})
    (offer,) = (offer for offer in acting_view(session, NOBODY, ()).own if offer.seat == "pilot")
    assert [way.label.code for way in offer.ways] == ["verb.helicopter_lift"]


def test_a_seat_that_the_table_waits_for_chooses_its_answer_at_once() -> None:
    session = sit_down()
    session.start("forbidden_island", {"players": ["explorer", "pilot"], "difficulty": "novice", "seed": 1})
    session.play({"do": "correct", "hands": {"explorer": [], "pilot": ["earth_stone"] * 4 + ["oceans_chalice"] * 2}})
    (offer,) = acting_view(session, NOBODY, ()).own
    assert {way.command["do"] for way in offer.ways if way.command} == {"discard"}
    assert [way.label.code for way in offer.ways] == ["name.earth_stone", "name.oceans_chalice"]


def test_steps_lead_to_commands_on_buttons_and_map_alike() -> None:
    view = acting_view(at_dune(), OTTER, ("do:walk",))
    assert commands(view.ways) == [{"do": "walk", "places": ["mill"]}, {"do": "walk", "places": ["pier"]}]
    assert {name: way.command["places"] for name, way in view.pointable.items() if way.command} == {
        "mill": ["mill"],
        "pier": ["pier"],
    }
    assert view.back == ()


def test_steps_for_someone_else_stay_in_that_ones_name() -> None:
    session = at_dune(dune="dark", mill="dark")
    (offer,) = acting_view(session, HERON, ()).others
    light = next(way for way in offer.ways if way.verb == "light")
    assert light.steps == ("for:otter", "do:light")
    view = acting_view(session, HERON, light.steps)
    assert view.seat == "otter"
    assert {way.steps[:1] for way in view.ways if way.steps} == {("for:otter",)}
    assert acting_view(session, HERON, ("for:otter", "do:light", "place:dune")).back == ("for:otter", "do:light")


def test_steps_that_fit_nothing_any_more_are_forgotten() -> None:
    session = at_dune()
    for steps in (("do:dance",), ("place:moon",), ("nonsense",), ("for:emu", "do:walk"), ("do:walk",) * 50):
        assert acting_view(session, OTTER, steps).steps == ()


def test_what_was_begun_at_the_table_is_shown_to_every_phone() -> None:
    session = at_dune()
    session.pick("do:walk")
    for seats in (OTTER, HERON, NOBODY):
        view = acting_view(session, seats, ())
        assert view.shared
        assert {"do": "walk", "places": ["mill"]} in commands(view.ways)


def test_while_the_game_rests_nothing_is_offered() -> None:
    session = at_dune()
    session.pause()
    assert acting_view(session, OTTER, ()).own == ()
    assert acting_view(sit_down(), OTTER, ()).own == ()


def test_people_see_who_holds_which_seat() -> None:
    session = at_dune()
    ana, bob = Guest(1, "Ana", True, 0.0), Guest(2, "", False, 700.0)
    seats = Seats().taken(1, "otter", 1).taken(1, "otter", 2).taken(1, "heron", 9)
    shown = people((ana, bob), seats, seated(session), 2)
    assert [(seat.name, seat.holders, seat.mine) for seat in shown.seats] == [
        ("otter", (ana, bob), True),
        ("heron", (), False),
    ]
    assert (shown.mine, shown.others, shown.seats_of(ana)) == (("otter",), (ana,), ("otter",))
    assert people((), Seats(), None, None).seats == ()
