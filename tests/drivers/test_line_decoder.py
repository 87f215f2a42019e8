"""The line decoder: text lines to tags."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.ports import Advice
from drivers.decoder import Bad, Found, NoTag, Read
from drivers.ids import ID_BYTES
from drivers.line_decoder import LONGEST_LINE, LineDecoder
from drivers.line_text import LineFormat, read_line
from tests.wording import worded

TAG = "04A3C6CAE26180"
LINE = b"04 A3 C6 CA E2 61 80\r\n"


def decoded(sent: bytes, form: LineFormat = LineFormat.UID) -> list[Found]:
    return LineDecoder(form).feed(sent)


def reason(sent: bytes, form: LineFormat = LineFormat.UID) -> str:
    (bad,) = decoded(sent, form)
    assert isinstance(bad, Bad)
    return worded(bad.reason)


@pytest.mark.parametrize(
    "line",
    [
        "04 A3 C6 CA E2 61 80",
        "04A3C6CAE26180",
        "04:a3:c6:ca:e2:61:80",
        "04-A3-C6-CA-E2-61-80",
        " 4 A3 C6 CA E2 61 80 ",
        "0x04 0xA3 0xC6 0xCA 0xE2 0x61 0x80",
        "0x04, 0xA3, 0xC6, 0xCA, 0xE2, 0x61, 0x80",
        "UID: 04 A3 C6 CA E2 61 80",
        "UID:04A3C6CAE26180",
        "Card UID: 04 A3 C6 CA E2 61 80",
        "UID tag : 04 A3 C6 CA E2 61 80",
        "  UID Value: 0x04 0xA3 0xC6 0xCA 0xE2 0x61 0x80",
        "uid=04a3c6cae26180",
        "In hex: 04 A3 C6 CA E2 61 80",
        "]Q304A3C6CAE26180",
        " 04A3C6CAE26180",
        "04 A3 C6 CA E26180",
        "Tag UID: 04 A3 C6 CA E2 61 80",
        "TAG:04A3C6CAE26180",
        "Scanned PICC's UID: 4 A3 C6 CA E2 61 80",
        "NFC tag UID = 04 A3 C6 CA E2 61 80",
        "  UID Value:  0x04 0xA3 0xC6 0xCA 0xE2 0x61 0x80",
        "4 163 198 202 226 97 128",
        "UID: 4,163,198,202,226,97,128",
        "In dec: 4 163 198 202 226 97 128",
    ],
)
def test_the_ways_of_writing_an_id_are_one_tag(line: str) -> None:
    assert decoded(line.encode() + b"\r\n") == [Read(TAG)]


@pytest.mark.parametrize("ending", [b"\r", b"\n", b"\r\n", b"\n\r", b"\r\n\r\n"])
def test_a_line_may_end_in_cr_lf_or_both(ending: bytes) -> None:
    assert decoded(b"04A3C6CA" + ending + b"04A3C6CB" + ending) == [Read("04A3C6CA"), Read("04A3C6CB")]


@pytest.mark.parametrize(
    "line",
    [
        "Firmware Version: 0x92 = v2.0",
        "Scan PICC to see UID, SAK, type, and data blocks...",
        "Place your tag near the reader",
        "UID Length: 7 bytes",
        "Card SAK: 08",
        "PICC type: MIFARE 1KB",
        "  15     63   00 00 00 00 00 00 FF 07  80 69 FF FF FF FF FF FF  [ 0 0 1 ] ",
        "2024-01-01",
        "Scanned PICC's UID:",
        "The NUID tag is:",
        "Page  0  1  2  3",
        "  0   04 A3 C6 E9",
        " 15   00 00 00 00",
        "RFID-Serial ready",
        "UID size: 7",
        "Found chip PN532",
        "Seems to be a Mifare Classic card #77842122",
        "",
        "   ",
    ],
)
def test_what_a_sketch_says_besides_is_passed_over(line: str) -> None:
    assert decoded(line.encode() + b"\r\n" + LINE) == [Read(TAG)]


def test_the_memory_of_a_sticker_that_the_librarys_own_example_prints_is_no_tag() -> None:
    """MFRC522's DumpInfo prints a sticker's pages as a number and four bytes: five bytes that would pass for an id."""
    pages = "".join(f"{page:3}   {page:02X} A3 C6 CA\r\n" for page in range(16))
    dump = (
        f"Card UID: 04 A3 C6 CA E2 61 80\r\nCard SAK: 00\r\nPICC type: MIFARE Ultralight\r\nPage  0  1  2  3\r\n{pages}"
    )
    assert decoded(dump.encode()) == [Read(TAG)]


def test_the_end_of_a_line_whose_start_nobody_heard_is_no_tag() -> None:
    """The last four bytes of a seven byte id would be an id of their own."""
    decoder = LineDecoder()
    decoder.opened()
    assert decoder.feed(LINE[9:] + LINE) == [Read(TAG)]


def test_a_moment_of_silence_shows_that_the_first_line_is_whole() -> None:
    decoder = LineDecoder()
    decoder.opened()
    assert decoder.silence(0.1) == [NoTag()]
    assert decoder.feed(LINE) == [Read(TAG)]


def test_a_line_is_recognised_as_such_only_by_a_tag_in_it() -> None:
    decoder = LineDecoder()
    decoder.feed(b"Scan a tag\r\n")
    assert not decoder.recognised
    decoder.feed(LINE)
    assert decoder.recognised


def test_a_decimal_id_is_the_same_tag_as_its_bytes() -> None:
    assert decoded(b"77842122\n", LineFormat.DECIMAL) == [Read("04A3C6CA")]
    assert decoded(b"4 16 20 31\n", LineFormat.DECIMAL) == [Read("0410141F")]


def test_an_id_cut_to_four_bytes_is_refused_with_the_cause() -> None:
    told = reason(b"UID: 88 04 A3 C6\r\n")
    assert "cut-off" in told
    assert "7 bytes" in told


def test_a_seven_byte_id_may_hold_an_88() -> None:
    assert decoded(b"04 88 C6 CA E2 61 80\n") == [Read("0488C6CAE26180")]
    assert decoded(b"88 A3 C6 CA E2 61 80\n") == [Read("88A3C6CAE26180")]


@pytest.mark.parametrize("line", ["04 A3 C6", "04A3C6CAE", "UID: 04 A3 C6 CA E2 61", "04 A3 C6 CA E2 61 80 04 A3"])
def test_an_id_of_a_length_that_no_tag_has_is_bad(line: str) -> None:
    assert "not a whole id" in reason(line.encode() + b"\n")


def test_a_label_with_something_else_behind_it_is_bad() -> None:
    assert "is not an id" in reason(b"Card UID: none\n")


def test_a_decimal_byte_over_255_is_bad() -> None:
    assert "at most 255" in reason(b"4 163 198 256\n")


def test_hexadecimal_where_decimal_is_set_is_bad() -> None:
    assert "neither a decimal" in reason(b"04 A3 C6 CA\n", LineFormat.DECIMAL)


def test_a_decimal_number_too_large_for_an_id_is_bad() -> None:
    assert "too large" in reason(b"9" * 40 + b"\n", LineFormat.DECIMAL)


def test_text_is_taken_as_it_stands_without_its_aim_prefix() -> None:
    sent = "]Q3tile:watchtower\r\n]E05901234123457\rКула 7\n".encode()
    assert decoded(sent, LineFormat.TEXT) == [Read("tile:watchtower"), Read("5901234123457"), Read("Кула 7")]


def test_bytes_that_are_no_text_hint_at_the_baud_rate() -> None:
    assert "0xFF" in reason(b"\xff\xfe\x80\n")
    assert "baud" in reason(b"\xff\xfe\x80\n")


def test_control_codes_hint_at_the_protocol() -> None:
    assert "0x02" in reason(b"\x020E008E4D5A97\x03\r\n")
    assert "line protocol" in reason(b"\x020E008E4D5A97\x03\r\n")


def test_an_endless_line_is_told_once_and_the_next_line_is_read() -> None:
    found = decoded(b"x" * (3 * LONGEST_LINE) + b"\n" + LINE)
    assert found == [Bad(Advice("advice.line.long", {"most": LONGEST_LINE})), Read(TAG)]


def test_a_line_as_long_as_allowed_is_read() -> None:
    assert decoded(b"x" * LONGEST_LINE + b"\n", LineFormat.TEXT) == [Read("x" * LONGEST_LINE)]


def test_silence_ends_a_line_where_that_is_set() -> None:
    decoder = LineDecoder(LineFormat.TEXT, idle=0.1)
    assert decoder.feed(b"5901234123457") == []
    assert decoder.silence(0.05) == []
    assert decoder.silence(0.1) == [Read("5901234123457")]
    assert decoder.silence(0.2) == [NoTag()]


def test_a_line_that_stops_half_way_is_told_and_does_not_spoil_the_next() -> None:
    decoder = LineDecoder()
    decoder.feed(b"04 A3 C6 CA")
    assert decoder.silence(0.5) == []
    (bad,) = decoder.silence(1.0)
    assert isinstance(bad, Bad)
    assert "set idle" in worded(bad.reason)
    assert decoder.silence(1.1) == [NoTag()]
    assert decoder.feed(LINE) == [Read(TAG)]


def test_a_reopened_port_forgets_half_a_line() -> None:
    decoder = LineDecoder()
    decoder.feed(b"04 A3 C6")
    assert decoder.opened() == b""
    decoder.silence(0.1)
    assert decoder.feed(LINE) == [Read(TAG)]


IDS = st.sampled_from(ID_BYTES).flatmap(lambda length: st.binary(min_size=length, max_size=length))
WHOLE_IDS = IDS.filter(lambda uid: not (len(uid) == 4 and uid[0] == 0x88))


@given(WHOLE_IDS)
def test_an_id_written_in_hexadecimal_comes_back_whole(uid: bytes) -> None:
    expected = Read(uid.hex().upper())
    assert read_line(uid.hex().encode(), LineFormat.UID) == expected
    assert read_line(uid.hex(" ").upper().encode(), LineFormat.UID) == expected
    assert read_line(b"Card UID: " + uid.hex(":").encode(), LineFormat.UID) == expected


@given(WHOLE_IDS)
def test_an_id_written_in_decimal_bytes_comes_back_whole(uid: bytes) -> None:
    line = " ".join(map(str, uid)).encode()
    assert read_line(line, LineFormat.DECIMAL) == Read(uid.hex().upper())


@given(
    st.lists(st.one_of(WHOLE_IDS.map(lambda uid: uid.hex(" ").encode() + b"\r\n"), st.binary(max_size=30))), st.data()
)
def test_how_a_stream_is_split_changes_nothing(parts: list[bytes], data: st.DataObject) -> None:
    stream = b"".join(parts)
    whole = decoded(stream)
    decoder, pieces = LineDecoder(), list[Found]()
    while stream:
        cut = data.draw(st.integers(1, len(stream)))
        pieces += decoder.feed(stream[:cut])
        stream = stream[cut:]
    assert pieces == whole


@given(st.binary(max_size=600), WHOLE_IDS)
def test_after_any_noise_the_next_whole_line_is_read(noise: bytes, uid: bytes) -> None:
    assert decoded(noise + b"\n" + uid.hex(" ").encode() + b"\r\n")[-1] == Read(uid.hex().upper())


@given(st.binary(max_size=600), st.sampled_from(LineFormat))
def test_whatever_comes_is_a_tag_a_reason_or_nothing(noise: bytes, form: LineFormat) -> None:
    for found in decoded(noise + b"\n", form):
        match found:
            case Read(tag):
                assert tag
                assert form is LineFormat.TEXT or len(bytes.fromhex(tag)) in ID_BYTES
            case Bad(reason):
                told = worded(reason)
                assert told.endswith(".")
                assert "\n" not in told


@given(st.lists(WHOLE_IDS, min_size=1, max_size=5), st.integers(0), st.integers(0, 255))
def test_a_corrupt_byte_costs_no_more_than_its_own_line_and_its_neighbour(
    uids: list[bytes], where: int, corrupt: int
) -> None:
    stream = bytearray(b"".join(uid.hex(" ").encode() + b"\n" for uid in uids))
    stream[where % len(stream)] = corrupt
    tags = [found.tag for found in decoded(bytes(stream)) if isinstance(found, Read)]
    expected = [uid.hex().upper() for uid in uids]
    assert sum(tag in tags for tag in expected) >= len(expected) - 2
