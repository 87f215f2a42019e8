"""A yes or no that outlives every restart."""

from __future__ import annotations

from pathlib import Path

from companion.table.wishes import Wish


def test_as_long_as_nobody_wished_it_is_as_the_settings_say(tmp_path: Path) -> None:
    assert Wish(tmp_path / "odds", True).granted
    assert not Wish(tmp_path / "odds", False).granted


def test_a_wish_is_in_force_at_once_and_after_a_restart(tmp_path: Path) -> None:
    wish = Wish(tmp_path / "odds", True)
    wish.wish(False)
    assert not wish.granted
    assert not Wish(tmp_path / "odds", True).granted


def test_a_file_that_is_no_wish_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "odds").write_bytes(b"\xff\x00")
    assert Wish(tmp_path / "odds", True).granted


def test_a_wish_that_cannot_be_kept_is_in_force_all_the_same(tmp_path: Path) -> None:
    wish = Wish(tmp_path / "no such folder" / "odds", True)
    wish.wish(False)
    assert not wish.granted


def test_a_table_that_forgets_keeps_no_file() -> None:
    wish = Wish(None, False)
    wish.wish(True)
    assert wish.granted
