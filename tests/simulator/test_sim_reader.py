"""The simulated reader through a real pseudo-terminal, read by the real serial reader."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import drivers.serial_reader
from companion.ports import DeviceState, DeviceStatus, Misread, TagArrived, TagGone
from drivers.interpreter import OneTongue, Tongue
from drivers.line_decoder import LineDecoder
from drivers.line_text import LineFormat
from drivers.presence import PassingTags, Presence, RestingTags
from drivers.serial_reader import SerialReader
from simulator.sim_reader import SimReader, line_of
from simulator.tags import fake_tag
from tests.listening import Ear
from tests.wording import worded

CARD, OTHER = fake_tag("tile:watchtower"), fake_tag("tile:bronze_gate")
READY = DeviceStatus("reader", DeviceState.READY)


def lines(presence: Presence, form: LineFormat = LineFormat.UID) -> OneTongue:
    return OneTongue(Tongue("line", 9600, LineDecoder(form), presence))


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drivers.serial_reader, "FIRST_PAUSE", 0.01)
    monkeypatch.setattr(drivers.serial_reader, "LONGEST_PAUSE", 0.02)


@pytest.fixture
def sim(tmp_path: Path) -> Iterator[SimReader]:
    made = SimReader(tmp_path, repeat=0.02)
    yield made
    made.close()


@pytest.fixture
def ear() -> Ear:
    return Ear()


@pytest.fixture
def reader(sim: SimReader, ear: Ear) -> Iterator[SerialReader]:
    presence = RestingTags("reader", gone_after=0.1)
    made = SerialReader("reader", str(sim.port), lines(presence))
    made.start(ear)
    assert ear.next() == READY
    yield made
    made.stop()


pytestmark = pytest.mark.usefixtures("reader")


def test_a_tag_laid_down_and_lifted_is_one_arrival_and_one_departure(sim: SimReader, ear: Ear) -> None:
    sim.place(CARD)
    assert ear.next() == TagArrived("reader", CARD)
    assert sim.placed == (CARD,)
    assert ear.quiet(0.1)
    sim.lift(CARD)
    assert ear.next() == TagGone("reader", CARD)


def test_two_tags_at_once_are_both_seen_and_lifted_together(sim: SimReader, ear: Ear) -> None:
    sim.place(CARD)
    sim.place(OTHER)
    assert {ear.next(), ear.next()} == {TagArrived("reader", CARD), TagArrived("reader", OTHER)}
    sim.lift()
    assert {ear.next(), ear.next()} == {TagGone("reader", CARD), TagGone("reader", OTHER)}


def test_a_tag_held_to_the_reader_for_a_moment_comes_and_goes(sim: SimReader, ear: Ear) -> None:
    sim.tap(CARD, seconds=0.03)
    assert [ear.next(), ear.next()] == [TagArrived("reader", CARD), TagGone("reader", CARD)]


def test_a_line_that_comes_in_two_parts_is_one_tag(sim: SimReader, ear: Ear) -> None:
    sim.split(CARD, gap=0.02)
    assert ear.next() == TagArrived("reader", CARD)


def test_noise_is_a_misread_and_the_next_tag_is_read(sim: SimReader, ear: Ear) -> None:
    sim.noise()
    misread = ear.next()
    assert isinstance(misread, Misread)
    assert "baud" in worded(misread.reason)
    sim.scan_once(CARD)
    assert ear.next() == TagArrived("reader", CARD)


def test_an_unplugged_reader_is_lost_and_heals_when_plugged_in(sim: SimReader, ear: Ear) -> None:
    sim.unplug()
    assert not sim.plugged
    status = ear.next()
    assert isinstance(status, DeviceStatus)
    assert (status.device, status.state) == ("reader", DeviceState.LOST)
    assert "plug" in worded(status.advice)
    sim.plug()
    ear.wait_for(READY)
    sim.place(CARD)
    assert ear.next() == TagArrived("reader", CARD)


def test_a_tag_that_lies_there_through_an_unplugging_is_no_second_arrival(sim: SimReader, ear: Ear) -> None:
    sim.place(CARD)
    assert ear.next() == TagArrived("reader", CARD)
    sim.unplug()
    assert ear.state() is DeviceState.LOST
    sim.plug()
    ear.wait_for(READY)
    assert ear.quiet(0.15)
    sim.place(OTHER)
    assert ear.next() == TagArrived("reader", OTHER)


def test_what_is_sent_while_unplugged_is_lost(sim: SimReader, ear: Ear) -> None:
    sim.unplug()
    sim.unplug()
    sim.scan_once(CARD)
    sim.plug()
    sim.plug()
    ear.wait_for(READY)
    assert ear.quiet(0.05)


def test_a_tag_that_lies_there_before_the_reader_is_opened_is_read(tmp_path: Path, ear: Ear) -> None:
    sim = SimReader(tmp_path / "second", repeat=0.02)
    sim.place(CARD)
    reader = SerialReader("second", str(sim.port), lines(RestingTags("second")))
    reader.start(ear)
    assert [ear.next(), ear.next()] == [DeviceStatus("second", DeviceState.READY), TagArrived("second", CARD)]
    reader.stop()
    sim.close()
    sim.close()


def test_a_reader_that_nobody_reads_never_blocks(tmp_path: Path) -> None:
    sim = SimReader(tmp_path / "unread")
    for _ in range(2000):
        sim.scan_once(CARD)
    sim.close()


def test_a_scanner_sends_its_text_once(tmp_path: Path, ear: Ear) -> None:
    sim = SimReader(tmp_path / "scanner")
    presence = PassingTags("scanner", repeat_gap=0.0)
    reader = SerialReader("scanner", str(sim.port), lines(presence, LineFormat.TEXT))
    reader.start(ear)
    assert ear.state() is DeviceState.READY
    sim.scan_once("QR watchtower")
    sim.scan_once("QR watchtower")
    assert [ear.next(), ear.next()] == [TagArrived("scanner", "QR watchtower")] * 2
    reader.stop()
    sim.close()


def test_a_tag_is_printed_as_sketches_print_it() -> None:
    assert line_of("04A3C6CAE26180") == b"04 A3 C6 CA E2 61 80\r\n"
    assert line_of("QR code 7") == b"QR code 7\r\n"
