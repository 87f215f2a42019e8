"""PN532 in HSU mode: the set-up, the polls and what comes back."""

from __future__ import annotations

import pytest

from drivers.decoder import Bad, Found, NoTag, Read
from drivers.pn532_decoder import ANSWER_SECONDS, DEAF_AFTER, REPEATS, Pn532Decoder, targets
from drivers.pn532_frames import ACK, NACK, Body, Frames, frame
from tests.wording import worded

WAKE = bytes.fromhex("55550000000000000000000000000000")
ASK_FIRMWARE = bytes.fromhex("0000FF02FED4022A00")
SAM = bytes.fromhex("0000FF05FBD4140114010200")
RETRIES = bytes.fromhex("0000FF06FAD43205FF0101F400")
POLL = bytes.fromhex("0000FF04FCD44A0200E000")
FIRMWARE = bytes.fromhex("0000FF06FAD50332010607E800")
SAM_DONE, RETRIES_DONE = frame(b"\xd5\x15"), frame(b"\xd5\x33")
NO_TAG = bytes.fromhex("0000FF03FDD54B00E000")
ONE_TAG = bytes.fromhex("0000FF0FF1D54B0101004400 0704A1B2C3D4E5F6 CA00".replace(" ", ""))
SYNTAX_ERROR = bytes.fromhex("0000FF01FF7F8100")
TAG = Read("04A1B2C3D4E5F6")


def set_up() -> Pn532Decoder:
    """A chip that was just set up and asked for tags."""
    decoder = Pn532Decoder()
    decoder.opened()
    for answer in (FIRMWARE, SAM_DONE, RETRIES_DONE):
        assert decoder.question()
        assert decoder.feed(ACK + answer) == []
    decoder.silence(0.1)
    assert decoder.question() == POLL
    return decoder


def target(uid: str, *, number: int = 1, selected: int = 0, ats: bytes = b"") -> bytes:
    octets = bytes.fromhex(uid)
    return bytes((number, 0, 0x44, selected, len(octets))) + octets + ats


def test_the_set_up_is_as_the_manual_has_it() -> None:
    decoder = Pn532Decoder()
    assert decoder.opened() == b""
    assert decoder.question() == WAKE + ACK + ASK_FIRMWARE
    assert decoder.question() == b""
    decoder.feed(ACK + FIRMWARE)
    assert decoder.recognised
    assert decoder.question() == SAM
    decoder.feed(ACK + SAM_DONE)
    assert decoder.question() == RETRIES
    decoder.feed(ACK + RETRIES_DONE)
    decoder.silence(0.1)
    assert decoder.question() == POLL


def test_a_tag_of_seven_bytes_is_read() -> None:
    assert set_up().feed(ACK + ONE_TAG) == [TAG]


def test_no_tag_is_an_empty_poll_and_silence_is_none() -> None:
    decoder = set_up()
    assert decoder.silence(0.2) == []
    assert decoder.feed(ACK + NO_TAG) == [NoTag()]


def test_the_next_poll_comes_after_a_moments_rest() -> None:
    decoder = set_up()
    decoder.feed(ACK + NO_TAG)
    assert decoder.question() == b""
    decoder.silence(0.1)
    assert decoder.question() == POLL


@pytest.mark.parametrize("uid", ["04A3C6CA", "04A1B2C3D4E5F6", "04A1B2C3D4E5F6A7B8C9"])
def test_ids_of_four_seven_and_ten_bytes_are_read(uid: str) -> None:
    assert targets(b"\x01" + target(uid)) == [Read(uid)]


def test_two_tags_are_read_also_behind_an_answer_to_select() -> None:
    listed = (
        b"\x02" + target("04A3C6CA", selected=0x20, ats=b"\x05\x78\x80\x70\x02") + target("04A1B2C3D4E5F6", number=2)
    )
    assert targets(listed) == [Read("04A3C6CA"), TAG]


@pytest.mark.parametrize(
    "listed",
    [
        b"",
        b"\x01",
        b"\x02" + target("04A3C6CA"),
        b"\x01" + target("04A3C6CA")[:-1],
        b"\x01" + target("04A3C6CA") + b"\0",
    ],
)
def test_a_list_that_does_not_come_out_even_is_no_tag(listed: bytes) -> None:
    (bad,) = targets(listed)
    assert isinstance(bad, Bad)


def test_an_id_of_a_length_that_there_is_not_is_refused() -> None:
    (bad,) = targets(b"\x01" + target("04A3C6CAE2"))
    assert isinstance(bad, Bad)
    assert "4, 7 or 10" in worded(bad.reason)


def test_a_broken_answer_is_asked_for_again_and_then_given_up() -> None:
    decoder = set_up()
    broken = ONE_TAG[:-3] + b"\x00" + ONE_TAG[-2:]
    for _ in range(REPEATS):
        told = [*decoder.feed(ACK + broken), *decoder.silence(0.2)]
        assert told
        assert not [each for each in told if isinstance(each, Read)]
        assert decoder.question() == NACK
    decoder.feed(broken)
    decoder.silence(0.3)
    assert decoder.question() == b""
    assert decoder.feed(ONE_TAG) == [TAG]


def test_a_length_with_a_wrong_checksum_is_no_frame() -> None:
    broken = ONE_TAG[:4] + b"\xf2" + ONE_TAG[5:]
    assert not [each for each in set_up().feed(ACK + broken) if isinstance(each, Read)]
    assert set_up().feed(broken + ONE_TAG)[-1] == TAG


def test_a_chip_that_wants_the_command_again_gets_it_again() -> None:
    decoder = set_up()
    decoder.feed(NACK)
    assert decoder.question() == POLL
    assert decoder.question() == b""


def test_half_an_answer_waits_for_the_other_half() -> None:
    decoder = set_up()
    assert decoder.feed(ACK + ONE_TAG[:9]) == []
    assert decoder.feed(ONE_TAG[9:]) == [TAG]


@pytest.mark.parametrize("sign", ["silence", "error"])
def test_a_chip_that_was_reset_in_mid_game_is_woken_and_set_up_again(sign: str) -> None:
    decoder = set_up()
    if sign == "error":
        decoder.feed(ACK + SYNTAX_ERROR)
        assert decoder.question() == b""
        decoder.silence(0.1)
    else:
        decoder.silence(ANSWER_SECONDS + 0.1)
    assert decoder.question() == WAKE + ACK + ASK_FIRMWARE


def test_a_chip_that_never_answers_is_told_with_what_to_check() -> None:
    decoder = Pn532Decoder()
    decoder.opened()
    silent, asked, told = 0.0, 0, list[Found]()
    while not told:
        asked += bool(decoder.question())
        silent += 0.1
        told = decoder.silence(silent)
    assert asked == DEAF_AFTER
    (bad,) = told
    assert isinstance(bad, Bad)
    assert "TX to RX" in worded(bad.reason)


def test_another_chip_is_named_and_not_polled() -> None:
    decoder = Pn532Decoder()
    decoder.opened()
    decoder.question()
    (bad,) = decoder.feed(ACK + frame(b"\xd5\x03\x31\x01\x02\x03"))
    assert isinstance(bad, Bad)
    assert "31" in worded(bad.reason)
    assert not decoder.recognised
    decoder.silence(0.1)
    assert decoder.question() == WAKE + ACK + ASK_FIRMWARE


def test_its_own_commands_that_come_back_over_crossed_wires_are_no_answers() -> None:
    decoder = set_up()
    assert decoder.feed(POLL) == []
    assert decoder.question() == b""


def test_a_frame_behind_one_that_was_cut_is_found() -> None:
    for cut in range(1, len(ONE_TAG)):
        frames = Frames()
        bodies = [*frames.feed(ONE_TAG[:cut] + ONE_TAG), *frames.cut()]
        assert ONE_TAG[5:-2] in [getattr(piece, "octets", b"") for piece in bodies], cut


def test_a_frame_that_swallows_another_by_chance_gives_it_back() -> None:
    """The sum of 8 bits is right, and a zero stands where the frame should end, but another frame begins within."""
    swallowing = b"\xd5\x4b\x01\x01\x00\x44\x00\x07\x04" + ONE_TAG[:6]
    check = -sum(swallowing) & 0xFF
    stream = bytes((0, 0, 0xFF, len(swallowing), -len(swallowing) & 0xFF)) + swallowing + bytes((check, 0))
    bodies = Frames().feed(stream + ONE_TAG)
    assert [piece.octets for piece in bodies if isinstance(piece, Body)] == [ONE_TAG[5:-2]]
