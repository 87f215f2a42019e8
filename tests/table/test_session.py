"""Commands, revisions, ids, pauses and games one after another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.ports import Advice, Button, DeviceState, DeviceStatus, Press
from companion.rules.game import Outcome, Refused, Thing
from companion.table.journal import Journal
from companion.table.session import Session
from companion.table.snapshot import Snapshot
from tests.table.sittings import (
    ALL_GAMES,
    get_up,
    notice,
    refused,
    seated,
    sit_down,
    state,
    table_of,
    tiny_session,
)

WALK = {"do": "walk", "places": ["dune"]}
REST = {"do": "rest"}
STORM = {"do": "correct", "storm": 4}
PIER = Thing("place", "pier")


# -- before a game
def test_a_new_table_has_no_game() -> None:
    session = sit_down()
    assert session.snapshot.seated is None
    assert (session.menu(), session.legal(), session.history()) == ((), (), ())


@pytest.mark.parametrize("ask", ["deal", "undo", "redo", "pause", "resume", "leave"])
def test_without_a_game_there_is_nothing_to_play(ask: str) -> None:
    refused("no_game", getattr(sit_down(), ask))


def test_games_and_set_ups_that_make_no_sense_are_refused() -> None:
    session = sit_down()
    refused("unknown_game", session.start, "chess", {})
    nonsense: list[Any] = [
        {"decks": "nobody"},
        {"seed": 1.5},
        {"seed": True},
        {"players": []},
        {"colour": "red"},
        ["seed"],
    ]
    for setup in nonsense:
        refused("bad_request", session.start, "tiny", setup)
    assert session.history() == ()


# -- playing
def test_a_command_is_played_and_published() -> None:
    session = tiny_session()
    seen: list[Snapshot] = []
    session.subscribe(seen.append)
    before = session.snapshot.revision
    answer = session.play(WALK)
    assert seen == [answer] == [session.snapshot]
    assert answer.revision == before + 1
    assert state(session).at == ("dune", "pier")


def test_a_refused_command_publishes_nothing() -> None:
    session = tiny_session()
    before = session.snapshot
    for command in ({"do": "walk", "places": ["tower"]}, {"do": "fly"}, {"walk": 1}, ["rest"], None):
        with pytest.raises(Refused):
            session.play(command)  # type: ignore[arg-type]  # a phone may send anything
    assert session.snapshot is before


def test_the_table_can_overrule_the_engine() -> None:
    session = tiny_session()
    session.play({"do": "correct", "lamps": {"mill": "lit"}, "at": {"heron": "mill"}})
    assert (state(session).lamps[2], state(session).at) == ("lit", ("pier", "mill"))


def test_a_correction_that_would_break_the_position_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    session = tiny_session()
    monkeypatch.setattr(type(seated(session).game), "_corrected", lambda *_: _lose_a_card(session))
    fault: Any = refused("bad_state", session.play, {"do": "correct"}).params["fault"]
    assert fault.code == "tiny.fault.cards"


def _lose_a_card(session: Session) -> Any:
    read = seated(session).game.read_event
    return (
        read({"event": "drawn", "what": "gale", "became": ""}),
        read({"event": "flare_got", "what": "otter", "became": ""}),
    )


def test_one_subscriber_that_fails_keeps_nothing_from_the_others(caplog: pytest.LogCaptureFixture) -> None:
    session = tiny_session()
    seen: list[Snapshot] = []

    def fail(_snapshot: Snapshot) -> None:
        raise RuntimeError("the panel fell off the table")

    session.subscribe(fail)
    session.subscribe(seen.append)
    session.play(WALK)
    assert len(seen) == 1
    assert "the panel fell off the table" in caplog.text


def test_who_ends_a_subscription_hears_no_more() -> None:
    session = tiny_session()
    seen: list[Snapshot] = []
    end = session.subscribe(seen.append)
    end()
    end()
    session.play(WALK)
    assert seen == []


# -- undo and redo
def test_undo_and_redo_go_one_command_back_and_forth() -> None:
    session = tiny_session()
    start = state(session)
    session.play(WALK)
    walked = state(session)
    session.play(REST)
    session.undo()
    assert state(session) == walked
    session.undo()
    assert state(session) == start
    assert (seated(session).can_undo, seated(session).can_redo) == (False, True)
    session.redo()
    assert state(session) == walked
    refused("nothing_to_undo", tiny_session().undo)


def test_an_undone_command_stays_in_the_log_as_taken_back() -> None:
    session = tiny_session()
    session.play(WALK)
    session.undo()
    session.play(WALK)
    assert [line.retracted for line in seated(session).log] == [True, False]
    assert [line.number for line in seated(session).log] == [1, 3]


def test_a_new_command_ends_what_could_be_redone() -> None:
    session = tiny_session()
    session.play(WALK)
    session.undo()
    session.play(REST)
    refused("nothing_to_redo", session.redo)


def test_a_game_that_is_over_can_be_taken_up_again_by_an_undo() -> None:
    session = tiny_session()
    session.play(STORM)
    refused("game_over", session.deal)
    assert session.history()[0].outcome == Outcome(False, "storm")
    session.undo()
    assert session.history()[0].outcome is None
    session.deal()


# -- twice sent, stale
def test_a_command_sent_twice_is_played_once() -> None:
    session = tiny_session()
    first = session.play(WALK, command_id="a")
    assert session.play(WALK, command_id="a") is first
    assert len(seated(session).log) == 1


@pytest.mark.parametrize("ask", ["deal", "undo", "pause", "leave", "cancel"])
def test_every_request_sent_twice_is_done_once(ask: str) -> None:
    session = tiny_session()
    session.play(WALK)
    session.play({"do": "walk", "places": ["pier"]})
    first = getattr(session, ask)(command_id="a")
    assert getattr(session, ask)(command_id="a") is first


def test_a_command_sent_twice_is_played_once_even_over_a_restart(tmp_path: Path) -> None:
    session = tiny_session(tmp_path / "j.db")
    session.play(WALK, command_id="a")
    get_up(session)
    again = sit_down(tmp_path / "j.db")
    again.play(WALK, command_id="a")
    assert len(seated(again).log) == 1


def test_a_refused_command_may_be_sent_again() -> None:
    session = tiny_session()
    refused("wrong_phase", session.play, {"do": "draw"}, command_id="a")
    session.play(REST)
    session.play({"do": "draw"}, command_id="a")
    assert len(seated(session).log) == 1


def test_a_command_meant_for_an_older_position_is_stale() -> None:
    session = tiny_session()
    looked_at = session.snapshot.revision
    session.play(WALK)
    refused("stale", session.play, REST, expected=looked_at)
    session.play(REST, expected=session.snapshot.revision)


def test_what_a_phone_could_never_have_seen_is_stale() -> None:
    session = tiny_session()
    refused("stale", session.play, WALK, expected=session.snapshot.revision + 1)


def test_a_device_a_notice_or_a_gesture_makes_no_command_stale() -> None:
    session = tiny_session()
    looked_at = session.snapshot.revision
    session.observe(DeviceStatus("reader", DeviceState.LOST, Advice("advice.port.missing")))
    session.observe(Press(Button.C))
    session.bind("x", PIER)
    assert session.snapshot.revision == looked_at + 3
    session.play(WALK, expected=looked_at)


def test_a_pause_makes_no_command_stale_once_play_goes_on() -> None:
    session = tiny_session()
    looked_at = session.snapshot.revision
    session.pause()
    session.resume()
    session.play(WALK, expected=looked_at)


def test_staleness_outlives_a_restart(tmp_path: Path) -> None:
    session = tiny_session(tmp_path / "j.db")
    old = session.snapshot.revision
    looked_at = session.play(WALK).revision
    get_up(session)
    again = sit_down(tmp_path / "j.db")
    refused("stale", again.play, REST, expected=old)
    again.play(REST, expected=looked_at)


# -- revisions
def test_revisions_never_go_back(tmp_path: Path) -> None:
    last = 0
    for round_ in range(5):
        session = sit_down(tmp_path / "j.db")
        assert session.snapshot.revision > last
        for _ in range(round_ * 37):
            session.observe(Press(Button.B))
        if round_ == 1:
            session.start("tiny", {})
        last = session.snapshot.revision
        get_up(session)


# -- pause, leave, reopen
def test_a_paused_table_plays_nothing_until_it_goes_on(tmp_path: Path) -> None:
    session = tiny_session(tmp_path / "j.db")
    assert session.pause().paused
    for ask in (session.deal, session.undo, lambda: session.play(WALK), lambda: session.pick("do:walk")):
        refused("paused", ask)
    get_up(session)
    again = sit_down(tmp_path / "j.db")
    assert again.snapshot.paused
    again.resume()
    again.play(WALK)


def test_a_new_game_is_never_paused() -> None:
    session = tiny_session()
    session.pause()
    assert not session.start("tiny", {}).paused


def test_games_follow_one_another_and_are_kept() -> None:
    session = tiny_session()
    session.play(STORM)
    session.start("tiny", {"players": ["heron"], "seed": 2})
    session.play(REST)
    session.leave()
    assert session.snapshot.seated is None
    refused("no_game", session.leave)
    second, first = session.history()
    assert (first.outcome, second.outcome) == (Outcome(False, "storm"), None)
    assert second.setup["players"] == ["heron"]
    assert first.started_at == "2023-11-14T22:13:20+00:00"


def test_an_earlier_game_can_be_seated_again_with_its_undo() -> None:
    session = tiny_session()
    session.play(WALK)
    kept = table_of(session)
    session.start("tiny", {})
    session.reopen(1)
    assert {**table_of(session), "history": None} == {**kept, "history": None}
    session.undo()
    refused("no_such_game", session.reopen, 9)


def test_a_reopened_game_deals_the_cards_it_would_have_dealt() -> None:
    session = tiny_session()
    session.deal()
    dealt = state(session)
    session.undo()
    session.undo()
    session.leave()
    session.reopen(1)
    while state(session) != dealt:
        session.deal()
    assert state(session) == dealt


def test_the_log_of_any_game_can_be_read() -> None:
    session = tiny_session()
    session.play(WALK)
    log = seated(session).log
    session.start("tiny", {})
    assert session.log_of(1) == log
    assert session.log_of(2) == ()
    refused("no_such_game", session.log_of, 3)


def test_the_history_counts_turns() -> None:
    session = tiny_session()
    while state(session).turn < 3:
        session.deal() if state(session).flares == (0, 0) else session.play(dict(session.legal()[0]))
    assert session.history()[0].turns == 3


# -- what is published of a game
def test_the_set_up_is_shown_without_the_seed() -> None:
    assert seated(tiny_session()).setup == {
        "players": ["otter", "heron"],
        "weather": "mild",
        "dark": "mill",
        "decks": "companion",
    }


def test_results_stay_readable_until_the_next_turn_brings_a_card() -> None:
    session = tiny_session(setup={"players": ["otter", "heron"]}, one_card_a_press=True)

    def names() -> list[str]:
        return [event.name for event in seated(session).recent]

    session.play(WALK)
    session.play(REST)
    for card in ("dune", "pier"):
        session.play({"do": "draw", "card": card})
    assert state(session).turn == 2
    last_turn = names()
    assert last_turn[:2] == ["walked", "acted"]
    assert "turn_began" in last_turn
    session.play(WALK)
    assert names() == [*last_turn, "walked", "acted"]
    session.play(REST)
    session.play({"do": "draw", "card": "mill"})
    assert names() == ["walked", "acted", "rested", "drawn", "lost"]


def test_a_restart_resumes_the_whole_table(tmp_path: Path) -> None:
    session = tiny_session(tmp_path / "j.db")
    session.deal()
    session.undo()
    session.bind("t1", PIER)
    kept = table_of(session)
    get_up(session)
    again = sit_down(tmp_path / "j.db")
    assert table_of(again) == kept
    again.redo()


def test_a_game_that_is_no_longer_installed_is_kept_and_named(tmp_path: Path) -> None:
    session = tiny_session(tmp_path / "j.db")
    session.play(WALK)
    get_up(session)
    others = {name: game for name, game in ALL_GAMES.items() if name != "tiny"}
    without = Session(others, Journal(tmp_path / "j.db"))
    assert notice(without.snapshot) == "notice.game_unreadable"
    assert without.snapshot.seated is None
    refused("unknown_game", without.reopen, 1)
    refused("unknown_game", without.log_of, 1)
    assert [past.id for past in without.history()] == [1]
    get_up(without)
    assert len(seated(sit_down(tmp_path / "j.db")).log) == 1


# -- tags
def test_tags_are_taught_forgotten_and_kept_from_game_to_game(tmp_path: Path) -> None:
    session = tiny_session(tmp_path / "j.db")
    session.bind("04A1", PIER)
    session.start("tiny", {})
    get_up(session)
    again = sit_down(tmp_path / "j.db")
    assert again.tags() == {"04A1": PIER}
    again.unbind("04A1")
    assert again.tags() == {}
    refused("unknown_tag", again.unbind, "04A1")


def test_only_things_of_a_game_can_be_taught() -> None:
    session = sit_down()
    refused("bad_request", session.bind, "04A1", PIER._replace(name="moon"))
    refused("bad_request", session.bind, "", PIER)
