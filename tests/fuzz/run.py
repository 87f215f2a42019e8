"""One run: a stream through a decoder, beside what the stream holds by the protocol's definition."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

from companion.ports import TagArrived
from drivers.decoder import Read
from drivers.presence import RestingTags
from tests.fuzz.streams import pieces, stream
from tests.fuzz.tongues import Tongue

POLL_SECONDS = 0.065


@dataclass(frozen=True)
class Outcome:
    """What came of a stream.

    ``missed`` and ``invented`` are frames that only the definition or only the decoder found. ``ghosts`` are frames
    that nobody sent and whose checksum is right by chance; ``told`` are those that reach a table where it is told of
    a tag at its second read, as it is of all readers that repeat a tag.
    """

    octets: int
    frames: int
    missed: int
    invented: int
    ghosts: int
    told: int

    @property
    def sound(self) -> bool:
        return not (self.missed or self.invented or self.told)


def run(tongue: Tongue, kind: str, size: int, seed: int) -> Outcome:
    """Fuzz a decoder with one kind of stream."""
    rng = random.Random(f"{tongue.name} {kind} {seed}")
    sent = stream(tongue, kind, size, rng)
    octets = sent.octets + tongue.end
    found, told = _decoded(tongue, octets, rng)
    held = tongue.held(octets)
    missed, more = Counter(held) - Counter(found), Counter(found) - Counter(held)
    doubtful = tongue.doubtful(octets)
    return Outcome(
        octets=len(octets),
        frames=len(held),
        missed=missed.total(),
        invented=sum(count for tag, count in more.items() if tag not in doubtful),
        ghosts=sum(tag not in sent.tags for tag in found),
        told=sum(tag not in sent.tags for tag in told) if tongue.reads > 1 else 0,
    )


def _decoded(tongue: Tongue, octets: bytes, rng: random.Random) -> tuple[list[str], list[str]]:
    """Every tag that the decoder found, and those that a reader with this presence would tell."""
    decoder, presence = tongue.decoder(), RestingTags("fuzzed", reads=tongue.reads)
    found, told, now = list[str](), list[str](), 0.0
    for piece in pieces(octets, rng):
        tags = [each.tag for each in decoder.feed(piece) if isinstance(each, Read)]
        found += tags
        now += POLL_SECONDS
        told += [each.tag for each in presence.poll(tags, now) if isinstance(each, TagArrived)]
    tags = [each.tag for each in decoder.silence(10.0) if isinstance(each, Read)]
    return [*found, *tags], told
