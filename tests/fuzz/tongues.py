"""The protocols once more, read the slow way: a whole stream at once, apart from the decoders' own code.

Each tongue writes the frame of a tag, and says which tags a finished stream holds by the protocol's definition.
"""

from __future__ import annotations

import random
import re
from binascii import crc_hqx
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce
from operator import xor

from drivers.decoder import Decoder
from drivers.em4100_decoder import Em4100Decoder
from drivers.line_decoder import LineDecoder
from drivers.pn532_decoder import Pn532Decoder
from drivers.r200_decoder import R200Decoder
from simulator.dialects import em4100_frame, line_of
from simulator.r200_module import r200_notice


@dataclass(frozen=True)
class Tongue:
    """A protocol: how a tag is written, what a stream holds, and the decoder that must say the same."""

    name: str
    decoder: Callable[[], Decoder]
    tag: Callable[[random.Random], str]
    frame: Callable[[str], bytes]
    held: Callable[[bytes], list[str]]
    end: bytes
    """Bytes that end whatever was begun, so that nothing is left open."""
    doubtful: Callable[[bytes], set[str]] = lambda _stream: set()
    """Tags that may be told or not, where the protocol leaves it open: a broken line can be a line for all we know."""
    reads: int = 2
    """How often a tag must be read until a table hears of it."""


def uid(rng: random.Random) -> str:
    length = rng.choice((4, 7, 10))
    return (bytes((rng.choice((0x04, 0x08, 0x53)),)) + rng.randbytes(length - 1)).hex().upper()


# -- RDM6300, ID-12LA
_EM4100 = re.compile(rb"\x02([0-9A-Fa-f]{12})(?:\r\n)?\x03")


def em4100_held(stream: bytes) -> list[str]:
    bodies = (bytes.fromhex(found[1].decode()) for found in _EM4100.finditer(stream))
    return [body[:5].hex().upper() for body in bodies if not reduce(xor, body)]


# -- PN532
def pn532_frame(tag: str) -> bytes:
    octets = bytes.fromhex(tag)
    return pn532_answer(b"\x01\x01\x00\x44\x00" + bytes((len(octets),)) + octets)


def pn532_answer(listed: bytes) -> bytes:
    body = b"\xd5\x4b" + listed
    return b"\x00\x00\xff" + bytes((len(body), 256 - len(body))) + body + bytes((-sum(body) % 256, 0))


def pn532_held(stream: bytes) -> list[str]:
    return [tag for body in _pn532_bodies(stream) for tag in _pn532_tags(body)]


def _pn532_bodies(stream: bytes) -> Iterator[bytes]:
    at = stream.find(b"\x00\xff")
    while at >= 0:
        header = stream[at + 2 : at + 4]
        if header in (b"\x00\xff", b"\xff\x00"):
            at += 4
        elif len(header) == 2 and header[0] and sum(header) % 256 == 0:
            body, tail = stream[at + 4 : at + 4 + header[0]], stream[at + 4 + header[0] : at + 6 + header[0]]
            whole = len(tail) == 2 and (sum(body) + tail[0]) % 256 == 0 and tail[1] == 0
            if whole and not any(sum(pair[1]) % 256 == 0 for pair in re.findall(b"(\0\0\xff)([^\0].)", body, re.S)):
                yield body
                at += 6 + header[0]
            else:
                at += 1
        else:
            at += 1
        at = stream.find(b"\x00\xff", at)


def _pn532_tags(body: bytes) -> list[str]:
    """The one tag of an answer as ``pn532_frame`` writes it."""
    if body[:4] != b"\xd5\x4b\x01\x01" or len(body) != 8 + body[7] if len(body) > 8 else True:
        return []
    cut = body[7] == 4 and body[8] == 0x88
    return [] if cut or body[7] not in (4, 7, 10) else [body[8:].hex().upper()]


# -- R200
def epc(rng: random.Random) -> str:
    return rng.randbytes(rng.choice((12, 12, 12, 6, 16))).hex().upper()


def r200_held(stream: bytes) -> list[str]:
    tags, at = list[str](), stream.find(0xAA)
    while at >= 0:
        length = int.from_bytes(stream[at + 3 : at + 5], "big")
        whole = stream[at : at + 7 + length]
        sound = len(stream) >= at + 7 + length and length <= 80 and whole[1] in (1, 2)
        if sound and whole[-1] == 0xDD and sum(whole[1:-2]) % 256 == whole[-2]:
            tags += _r200_tags(whole)
            at += len(whole)
        else:
            at += 1
        at = stream.find(0xAA, at)
    return tags


def _r200_tags(whole: bytes) -> list[str]:
    inside = whole[6:-4]
    crc = int.from_bytes(whole[-4:-2], "big")
    sound = whole[1:3] == b"\x02\x22" and len(inside) > 2 and len(inside) == 2 + 2 * (inside[0] >> 3)
    return [inside[2:].hex().upper()] if sound and crc in (0, crc_hqx(inside, 0xFFFF) ^ 0xFFFF) else []


# -- lines
_LINE = re.compile(rb"[0-9A-F]{2}(?: [0-9A-F]{2})+")


def lines_held(stream: bytes) -> list[str]:
    """The ids of lines as sketches print them; a line of more than 256 bytes is none."""
    lines = (line for line in re.split(rb"[\r\n]", stream) if len(line) <= 256)
    tags = (line.replace(b" ", b"").decode() for line in lines if _LINE.fullmatch(line))
    return [tag for tag in tags if len(tag) // 2 in (4, 5, 7, 8, 10, 12) and not (len(tag) == 8 and tag[:2] == "88")]


_AIM = re.compile(rb"^\][A-Za-z][0-9A-Za-z]")
_DIGITS = re.compile(rb"[0-9A-Fa-fxX \t:,.-]+")


def lines_doubtful(stream: bytes) -> set[str]:
    """The ids that can be made of any line that has nothing but digits, what may part them, and what may go before."""
    lines = (_AIM.sub(b"", line.strip()).strip() for line in re.split(rb"[\r\n]", stream))
    digits = (re.findall(rb"(?:0[xX])?([0-9A-Fa-f]+)", line) for line in lines if _DIGITS.fullmatch(line))
    groups = [[group.decode().upper() for group in line] for line in digits]
    small = [[int(group) for group in line if group.isdecimal() and int(group) < 256] for line in groups]
    return {
        *("".join(line) for line in groups),
        *("".join(group.zfill(2) for group in line) for line in groups),
        *(bytes(line).hex().upper() for line in small),
    }


def em4100(rng: random.Random) -> str:
    return rng.randbytes(5).hex().upper()


def id12_frame(tag: str) -> bytes:
    return em4100_frame(tag, b"\r\n")


TONGUES = (
    Tongue("rdm6300", Em4100Decoder, em4100, em4100_frame, em4100_held, b"\x02\x00"),
    Tongue("id12", Em4100Decoder.id12, em4100, id12_frame, em4100_held, b"\x02\x00", reads=1),
    Tongue("pn532", Pn532Decoder, uid, pn532_frame, pn532_held, b"\x55" * 270),
    Tongue("r200", R200Decoder, epc, r200_notice, r200_held, b"\x55" * 90),
    Tongue("line", LineDecoder, uid, line_of, lines_held, b"\n", lines_doubtful, reads=1),
)
