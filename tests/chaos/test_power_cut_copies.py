"""The power fails while a copy is made: there is always a sound one, and what lies behind it is restored."""

from __future__ import annotations

import gzip
import os
import random
from pathlib import Path
from typing import Any

import pytest

from companion.table.journal_copy import copies, copy_path, earlier_copy_path, is_sound
from companion.table.whole_file import write_whole
from tests.table.sittings import get_up, notice, sit_down, table_of, tiny_session

LOSE = {"do": "correct", "storm": 4}


class PowerCut(BaseException):
    """The machine stops here."""


def cut_power(monkeypatch: pytest.MonkeyPatch, after: int, told: list[str] | None = None) -> None:
    """Stop before step number ``after`` of all that reaches the disk outside SQLite."""
    steps = [0]

    def counted(name: str, real: Any) -> Any:
        def step(*args: Any, **kwargs: Any) -> Any:
            if steps[0] == after:
                raise PowerCut
            steps[0] += 1
            if told is not None:
                told.append(name)
            return real(*args, **kwargs)

        return step

    for module, name in ((os, "open"), (os, "fsync"), (Path, "replace"), (Path, "unlink")):
        monkeypatch.setattr(module, name, counted(name, getattr(module, name)))


def two_games(path: Path) -> tuple[dict[str, Any], dict[str, Any], Any]:
    """What the table was after its first and its second game, each copied at its end; the session goes on."""
    session = tiny_session(path)
    session.play(LOSE)
    first = table_of(session)
    session.start("tiny", {"seed": 2})
    session.play(LOSE)
    return first, table_of(session), session


def test_a_file_is_synced_before_it_gets_its_name_and_its_folder_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    cut_power(monkeypatch, 100, told)
    write_whole(tmp_path / "file", b"content")
    assert told == ["unlink", "open", "fsync", "replace", "open", "fsync"]
    assert (tmp_path / "file").read_bytes() == b"content"


@pytest.mark.parametrize("step", range(6))
def test_a_power_cut_leaves_the_old_file_or_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    file = tmp_path / "file"
    write_whole(file, b"old")
    with monkeypatch.context() as cut:
        cut_power(cut, step)
        with pytest.raises(PowerCut):
            write_whole(file, b"new and longer")
    assert file.read_bytes() == (b"old" if step <= 3 else b"new and longer")
    write_whole(file, b"next")
    assert file.read_bytes() == b"next"


@pytest.mark.parametrize("step", range(10))
def test_a_power_cut_while_the_copy_is_made_loses_no_game_that_was_copied(tmp_path: Path, step: int) -> None:
    path = tmp_path / "journal.db"
    first, second, session = two_games(path)
    session.start("tiny", {"seed": 3})
    with pytest.MonkeyPatch.context() as cut:
        cut_power(cut, step)
        with pytest.raises(PowerCut):
            session.play(LOSE)
    third = table_of(session) | {"history": session.history()}
    get_up(session)
    assert any(map(is_sound, copies(path)))
    path.write_bytes(b"\0" * 5000)
    again = sit_down(path)
    assert notice(again.snapshot) == "notice.journal_restored"
    games = [past.id for past in again.history()]
    assert games in ([2, 1], [3, 2, 1])
    assert first != second != third


@pytest.mark.parametrize("left", [b"", b"\0" * 900, b"torn"])
def test_a_newest_copy_that_is_torn_gives_way_to_the_one_before(tmp_path: Path, left: bytes) -> None:
    """pablogventura/OctoPrint-PowerFailure: https://github.com/pablogventura/OctoPrint-PowerFailure/issues/16

    The file that was to survive the power cut was empty after it.
    """
    path = tmp_path / "journal.db"
    first, _second, session = two_games(path)
    get_up(session)
    content = copy_path(path).read_bytes()
    copy_path(path).write_bytes(left if left != b"torn" else content[: len(content) // 2])
    path.write_bytes(b"")
    again = sit_down(path)
    assert notice(again.snapshot) == "notice.journal_restored"
    assert table_of(again) == first


def test_a_copy_with_any_byte_changed_is_not_taken_for_sound(tmp_path: Path) -> None:
    path, chance = tmp_path / "journal.db", random.Random(5)
    _first, _second, session = two_games(path)
    get_up(session)
    content = copy_path(path).read_bytes()
    plain = gzip.decompress(content)
    for _ in range(60):
        spoilt = bytearray(content)
        spoilt[chance.randrange(10, len(spoilt))] ^= 1 << chance.randrange(8)
        copy_path(path).write_bytes(spoilt)
        assert not is_sound(copy_path(path)) or gzip.decompress(bytes(spoilt)) == plain
    copy_path(path).write_bytes(content)
    assert is_sound(copy_path(path))
    assert is_sound(earlier_copy_path(path))


def test_a_copy_of_an_earlier_companion_is_restored_too(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    _first, second, session = two_games(path)
    get_up(session)
    copy_path(path).write_bytes(path.read_bytes())
    path.unlink()
    assert table_of(sit_down(path)) == second
