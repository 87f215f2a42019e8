"""Tags that say a command: scanning one does what its button or its pick does, and it never is a piece."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.ports import TagArrived
from companion.rules.game import Refused, Thing
from companion.rules.registry import GAMES
from companion.table.meaning import PRESSES, Act, acts_of, read_meaning
from companion.table.session import Session
from companion.table.snapshot import Snapshot
from tests.table.sittings import ALL_GAMES, get_up, notice, press, refused, scan, seated, sit_down, tiny_session

WALK = {"do": "walk", "places": ["dune"]}


def say(session: Session, act: str) -> Snapshot:
    session.bind(f"tag of {act}", Act(act))
    return session.observe(TagArrived("reader", f"tag of {act}"))


def seen(session: Session) -> Any:
    """What two tables must have alike; only their revisions may differ."""
    snapshot = session.snapshot
    told = snapshot.notice and (snapshot.notice.phrase, snapshot.notice.tone)
    there = None if snapshot.seated is None else snapshot.seated.state
    return there, snapshot.gesture, snapshot.paused, told


BUTTONS = {"deal": ("A", False), "next": ("B", False), "choose": ("C", False), "back": ("D", False)}
BUTTONS |= {"redo": ("D", True), "pause": ("A", True)}
OPENINGS: list[list[str]] = [[], ["B"], ["B", "C"], ["A"], ["B", "B"]]


@pytest.mark.parametrize("opening", OPENINGS, ids=" ".join)
@pytest.mark.parametrize("act", BUTTONS)
def test_a_command_tag_does_what_its_button_does(act: str, opening: list[str]) -> None:
    tagged, pressed = tiny_session(), tiny_session()
    for session in (tagged, pressed):
        session.play(WALK)
        for button in opening:
            press(session, button)
    say(tagged, act)
    press(pressed, *BUTTONS[act])
    assert seen(tagged) == seen(pressed)


@pytest.mark.parametrize("verb", ["walk", "rest"])
def test_a_verbs_tag_does_what_its_pick_does(verb: str) -> None:
    tagged, picked = tiny_session(), tiny_session()
    say(tagged, f"do:{verb}")
    picked.pick(f"do:{verb}")
    assert seen(tagged) == seen(picked)


def test_a_verb_and_a_piece_tell_a_command_together() -> None:
    session = tiny_session()
    session.play(WALK)
    shown = say(session, "do:walk").gesture
    assert shown is not None
    scan(session, "place:mill")
    assert seated(session).state.at[0] == "mill"


def test_undo_and_redo_have_tags_of_their_own_that_no_open_gesture_changes() -> None:
    session = tiny_session()
    session.play(WALK)
    press(session, "B")
    say(session, "undo")
    assert seated(session).state.at[0] == "pier"
    session.observe(TagArrived("reader", "tag of undo"))
    assert notice(session.snapshot) == "refusal.nothing_to_undo"
    say(session, "redo")
    assert seated(session).state.at[0] == "dune"


def test_cancel_drops_the_gesture_and_pause_lets_a_paused_game_go_on() -> None:
    session = tiny_session()
    press(session, "B")
    assert say(session, "cancel").gesture is None
    assert say(session, "pause").paused
    assert not session.observe(TagArrived("reader", "tag of pause")).paused


def test_a_verb_that_fits_nothing_is_answered_with_what_is_awaited() -> None:
    snapshot = say(tiny_session(), "do:signal")
    assert notice(snapshot) == "notice.verb_fits_nothing"


@pytest.mark.parametrize("act", [*PRESSES, "do:walk"])
def test_with_no_game_a_command_tag_is_refused_and_kept_for_no_set_up(act: str) -> None:
    snapshot = say(sit_down(), act)
    assert notice(snapshot) == "refusal.no_game"
    assert snapshot.scanned == ()


def test_a_command_is_no_thing_and_a_thing_no_command() -> None:
    for game in ALL_GAMES.values():
        things = {Thing(kind.kind, name) for kind in game.tagged() for name in kind.names}
        acts = acts_of(game)
        assert not {str(thing) for thing in things} & {str(act) for act in acts}
        assert all(read_meaning(str(meaning)) == meaning for meaning in (*things, *acts))
    session = sit_down()
    session.bind("04A1", Act("undo"))
    assert session.tags() == {}
    refused("bad_request", session.bind, "04A2", Act("do:dance"))
    refused("bad_request", session.bind, "04A2", Thing("do", "walk"))


SETUPS: dict[str, dict[str, Any]] = {
    "tiny": {"seed": 3},
    "forbidden_island": {"seed": 3, "players": ["explorer", "pilot"], "difficulty": "novice"},
}


def test_every_verb_of_a_legal_command_can_have_a_tag() -> None:
    for game in ALL_GAMES.values():
        session = sit_down()
        session.start(game.name, SETUPS[game.name])
        for _ in range(60):
            for command in session.legal():
                assert command["do"] in game.verbs()
            try:
                session.deal()
            except Refused:
                break


# -- the journal
VERSION_1 = """
CREATE TABLE game (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, setup TEXT NOT NULL, seed TEXT NOT NULL,
    started_at TEXT NOT NULL, turns INTEGER NOT NULL DEFAULT 1, outcome TEXT) STRICT;
CREATE TABLE entry (
    game INTEGER NOT NULL REFERENCES game (id), number INTEGER NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL,
    revision INTEGER NOT NULL, at TEXT NOT NULL, PRIMARY KEY (game, number)) STRICT, WITHOUT ROWID;
CREATE TABLE command (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE tag (tag TEXT PRIMARY KEY, thing TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE standing (
    one INTEGER PRIMARY KEY CHECK (one = 1), seated INTEGER REFERENCES game (id), paused INTEGER NOT NULL,
    ceiling INTEGER NOT NULL, changed INTEGER NOT NULL) STRICT;
INSERT INTO standing VALUES (1, NULL, 0, 12, 3);
INSERT INTO tag VALUES ('04A1', 'tile:watchtower'), ('04A2', 'treasure:sandbags'), ('04A3', 'place:pier');
PRAGMA user_version = 1;
"""
"""The journal as it was before commands had tags."""


def test_tags_that_an_older_companion_taught_are_known_and_stay_readable_for_it(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(VERSION_1)
    session = sit_down(path)
    old = {"04A1": "tile:watchtower", "04A2": "treasure:sandbags", "04A3": "place:pier"}
    assert {tag: str(meaning) for tag, meaning in session.taught().items()} == old
    assert session.snapshot.notice is None
    session.bind("04B1", Act("undo"))
    session.enrol("tiny")
    session.enrolment("skip")
    get_up(session)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)
        rows = dict(connection.execute("SELECT tag, thing FROM tag"))
        with pytest.raises(ValueError, match="not a thing"):
            Thing.parse(rows.pop("04B1"))
    assert rows == old
    assert sit_down(path).taught()["04B1"] == Act("undo")


def test_the_games_verbs_are_worded() -> None:
    assert "correct" not in GAMES["forbidden_island"].verbs()
