"""The serial reader over faked wires: what it opens, tells, and survives."""

from __future__ import annotations

import errno
import threading
from collections.abc import Callable, Iterator

import pytest

import drivers.serial_reader
from companion.ports import DeviceState, DeviceStatus, Misread, TagArrived, TagGone
from drivers.clockwork import Clockwork
from drivers.decoder import Decoder, Found, NoTag, Read
from drivers.interpreter import OneTongue, Tongue
from drivers.line_decoder import LineDecoder
from drivers.presence import PassingTags, Presence, RestingTags
from drivers.serial_port import PortSettings, Wire
from drivers.serial_reader import SerialReader
from tests.listening import Ear
from tests.patience import PATIENCE
from tests.wording import worded

TAG = "04A3C6CAE26180"
LINE = b"04 A3 C6 CA E2 61 80\r\n"
PORT = "/dev/ttyACM0"


class Script:
    """A wire that plays reads one after another on its own clock: bytes, a time-out (seconds), or an error."""

    def __init__(self, *reads: bytes | float | Exception) -> None:
        self._reads = [0.1, *reads]
        self.now = 0.0
        self.baudrate = 9600
        self.written: list[bytes] = []
        self.closed = 0
        self.played = threading.Event()

    def clock(self) -> float:
        return self.now

    @property
    def in_waiting(self) -> int:
        return 64

    def read(self, size: int, /) -> bytes:
        if not self._reads:
            self.played.set()
            threading.Event().wait(0.005)
            return b""
        match self._reads.pop(0):
            case Exception() as failure:
                raise failure
            case bytes(received):
                self.now += 0.01
                assert len(received) <= size
                return received
            case pause:
                self.now += pause
                return b""

    def write(self, sent: bytes, /) -> int:
        self.written.append(sent)
        return len(sent)

    def close(self) -> None:
        self.closed += 1


class Ports:
    """Opens one wire, or fails, after another; the last for ever."""

    def __init__(self, *outcomes: Wire | Exception) -> None:
        self._outcomes = list(outcomes)
        self._opened = 0
        self.often = threading.Event()

    def __call__(self, _: PortSettings) -> Wire:
        self._opened += 1
        if self._opened > 3:
            self.often.set()
        outcome = self._outcomes.pop(0) if len(self._outcomes) > 1 else self._outcomes[0]
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drivers.serial_reader, "FIRST_PAUSE", 0.001)
    monkeypatch.setattr(drivers.serial_reader, "LONGEST_PAUSE", 0.002)


@pytest.fixture
def ear() -> Ear:
    return Ear()


@pytest.fixture
def run(ear: Ear) -> Iterator[Callable[..., SerialReader]]:
    """Start a reader on a script; it is stopped after the test."""
    readers: list[SerialReader] = []

    def start(
        script: Script, ports: Ports | None = None, *, decoder: Decoder | None = None, presence: Presence | None = None
    ) -> SerialReader:
        decoder, presence = decoder or LineDecoder(), presence or RestingTags("reader")
        opening = ports or Ports(script)
        spoken = OneTongue(Tongue("line", 9600, decoder, presence))
        reader = SerialReader("reader", PORT, spoken, open_port=opening, clockwork=Clockwork(clock=script.clock))
        readers.append(reader)
        reader.start(ear)
        return reader

    yield start
    for reader in readers:
        reader.stop()


READY = DeviceStatus("reader", DeviceState.READY)


def test_a_tag_that_rests_and_goes_is_one_arrival_and_one_departure(run: Callable[..., SerialReader], ear: Ear) -> None:
    run(Script(LINE, 0.1, LINE, LINE[:7], LINE[7:], *[0.1] * 6))
    assert [ear.next() for _ in range(3)] == [READY, TagArrived("reader", TAG), TagGone("reader", TAG)]


def test_two_lines_in_one_read_are_two_tags(run: Callable[..., SerialReader], ear: Ear) -> None:
    run(Script(b"04A3C6CA\r\n04A3C6CB\r\n"))
    assert [ear.next() for _ in range(3)] == [READY, TagArrived("reader", "04A3C6CA"), TagArrived("reader", "04A3C6CB")]


def test_a_misread_is_told_and_moves_no_tag(run: Callable[..., SerialReader], ear: Ear) -> None:
    script = Script(LINE, *[b"\xff\xfe\n"] * 90, LINE)
    run(script)
    assert script.played.wait(PATIENCE)
    ready, arrived, misread = ear.rest()
    assert (ready, arrived) == (READY, TagArrived("reader", TAG))
    assert isinstance(misread, Misread)


def test_half_a_line_moves_no_tag(run: Callable[..., SerialReader], ear: Ear) -> None:
    script = Script(LINE, *[bytes([byte]) for byte in b" " * 90 + LINE])
    run(script)
    assert script.played.wait(PATIENCE)
    assert ear.rest() == [READY, TagArrived("reader", TAG)]


def test_a_flood_of_misreads_is_told_at_once_and_then_every_ten_seconds(
    run: Callable[..., SerialReader], ear: Ear
) -> None:
    script = Script(*[b"\xff\n"] * 2500)
    run(script)
    assert script.played.wait(PATIENCE)
    assert sum(isinstance(each, Misread) for each in ear.rest()) == 3


def test_somebody_who_tries_a_bad_tag_again_is_answered_again(run: Callable[..., SerialReader], ear: Ear) -> None:
    once: list[bytes | float | Exception] = [b"8804A3C6\n", *[0.1] * 12]
    script = Script(*once, *once, *once)
    run(script)
    assert script.played.wait(PATIENCE)
    assert sum(isinstance(each, Misread) for each in ear.rest()) == 3


def test_a_line_ended_by_silence_is_read(run: Callable[..., SerialReader], ear: Ear) -> None:
    run(Script(b"04A3C6CA", 0.05, 0.06), decoder=LineDecoder(idle=0.1), presence=PassingTags("reader"))
    assert [ear.next() for _ in range(2)] == [READY, TagArrived("reader", "04A3C6CA")]


@pytest.mark.parametrize(
    ("failure", "advice"),
    [
        (OSError(errno.ENOENT, "no"), "plug it in"),
        (OSError(errno.EACCES, "no"), "udev rule"),
        (OSError(errno.EAGAIN, "no"), "in use by another program"),
        (OSError(errno.EBUSY, "no"), "fuser"),
        (ValueError("Invalid baud rate"), "baud"),
        (OSError("not a terminal"), "check that it is a serial port"),
    ],
)
def test_a_port_that_cannot_be_opened_is_told_once_with_its_own_fix(
    run: Callable[..., SerialReader], ear: Ear, failure: Exception, advice: str
) -> None:
    ports = Ports(failure)
    run(Script(), ports)
    status = ear.next()
    assert isinstance(status, DeviceStatus)
    assert status.state is DeviceState.WAITING
    assert advice in worded(status.advice)
    assert ports.often.wait(PATIENCE)
    assert ear.rest() == []


def test_a_reader_that_appears_later_is_used(run: Callable[..., SerialReader], ear: Ear) -> None:
    script = Script(LINE)
    run(script, Ports(OSError(errno.ENOENT, "no"), OSError(errno.ENOENT, "no"), script))
    assert ear.state() is DeviceState.WAITING
    assert [ear.next() for _ in range(2)] == [READY, TagArrived("reader", TAG)]


@pytest.mark.parametrize("failure", [OSError(errno.EIO, "gone"), TypeError("closed meanwhile")])
def test_an_unplugged_reader_is_lost_then_found_without_a_phantom_scan(
    run: Callable[..., SerialReader], ear: Ear, failure: Exception
) -> None:
    first = Script(LINE, failure)
    second = Script(LINE, b"04A3C6CB\n")
    run(first, Ports(first, OSError(errno.ENOENT, "no"), second))
    assert [ear.next() for _ in range(2)] == [READY, TagArrived("reader", TAG)]
    assert [ear.state() for _ in range(3)] == [DeviceState.LOST, DeviceState.LOST, DeviceState.READY]
    assert ear.next() == TagArrived("reader", "04A3C6CB")
    assert first.closed == 1


def test_a_port_that_fails_even_to_close_is_survived(run: Callable[..., SerialReader], ear: Ear) -> None:
    class Stubborn(Script):
        def close(self) -> None:
            raise OSError(errno.EIO, "gone")

    second = Script(LINE)
    first = Stubborn(OSError(errno.EIO, "gone"))
    run(first, Ports(first, second))
    assert [ear.state() for _ in range(3)] == [DeviceState.READY, DeviceState.LOST, DeviceState.READY]
    assert ear.next() == TagArrived("reader", TAG)


def test_stopping_closes_the_port_and_may_be_done_twice(run: Callable[..., SerialReader], ear: Ear) -> None:
    script = Script()
    reader = run(script)
    assert ear.next() == READY
    reader.stop()
    reader.stop()
    assert script.closed == 1


def test_a_reader_that_only_answers_needs_no_more_than_a_decoder(run: Callable[..., SerialReader], ear: Ear) -> None:
    class Asking:
        """Greets, asks before every read, and takes each byte for a tag."""

        def opened(self) -> bytes:
            return b"hello"

        def question(self) -> bytes:
            return b"?"

        recognised = True

        def feed(self, received: bytes) -> list[Found]:
            return [Read(f"{byte:02X}") for byte in received]

        def silence(self, seconds: float) -> list[Found]:
            return [NoTag()]

    script = Script(b"\x07", 0.1, 0.1, 0.1)
    run(script, decoder=Asking())
    assert [ear.next() for _ in range(2)] == [READY, TagArrived("reader", "07")]
    assert script.played.wait(PATIENCE)
    assert script.written[:4] == [b"hello", b"?", b"?", b"?"]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_fault_of_ours_is_told_instead_of_a_silent_reader(run: Callable[..., SerialReader], ear: Ear) -> None:
    class Faulty(LineDecoder):
        def feed(self, received: bytes) -> list[Found]:
            raise ZeroDivisionError

    run(Script(LINE), decoder=Faulty())
    assert ear.next() == READY
    status = ear.next()
    assert isinstance(status, DeviceStatus)
    assert status.state is DeviceState.FAILED
    assert "restart" in worded(status.advice)
