"""Tags as a file: written in a stable order, read back equal, refused whole with every fault named."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.i18n import LANGUAGES, translator
from companion.rules.game import Thing
from companion.table.box import box_of
from companion.table.labels import is_label
from companion.table.meaning import Act, Meaning
from companion.table.tag_file import TagFileError, read_tag_file, tag_file
from companion.table.tags import LONGEST_TAG, Merging, is_cut, is_fit
from tests.table.sittings import ALL_GAMES, notice, refused, sit_down

PIER, DUNE = Thing("place", "pier"), Thing("place", "dune")
TAGS: dict[str, Meaning] = {"04B2": Act("undo"), "04A9": PIER, "04A1": PIER, "04C3": Act("do:light"), "04A5": DUNE}
WRITTEN = """\
{
  "format": "table-companion-tags",
  "version": 1,
  "tags": [
    {"tag": "04A5", "thing": "place:dune"},
    {"tag": "04A1", "thing": "place:pier"},
    {"tag": "04A9", "thing": "place:pier"},
    {"tag": "04C3", "command": "do:light"},
    {"tag": "04B2", "command": "undo"}
  ]
}
"""
MEANINGS = [piece.meaning for game in ALL_GAMES.values() for piece in box_of(game).pieces]
tags = st.text(min_size=1, max_size=30).filter(lambda tag: is_fit(tag) and not is_cut(tag) and not is_label(tag))


def faults(text: str) -> list[str]:
    with pytest.raises(TagFileError) as refusal:
        read_tag_file(text, ALL_GAMES)
    return [translator("en").say(fault) for fault in refusal.value.faults]


def file_of(*entries: Any, **parts: Any) -> str:
    return json.dumps({"format": "table-companion-tags", "version": 1, "tags": list(entries), **parts})


def test_the_file_has_an_entry_a_line_in_a_stable_order() -> None:
    assert tag_file(TAGS) == WRITTEN
    assert tag_file(dict(reversed(TAGS.items()))) == WRITTEN
    assert json.loads(tag_file({}))["tags"] == []


@given(st.dictionaries(tags, st.sampled_from(MEANINGS), max_size=20))
def test_what_is_written_is_read_back_equal(known: Mapping[str, Meaning]) -> None:
    assert read_tag_file(tag_file(known), ALL_GAMES) == known


def test_a_file_with_a_byte_order_mark_is_read() -> None:
    assert read_tag_file("\ufeff" + WRITTEN, ALL_GAMES) == TAGS


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Line 1, column 1: this is no JSON"),
        (WRITTEN.replace('"04A1", ', '"04A1" '), "Line 6, column 20: this is no JSON"),
        ("[" * 100_000, "This is no file of tags."),
        ("9" * 5000, "This is no file of tags."),
        ("[]", "This is no file of tags: its “format” must be “table-companion-tags”."),
        ("{}", "This is no file of tags: its “format”"),
        (file_of(version=2), "The file is of version 2, written by a newer companion"),
        (file_of(version="1"), "must be a whole number"),
        (file_of(version=True), "must be a whole number"),
        (file_of(version=0), "must be a whole number"),
        (file_of(tags={}), "must be a list"),
        (file_of(note="x"), "an unknown key, “note”"),
        (WRITTEN.replace('"version": 1', '"version": 1, "version": 1'), "The key “version” stands twice"),
    ],
)
def test_what_is_no_file_of_tags_is_told_in_a_line(text: str, said: str) -> None:
    (fault,) = faults(text)
    assert fault.startswith(said) or said in fault


def test_every_faulty_entry_is_named_and_none_is_taken() -> None:
    entries = [
        {"tag": "04A1", "thing": "place:pier"},
        {"tag": "04A1", "thing": "place:pier"},
        {"tag": "", "thing": "place:pier"},
        {"tag": " 04A3", "thing": "place:pier"},
        {"tag": "x" * (LONGEST_TAG + 1), "thing": "place:pier"},
        {"tag": "88A3C6CA", "thing": "place:pier"},
        {"tag": "TABLE:UNDO", "command": "undo"},
        {"tag": "04A4", "thing": "place:peer"},
        {"tag": "04A5", "thing": "undo"},
        {"tag": "04A6", "command": "place:pier"},
        {"tag": "04A7", "thing": 7},
        {"tag": "04A8"},
        {"tag": "04A9", "thing": "place:pier", "command": "undo"},
        ["04B1", "place:pier"],
        {"tag": "04B2", "thing": "zzzzzzzz"},
    ]
    said = faults(file_of(*entries))
    assert [fault.partition(":")[0].partition(",")[0] for fault in said] == [f"Entry {n}" for n in range(2, 16)]
    assert "the tag 04A1 stands in entry 1 already" in said[0]
    assert "is “place:pier” meant?" in said[6]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_fault_has_words_in_every_language(language: str) -> None:
    with pytest.raises(TagFileError) as refusal:
        read_tag_file(file_of({"tag": "88A3C6CA", "thing": "x"}, {"tag": "04", "thing": "place:peer"}, 3), ALL_GAMES)
    for fault in refusal.value.faults:
        assert translator(language).say(fault) != fault.code


# -- how a file goes with the table
def test_adding_keeps_what_the_table_knows() -> None:
    session = sit_down()
    session.bind("04A1", PIER)
    snapshot = session.bring({"04A1": PIER, "04A2": DUNE}, Merging.ADD)
    assert session.taught() == {"04A1": PIER, "04A2": DUNE}
    assert snapshot.notice is not None
    assert snapshot.notice.phrase.params == {"n": 1, "gone": 0}


def test_adding_what_contradicts_the_table_takes_nothing_in() -> None:
    session = sit_down()
    session.bind("04A1", PIER)
    refusal = refused("tags_differ", session.bring, {"04A0": DUNE, "04A1": DUNE}, Merging.ADD)
    assert refusal.params == {"tag": "04A1", "n": 1}
    assert session.taught() == {"04A1": PIER}


def test_overwriting_has_the_files_say_win() -> None:
    session = sit_down()
    session.bind("04A1", PIER)
    session.bind("04A9", PIER)
    session.bring({"04A1": DUNE}, Merging.OVERWRITE)
    assert session.taught() == {"04A1": DUNE, "04A9": PIER}


def test_replacing_leaves_only_what_is_in_the_file() -> None:
    session = sit_down()
    session.bind("04A1", PIER)
    session.bind("04A9", PIER)
    snapshot = session.bring({"04A1": DUNE}, Merging.REPLACE, command_id="a")
    assert session.taught() == {"04A1": DUNE}
    assert notice(snapshot) == "notice.tags_brought"
    session.bind("04A9", PIER)
    session.bring({"04A1": DUNE}, Merging.REPLACE, command_id="a")
    assert "04A9" in session.taught()
