"""What is kept of the devices from one evening to the next."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.cli.device_memory import NAME, DeviceMemory


def test_what_was_set_and_learned_is_there_again(tmp_path: Path) -> None:
    memory = DeviceMemory(tmp_path)
    assert (memory.muted, memory.refresh_seconds) == (None, {})
    memory.mute(True)
    memory.keep_refreshes({"impression-7.3": 24.5})
    again = DeviceMemory(tmp_path)
    assert (again.muted, again.refresh_seconds) == (True, {"impression-7.3": 24.5})


def test_a_table_where_nothing_was_set_writes_nothing(tmp_path: Path) -> None:
    DeviceMemory(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "content", [b"", b"\xff", b"[]", b"7", b'{"muted": "yes", "refresh_seconds": []}', b"[" * 100_000, b'{"muted":']
)
def test_a_file_that_makes_no_sense_is_begun_anew(tmp_path: Path, content: bytes) -> None:
    (tmp_path / NAME).write_bytes(content)
    memory = DeviceMemory(tmp_path)
    assert (memory.muted, memory.refresh_seconds) == (None, {})
    memory.mute(False)
    assert DeviceMemory(tmp_path).muted is False


def test_times_that_no_panel_can_have_are_dropped(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text('{"refresh_seconds": {"a": NaN, "b": -1, "c": 1e9, "d": "30", "e": 30}}')
    assert DeviceMemory(tmp_path).refresh_seconds == {"e": 30.0}


def test_a_folder_that_cannot_be_written_is_told_and_the_evening_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    memory = DeviceMemory(tmp_path / "gone")
    memory.mute(True)
    assert memory.muted is True
    assert [record.exc_info for record in caplog.records] == [None]
    assert "cannot be written" in caplog.text
