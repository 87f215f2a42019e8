"""Finding out what a port speaks, on a clock that is set by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.ports import Advice, DeviceState, TagArrived
from drivers.auto import ANY_SPEED, ASK_SECONDS, DOUBT_SECONDS, LISTEN_SECONDS, RARE_SPEEDS, AnyTongue
from drivers.decoder import Bad
from drivers.em4100_decoder import Em4100Decoder
from drivers.interpreter import Told, Tongue
from drivers.line_decoder import LineDecoder
from drivers.pn532_decoder import Pn532Decoder
from drivers.presence import PassingTags, RestingTags
from drivers.r200_decoder import R200Decoder
from simulator.dialects import em4100_frame, line_of
from simulator.pn532_chip import ACK, Pn532Chip
from simulator.r200_module import r200_frame, r200_notice
from simulator.uart import heard

TAG, NTAG, EPC = "0E008E4D5A", "04A1B2C3D4E5F6", "30751FEB705C5904E3D50D70"
READ_SECONDS = 0.1


def every_tongue() -> list[Tongue]:
    def here() -> PassingTags:
        return PassingTags("reader")

    return [
        Tongue("pn532", 115200, Pn532Decoder(), here(), asks=True),
        Tongue("r200", 115200, R200Decoder(), here(), asks=True),
        Tongue("id12", 9600, Em4100Decoder.id12(), here()),
        Tongue("rdm6300", 9600, Em4100Decoder(), here()),
        Tongue("line", ANY_SPEED, LineDecoder(), here()),
    ]


class Port:
    """A port and its clock: what an interpreter hears, one read after another."""

    def __init__(self, tongues: Sequence[Tongue] = ()) -> None:
        self.auto = AnyTongue(tongues or every_tongue())
        self.now = 100.0
        self.silent = 0.0
        self.asked = b""
        self.auto.opened(self.now)

    def hear(self, received: bytes = b"") -> list[Told]:
        """One read: bytes at once, or a time-out."""
        self.asked += self.auto.question()
        self.now += 0.001 if received else READ_SECONDS
        self.silent = 0.0 if received else self.silent + READ_SECONDS
        return self.auto.hear(received, self.silent, self.now)

    def wait(self, seconds: float) -> list[Told]:
        return [told for _ in range(round(seconds / READ_SECONDS)) for told in self.hear()]

    def wait_for_speed(self, baud: int) -> None:
        for _ in range(1000):
            if self.auto.baud == baud:
                return
            self.hear()
        raise AssertionError(f"{baud} baud was never tried")

    def found(self) -> str | None:
        standing = self.auto.standing
        assert standing.advice is not None
        return str(standing.advice.params["protocol"]) if standing.state is DeviceState.READY else None

    @property
    def advice(self) -> Advice:
        assert self.auto.standing.advice is not None
        return self.auto.standing.advice


def test_nothing_heard_is_waiting_and_the_usual_speeds_are_tried_for_ever() -> None:
    port, speeds = Port(), list[int]()
    for _ in range(200):
        port.wait(0.5)
        if not speeds or speeds[-1] != port.auto.baud:
            speeds.append(port.auto.baud)
    assert speeds[:4] == [115200, 9600, 115200, 9600]
    assert set(speeds) == {115200, 9600}
    assert port.found() is None
    assert port.advice == Advice("advice.reader.listening")


def test_both_readers_that_answer_are_asked_one_after_the_other() -> None:
    port = Port()
    port.wait(ASK_SECONDS)
    assert b"\x55\x55" in port.asked
    assert b"\xaa\x00\x22" not in port.asked
    port.wait(ASK_SECONDS)
    assert b"\xaa\x00\x22" in port.asked


def test_nothing_is_sent_where_readers_only_speak() -> None:
    port = Port()
    port.wait_for_speed(9600)
    port.asked = b""
    port.wait(LISTEN_SECONDS - 1)
    assert port.asked == b""


def test_a_pn532_is_known_by_its_answer_and_asked_on() -> None:
    port, chip = Port(), Pn532Chip()
    for _ in range(30):
        asked, port.asked = port.asked, b""
        told = port.hear(b"".join(answer for _, answer in chip.answer(asked, [NTAG])))
        if TagArrived("reader", NTAG) in told:
            break
    assert port.found() == "pn532"
    assert told == [TagArrived("reader", NTAG)]


@pytest.mark.parametrize(
    ("frame", "baud", "protocol", "tag"),
    [
        (em4100_frame(TAG), 9600, "rdm6300", TAG),
        (em4100_frame(TAG, b"\r\n"), 9600, "id12", TAG),
        (r200_notice(EPC), 115200, "r200", EPC),
        (line_of(NTAG), 9600, "line", NTAG),
        (line_of(NTAG), 115200, "line", NTAG),
    ],
)
def test_the_first_whole_message_decides_and_its_tag_is_told(frame: bytes, baud: int, protocol: str, tag: str) -> None:
    port = Port()
    port.wait_for_speed(baud)
    port.wait(0.2)
    assert port.hear(frame[:7]) == []
    assert port.found() is None
    assert port.hear(frame[7:]) == [TagArrived("reader", tag)]
    assert (port.found(), port.auto.baud) == (protocol, baud)


def test_a_message_that_comes_when_a_speed_is_to_be_left_is_heard_to_its_end() -> None:
    port = Port()
    port.wait_for_speed(9600)
    port.now += LISTEN_SECONDS
    told = [each for byte in em4100_frame(TAG) for each in port.hear(bytes((byte,)))]
    assert told == [TagArrived("reader", TAG)]


def test_noise_goes_on_to_another_speed_and_is_told_as_that() -> None:
    port = Port()
    port.hear(heard(em4100_frame(TAG), 9600, 115200))
    (bad,) = port.hear()
    assert bad == Bad(Advice("advice.reader.speed", {"baud": 115200}))
    assert port.auto.baud == 9600
    assert port.hear(em4100_frame(TAG)) == [TagArrived("reader", TAG)]


def test_after_noise_at_the_usual_speeds_the_rare_ones_are_tried() -> None:
    port, speed = Port(), RARE_SPEEDS[1]
    line = line_of(NTAG) * 3
    for _ in range(50):
        told = port.hear(heard(line, speed, port.auto.baud))
        if port.found():
            break
        assert not [each for each in told if isinstance(each, TagArrived)]
        port.wait(0.3)
    assert (port.found(), port.auto.baud) == ("line", speed)


def test_readable_text_keeps_the_speed_and_asks_whether_it_is_a_scanner() -> None:
    port = Port()
    port.wait_for_speed(9600)
    port.hear(b"Hold a card to the reader\r\n")
    port.wait(60)
    assert port.auto.baud == 9600
    assert port.advice.code == "advice.reader.text"
    assert port.advice.params["text"] == "Hold a card to the reader"


def test_a_reader_that_was_recognised_and_makes_no_sense_any_more_is_looked_for_anew() -> None:
    port = Port()
    port.hear(r200_frame(1, 0xFF, b"\x15"))
    assert port.found() == "r200"
    port.wait(DOUBT_SECONDS + 3)
    assert port.found() is None
    port.wait_for_speed(9600)
    port.hear(em4100_frame(TAG))
    assert port.found() == "rdm6300"


def test_a_passive_reader_may_be_silent_for_as_long_as_it_likes() -> None:
    port = Port()
    port.wait_for_speed(9600)
    port.hear(em4100_frame(TAG))
    port.wait(600)
    assert port.found() == "rdm6300"
    assert port.hear(em4100_frame(TAG)) == [TagArrived("reader", TAG)]


def test_after_a_replug_what_was_there_is_tried_first() -> None:
    port = Port()
    port.wait_for_speed(9600)
    port.hear(em4100_frame(TAG))
    port.auto.opened(port.now)
    assert port.auto.baud == 9600
    assert port.found() is None


def test_a_tag_that_lies_there_through_a_replug_is_believed_to_lie_there_while_it_wakes_up() -> None:
    resting = RestingTags("reader", gone_after=0.5)
    port = Port([Tongue("r200", 115200, R200Decoder(), resting, asks=True)])
    assert port.hear(r200_notice(EPC)) == [TagArrived("reader", EPC)]
    port.now += 60
    port.auto.opened(port.now)
    told = [change for _ in range(10) for change in (*port.hear(r200_frame(1, 0xFF, b"\x15")), *port.hear())]
    assert told + port.hear(r200_notice(EPC)) == []


def test_an_acknowledgement_alone_decides_nothing() -> None:
    port = Port()
    port.hear(ACK)
    assert port.found() is None


@given(st.lists(st.one_of(st.binary(min_size=1, max_size=80), st.just(b"")), max_size=60))
def test_no_noise_at_any_speed_ever_makes_a_tag(reads: list[bytes]) -> None:
    port = Port()
    for received in reads:
        assert not [told for told in port.hear(received) if isinstance(told, TagArrived)]


@given(
    st.sampled_from([(em4100_frame(TAG), 9600), (line_of(NTAG), 57600), (r200_notice(EPC), 115200)]),
    st.lists(st.integers(0, 30), min_size=1, max_size=8),
)
def test_a_reader_heard_at_a_wrong_speed_never_makes_a_tag(sent: tuple[bytes, int], pauses: list[int]) -> None:
    frame, speed = sent
    port = Port()
    for pause in pauses:
        port.wait(pause * READ_SECONDS)
        if port.auto.baud != speed:
            told = port.hear(heard(frame, speed, port.auto.baud))
            assert not [each for each in told if isinstance(each, TagArrived)]
            assert port.found() is None
