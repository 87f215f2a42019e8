"""Whole tables in virtual time: scripts, faults, what must hold, and the soak."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.cli.simulation.playing import play_virtually, virtual_player
from companion.cli.simulation.real_table import play_really
from companion.cli.simulation.replay import replay
from companion.cli.simulation.soak import as_script, evening, small_script
from companion.cli.simulation.stand import Stand
from companion.ports import Press
from companion.rules.forbidden_island import evolve as rules
from companion.rules.forbidden_island.events import Discarded
from companion.rules.forbidden_island.state import State
from companion.rules.game import AnyGame
from companion.rules.registry import GAMES
from companion.table.journal_saving import Saving
from drivers.press import PressEvent, PressMachine
from simulator.faults import Fault
from simulator.script import ScriptError, read_script
from tests.tiny_game import TinyGame

HERE = Path(__file__).parent
SCRIPTS, RECORDS = sorted((HERE / "scripts").glob("*.script")), sorted((HERE / "records").glob("*.rec"))
TINY: dict[str, AnyGame] = {"tiny": TinyGame()}
START = 'phone 1 starts forbidden_island {"players": ["explorer", "pilot"], "difficulty": "novice", "seed": 5}\n'


def play(text: str) -> str | None:
    fault = play_virtually(read_script(text), GAMES)
    return None if fault is None else str(fault)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_an_evening_goes_as_its_script_says(script: Path) -> None:
    assert play(script.read_text(encoding="utf-8")) is None


@pytest.mark.parametrize("record", RECORDS, ids=lambda path: path.stem)
def test_the_drivers_tell_again_what_they_told_when_it_was_recorded(record: Path) -> None:
    assert replay(record.read_text(encoding="utf-8")) is None


def test_a_record_that_is_told_otherwise_now_names_the_line() -> None:
    text = RECORDS[0].read_text(encoding="utf-8")
    told = replay(text.replace("TagGone reader 04A1", "TagGone reader 04FF"))
    assert told is not None
    assert "`TagGone reader 04FFB2C3D4E5F6` was told then, now `TagGone reader 04A1B2C3D4E5F6`" in told


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("table: water 5 within 1 s", "line 2: table: water 5 within 1 s\n  table: water 5 within 1 s: water is 1"),
        ("table: wind 5 within 1 s", "there is no wind; there are"),
        ('panel shows "Turn 9" within 40 s', "the panel shows "),
        ("press A\nrevision stays", "it went on from"),
        ("wait 1 s\nrevision moves on within 1 s", "it is still"),
        ("phone 1 deals\nphone 1 was refused", "its answer was 200"),
        ('phone 1 does {"do": "nonsense"}\nphone 1 was answered', "unknown_command"),
        ("phone 2 sees turn pilot within 1 s", "turn is explorer"),
    ],
)
def test_what_is_not_as_expected_is_told_with_its_line_and_what_was_there(lines: str, told: str) -> None:
    assert told in (play(START + lines) or "")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("tap tile atlantis", "line 1: tap tile atlantis: no box has a tile atlantis"),
        ("tap tower", "no box has a tower; did you mean flood watchtower or tile watchtower?"),
        ("unplug box", "there is no reader 'box' here, only reader"),
        ("panel like etch-a-sketch", "panel like etch-a-sketch: expected one of phat-black, "),
        ("reader a speaks line\nreader a speaks line", "reader a: there are two readers of that name"),
    ],
)
def test_a_script_that_speaks_of_what_is_not_there_is_not_played(line: str, told: str) -> None:
    with pytest.raises(ScriptError) as fault:
        play(line)
    assert told in str(fault.value)


def test_hours_at_a_table_go_by_in_seconds() -> None:
    with virtual_player(Stand(), GAMES) as player:
        began = player.table.now
        player.table.live(3600)
        assert player.table.now == began + 3600
        assert not player.table.troubles()


@pytest.mark.parametrize("games", [GAMES, TINY], ids=["island", "tiny"])
def test_an_evening_of_random_people_and_every_fault_ends_well_and_is_the_same_again(games: dict[str, AnyGame]) -> None:
    first, again = (evening(21, games, tuple(Fault), acts=40) for _ in range(2))
    assert first.fault is None
    assert first == again
    assert len(first.acts) > 40


def test_the_same_script_goes_as_it_says_through_real_ports_and_pins() -> None:
    script = (
        f"reader reader speaks rdm6300\npanel like phat-black\n{START}"
        "phone 1 was answered\ntap tile iron_gate\ntable: pawns.explorer iron_gate\npress A\ntable: phase flood\n"
        'panel shows "flood"\nunplug reader\ntable: reader lost\nplug reader\ntable: reader ready\n'
        "kill the process\ntable: phase flood\nphone 2 sees water 1\n"
    )
    assert play(script) is None
    assert play_really(read_script(script), GAMES) is None


def found_by_the_soak(seed: int, faults: tuple[Fault, ...]) -> tuple[str, str]:
    """The check that found a planted fault, and the small script that shows it."""
    for each in range(seed, seed + 20):
        lived = evening(each, GAMES, faults)
        if lived.fault is not None:
            small = small_script(lived, GAMES)
            assert len(small) <= 12
            assert play(as_script(small, lived)) is not None
            return lived.fault.check, as_script(small, lived)
    raise AssertionError("the soak found nothing")


def test_rules_that_lose_a_card_are_found_and_shrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = rules.EVOLVE[Discarded]
    monkeypatch.setitem(rules.EVOLVE, Discarded, lambda state, event: _undiscarded(kept(state, event), state))
    check, script = found_by_the_soak(3, ())
    assert check in ("refused", "invariant")
    assert "discard" in script


def _undiscarded(after: State, before: State) -> State:
    return replace(after, treasure_discard=before.treasure_discard)


def test_a_driver_that_tells_a_long_press_twice_is_found_and_shrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    settle = PressMachine._settle

    def twice(machine: PressMachine) -> list[PressEvent]:
        told = settle(machine)
        return told if machine.contact or told else [Press(machine._button)]

    monkeypatch.setattr(PressMachine, "_settle", twice)
    assert found_by_the_soak(1, ())[0] == "twice"


def test_a_journal_that_forgets_what_did_not_fit_is_found_and_shrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    failed = Saving.fail

    def forget(saving: Saving, failure: Exception) -> None:
        failed(saving, failure)
        saving._unsaved.clear()

    monkeypatch.setattr(Saving, "fail", forget)
    check, script = found_by_the_soak(1, (Fault.FULL, Fault.KILLED))
    assert check in ("lost", "file", "unsaved")
    assert "fill the disk" in script
