"""Cards as they fail in the field: full, read-only, pulled out, at the start and in mid-game."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.table.session import Session
from tests.chaos.cards import Card, real_card
from tests.cli.companions import companion, one_line, running
from tests.table.sittings import get_up, sit_down, state, table_of, tiny_session
from tests.tiny_game import PLACES


@pytest.fixture
def card(tmp_path: Path) -> Iterator[Card]:
    with real_card(tmp_path / "card") as mounted:
        yield mounted


def to(number: int) -> dict[str, Any]:
    return {"do": "correct", "at": {"otter": PLACES[number % len(PLACES)]}}


def cause(session: Session) -> str | None:
    return session.snapshot.unsaved.cause.code if session.snapshot.unsaved else None


def test_a_card_that_fills_up_in_mid_game_is_played_on_and_saved_once_there_is_room(card: Card) -> None:
    path = card.folder / "journal.db"
    session = tiny_session(path)
    card.fill()
    number = 0
    while cause(session) is None and number < 500:
        session.play(to(number), command_id=str(number))
        number += 1
    for _ in range(20):
        session.play(to(number), command_id=str(number))
        number += 1
    assert cause(session) == "unsaved.full"
    session.play({"do": "correct", "storm": 4})
    session.start("tiny", {"seed": 2})
    assert cause(session) == "unsaved.full"
    card.free()
    session.play(to(number))
    assert cause(session) is None
    kept = table_of(session)
    get_up(session)
    assert table_of(sit_down(path)) == kept


def test_a_card_that_is_full_at_the_start_is_read_and_played_on(card: Card) -> None:
    path = card.folder / "journal.db"
    session = tiny_session(path)
    session.play(to(1))
    kept = table_of(session)
    get_up(session)
    card.fill()
    again = sit_down(path)
    assert table_of(again) == kept
    for number in range(20):
        again.play(to(number))
    assert cause(again) == "unsaved.full"
    card.free()
    again.play(to(2))
    assert cause(again) is None
    last = table_of(again)
    get_up(again)
    assert table_of(sit_down(path)) == last


def test_a_card_that_is_full_before_the_first_game_ever_is_played_on(card: Card) -> None:
    path = card.folder / "state" / "journal.db"
    card.fill()
    session = tiny_session(path)
    session.play(to(1))
    assert cause(session) == "unsaved.full"
    card.free()
    session.play(to(2))
    assert cause(session) is None
    kept = table_of(session)
    get_up(session)
    assert table_of(sit_down(path)) == kept


@pytest.mark.parametrize("cut", [False, True])
def test_a_card_that_is_read_only_at_the_start_resumes_its_game_in_memory(
    card: Card, tmp_path: Path, cut: bool
) -> None:
    """guysoft/OctoPi: https://github.com/guysoft/OctoPi/issues/132 - a read-only root must not keep anyone from play.

    ``cut``: the power failed before, so that the last commands are in the write-ahead log only.
    """
    path, elsewhere = card.folder / "journal.db", tmp_path / "elsewhere"
    session = tiny_session(path)
    session.play(to(3))
    kept = table_of(session)
    shutil.copytree(card.folder, elsewhere)
    get_up(session)
    if cut:
        for file in elsewhere.iterdir():
            shutil.copyfile(file, card.folder / file.name)
        assert (card.folder / "journal.db-wal").stat().st_size
    card.set_read_only(True)
    again = sit_down(path)
    assert table_of(again) == kept
    again.play(to(2))
    again.play(to(1))
    assert cause(again) == "unsaved.read_only"
    card.set_read_only(False)
    again.play(to(2))
    assert cause(again) is None
    last = table_of(again)
    get_up(again)
    assert table_of(sit_down(path)) == last


@pytest.mark.parametrize("does", [["forget", "undo"], ["import", "-"]])
def test_tags_that_a_read_only_card_does_not_take_are_refused_in_one_line(card: Card, does: list[str]) -> None:
    file = b'{"format": "table-companion-tags", "version": 1, "tags": [{"tag": "04A1", "command": "undo"}]}'
    state = ["--state", str(card.folder)]
    assert companion("tags", "import", "-", *state, cwd=card.folder, sent=file).returncode == 0
    card.set_read_only(True)
    told = companion("tags", *does, *state, cwd=card.folder, sent=file)
    assert told.returncode == 2
    assert "the card is read-only" in one_line(told.stderr)
    assert companion("tags", "list", *state, cwd=card.folder).stdout == "04A1\tundo\tUndo\n"


def test_a_card_that_is_pulled_and_put_back_in_mid_game_is_told_and_gets_everything(card: Card) -> None:
    path = card.folder / "journal.db"
    session = tiny_session(path)
    session.play(to(1))
    card.pull()
    session.play(to(2))
    kept = table_of(session)
    assert state(session).at[0] == PLACES[2]
    get_up(session)
    assert table_of(sit_down(path)) == kept


def test_a_running_companion_says_on_its_pages_what_it_cannot_save(card: Card, tmp_path: Path) -> None:
    state_folder = card.folder / "state"
    card.fill()
    with running(tmp_path, "--simulate", "--state", str(state_folder)) as table:
        table.start()
        answer = table.order("deal")
        assert answer.status_code == 200
        assert answer.json()["saved"] is False
        assert table.table()["unsaved"]["cause"]["code"] == "unsaved.full"
        for page in ("/", "/host", "/host/correct", "/host/tags", "/host/games"):
            assert "the disk is full" in table.http.get(page).text, page
        card.free()
        assert table.order("deal").json()["saved"] is True
        assert table.table()["unsaved"] is None
        kept = table.table()["state"]
        table.process.kill()
    with running(tmp_path, "--simulate", "--state", str(state_folder)) as table:
        assert table.table()["state"] == kept
