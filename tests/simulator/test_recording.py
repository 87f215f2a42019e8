"""Records: small, bounded, and read with care."""

from __future__ import annotations

from pathlib import Path

import pytest

from simulator.recording import FIRST_LINE, Recorder, RecordError, read_record


def test_a_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    times = iter((100.0, 100.5, 101.25))
    recorder = Recorder(tmp_path / "a.rec", lambda: next(times))
    recorder.head("reader", "box", "rdm6300")
    recorder.note("<", "box", "0230")
    recorder.note("button", "A", "down")
    recorder.close()
    heads, lines = read_record((tmp_path / "a.rec").read_text())
    assert heads == [("reader", "box", "rdm6300")]
    assert [(line.at, line.words) for line in lines] == [(0.5, ("<", "box", "0230")), (1.25, ("button", "A", "down"))]


def test_a_record_stays_within_its_size_and_ends_with_a_whole_line(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "a.rec", lambda: 1.0, most=200)
    for number in range(100):
        recorder.note("<", "box", f"{number:04}")
    recorder.close()
    written = (tmp_path / "a.rec").read_text()
    assert len(written) <= 200
    assert written.endswith("\n")
    assert len(read_record(written)[1]) > 5


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", f"line 1: expected `{FIRST_LINE}`"),
        (f"{FIRST_LINE}\nsoon < box 02\n", "line 2: expected a time in seconds, not 'soon'"),
        (f"{FIRST_LINE}\n2.0 < box 02\n1.0 < box 02\n", "line 3: 1.0 is before 2.0: times never go back"),
    ],
)
def test_a_record_that_cannot_be_read_is_told_with_its_line(text: str, told: str) -> None:
    with pytest.raises(RecordError) as fault:
        read_record(text)
    assert str(fault.value) == told
