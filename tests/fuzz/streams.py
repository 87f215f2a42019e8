"""What wires do to frames: random bytes, frames cut short, run together, corrupted, and all of it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tests.fuzz.tongues import Tongue


@dataclass(frozen=True)
class Stream:
    """Bytes, and every tag whose frame was put in, whatever became of it."""

    octets: bytes
    tags: frozenset[str]


def random_bytes(_frame: bytes, rng: random.Random) -> bytes:
    return rng.randbytes(rng.randint(1, 60))


def whole_frames(frame: bytes, rng: random.Random) -> bytes:
    return frame


def cut_frames(frame: bytes, rng: random.Random) -> bytes:
    """Every second frame loses its end, its beginning, or its middle."""
    first, second = sorted(rng.sample(range(len(frame) + 1), 2))
    return rng.choice((frame, frame, frame[:first], frame[first:], frame[:first] + frame[second:]))


def merged_frames(frame: bytes, rng: random.Random) -> bytes:
    """Frames with noise before, behind and between."""
    noise = rng.randbytes(rng.randint(0, 8))
    return rng.choice((frame, noise + frame, frame + noise, frame[: rng.randint(0, len(frame))] + frame))


def corrupted_frames(frame: bytes, rng: random.Random) -> bytes:
    """Every second frame has a byte changed, lost, doubled or put in, or a bit turned."""
    at = rng.randrange(len(frame))
    changes: tuple[bytes, ...] = (
        rng.randbytes(1),
        b"",
        frame[at : at + 1] * 2,
        rng.randbytes(1) + frame[at : at + 1],
        bytes((frame[at] ^ 1 << rng.randrange(8),)),
    )
    return rng.choice((frame, frame[:at] + rng.choice(changes) + frame[at + 1 :]))


def everything(frame: bytes, rng: random.Random) -> bytes:
    return rng.choice((random_bytes, whole_frames, cut_frames, merged_frames, corrupted_frames))(frame, rng)


KINDS: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "random": random_bytes,
    "whole": whole_frames,
    "cut": cut_frames,
    "merged": merged_frames,
    "corrupted": corrupted_frames,
    "everything": everything,
}


def stream(tongue: Tongue, kind: str, size: int, rng: random.Random) -> Stream:
    """At least ``size`` bytes of a kind."""
    octets, tags = bytearray(), set[str]()
    while len(octets) < size:
        tag = tongue.tag(rng)
        tags.add(tag)
        octets += KINDS[kind](tongue.frame(tag), rng)
    return Stream(bytes(octets), frozenset(tags))


def pieces(octets: bytes, rng: random.Random) -> Iterator[bytes]:
    """The stream as reads of a port bring it: a byte, a few, or many at once."""
    at = 0
    while at < len(octets):
        size = rng.choice((1, rng.randint(1, 16), rng.randint(1, 400)))
        yield octets[at : at + size]
        at += size
