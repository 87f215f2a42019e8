"""What went wrong with readers elsewhere, in public, and does not go wrong here."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import drivers.serial_port
import drivers.serial_reader
from companion.cli.readers import scanner, tongue
from companion.ports import DeviceState, DeviceStatus, TagArrived, TagGone
from companion.reader_settings import ID12, LINE, PN532, R200, RDM6300, ReaderSettings
from drivers.decoder import Bad, Found, NoTag, Read
from drivers.interpreter import OneTongue, Told
from drivers.line_decoder import LineDecoder
from drivers.pn532_decoder import targets
from drivers.serial_port import PortSettings, advise, advise_lost, open_wire
from drivers.serial_reader import FIRST_PAUSE, LONGEST_PAUSE, SerialReader
from simulator.dialects import em4100_frame
from simulator.sim_reader import SimReader
from tests.listening import Ear
from tests.patience import PATIENCE
from tests.wording import worded

CARD, OTHER, GHOST = "04A3C6CAE26180", "04FFFFFFFFFFFF", "04A3C6CAE26184"
EVERY_SECONDS = {RDM6300: 0.065, PN532: 0.15, R200: 0.15, LINE: 1.0}
"""How often a reader that repeats tells of a resting tag; a sketch with a delay of a second is the slowest."""

REPEATING = pytest.mark.parametrize("protocol", EVERY_SECONDS)


def arrivals(told: list[Told]) -> list[str]:
    return [each.tag for each in told if isinstance(each, TagArrived)]


class Field:
    """A reader of a protocol with its presence and a clock: what each poll of it brings."""

    def __init__(self, protocol: str) -> None:
        self._tongue = tongue(ReaderSettings("reader", "/dev/x", protocol), protocol)
        self._every = EVERY_SECONDS.get(protocol, 1.0)
        self.now = 0.0

    def poll(self, *found: Found, times: int = 1) -> list[Told]:
        told: list[Told] = []
        for _ in range(times):
            self.now += self._every
            told += self._tongue.settled(list(found), self.now)
        return told


@REPEATING
def test_a_tag_left_on_the_reader_for_ten_minutes_is_one_scan(protocol: str) -> None:
    """https://github.com/MiczFlor/RPi-Jukebox-RFID/issues/910, /1042, /196, /228: a card left lying is scanned again
    and again."""
    field = Field(protocol)
    assert arrivals(field.poll(Read(CARD), times=round(600 / EVERY_SECONDS[protocol]))) == [CARD]


@REPEATING
def test_the_same_tag_laid_down_a_second_time_is_a_second_scan(protocol: str) -> None:
    """https://github.com/MiczFlor/RPi-Jukebox-RFID/issues/914: the guard against repeats swallowed a scan that was
    meant."""
    field = Field(protocol)
    told = field.poll(Read(CARD), times=5)
    told += field.poll(NoTag(), times=round(4 / EVERY_SECONDS[protocol]))
    told += field.poll(Read(CARD), times=5)
    assert arrivals(told) == [CARD, CARD]


@REPEATING
@pytest.mark.parametrize("drops", [2, 16])
def test_a_resting_tag_that_misses_every_second_or_sixteenth_poll_stays(protocol: str, drops: int) -> None:
    """https://github.com/esphome/esphome/issues/9875, https://github.com/ondryaso/pi-rc522/issues/55: tags at rest drop
    out of single polls."""
    field = Field(protocol)
    told = [change for poll in range(200) for change in field.poll(NoTag() if poll % drops == 1 else Read(CARD))]
    assert arrivals(told) == [CARD]
    assert not [change for change in told if isinstance(change, TagGone)]


@REPEATING
def test_a_misread_and_an_unknown_tag_do_not_arm_the_tag_that_lies_there(protocol: str) -> None:
    """https://github.com/biologist79/ESPuino/pull/262: an unknown card made the known one count anew."""
    field = Field(protocol)
    told = field.poll(Read(CARD), times=5)
    (bad,) = targets(b"\x01")
    told += field.poll(bad, times=40)
    told += field.poll(Read(GHOST))
    told += field.poll(Read(CARD), times=5)
    assert arrivals(told).count(CARD) == 1


@pytest.mark.parametrize("line", [b"UID: 88 04 A3 C6\r\n", b"8804A3C6\n", b"136 4 163 198\n"])
def test_the_cut_off_start_of_a_longer_id_is_refused_with_the_cause(line: bytes) -> None:
    """https://github.com/wendlers/micropython-mfrc522/issues/16, https://github.com/ondryaso/pi-rc522/issues/27: the
    cascade tag 88 and three bytes are taken for an id, the same for many stickers."""
    (bad,) = LineDecoder().feed(line)
    assert isinstance(bad, Bad)
    assert "all 7 bytes" in worded(bad.reason)
    (refused,) = targets(bytes.fromhex("0101004400048804A3C6"))
    assert isinstance(refused, Bad)
    assert refused.reason.code == bad.reason.code


@pytest.mark.parametrize("protocol", [RDM6300, PN532, R200])
def test_a_ghost_that_is_read_once_is_never_told(protocol: str) -> None:
    """https://github.com/miguelbalboa/rfid/issues/589: a neighbouring reader makes ghosts and shifted ids that no
    checksum shows."""
    field = Field(protocol)
    told = [change for ghost in range(50) for change in field.poll(Read(f"04{ghost:012X}"))]
    assert told == []


@pytest.mark.parametrize("protocol", [RDM6300, PN532, R200])
def test_a_tag_swept_past_the_reader_is_no_scan(protocol: str) -> None:
    """https://github.com/jromang/picochess/issues/112, /171: a piece that slides by is read as another move."""
    field = Field(protocol)
    told = field.poll(Read(OTHER)) + field.poll(Read(CARD), times=4)
    assert arrivals(told) == [CARD]


def test_one_frame_of_a_reader_that_sends_once_is_a_scan() -> None:
    """The other side of the rule above: an ID-12LA has nothing more to say."""
    field = Field(ID12)
    decoder = tongue(ReaderSettings("reader", "/dev/x", ID12), ID12).decoder
    assert arrivals(field.poll(*decoder.feed(em4100_frame("0E008E4D5A", b"\r\n")))) == ["0E008E4D5A"]


# -- ports
@pytest.fixture
def ear() -> Ear:
    return Ear()


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drivers.serial_reader, "FIRST_PAUSE", 0.001)
    monkeypatch.setattr(drivers.serial_reader, "LONGEST_PAUSE", 0.002)


@pytest.fixture
def start(ear: Ear) -> Iterator[Callable[[str], None]]:
    """Read a port with the line protocol."""
    started = []

    def begin(port: str) -> None:
        reader = scanner(ReaderSettings("reader", port, LINE))
        started.append(reader)
        reader.start(ear)

    yield begin
    for reader in started:
        reader.stop()


@pytest.mark.usefixtures("pauses")
def test_a_reader_that_is_not_there_is_waited_for(start: Callable[[str], None], ear: Ear, tmp_path: Path) -> None:
    """https://github.com/MiczFlor/RPi-Jukebox-RFID/issues/962, /438: a missing reader made the service start and fall
    until it was given up."""
    sim = SimReader(tmp_path)
    sim.unplug()
    start(str(sim.port))
    assert ear.state() is DeviceState.WAITING
    sim.plug()
    assert ear.state() is DeviceState.READY
    sim.close()


HOLD = """
import fcntl, sys
port = open(sys.argv[1], "rb", buffering=0)
fcntl.flock(port, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""


def test_another_program_on_the_port_is_named(start: Callable[[str], None], ear: Ear, tmp_path: Path) -> None:
    """https://github.com/pyserial/pyserial/issues/341, /86: two programs on one port take each other's bytes."""
    sim = SimReader(tmp_path)
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(sim.port)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        start(str(sim.port))
        status = ear.next()
        assert isinstance(status, DeviceStatus)
        assert f"(pid {other.pid})" in worded(status.advice)
        other.communicate()
    assert ear.state() is DeviceState.READY
    sim.close()


@pytest.mark.parametrize("program", ["ModemManager", "brltty", "agetty"])
def test_what_grabs_new_ports_by_itself_is_named(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    """https://github.com/arduino/arduino-ide/issues/1788 (brltty takes CH340), https://github.com/rusefi/rusefi/issues/4359
    (ModemManager sends AT commands), https://github.com/nfc-tools/libnfc/issues/742 and
    https://github.com/raspberrypi/linux/issues/2932 (a console on the UART)."""
    holder = f"{program} (pid 321)"
    monkeypatch.setattr(drivers.serial_port, "port_holders", lambda *_, **__: (holder,))
    opening = advise(PortSettings("/dev/ttyUSB0"), OSError(errno.EBUSY, "busy"))
    reading = advise_lost("/dev/ttyUSB0")
    assert holder in worded(opening)
    assert holder in worded(reading)
    assert opening.code != reading.code


@dataclass
class Usb:
    device: str
    vid: int | None
    pid: int | None
    serial_number: str | None = None


@pytest.mark.usefixtures("pauses")
def test_a_reader_that_comes_back_as_another_device_is_found(
    start: Callable[[str], None], ear: Ear, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """https://github.com/home-assistant/operating-system/issues/3962: ttyUSB0 became ttyUSB1."""
    sim = SimReader(tmp_path)
    usb = Usb("", 0x1A86, 0x7523)
    monkeypatch.setattr(drivers.serial_port, "_usb_ports", lambda: [usb] if usb.device else [])
    usb.device = os.path.realpath(sim.port)
    start("1a86:7523")
    assert ear.state() is DeviceState.READY
    usb.device = ""
    sim.unplug()
    assert ear.state() is DeviceState.LOST
    hole = os.openpty()
    sim.plug()
    usb.device = os.path.realpath(sim.port)
    ear.wait_for(DeviceStatus("reader", DeviceState.READY))
    sim.place(CARD)
    ear.wait_for(TagArrived("reader", CARD))
    for end in hole:
        os.close(end)
    sim.close()


def test_a_name_that_an_upgrade_took_away_is_told_with_what_is_plugged_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """https://github.com/Koenkk/zigbee2mqtt/issues/17947: /dev/serial/by-id was gone after a Debian upgrade."""
    plugged = [
        Usb("/dev/ttyUSB0", 0x1A86, 0x7523),
        Usb("/dev/ttyACM0", 0x2341, 0x43, "AB12"),
        Usb("/dev/ttyS0", None, None),
    ]
    monkeypatch.setattr(drivers.serial_port, "_usb_ports", lambda: plugged)
    told = worded(advise(PortSettings("/dev/serial/by-id/usb-1a86"), FileNotFoundError(errno.ENOENT, "no")))
    assert "1a86:7523, 2341:0043:AB12" in told


@pytest.mark.parametrize("group", ["dialout", "plugdev", "uucp"])
def test_the_group_that_really_owns_the_port_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, group: str
) -> None:
    """https://github.com/Mesh-America/supply-drop-bbs/issues/167: on Trixie ttyACM0 belongs to plugdev, and joining
    dialout helped nobody."""
    monkeypatch.setattr(Path, "group", lambda _: group)
    device = tmp_path / "ttyACM0"
    device.touch()
    device.chmod(0o660)
    told = worded(advise(PortSettings(str(device)), PermissionError(errno.EACCES, "no")))
    assert f"sudo usermod -aG {group} " in told


@pytest.mark.parametrize(("owner", "mode"), [("root", 0o660), ("dialout", 0o600)])
def test_where_no_group_would_help_the_rule_that_helps_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, owner: str, mode: int
) -> None:
    """https://github.com/Mesh-America/supply-drop-bbs/issues/167: joining a group that may not open the port either."""
    monkeypatch.setattr(Path, "group", lambda _: owner)
    device = tmp_path / "ttyACM0"
    device.touch()
    device.chmod(mode)
    told = worded(advise(PortSettings(str(device)), PermissionError(errno.EACCES, "no")))
    assert "udev rule" in told
    assert "usermod" not in told


def test_missing_forbidden_and_busy_are_three_different_things() -> None:
    """https://github.com/OctoPrint/OctoPrint/issues/294, /2783: every fault was "could not autodetect", and people
    opened their ports to everybody."""
    causes = (errno.ENOENT, errno.EACCES, errno.EBUSY)
    told = {worded(advise(PortSettings("/dev/ttyNone"), OSError(cause, "no"))) for cause in causes}
    assert len(told) == 3
    assert not [text for text in told if "chmod" in text]


def test_an_unplugged_port_is_tried_again_for_ever_and_ever_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """https://github.com/pyserial/pyserial/issues/341, /68: an unplugged reader raised, or was read for ever."""
    waited: list[float] = []
    enough = threading.Event()

    class Stopping(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            waited.append(timeout or 0.0)
            if len(waited) == 8:
                enough.set()
                self.set()
            return self.is_set()

    def gone(_: PortSettings) -> drivers.serial_port.Wire:
        raise FileNotFoundError(errno.ENOENT, "gone")

    spoken = OneTongue(tongue(ReaderSettings("reader", "/dev/x", LINE), LINE))
    reader = SerialReader("reader", "/dev/x", spoken, open_port=gone)
    monkeypatch.setattr(reader, "_stopping", Stopping())
    reader.start(lambda _: None)
    assert enough.wait(PATIENCE)
    reader.stop()
    assert waited[:5] == [FIRST_PAUSE, 1.0, 2.0, 4.0, LONGEST_PAUSE]
    assert set(waited[5:]) == {LONGEST_PAUSE}


def test_a_port_is_opened_for_one_reader_alone(tmp_path: Path) -> None:
    """https://github.com/pyserial/pyserial/issues/86: a second open of the same port succeeded silently."""
    sim = SimReader(tmp_path)
    first = open_wire(PortSettings(str(sim.port)))
    with pytest.raises(OSError, match="exclusively lock"):
        open_wire(PortSettings(str(sim.port)))
    first.close()
    sim.close()
