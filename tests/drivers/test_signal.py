"""The light and the buzzer."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.ports import INKY_PINS, DeviceState, DeviceStatus, Mood
from drivers import signal
from drivers.signal import RHYTHMS, GpioSignal, beats
from tests.listening import Ear
from tests.patience import PATIENCE
from tests.wording import worded

LIGHT, BUZZER = 13, 12


@pytest.fixture
def factory() -> Iterator[Any]:
    made = MockFactory(pin_class=MockPWMPin)
    yield made
    made.reset()


@pytest.fixture
def ear() -> Ear:
    return Ear()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rhythms that take next to no time."""
    monkeypatch.setattr(signal, "SECONDS", {".": 0.002, "-": 0.004})
    monkeypatch.setattr(signal, "PAUSE", 0.002)


def started(ear: Ear, **options: Any) -> GpioSignal:
    made = GpioSignal(**options)
    made.start(ear)
    assert ear.state() is DeviceState.READY
    return made


def lit(factory: Any, pin: int) -> int:
    """How often a pin went on."""
    return [state.state for state in factory.pin(pin).states].count(True)


def await_flashes(factory: Any, pin: int, times: int) -> None:
    """Wait until a pin has been on so often and is off again."""
    deadline = time.monotonic() + PATIENCE
    while lit(factory, pin) < times or factory.pin(pin).state:
        assert time.monotonic() < deadline, f"seen {lit(factory, pin)} of {times}"
        time.sleep(0.001)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("mood", Mood)
def test_light_and_buzzer_give_each_mood_its_own_rhythm(factory: Any, ear: Ear, mood: Mood) -> None:
    both = started(ear, light=LIGHT, buzzer=BUZZER, pin_factory=factory)
    both.give(mood)
    for pin in (LIGHT, BUZZER):
        await_flashes(factory, pin, len(RHYTHMS[mood]))
    both.stop()
    assert [lit(factory, pin) for pin in (LIGHT, BUZZER)] == [len(RHYTHMS[mood])] * 2


def test_no_two_moods_have_the_same_rhythm_or_take_more_than_three_seconds() -> None:
    assert all(RHYTHMS[one] != RHYTHMS[other] for one, other in combinations(Mood, 2))
    assert all(sum(beat.seconds + signal.PAUSE for beat in beats(mood)) < 3 for mood in Mood)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("mood", Mood)
def test_a_passive_buzzer_plays_the_moods_tune(
    factory: Any, ear: Ear, monkeypatch: pytest.MonkeyPatch, mood: Mood
) -> None:
    from gpiozero import TonalBuzzer
    from gpiozero.tones import Tone

    played, play = list[float](), TonalBuzzer.play

    def heard(buzzer: Any, note: str) -> None:
        play(buzzer, note)
        played.append(factory.pin(BUZZER).frequency)

    monkeypatch.setattr(TonalBuzzer, "play", heard)
    passive = started(ear, buzzer=BUZZER, light=LIGHT, tones=True, pin_factory=factory)
    passive.give(mood)
    await_flashes(factory, LIGHT, len(RHYTHMS[mood]))
    passive.stop()
    assert played == [Tone(note).frequency for note in signal.TUNES[mood].split()]
    assert factory.pin(BUZZER).frequency is None


def test_between_two_tones_no_current_flows_through_a_passive_buzzer(factory: Any, ear: Ear) -> None:
    passive = started(ear, buzzer=BUZZER, tones=True, pin_factory=factory)
    voice = passive._voices["signal.buzzer"]
    voice.on("A5")
    assert factory.pin(BUZZER).state == 0.5
    voice.off()
    assert factory.pin(BUZZER).state == 0
    passive.stop()


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("tones", [False, True])
def test_a_mood_that_is_not_given_aloud_is_light_only(factory: Any, ear: Ear, tones: bool) -> None:
    both = started(ear, light=LIGHT, buzzer=BUZZER, tones=tones, pin_factory=factory)
    both.give(Mood.LOST, aloud=False)
    await_flashes(factory, LIGHT, 4)
    both.stop()
    assert lit(factory, BUZZER) == 0


def test_a_newer_mood_cuts_an_older_one_short(factory: Any, ear: Ear, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signal, "SECONDS", {".": 0.002, "-": 60.0})
    light = started(ear, light=LIGHT, pin_factory=factory)
    light.give(Mood.LOST)
    deadline = time.monotonic() + PATIENCE
    while not factory.pin(LIGHT).state:
        assert time.monotonic() < deadline
    light.give(Mood.TAKEN)
    await_flashes(factory, LIGHT, 2)
    light.stop()


def test_stopping_in_the_middle_leaves_it_silent(factory: Any, ear: Ear, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signal, "SECONDS", {".": 60.0, "-": 60.0})
    buzzer = started(ear, buzzer=BUZZER, pin_factory=factory)
    buzzer.give(Mood.TAKEN)
    deadline = time.monotonic() + PATIENCE
    while not factory.pin(BUZZER).state:
        assert time.monotonic() < deadline
    buzzer.stop()
    assert not factory.pin(BUZZER).state


@pytest.mark.usefixtures("quick")
def test_a_signal_that_fails_once_gives_the_next_mood(
    factory: Any, ear: Ear, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    light = started(ear, light=LIGHT, pin_factory=factory)
    voice, failing = light._voices["signal.light"], iter([OSError("the chip is gone")])
    on = voice.on

    def fail_once(note: str) -> None:
        for failure in failing:
            raise failure
        on(note)

    monkeypatch.setattr(voice, "on", fail_once)
    light.give(Mood.TAKEN)
    deadline = time.monotonic() + PATIENCE
    while "the chip is gone" not in caplog.text:
        assert time.monotonic() < deadline
    light.give(Mood.TAKEN)
    await_flashes(factory, LIGHT, 1)
    light.stop()


def test_only_a_buzzer_can_sound() -> None:
    assert not GpioSignal(light=LIGHT).can_sound
    assert GpioSignal(buzzer=BUZZER).can_sound


def test_a_signal_without_its_pins_stays_silent_and_says_so(factory: Any, ear: Ear) -> None:
    first = started(ear, light=LIGHT, pin_factory=factory)
    second = GpioSignal(light=LIGHT, pin_factory=factory)
    second.start(ear)
    assert ear.state() is DeviceState.FAILED
    second.give(Mood.TAKEN)
    second.stop()
    first.stop()
    first.stop()
    first.give(Mood.TAKEN)


def test_a_buzzer_on_a_pin_of_the_panel_is_refused_by_name(factory: Any, ear: Ear) -> None:
    buzzer = GpioSignal(buzzer=17, taken=INKY_PINS, pin_factory=factory)
    buzzer.start(ear)
    status = ear.next()
    assert isinstance(status, DeviceStatus)
    assert status.state is DeviceState.FAILED
    assert "signal.buzzer is on pin 17, which the panel needs" in worded(status.advice)


def test_it_can_be_started_again(factory: Any, ear: Ear) -> None:
    light = started(ear, light=LIGHT, pin_factory=factory)
    light.stop()
    light.start(ear)
    assert ear.state() is DeviceState.READY
    light.stop()


def test_the_page_on_panels_lists_the_rhythms() -> None:
    page = (Path(__file__).parents[2] / "docs" / "panels.md").read_text(encoding="utf-8")
    assert re.findall(r"\| `([.-]+)` \|$", page, re.M) == list(RHYTHMS.values())
