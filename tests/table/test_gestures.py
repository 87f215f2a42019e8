"""Scans, presses and picks tell a command step by step."""

from __future__ import annotations

from typing import Any

import pytest

from companion.ports import Advice, Misread, TagArrived, TagGone
from companion.rules.game import AnyGame, Mentions, Thing
from companion.rules.portrait import Phrase, Tone
from companion.table import gestures
from companion.table.gestures import Candidate, Telling
from companion.table.session import Session
from companion.table.snapshot import Scanned
from tests.table.sittings import (
    Clock,
    line_of,
    notice,
    picks,
    press,
    refused,
    scan,
    seated,
    sit_down,
    tiny_session,
)
from tests.tiny_game import TinyGame


def at_dune(**lamps: str) -> Session:
    """The otter at the dune, pier and mill within reach; two actions."""
    session = tiny_session()
    lit = dict.fromkeys(("pier", "dune", "mill", "tower"), "lit")
    session.play({"do": "correct", "at": {"otter": "dune"}, "lamps": {**lit, **lamps}})
    return session


def last_command(session: Session) -> dict[str, Any]:
    return seated(session).game.command_json(line_of(session).moves[-1].command)


# -- scans
def test_a_scan_that_can_mean_only_one_command_is_played_at_once() -> None:
    session = at_dune()
    scan(session, "place:mill")
    assert last_command(session) == {"do": "walk", "places": ["mill"]}
    assert session.snapshot.gesture is None


def test_a_scan_that_several_verbs_fit_is_asked_about() -> None:
    session = at_dune(mill="dark")
    snapshot = scan(session, "place:mill")
    legal = session.legal()
    walk = f"command:{legal.index({'do': 'walk', 'places': ['mill']})}"
    light = f"command:{legal.index({'do': 'light', 'places': ['mill']})}"
    assert picks(snapshot) == [walk, light]
    press(session, "B")
    press(session, "C")
    assert last_command(session)["do"] == "light"


def test_a_scan_that_tells_a_command_which_others_of_its_verb_extend_is_asked_about() -> None:
    session = at_dune(dune="dark", mill="dark", pier="dark")
    snapshot = session.pick("do:light")
    snapshot = scan(session, "place:dune")
    assert picks(snapshot)[0] == f"command:{session.legal().index({'do': 'light', 'places': ['dune']})}"
    assert picks(snapshot)[1:] == ["place:mill", "place:pier"]
    scan(session, "place:pier")
    assert last_command(session) == {"do": "light", "places": ["dune", "pier"]}


def test_thats_all_is_the_first_option() -> None:
    session = at_dune(dune="dark", mill="dark")
    session.pick("do:light")
    scan(session, "place:dune")
    press(session, "C")
    assert last_command(session) == {"do": "light", "places": ["dune"]}


def test_things_may_be_scanned_in_any_order_and_twice() -> None:
    session = at_dune(tower="dark")
    session.play({"do": "rest"})
    session.play({"do": "draw", "card": "flare"})
    scan(session, "weather:flare")
    scan(session, "weather:flare")
    scan(session, "place:tower")
    assert last_command(session)["do"] == "flare"


def test_a_thing_that_is_only_implied_narrows_too() -> None:
    session = at_dune(tower="dark", mill="dark")
    session.play({"do": "rest"})
    session.play({"do": "draw", "card": "flare"})
    assert scan(session, "seat:otter").gesture is not None
    scan(session, "weather:flare")
    scan(session, "place:tower")
    assert last_command(session) == {"do": "flare", "places": ["tower"], "seat": "otter"}


def test_a_scan_that_fits_nothing_says_what_is_awaited_and_leaves_all_choices() -> None:
    session = at_dune()
    snapshot = scan(session, "place:tower")
    assert snapshot.notice is not None
    assert snapshot.notice.phrase.code == "notice.nothing_fits"
    assert snapshot.notice.phrase.params["thing"] == "tower"
    assert snapshot.notice.revision == snapshot.revision
    assert snapshot.gesture is None
    assert len(line_of(session).moves) == 1


def test_a_scan_that_fits_nothing_leaves_the_gesture_as_it_was() -> None:
    session = at_dune(dune="dark", mill="dark")
    session.pick("do:light")
    before = scan(session, "place:dune").gesture
    after = scan(session, "place:tower")
    assert after.gesture == before
    assert notice(after) == "notice.nothing_fits"


def test_a_scan_that_does_not_go_on_begins_afresh() -> None:
    session = at_dune(dune="dark", mill="dark")
    session.pick("do:light")
    scan(session, "place:dune")
    scan(session, "place:pier")
    assert last_command(session) == {"do": "walk", "places": ["pier"]}


def test_an_unknown_tag_is_kept_to_be_taught() -> None:
    session = at_dune()
    snapshot = session.observe(TagArrived("reader", "04FF"))
    assert (notice(snapshot), session.last_tag) == ("notice.unknown_tag", "04FF")
    session.bind("04FF", Thing("place", "mill"))
    assert session.last_tag is None
    session.observe(TagArrived("reader", "04FF"))
    assert last_command(session)["places"] == ["mill"]


def test_a_tag_taken_off_changes_nothing() -> None:
    session = at_dune()
    before = session.snapshot
    assert session.observe(TagGone("reader", "04FF")) is before


def test_a_scan_is_answered_where_there_is_no_game_and_while_it_rests() -> None:
    session = sit_down()
    assert notice(scan(session, "place:mill")) == "notice.scanned"
    session.start("tiny", {})
    session.pause()
    assert notice(scan(session, "place:mill")) == "refusal.paused"


def test_a_scan_after_the_end_is_told_so() -> None:
    session = at_dune()
    session.play({"do": "correct", "storm": 4})
    assert notice(scan(session, "place:mill")) == "refusal.game_over"


def test_what_is_scanned_while_no_game_goes_on_is_told_in_order_for_whoever_sets_one_up() -> None:
    session = sit_down()
    first, second = scan(session, "place:mill"), scan(session, "weather:gale")
    assert first.scanned == (Scanned(first.revision, Thing("place", "mill")),)
    assert second.scanned == (*first.scanned, Scanned(second.revision, Thing("weather", "gale")))
    session.observe(TagArrived("reader", "04FF"))
    assert session.snapshot.scanned == second.scanned
    assert session.start("tiny", {}).scanned == ()
    assert scan(session, "place:mill").scanned == ()


def test_an_ended_game_does_not_keep_the_next_one_from_being_scanned_in() -> None:
    session = at_dune()
    session.play({"do": "correct", "storm": 4})
    assert [str(one.thing) for one in scan(session, "place:mill").scanned] == ["place:mill"]
    assert session.undo().scanned == ()


def test_a_scan_with_no_game_is_no_warning() -> None:
    told = scan(sit_down(), "place:mill").notice
    assert told is not None
    assert (told.tone, told.phrase.params) == (Tone.PLAIN, {"thing": "mill"})


def test_a_misread_is_told() -> None:
    snapshot = at_dune().observe(Misread("reader", Advice("advice.line.long", {"most": 256})))
    assert snapshot.notice is not None
    assert snapshot.notice.phrase.params == {"reader": "reader", "reason": Phrase("advice.line.long", {"most": 256})}


def test_even_a_game_that_fails_is_answered(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    session = at_dune()
    monkeypatch.setattr(TinyGame, "mentions", lambda *_: 1 / 0)
    snapshot = scan(session, "place:mill")
    assert snapshot.notice is not None
    assert (snapshot.notice.phrase.code, snapshot.notice.tone) == ("notice.failed", Tone.DANGER)
    assert "ZeroDivisionError" in caplog.text


# -- real decks
def test_where_the_table_deals_a_scanned_card_is_drawn() -> None:
    session = tiny_session(setup={"decks": "table"})
    session.play({"do": "rest"})
    scan(session, "weather:gale")
    assert last_command(session) == {"do": "draw", "card": "gale"}


def test_a_card_that_lies_deeper_cannot_be_drawn() -> None:
    session = tiny_session(setup={"decks": "table", "stacked": ["pier"]})
    session.play({"do": "rest"})
    snapshot = scan(session, "weather:gale")
    assert snapshot.notice is not None
    assert (snapshot.notice.phrase.code, snapshot.notice.phrase.params) == (
        "notice.card_not_possible",
        {"card": "gale"},
    )


def test_where_the_companion_deals_a_scanned_card_draws_nothing() -> None:
    session = tiny_session()
    session.play({"do": "rest"})
    assert notice(scan(session, "weather:gale")) == "notice.nothing_fits"


# -- buttons
def test_c_opens_the_menu_and_b_goes_round_it() -> None:
    session = at_dune()
    snapshot = press(session, "C")
    assert picks(snapshot) == ["deal", "do:walk", "do:rest", "undo"]
    cursors = [press(session, "B").gesture.cursor for _ in range(4)]  # type: ignore[union-attr]  # the menu is open
    assert cursors == [1, 2, 3, 0]


def test_b_with_no_gesture_opens_the_menu_too() -> None:
    assert picks(press(at_dune(), "B"))[0] == "deal"


def test_a_verb_without_things_is_played_when_it_is_chosen() -> None:
    session = at_dune()
    session.pick("do:rest")
    assert last_command(session) == {"do": "rest"}


def test_a_verb_with_a_single_command_says_it_in_words_and_is_not_asked_about_again() -> None:
    session = at_dune(mill="dark")
    (option,) = [option for option in session.menu() if option.pick == "do:light"]
    assert option.label.code == "tiny.word.light"
    session.pick("do:light")
    assert last_command(session) == {"do": "light", "places": ["mill"]}


def test_d_takes_back_one_step_of_the_gesture_and_then_the_last_command() -> None:
    session = at_dune(dune="dark", mill="dark")
    menu = press(session, "C").gesture
    session.pick("do:light")
    verb = session.snapshot.gesture
    session.pick("place:dune")
    assert press(session, "D").gesture == verb
    assert press(session, "D").gesture == menu
    assert press(session, "D").gesture is None
    assert len(line_of(session).moves) == 1
    press(session, "D")
    assert len(line_of(session).moves) == 0
    assert notice(press(session, "D")) == "refusal.nothing_to_undo"


def test_a_step_back_from_a_scan_drops_the_gesture() -> None:
    session = at_dune(mill="dark")
    scan(session, "place:mill")
    assert press(session, "D").gesture is None


def test_holding_d_redoes() -> None:
    session = at_dune()
    press(session, "D")
    press(session, "D", long=True)
    assert len(line_of(session).moves) == 1
    assert notice(press(session, "D", long=True)) == "refusal.nothing_to_redo"


def test_holding_a_pauses_and_goes_on() -> None:
    session = at_dune()
    assert press(session, "A", long=True).paused
    for button in "ABCD":
        assert notice(press(session, button)) == "refusal.paused"
    assert not press(session, "A", long=True).paused
    assert notice(press(sit_down(), "A", long=True)) == "refusal.no_game"


def test_a_deals() -> None:
    session = at_dune()
    press(session, "A")
    assert {move.deck for move in line_of(session).moves} == {None, "weather"}


# -- picks
def test_a_pick_waits_for_thats_all_where_more_can_follow() -> None:
    session = at_dune(dune="dark", mill="dark")
    session.pick("do:light")
    snapshot = session.pick("place:mill")
    assert picks(snapshot)[1:] == ["place:dune"]
    session.pick(picks(snapshot)[0])
    assert last_command(session) == {"do": "light", "places": ["mill"]}


def test_another_verb_can_be_picked_at_any_step() -> None:
    session = at_dune(dune="dark", mill="dark")
    session.pick("do:light")
    session.pick("do:walk")
    assert session.snapshot.gesture is not None
    assert session.snapshot.gesture.verb == "walk"
    session.pick("place:mill")
    assert last_command(session) == {"do": "walk", "places": ["mill"]}


def test_a_whole_command_can_be_picked_from_nothing() -> None:
    session = at_dune()
    session.pick(f"command:{session.legal().index({'do': 'rest'})}")
    assert last_command(session) == {"do": "rest"}


def test_deal_undo_redo_and_cancel_can_be_picked() -> None:
    session = at_dune()
    session.pick("do:walk")
    assert session.pick("cancel").gesture is None
    session.pick("undo")
    session.pick("redo")
    assert session.pick("deal").seated is not None
    assert len(line_of(session).moves) > 1


def test_picks_that_are_not_there_are_refused() -> None:
    session = at_dune()
    for pick in (
        "do:fly",
        "place:tower",
        "command:999",
        "command:-1",
        "command:x",
        "command:" + "9" * 5000,
        "moon",
        "",
    ):
        refused("no_such_option", session.pick, pick)
    assert session.snapshot.gesture is None


def test_a_pick_sent_twice_is_one_step() -> None:
    session = at_dune(dune="dark", mill="dark")
    session.pick("do:light")
    first = session.pick("place:mill", command_id="a")
    assert session.pick("place:mill", command_id="a") is first


# -- the gesture's end
def test_a_gesture_that_nobody_finishes_is_dropped() -> None:
    clock = Clock()
    session = sit_down(clock=clock, gesture_seconds=30)
    session.start("tiny", {})
    press(session, "C")
    clock.now += 29
    assert session.tick().gesture is not None
    press(session, "B")
    clock.now += 29
    assert session.tick().gesture is not None
    clock.now += 2
    revision = session.snapshot.revision
    assert session.tick().gesture is None
    assert session.tick().revision == revision + 1


def test_an_old_gesture_is_dropped_before_the_next_scan_is_taken_in() -> None:
    clock = Clock()
    session = sit_down(clock=clock)
    session.start("tiny", {"dark": "dune"})
    session.play({"do": "correct", "lamps": {"pier": "dark"}})
    session.pick("do:light")
    clock.now += 61
    snapshot = scan(session, "place:dune")
    assert snapshot.gesture is not None
    assert snapshot.gesture.verb is None


def test_a_gesture_is_dropped_when_the_game_moves_on() -> None:
    session = at_dune()
    press(session, "C")
    assert session.play({"do": "rest"}).gesture is None


def test_a_notice_is_gone_with_the_next_act() -> None:
    session = at_dune()
    scan(session, "place:tower")
    assert session.play({"do": "rest"}).notice is None


# -- narrowing alone
def _candidate(index: int, verb: str, things: str = "", implied: str = "") -> Candidate:
    pointed, told = (frozenset(map(Thing.parse, text.split())) for text in (things, implied))
    return Candidate(index, index, Mentions(verb, pointed, told))


class Words:
    def word(self, command: Any) -> Any:
        return command


WORDS: AnyGame = Words()  # type: ignore[assignment]  # follow() only asks for words


def follow(told: Telling, *among: Candidate) -> list[str]:
    return [option.pick for option in gestures.follow(WORDS, gestures.fitting(among, told), told)]


def test_a_scan_of_one_card_that_two_hands_hold_is_asked_in_words() -> None:
    drops = [_candidate(n, "drop", "card:x", f"seat:{seat}") for n, seat in enumerate("ab")]
    told = Telling(("card:x",))
    assert gestures.meant(drops, told, scanned=True) is None
    assert follow(told, *drops) == ["command:0", "command:1"]
    left = gestures.fitting(drops, Telling(("card:x", "seat:b")))
    assert gestures.meant(left, Telling(("card:x", "seat:b")), scanned=True) == drops[1]


def test_what_another_verb_could_go_on_to_does_not_hold_a_scan_up_but_a_pick() -> None:
    among = [_candidate(0, "walk", "place:w"), _candidate(1, "lift", "card:l place:w")]
    told = Telling(("place:w",))
    assert gestures.meant(among, told, scanned=True) == among[0]
    assert gestures.meant(among, told, scanned=False) is None


def test_things_are_asked_for_one_kind_at_a_time_the_shortest_list_first() -> None:
    lifts = [
        _candidate(n, "lift", f"card:lift {pawns} place:{place}")
        for n, (pawns, place) in enumerate((p, q) for p in ("seat:a", "seat:b", "seat:a seat:b") for q in "wxyz")
    ]
    assert follow(Telling(("do:lift",)), *lifts) == ["seat:a", "seat:b"]
    assert follow(Telling(("do:lift", "seat:a")), *lifts) == ["place:w", "place:x", "place:y", "place:z"]
    assert follow(Telling(("do:lift", "seat:a", "place:w")), *lifts) == ["command:0", "seat:b"]


def test_verbs_that_are_told_already_come_before_those_that_need_more() -> None:
    among = [
        _candidate(0, "lift", "card:l place:w"),
        _candidate(1, "walk", "place:w"),
        _candidate(2, "light", "place:w"),
    ]
    assert follow(Telling(("place:w",)), *among) == ["command:1", "command:2", "do:lift"]
