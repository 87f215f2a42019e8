"""RDM6300, ID-12LA and ID-20LA: frames to tags."""

from __future__ import annotations

import pytest

from drivers.decoder import Bad, Found, NoTag, Read
from drivers.em4100_decoder import Em4100Decoder
from drivers.strays import MANY
from tests.wording import worded

TAG = Read("0E008E4D5A")
FRAME = b"\x020E008E4D5A97\x03"
ID12_FRAME = b"\x020E008E4D5A97\r\n\x03"


def decoded(sent: bytes) -> list[Found]:
    return Em4100Decoder().feed(sent)


def reason(found: list[Found]) -> str:
    (bad,) = found
    assert isinstance(bad, Bad)
    return worded(bad.reason)


@pytest.mark.parametrize("frame", [FRAME, ID12_FRAME, FRAME.lower()])
def test_a_frame_of_either_sort_is_a_tag_of_five_bytes(frame: bytes) -> None:
    assert decoded(frame) == [TAG]


def test_frames_run_together_are_all_read() -> None:
    assert decoded(FRAME * 3 + ID12_FRAME) == [TAG] * 4


def test_a_frame_that_begins_within_another_is_read() -> None:
    broken, whole = decoded(FRAME[:7] + FRAME)
    assert whole == TAG
    assert "broke off" in reason([broken])


def test_a_wrong_checksum_is_told_and_makes_no_tag() -> None:
    assert "checksum" in reason(decoded(b"\x020E008E4D5B97\x03"))


@pytest.mark.parametrize("body", [b"0E008E4D5A9", b"0E008E4D5A97\r", b"0E008E4D5A97\r\n\n", b"0E008E4D5AXX", b""])
def test_a_frame_of_another_length_or_with_other_letters_is_broken(body: bytes) -> None:
    frame = b"\x02" + body + b"\x03"
    assert not [found for found in decoded(frame) if isinstance(found, Read)]
    assert decoded(frame + FRAME)[-1] == TAG


def test_a_frame_that_stops_is_told_after_a_silence_and_forgotten() -> None:
    decoder = Em4100Decoder()
    decoder.feed(FRAME[:7])
    assert decoder.silence(0.1) == []
    assert "hold the tag still" in reason(decoder.silence(0.3))
    assert decoder.silence(0.4) == [NoTag()]
    assert decoder.feed(FRAME[7:] + FRAME)[-1] == TAG


def test_silence_with_nothing_begun_is_an_empty_field() -> None:
    assert Em4100Decoder().silence(0.1) == [NoTag()]


def test_noise_is_called_noise_with_the_speed_that_is_usual() -> None:
    told = reason(decoded(b"\xf8" * MANY))
    assert "noise" in told
    assert "9600" in told


def test_a_few_stray_bytes_are_no_news_and_a_whole_frame_starts_the_count_anew() -> None:
    assert decoded((b"\xff" * (MANY - 1) + FRAME) * 5) == [TAG] * 5


def test_each_sort_is_recognised_by_its_own_frames() -> None:
    rdm6300, id12 = Em4100Decoder(), Em4100Decoder.id12()
    for decoder in (rdm6300, id12):
        decoder.feed(FRAME[:-1])
        assert not decoder.recognised
        decoder.feed(FRAME[-1:])
    assert (rdm6300.recognised, id12.recognised) == (True, False)
    id12.feed(ID12_FRAME)
    assert id12.recognised
    assert id12.opened() == b""
    assert not id12.recognised
