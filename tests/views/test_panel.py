"""Which screen the panel shows, told in the life of a table of the tiny game."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.ports import Advice, DeviceState, DeviceStatus
from companion.rules.portrait import Phrase, Tone
from companion.table.snapshot import Gesture, Notice, Option, Seated, Snapshot, Unsaved
from companion.views.panel import Join, screen_for, shows_pin
from companion.views.screens import (
    EndScreen,
    Footer,
    JoinScreen,
    PausedScreen,
    ReaderLostScreen,
    SetUpScreen,
    TableScreen,
)
from tests.tiny_game import TinyGame

GAME = TinyGame()
JOIN = Join("http://192.168.1.37:8000/", "482913")
LOST = DeviceStatus("NFC", DeviceState.LOST, Advice("advice.reader.gone", {"port": "/dev/ttyACM0"}))
UNPLUGGED = Phrase("advice.reader.gone", {"port": "/dev/ttyACM0"})
OPTIONS = (Option("do:walk", Phrase("verb.walk")), Option("undo", Phrase("verb.undo")))


def begun() -> Seated:
    setup = GAME.complete({}, lambda _purpose, options: options[0])
    return Seated(1, GAME, setup, GAME.start(setup), (), (), can_undo=False, can_redo=False)


def played() -> Seated:
    seated = begun()
    command = GAME.legal(seated.state)[0]
    events = GAME.decide(seated.state, command)
    state = seated.state
    for event in events:
        state = GAME.evolve(state, event)
    return replace(seated, state=state, recent=events, can_undo=True)


def ended() -> Seated:
    """Played on with whatever is legal until the game is over."""
    seated = played()
    state = seated.state
    while commands := GAME.legal(state):
        for event in GAME.decide(state, commands[-1]):
            state = GAME.evolve(state, event)
    return replace(seated, state=state)


def test_with_no_game_the_panel_tells_how_to_join() -> None:
    assert screen_for(Snapshot(3), JOIN) == JoinScreen(JOIN.url, JOIN.pin, Footer(3))


def test_a_new_game_tells_how_to_lay_out_the_box() -> None:
    screen = screen_for(Snapshot(4, begun()), JOIN)
    assert isinstance(screen, SetUpScreen)
    assert screen.footer == Footer(4, 1)


def test_from_the_first_command_on_the_table_is_shown() -> None:
    seated = played()
    screen = screen_for(Snapshot(5, seated), JOIN)
    assert screen == TableScreen(GAME.portray(seated.state, seated.recent), Footer(5, 1))


def test_a_game_at_rest_tells_how_to_go_on_and_how_to_join_meanwhile() -> None:
    screen = screen_for(Snapshot(6, played(), paused=True), JOIN)
    assert isinstance(screen, PausedScreen)
    assert (screen.url, screen.pin) == (JOIN.url, JOIN.pin)


def test_the_end_has_a_screen_of_its_own() -> None:
    screen = screen_for(Snapshot(7, ended()), JOIN)
    assert isinstance(screen, EndScreen)
    assert screen.portrait.ending is not None


@pytest.mark.parametrize("seated", [begun, played, ended])
def test_a_question_is_shown_on_the_table_with_the_cursor_on_its_option(seated: object) -> None:
    gesture = Gesture(None, (), OPTIONS, cursor=1)
    screen = screen_for(Snapshot(8, seated(), gesture=gesture), JOIN)  # type: ignore[operator]
    assert isinstance(screen, TableScreen)
    assert (screen.options, screen.cursor) == ((Phrase("verb.walk"), Phrase("verb.undo")), 1)


@pytest.mark.parametrize(("tone", "shown"), [(Tone.WARNING, True), (Tone.DANGER, True), (Tone.GOOD, False)])
def test_an_answer_is_shown_where_something_was_wrong(tone: Tone, shown: bool) -> None:
    answer = Phrase("refusal.not_adjacent")
    screen = screen_for(Snapshot(9, played(), notice=Notice(9, answer, tone)), JOIN)
    assert isinstance(screen, TableScreen)
    assert screen.notice == (answer if shown else None)


def test_a_reader_that_was_just_lost_is_told_with_what_to_do() -> None:
    screen = screen_for(Snapshot(10, played(), devices=(LOST,), news=LOST), JOIN)
    assert isinstance(screen, ReaderLostScreen)
    assert (screen.device, screen.advice) == ("NFC", UNPLUGGED)
    assert screen.portrait is not None


def test_a_reader_is_told_as_lost_even_where_no_game_is_on() -> None:
    screen = screen_for(Snapshot(10, devices=(LOST,), news=LOST), JOIN)
    assert screen == ReaderLostScreen("NFC", UNPLUGGED, None, screen.footer)


def test_once_play_goes_on_the_lost_reader_is_an_alert_in_the_footer() -> None:
    screen = screen_for(Snapshot(11, played(), devices=(LOST,)), JOIN)
    assert isinstance(screen, TableScreen)
    assert screen.footer.alerts == (Phrase("device.lost", {"device": "NFC"}),)


def test_a_device_that_came_back_is_no_alert_and_no_screen() -> None:
    ready = DeviceStatus("NFC", DeviceState.READY)
    screen = screen_for(Snapshot(12, played(), devices=(ready,), news=ready), JOIN)
    assert isinstance(screen, TableScreen)
    assert screen.footer.alerts == ()


def test_what_was_lost_is_alerted_before_what_never_worked() -> None:
    buttons = DeviceStatus("buttons", DeviceState.FAILED, Advice("advice.buttons.no_pins"))
    screen = screen_for(Snapshot(13, played(), devices=(buttons, LOST)), JOIN)
    assert [alert.code for alert in screen.footer.alerts] == ["device.lost", "device.failed"]


@pytest.mark.parametrize("seated", [None, begun(), played(), ended()])
def test_what_is_not_saved_is_the_first_alert_of_every_screen(seated: Seated | None) -> None:
    unsaved = Unsaved(412, Phrase("unsaved.full"))
    for paused in (False, True):
        screen = screen_for(Snapshot(415, seated, paused=paused, devices=(LOST,), unsaved=unsaved), JOIN)
        first, second = screen.footer.alerts
        assert first == Phrase("notice.unsaved.short", {"revision": 412, "cause": Phrase("unsaved.full")})
        assert second == Phrase("device.lost", {"device": "NFC"})


def test_a_device_that_is_only_waited_for_is_no_alert() -> None:
    waiting = DeviceStatus("NFC", DeviceState.WAITING, Advice("advice.port.missing"))
    assert screen_for(Snapshot(14, played(), devices=(waiting,)), JOIN).footer.alerts == ()


def test_a_paused_game_stays_paused_when_a_reader_is_lost() -> None:
    screen = screen_for(Snapshot(15, played(), paused=True, devices=(LOST,), news=LOST), JOIN)
    assert isinstance(screen, PausedScreen)


def test_every_screen_that_is_given_the_pin_is_known_to_show_it() -> None:
    lost = Snapshot(6, played(), devices=(LOST,), news=LOST)
    snapshots = (Snapshot(3), Snapshot(4, begun()), Snapshot(5, played()), Snapshot(7, played(), paused=True), lost)
    for snapshot in (*snapshots, Snapshot(8, ended())):
        screen = screen_for(snapshot, JOIN)
        assert shows_pin(screen) == (str(JOIN.pin) in repr(screen))
        assert not shows_pin(screen_for(snapshot, Join(JOIN.url)))
