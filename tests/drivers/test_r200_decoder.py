"""R200: inventory frames to tags."""

from __future__ import annotations

import pytest

from drivers.decoder import Bad, Found, NoTag, Read
from drivers.r200_decoder import ANSWER_SECONDS, DEAF_AFTER, R200Decoder, crc16, frame
from simulator.r200_module import r200_notice
from tests.wording import worded

NOTICE = bytes.fromhex("AA022200 11C9 3400 30751FEB705C5904E3D50D70 3A76 EFDD".replace(" ", ""))
TAG = Read("30751FEB705C5904E3D50D70")
NO_TAG = bytes.fromhex("AA01FF00011516DD")
POLL = bytes.fromhex("AA0022000022DD")


def decoded(sent: bytes) -> list[Found]:
    return R200Decoder().feed(sent)


def test_the_notice_of_the_manual_is_its_tag() -> None:
    assert decoded(NOTICE) == [TAG]
    assert crc16(NOTICE[6:-4]) == 0x3A76


def test_a_poll_and_the_stop_before_the_first_are_the_manuals() -> None:
    decoder = R200Decoder()
    assert decoder.opened() == bytes.fromhex("AA0028000028DD")
    assert decoder.question() == POLL


def test_several_tags_in_one_read_are_all_told() -> None:
    others = ["300000000000000000000001", "3000000000000000000000DD", "AADDAADDAADDAADDAADDAADD", "E200"]
    assert decoded(b"".join(map(r200_notice, others))) == [Read(tag) for tag in others]


def test_no_tag_is_an_empty_poll() -> None:
    assert decoded(NO_TAG) == [NoTag()]


@pytest.mark.parametrize("at", range(len(NOTICE)))
def test_a_frame_with_any_byte_wrong_is_no_tag_and_the_next_is_read(at: int) -> None:
    broken = bytearray(NOTICE)
    broken[at] ^= 0x10
    decoder = R200Decoder()
    found = [*decoder.feed(bytes(broken) + NOTICE), *decoder.silence(0.2)]
    assert [each for each in found if isinstance(each, Read)] == [TAG]


def test_a_tag_whose_own_crc_is_wrong_is_a_ghost() -> None:
    parameters = bytearray(NOTICE[5:-2])
    parameters[5] ^= 1
    (bad,) = decoded(frame(2, 0x22, bytes(parameters)))
    assert isinstance(bad, Bad)
    assert "checksum" in worded(bad.reason)


def test_a_module_that_leaves_the_crc_out_is_believed() -> None:
    assert decoded(frame(2, 0x22, NOTICE[5:-4] + b"\0\0")) == [TAG]


def test_a_frame_behind_one_that_was_cut_is_found_after_a_silence() -> None:
    decoder = R200Decoder()
    cut = bytes.fromhex("AA0222004FD1")
    assert decoder.feed(cut + NOTICE) == []
    assert [each for each in decoder.silence(0.2) if isinstance(each, Read)] == [TAG]


def test_a_length_that_no_frame_has_holds_nothing_up() -> None:
    assert [each for each in decoded(bytes.fromhex("AA02220FA0D1") + NOTICE) if isinstance(each, Read)] == [TAG]


def test_the_next_poll_waits_for_the_answer_and_for_a_moments_rest() -> None:
    decoder = R200Decoder()
    decoder.opened()
    assert decoder.question() == POLL
    assert decoder.question() == b""
    decoder.feed(NO_TAG)
    assert decoder.question() == b""
    decoder.silence(0.1)
    assert decoder.question() == POLL


def test_a_module_that_does_not_answer_is_asked_again_and_after_some_time_told() -> None:
    decoder = R200Decoder()
    decoder.opened()
    silent, asked, told = 0.0, 0, list[Found]()
    while not told:
        asked += decoder.question() == POLL
        silent += 0.1
        told = decoder.silence(silent)
    assert asked == DEAF_AFTER
    assert silent == pytest.approx(DEAF_AFTER * ANSWER_SECONDS, abs=0.5)
    (bad,) = told
    assert isinstance(bad, Bad)
    assert "R200" in worded(bad.reason)
    assert decoder.question() == POLL
