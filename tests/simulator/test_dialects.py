"""Simulated readers of every protocol on a pseudo-terminal, read by the real drivers."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import drivers.auto
import drivers.serial_reader
from companion.cli.readers import scanner
from companion.ports import Advice, DeviceState, DeviceStatus, Happening, Misread, Scanner, TagArrived, TagGone
from companion.reader_settings import AUTO, ID12, LINE, MANNERS, PN532, R200, RDM6300, ReaderSettings
from simulator.dialects import Codes, Dialect, Id12, Lines, Rdm6300
from simulator.pn532_chip import Pn532Chip
from simulator.r200_module import R200Module
from simulator.sim_reader import SimReader
from tests.listening import Ear

EM4100, OTHER_EM4100 = "0E008E4D5A", "0E008E4D5B"
NTAG, OTHER_NTAG, CLASSIC = "04A1B2C3D4E5F6", "04A1B2C3D4E5F7", "04A3C6CA"
EPC, OTHER_EPC = "30751FEB705C5904E3D50D70", "30751FEB705C5904E3D50DDD"

SPOKEN: dict[str, tuple[Callable[[], Dialect], str]] = {
    RDM6300: (Rdm6300, EM4100),
    ID12: (Id12, EM4100),
    PN532: (Pn532Chip, NTAG),
    R200: (R200Module, EPC),
    LINE: (Lines, NTAG),
}
EACH = pytest.mark.parametrize("protocol", SPOKEN)


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drivers.serial_reader, "FIRST_PAUSE", 0.01)
    monkeypatch.setattr(drivers.serial_reader, "LONGEST_PAUSE", 0.02)
    for name in ("ASK_SECONDS", "LISTEN_SECONDS", "PATIENT_SECONDS"):
        monkeypatch.setattr(drivers.auto, name, 0.35)


@pytest.fixture
def ear() -> Ear:
    return Ear()


Read = Callable[..., SimReader]


@pytest.fixture
def read(tmp_path: Path, ear: Ear) -> Iterator[Read]:
    """Plug a simulated reader in, and read it with a protocol of the settings."""
    with contextlib.ExitStack() as put_away:

        def begin(dialect: Dialect, protocol: str, gone_after: float = 5.0) -> SimReader:
            sim = SimReader(tmp_path, dialect)
            put_away.callback(sim.close)
            reader: Scanner = scanner(ReaderSettings("reader", str(sim.port), protocol, gone_after=gone_after))
            put_away.callback(reader.stop)
            reader.start(ear)
            return sim

        yield begin


def arrived(tag: str) -> TagArrived:
    return TagArrived("reader", tag)


def found(protocol: str, baud: int) -> DeviceStatus:
    told = Advice("advice.reader.found", {"protocol": protocol, "baud": baud})
    return DeviceStatus("reader", DeviceState.READY, told)


@EACH
def test_each_protocol_brings_the_same_id_that_lies_there(read: Read, ear: Ear, protocol: str) -> None:
    dialect, tag = SPOKEN[protocol]
    sim = read(dialect(), protocol)
    ear.wait_for(DeviceStatus("reader", DeviceState.READY))
    sim.place(tag)
    assert ear.wait_for(arrived(tag)) == []
    assert ear.quiet(0.2)


@pytest.mark.parametrize("protocol", [RDM6300, PN532, R200, LINE])
def test_a_tag_lifted_and_laid_again_is_a_second_arrival(read: Read, ear: Ear, protocol: str) -> None:
    dialect, tag = SPOKEN[protocol]
    sim = read(dialect(), protocol, gone_after=0.3)
    for _ in range(2):
        sim.place(tag)
        ear.wait_for(arrived(tag))
        sim.lift()
        ear.wait_for(TagGone("reader", tag))


def test_a_pn532_sees_two_tags_of_any_length_at_once(read: Read, ear: Ear) -> None:
    sim = read(Pn532Chip(), PN532)
    ear.wait_for(DeviceStatus("reader", DeviceState.READY))
    sim.place(CLASSIC)
    sim.place(NTAG)
    assert {ear.next(), ear.next()} == {arrived(CLASSIC), arrived(NTAG)}


def test_a_pn532_that_is_reset_in_mid_game_is_set_up_again(read: Read, ear: Ear) -> None:
    sim = read(Pn532Chip(), PN532)
    sim.place(NTAG)
    ear.wait_for(arrived(NTAG))
    sim.reset()
    sim.place(OTHER_NTAG)
    assert ear.wait_for(arrived(OTHER_NTAG)) == []


def test_several_uhf_tags_in_reach_all_arrive(read: Read, ear: Ear) -> None:
    sim = read(R200Module(), R200)
    ear.wait_for(DeviceStatus("reader", DeviceState.READY))
    sim.place(EPC)
    sim.place(OTHER_EPC)
    assert {ear.next(), ear.next()} == {arrived(EPC), arrived(OTHER_EPC)}


@EACH
def test_what_a_port_speaks_is_found_out_and_no_tag_is_invented_meanwhile(read: Read, ear: Ear, protocol: str) -> None:
    dialect, tag = SPOKEN[protocol]
    sim = read(dialect(), AUTO)
    told: list[Happening] = []
    for _ in range(20):
        sim.tap(tag, 0.4)
        told += ear.rest()
        if arrived(tag) in told:
            break
    assert {each.tag for each in told if isinstance(each, TagArrived)} == {tag}
    last = [each for each in told if isinstance(each, DeviceStatus)][-1]
    assert last.advice is not None
    assert last == found(protocol, int(last.advice.params["baud"]))
    assert protocol == LINE or last == found(protocol, MANNERS[protocol].baud)


def test_a_reader_that_answers_is_recognised_without_any_tag(read: Read, ear: Ear) -> None:
    read(R200Module(), AUTO)
    ear.wait_for(found("r200", 115200))


def test_the_speed_of_a_sketch_is_found_by_its_noise_at_the_others(read: Read, ear: Ear) -> None:
    lines = Lines()
    lines.baud = 38400
    sim = read(lines, AUTO)
    sim.place(NTAG)
    before = ear.wait_for(found("line", 38400))
    assert [each for each in before if isinstance(each, Misread)]
    assert not [each for each in before if isinstance(each, TagArrived)]
    ear.wait_for(arrived(NTAG))


def test_another_reader_on_the_port_after_a_replug_is_recognised_anew(read: Read, ear: Ear) -> None:
    sim = read(Pn532Chip(), AUTO)
    ear.wait_for(found("pn532", 115200))
    sim.swap(Rdm6300())
    sim.place(EM4100)
    ear.wait_for(found("rdm6300", 9600))
    ear.wait_for(arrived(EM4100))


def test_a_scanner_shows_itself_by_its_aim_identifier(read: Read, ear: Ear) -> None:
    sim = read(Codes(), AUTO)
    assert ear.state() is DeviceState.WAITING
    sim.scan_once("tile:watchtower")
    assert ear.wait_for(arrived("tile:watchtower"))[-1] == found("line", 115200)


def test_a_printed_label_shows_a_scanner_too(read: Read, ear: Ear) -> None:
    sim = read(Codes(prefix=""), AUTO)
    assert ear.state() is DeviceState.WAITING
    sim.scan_once("TABLE:TILE:WATCHTOWER")
    ear.wait_for(arrived("TABLE:TILE:WATCHTOWER"))


def test_text_without_an_id_is_no_tag_and_is_told_with_the_setting_for_codes(read: Read, ear: Ear) -> None:
    sim = read(Codes(prefix=""), AUTO)
    assert ear.state() is DeviceState.WAITING
    sim.scan_once("the old watchtower")
    told = Advice("advice.reader.text", {"text": "the old watchtower", "setting": 'format = "text"'})
    ear.wait_for(DeviceStatus("reader", DeviceState.WAITING, told))


@pytest.mark.parametrize("protocol", [RDM6300, PN532, LINE])
def test_a_tag_that_lies_there_through_a_replug_is_no_second_arrival(read: Read, ear: Ear, protocol: str) -> None:
    dialect, tag = SPOKEN[protocol]
    sim = read(dialect(), protocol)
    sim.place(tag)
    ear.wait_for(arrived(tag))
    sim.unplug()
    assert ear.state() is DeviceState.LOST
    sim.plug()
    ear.wait_for(DeviceStatus("reader", DeviceState.READY))
    assert ear.quiet(0.4)
