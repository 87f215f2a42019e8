"""The readers of the settings: what each speaks, and what each stands for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

import drivers.serial_reader
from companion.cli.readers import places, scanner, tongue
from companion.ports import DeviceState, Misread, Scanner, TagArrived
from companion.reader_settings import LINE, MANNERS, PN532, R200, RDM6300, ReaderSettings
from companion.rules.registry import GAMES
from drivers.presence import PassingTags, RestingTags
from simulator.dialects import Codes, Dialect, Lines, Rdm6300
from simulator.sim_reader import SimReader
from tests.cli.companions import companion, one_line
from tests.listening import Ear
from tests.ports import free_port
from tests.table.sittings import ALL_GAMES
from tests.wording import worded


def at(place: str) -> ReaderSettings:
    return ReaderSettings("shovel", "/dev/x", place=place)


@pytest.mark.parametrize("place", ["do:shore_up", "role:pilot", "tile:watchtower", "do:light", "seat:otter"])
def test_a_reader_may_stand_for_any_verb_or_thing_of_any_game(place: str) -> None:
    assert places([at(place), ReaderSettings("other", "/dev/y")], ALL_GAMES) == {"shovel": place}


@pytest.mark.parametrize(
    ("place", "hint"), [("do:shore", "did you mean do:shore_up?"), ("role:pilto", "did you mean role:pilot?")]
)
def test_a_place_that_no_game_knows_is_refused_with_the_nearest_that_one_does(place: str, hint: str) -> None:
    with pytest.raises(ValueError, match="which no game knows") as raised:
        places([at(place)], GAMES)
    assert hint in str(raised.value)


def test_an_unknown_place_ends_the_start_with_one_line(tmp_path: Path) -> None:
    (tmp_path / "companion.toml").write_text("[[readers]]\nport = '/dev/x'\nplace = 'do:shore'\n", encoding="utf-8")
    run = companion("run", "--config", "companion.toml", "--state", "games", "--port", str(free_port()), cwd=tmp_path)
    assert run.returncode == 2
    assert "did you mean do:shore_up?" in one_line(run.stderr)


@pytest.mark.parametrize("protocol", MANNERS)
def test_what_is_left_out_is_the_protocols_own(protocol: str) -> None:
    spoken = tongue(ReaderSettings("reader", "/dev/x", protocol), protocol)
    assert spoken.baud == MANNERS[protocol].baud
    assert isinstance(spoken.presence, PassingTags if MANNERS[protocol].mode == "once" else RestingTags)
    assert spoken.asks is (protocol in (PN532, R200))


# -- at a port
@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drivers.serial_reader, "FIRST_PAUSE", 0.01)


@pytest.fixture
def put_away() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def plugged(dialect: Dialect, folder: Path, put_away: ExitStack, **settings: object) -> tuple[SimReader, Ear]:
    """A simulated reader and what a driver with these settings tells of it."""
    sim, ear = SimReader(folder, dialect), Ear()
    put_away.callback(sim.close)
    reader: Scanner = scanner(ReaderSettings("reader", str(sim.port), **settings))  # type: ignore[arg-type]  # by name
    put_away.callback(reader.stop)
    reader.start(ear)
    assert ear.state() is DeviceState.READY
    return sim, ear


def test_a_reader_at_the_wrong_speed_is_noise_with_the_usual_speed_named(tmp_path: Path, put_away: ExitStack) -> None:
    sim, ear = plugged(Rdm6300(), tmp_path, put_away, protocol=RDM6300, baud=115200)
    sim.place("0E008E4D5A")
    misread = ear.next()
    assert isinstance(misread, Misread)
    while misread.reason.code != "advice.frame.noise":
        misread = ear.next()
        assert isinstance(misread, Misread)
    assert "9600" in worded(misread.reason)


def test_lines_at_the_wrong_speed_hint_at_it(tmp_path: Path, put_away: ExitStack) -> None:
    lines = Lines()
    lines.baud = 115200
    sim, ear = plugged(lines, tmp_path, put_away, protocol=LINE, baud=9600)
    sim.place("04A3C6CA")
    misread = ear.next()
    assert isinstance(misread, Misread)
    assert "baud" in worded(misread.reason) or "line" in worded(misread.reason)


def test_a_scanner_without_a_line_ending_is_read_by_its_silence(tmp_path: Path, put_away: ExitStack) -> None:
    sim, ear = plugged(
        Codes(prefix="", ending=""), tmp_path, put_away, protocol=LINE, format="text", idle=0.1, repeat_gap=0
    )
    for _ in range(2):
        sim.scan_once("tile:watchtower")
        assert ear.next() == TagArrived("reader", "tile:watchtower")
