"""Every decoder against streams as wires carry them; ``python -m tests.fuzz`` does it with a million bytes each."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.decoder import Bad, Found, Read
from tests.fuzz.run import run
from tests.fuzz.streams import KINDS, stream
from tests.fuzz.tongues import TONGUES, Tongue
from tests.wording import worded

EACH = pytest.mark.parametrize("tongue", TONGUES, ids=[tongue.name for tongue in TONGUES])


@EACH
@pytest.mark.parametrize("kind", KINDS)
def test_every_whole_frame_is_found_and_nothing_else(tongue: Tongue, kind: str) -> None:
    came = run(tongue, kind, 12_000, seed=20240816)
    assert (came.missed, came.invented, came.told) == (0, 0, 0)
    assert (came.frames == 0) is (kind == "random")


@EACH
@given(seed=st.integers(0, 2**32), kind=st.sampled_from(sorted(KINDS)), cuts=st.lists(st.integers(0, 400), max_size=30))
def test_how_a_stream_is_split_changes_nothing(tongue: Tongue, seed: int, kind: str, cuts: list[int]) -> None:
    octets = stream(tongue, kind, 300, random.Random(seed)).octets
    at_once = tongue.decoder().feed(octets)
    decoder, parts = tongue.decoder(), list[Found]()
    for begin, end in zip([0, *sorted(cuts)], [*sorted(cuts), len(octets)], strict=True):
        parts += decoder.feed(octets[begin:end])
    assert [each for each in parts if isinstance(each, Read)] == [each for each in at_once if isinstance(each, Read)]


@EACH
@given(noise=st.binary(max_size=200), seed=st.integers(0, 2**32))
def test_after_any_noise_and_a_silence_the_next_frame_is_read(tongue: Tongue, noise: bytes, seed: int) -> None:
    decoder = tongue.decoder()
    decoder.opened()
    decoder.feed(noise)
    decoder.silence(10.0)
    if tongue.name == "line":
        decoder.feed(b"\n")
    tag = tongue.tag(random.Random(seed))
    assert decoder.feed(tongue.frame(tag))[-1] == Read(tag)


@EACH
@given(noise=st.binary(max_size=400))
def test_whatever_comes_the_reasons_are_sentences(tongue: Tongue, noise: bytes) -> None:
    decoder = tongue.decoder()
    decoder.question()
    for found in [*decoder.feed(noise), *decoder.silence(0.2), *decoder.silence(5.0)]:
        if isinstance(found, Bad):
            assert worded(found.reason).endswith(".")
