"""Readers that stand for something: what is scanned there is told together with it."""

from __future__ import annotations

from typing import Any

from companion.ports import TagArrived
from companion.rules.game import Thing
from companion.table.session import Session
from companion.table.snapshot import Snapshot
from tests.table.sittings import line_of, notice, picks, press, refused, scan, seated, tiny_session

PLACES = {"lamp post": "do:light", "path": "do:walk", "otter's": "seat:otter"}


def at_dune(**lamps: str) -> Session:
    """The otter at the dune, pier and mill within reach; two actions."""
    session = tiny_session(places=PLACES)
    lit = dict.fromkeys(("pier", "dune", "mill", "tower"), "lit")
    session.play({"do": "correct", "at": {"otter": "dune"}, "lamps": {**lit, **lamps}})
    return session


def scan_at(session: Session, reader: str, thing: str) -> Snapshot:
    if thing not in session.tags():
        session.bind(thing, Thing.parse(thing))
    return session.observe(TagArrived(reader, thing))


def last_command(session: Session) -> dict[str, Any]:
    return seated(session).game.command_json(line_of(session).moves[-1].command)


def test_what_would_be_asked_about_elsewhere_is_clear_on_a_reader_that_stands_for_a_verb() -> None:
    session = at_dune(mill="dark")
    scan_at(session, "lamp post", "place:mill")
    assert last_command(session) == {"do": "light", "places": ["mill"]}
    session.undo()
    scan_at(session, "path", "place:mill")
    assert last_command(session) == {"do": "walk", "places": ["mill"]}


def test_a_reader_that_stands_for_nothing_is_as_it_ever_was() -> None:
    session = at_dune(mill="dark")
    assert len(picks(scan_at(session, "reader", "place:mill"))) == 2


def test_what_does_not_go_with_the_readers_verb_is_said_and_nothing_else_is_done_instead() -> None:
    session = at_dune()
    before = len(line_of(session).moves)
    snapshot = scan_at(session, "lamp post", "place:mill")
    assert notice(snapshot) == "notice.nothing_fits"
    assert len(line_of(session).moves) == before


def test_two_scans_on_a_reader_tell_one_command_and_its_verb_once() -> None:
    session = at_dune(mill="dark", pier="dark")
    scan_at(session, "lamp post", "place:mill")
    asked = session.snapshot.gesture
    assert asked is not None
    assert asked.verb == "light"
    scan_at(session, "lamp post", "place:pier")
    assert last_command(session) == {"do": "light", "places": ["mill", "pier"]}


def test_one_press_takes_a_scan_back_and_leaves_the_readers_verb_said() -> None:
    session = at_dune(mill="dark", pier="dark", dune="dark")
    scan_at(session, "lamp post", "place:mill")
    snapshot = press(session, "D")
    assert snapshot.gesture is not None
    assert (snapshot.gesture.verb, snapshot.gesture.things) == ("light", ())


def test_a_reader_that_stands_for_a_thing_tells_that_thing_too() -> None:
    session = at_dune(tower="dark", mill="dark")
    session.play({"do": "rest"})
    session.play({"do": "draw", "card": "flare"})
    snapshot = scan_at(session, "otter's", "weather:flare")
    assert snapshot.gesture is not None
    assert snapshot.gesture.things == (Thing("seat", "otter"), Thing("weather", "flare"))
    scan_at(session, "otter's", "place:tower")
    assert last_command(session) == {"do": "flare", "places": ["tower"], "seat": "otter"}


def test_a_scan_at_a_place_goes_on_with_a_gesture_begun_elsewhere() -> None:
    session = at_dune(mill="dark", pier="dark")
    scan(session, "place:mill")
    scan_at(session, "lamp post", "place:pier")
    assert last_command(session) == {"do": "light", "places": ["mill", "pier"]}


def test_no_game_is_needed_to_scan_at_a_place() -> None:
    session = tiny_session(places=PLACES)
    session.leave()
    assert notice(scan_at(session, "lamp post", "place:mill")) == "notice.scanned"
    refused("no_game", session.undo)
