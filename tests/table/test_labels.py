"""Printed labels say by themselves what they are, however a scanner hands them over, and are no tag's id."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.ports import TagArrived
from companion.rules.game import Thing
from companion.rules.registry import GAMES
from companion.table.box import box_of
from companion.table.labels import Labels, is_label, label_text
from companion.table.meaning import Act
from tests.table.sittings import ALL_GAMES, notice, refused, seated, sit_down, tiny_session

BOXES = [box_of(game) for game in ALL_GAMES.values()]
LABELS = Labels(BOXES)
PIECES = [piece for box in BOXES for piece in box.pieces]
ALPHANUMERIC = re.compile(r"[0-9A-Z $%*+./:-]+")
"""What a QR code holds in its alphanumeric mode (ISO/IEC 18004)."""


def test_every_copy_of_every_piece_has_a_label_of_its_own() -> None:
    for box in BOXES:
        copies = [(piece.meaning, copy) for piece in box.pieces for copy in range(1, piece.copies + 1)]
        assert len({label_text(*each) for each in copies}) == len(copies)
        assert all(LABELS.meaning(label_text(*each)) == each[0] for each in copies)
        assert all(ALPHANUMERIC.fullmatch(label_text(*each)) for each in copies)


def test_labels_read_as_people_would_write_them() -> None:
    assert label_text(Thing("tile", "fools_landing")) == "TABLE:TILE:FOOLS-LANDING"
    assert label_text(Thing("treasure", "sandbags"), 2) == "TABLE:TREASURE:SANDBAGS/2"
    assert label_text(Act("undo")) == "TABLE:UNDO"
    assert label_text(Act("do:shore_up")) == "TABLE:DO:SHORE-UP"


@given(st.data())
def test_whatever_a_scanner_puts_around_a_label_it_is_known(data: st.DataObject) -> None:
    chosen = data.draw(st.sampled_from(PIECES))
    text = label_text(chosen.meaning, data.draw(st.integers(1, chosen.copies)))
    text = data.draw(st.sampled_from([text, text.lower(), text.title(), text.replace("-", "_")]))
    before = data.draw(st.sampled_from(["", "]Q1", "]Q3", "]d2", "]C0"]))
    behind = data.draw(st.sampled_from(["", "\r", "\r\n", " "]))
    assert LABELS.meaning(f"{before}{text}{behind}") == chosen.meaning


@given(st.binary(min_size=1, max_size=12))
def test_no_tags_id_is_a_label(uid: bytes) -> None:
    for text in (uid.hex(), uid.hex().upper(), uid.hex(":").upper(), str(int.from_bytes(uid))):
        assert not is_label(text)


@pytest.mark.parametrize(
    "text", ["TABLE:", "TABLE:TILE:WATCHTOWER/0", "TABLE:TILE:WATCHTOWER/", "XTABLE:UNDO", "UNDO", ""]
)
def test_what_is_nearly_a_label_is_none(text: str) -> None:
    assert LABELS.meaning(text) is None


def test_a_printed_piece_moves_the_game_without_being_taught() -> None:
    session = tiny_session()
    session.observe(TagArrived("scanner", "TABLE:PLACE:DUNE"))
    assert seated(session).state.at[0] == "dune"
    session.observe(TagArrived("scanner", "table:undo"))
    assert seated(session).state.at[0] == "pier"
    assert session.taught() == {}
    assert session.last_tag is None


def test_a_label_of_another_box_is_an_unknown_tag_and_cannot_be_taught() -> None:
    session = sit_down()
    assert notice(session.observe(TagArrived("scanner", "TABLE:TILE:ATLANTIS"))) == "notice.unknown_tag"
    refused("bad_request", session.bind, "TABLE:TILE:ATLANTIS", Thing("place", "pier"))


def test_labels_of_the_real_game_are_short_enough_for_small_codes() -> None:
    longest = max(len(label_text(piece.meaning, 5)) for piece in box_of(GAMES["forbidden_island"]).pieces)
    assert longest <= 38  # the most that version 2 holds in alphanumeric mode with error correction M (ISO/IEC 18004)
