"""Light and buzzer at a table of the tiny game."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from companion.cli.device_memory import DeviceMemory
from companion.cli.table_signal import TableSignal
from companion.ports import Button, Listener, Mood, Muted, Press
from companion.table.journal import Journal
from companion.table.session import Session
from tests.tiny_game import TinyGame


@dataclass
class Lamp:
    """A light, and a buzzer where it can sound; keeps what it was given."""

    can_sound: bool = True
    given: list[tuple[Mood, bool]] = field(default_factory=list)

    def start(self, listener: Listener) -> None: ...

    def give(self, mood: Mood, *, aloud: bool = True) -> None:
        self.given.append((mood, aloud))

    def stop(self) -> None: ...


@dataclass
class Sitting:
    """A table with a signal."""

    session: Session
    lamp: Lamp
    signal: TableSignal
    quiet: bool = False

    def press(self, button: Button) -> None:
        before = self.session.snapshot
        self.signal.answer(before, self.session.observe(Press(button)))


def sit_down(folder: Path, *stacked: str, muted: bool = False, can_sound: bool = True) -> Sitting:
    session = Session({"tiny": TinyGame()}, Journal(":memory:"))
    session.start("tiny", {"players": ["otter"], "dark": "mill", "stacked": list(stacked) or ["pier"]})
    lamp = Lamp(can_sound)
    signal = TableSignal(lamp, DeviceMemory(folder), lambda: sitting.quiet, muted=muted, begin=session.snapshot)
    sitting = Sitting(session, lamp, signal)
    session.subscribe(signal.follow)
    return sitting


def test_a_press_is_answered_once(tmp_path: Path) -> None:
    table = sit_down(tmp_path, "pier", "flare")
    table.press(Button.A)
    table.press(Button.B)
    assert table.lamp.given == [(Mood.TAKEN, True), (Mood.ASKING, True)]


def test_news_take_the_place_of_the_answer(tmp_path: Path) -> None:
    table = sit_down(tmp_path, "gale", "pier")
    table.press(Button.A)
    assert table.lamp.given == [(Mood.ALARM, True)]


def test_what_a_phone_deals_is_called_out_at_the_table_too(tmp_path: Path) -> None:
    table = sit_down(tmp_path, "tower", "tower")
    table.session.deal()
    assert table.lamp.given == [(Mood.LOST, True)]


def test_what_a_phone_does_without_news_says_nothing_at_the_table(tmp_path: Path) -> None:
    table = sit_down(tmp_path, "pier", "flare")
    table.session.deal()
    assert table.lamp.given == []


def test_in_quiet_hours_the_buzzer_leaves_it_to_the_light(tmp_path: Path) -> None:
    table = sit_down(tmp_path, "gale", "pier")
    table.quiet = True
    table.press(Button.A)
    assert table.lamp.given == [(Mood.ALARM, False)]


def test_a_muted_buzzer_stays_so_the_next_evening_whatever_the_settings_begin_with(tmp_path: Path) -> None:
    assert sit_down(tmp_path).signal.toggle() == Muted(True)
    table = sit_down(tmp_path, muted=False)
    table.press(Button.B)
    assert table.lamp.given == [(Mood.ASKING, False)]
    assert table.signal.toggle() == Muted(False)
    again = sit_down(tmp_path, muted=True)
    again.press(Button.B)
    assert again.lamp.given == [(Mood.ASKING, True)]


def test_the_settings_say_how_the_buzzer_begins(tmp_path: Path) -> None:
    table = sit_down(tmp_path, muted=True)
    table.press(Button.B)
    assert table.lamp.given == [(Mood.ASKING, False)]


@pytest.mark.parametrize(
    ("press", "can_sound", "mutes"),
    [
        (Press(Button.B, long=True), True, True),
        (Press(Button.B, long=True), False, False),
        (Press(Button.B), True, False),
        (Press(Button.A, long=True), True, False),
    ],
)
def test_only_holding_b_mutes_and_only_where_there_is_a_buzzer(
    tmp_path: Path, press: Press, can_sound: bool, mutes: bool
) -> None:
    assert sit_down(tmp_path, can_sound=can_sound).signal.can_mute(press) is mutes


def test_muting_is_told_to_the_phones_and_leaves_what_was_begun(tmp_path: Path) -> None:
    table = sit_down(tmp_path)
    table.press(Button.B)
    snapshot = table.session.observe(table.signal.toggle())
    assert snapshot.notice is not None
    assert snapshot.notice.phrase.code == "notice.muted"
    assert snapshot.gesture is not None


def test_a_table_without_a_signal_says_nothing(tmp_path: Path) -> None:
    session = Session({"tiny": TinyGame()}, Journal(":memory:"))
    silent = TableSignal(None, DeviceMemory(tmp_path), lambda: False, muted=False, begin=session.snapshot)
    session.subscribe(silent.follow)
    session.start("tiny", {})
    silent.answer(session.snapshot, session.observe(Press(Button.B)))
    assert not silent.can_mute(Press(Button.B, long=True))
