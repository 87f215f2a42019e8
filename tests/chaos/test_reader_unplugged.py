"""Readers that are unplugged and plugged in again at any moment while a game goes on."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import drivers.presence
import drivers.serial_reader
from companion.cli.readers import scanner
from companion.ports import DeviceState, DeviceStatus, TagArrived, TagGone
from companion.reader_settings import AUTO, LINE, PN532, RDM6300, ReaderSettings
from companion.rules.forbidden_island.reach import walks
from companion.rules.game import Thing
from companion.rules.registry import GAMES
from companion.table.session import Session
from simulator.dialects import Dialect, Lines, Rdm6300
from simulator.pn532_chip import Pn532Chip
from simulator.sim_reader import SimReader
from simulator.tags import fake_tag
from tests.cli.companions import running
from tests.listening import Ear
from tests.patience import PATIENCE
from tests.table.sittings import line_of, sit_down

ISLAND = GAMES["forbidden_island"]
SPOKEN: dict[str, Callable[[], Dialect]] = {RDM6300: Rdm6300, PN532: Pn532Chip, LINE: Lines}


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drivers.serial_reader, "FIRST_PAUSE", 0.01)
    monkeypatch.setattr(drivers.serial_reader, "LONGEST_PAUSE", 0.02)
    monkeypatch.setattr(drivers.presence, "GRACE_SECONDS", 1.0)


class Evening:
    """A game with a reader on a pty, whose driver's thread hands over to this one."""

    def __init__(self, sim: SimReader, protocol: str) -> None:
        self.sim = sim
        self.session: Session = sit_down()
        self.session.start("forbidden_island", {"players": ["explorer", "pilot"], "difficulty": "novice", "seed": 7})
        self._digits = 10 if protocol == RDM6300 else 14
        for tile in ISLAND.tagged()[0].names:
            self.session.bind(self.tag_of(tile), Thing("tile", tile))
        self.told: list[Any] = []
        self._ear = Ear()
        # Seconds of silence that mean gone: longer than this machine may hold a thread up.
        self.reader = scanner(ReaderSettings("reader", str(sim.port), protocol, gone_after=0.5))
        self.reader.start(self._ear)

    @property
    def moves(self) -> int:
        return len(line_of(self.session).moves)

    @property
    def state(self) -> Any:
        seated = self.session.snapshot.seated
        assert seated is not None
        return seated.state

    def tag_of(self, tile: str) -> str:
        """A tile's tag, of as many bytes as the protocol's tags have."""
        return fake_tag(f"tile:{tile}")[: self._digits]

    def steps(self) -> list[str]:
        """The tiles that a scan walks to."""
        state = self.state
        return sorted(tile for tile in walks(state, state.active) if tile not in state.flooded)

    def go_on(self) -> None:
        for happening in self._ear.rest():
            self.told.append(happening)
            self.session.observe(happening)

    def until(self, holds: Callable[[], bool]) -> None:
        ends = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < ends, self.told[-5:]
            self.go_on()
            time.sleep(0.005)

    def until_moves(self, moves: int) -> None:
        self.until(lambda: self.moves >= moves)

    def until_gone(self, tag: str) -> None:
        self.until(lambda: TagGone("reader", tag) in self.told)

    def replug(self) -> None:
        """Pull the plug until the driver has seen it, then plug in and wait until it is read again."""
        seen = len(self.told)
        self.sim.unplug()
        self.until(lambda: self.status in (DeviceState.LOST, DeviceState.WAITING) and len(self.told) > seen)
        self.sim.plug()
        self.until(lambda: self.status is DeviceState.READY)

    @property
    def status(self) -> DeviceState | None:
        states = [each.state for each in self.told if isinstance(each, DeviceStatus)]
        return states[-1] if states else None


@pytest.fixture(params=[*SPOKEN, AUTO])
def evening(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Evening]:
    dialect = Pn532Chip if request.param == AUTO else SPOKEN[request.param]
    sim = SimReader(tmp_path, dialect())
    begun = Evening(sim, request.param)
    begun.until(lambda: begun.status is DeviceState.READY)
    yield begun
    begun.reader.stop()
    sim.close()


def test_every_tag_laid_down_is_one_move_however_often_the_plug_is_pulled(evening: Evening) -> None:
    rng = random.Random(20240816)
    tiles = evening.steps()
    for tile in tiles:
        before = evening.moves
        evening.sim.place(evening.tag_of(tile))
        if rng.random() < 0.5:
            evening.replug()
        evening.until_moves(before + 1)
        assert evening.state.pawns[evening.state.active] == tile
        evening.replug()
        evening.replug()
        assert evening.moves == before + 1
        evening.session.undo()
        evening.sim.lift()
    evening.until_gone(evening.tag_of(tiles[-1]))
    arrivals = [each.tag for each in evening.told if isinstance(each, TagArrived)]
    assert arrivals == [evening.tag_of(tile) for tile in tiles]


def test_the_game_goes_on_by_phone_while_the_reader_is_away(evening: Evening) -> None:
    evening.sim.unplug()
    evening.until(lambda: evening.status is DeviceState.LOST)
    (lost,) = [device for device in evening.session.snapshot.devices if device.device == "reader"]
    assert lost.state is DeviceState.LOST
    before = evening.moves
    evening.session.pick("do:end_actions")
    assert evening.moves == before + 1
    evening.sim.plug()
    evening.until(lambda: evening.status is DeviceState.READY)
    (back,) = [device for device in evening.session.snapshot.devices if device.device == "reader"]
    assert back.state is DeviceState.READY


SETTINGS = """
[[readers]]
name = "steps"
port = "{steps}"
place = "do:move"
[[readers]]
name = "shovel"
port = "{shovel}"
protocol = "line"
place = "do:shore_up"
"""


def test_two_readers_of_a_running_companion_come_and_go_while_it_plays(tmp_path: Path) -> None:
    def is_(device: str, state: str) -> Callable[[dict[str, Any]], bool | None]:
        def told(seen: dict[str, Any]) -> bool | None:
            return any(each["device"] == device and each["state"] == state for each in seen["devices"]) or None

        return told

    steps, shovel = SimReader(tmp_path, Pn532Chip(), device="steps"), SimReader(tmp_path, device="shovel")
    settings = tmp_path / "companion.toml"
    settings.write_text(SETTINGS.format(steps=steps.port, shovel=shovel.port), encoding="utf-8")
    with running(tmp_path, "--config", str(settings), "--host", "127.0.0.1") as table:
        table.start(players=["explorer", "pilot"])
        table.until(is_("steps", "ready"))
        table.until(is_("shovel", "ready"))
        state = ISLAND.read_state(table.table()["state"])
        tile = sorted(walks(state, state.active))[0]
        assert table.order("bind", tag=fake_tag(tile), thing=f"tile:{tile}").status_code == 200
        steps.unplug()
        table.until(is_("steps", "lost"))
        steps.place(fake_tag(tile))
        steps.plug()
        table.until(lambda seen: seen["state"]["pawns"]["explorer"] == tile or None)
        shovel.unplug()
        table.until(is_("shovel", "lost"))
        shovel.plug()
        table.until(is_("shovel", "ready"))
        assert table.table()["state"]["pawns"]["explorer"] == tile
    steps.close()
    shovel.close()
