"""Tags are taught piece by piece, and nothing else is meant meanwhile."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.ports import TagArrived, TagGone, TagReadAgain
from companion.rules.game import Refused, Thing
from companion.rules.portrait import Tone
from companion.rules.registry import GAMES
from companion.table.box import box_of
from companion.table.enrolling import REST_SECONDS
from companion.table.enrolment import read_enrolment
from companion.table.journal import Journal
from companion.table.meaning import PRESSES, Act
from companion.table.session import Clocks, Session
from companion.table.snapshot import Enrolling, Snapshot
from tests.table.sittings import ALL_GAMES, TINY, Clock, get_up, notice, refused, scan, seated, sit_down, tiny_session

PIER, DUNE, MILL = Thing("place", "pier"), Thing("place", "dune"), Thing("place", "mill")
BOX = box_of(TINY)
EVERY = {str(piece.meaning): piece.copies for piece in BOX.pieces}


def now(session: Session) -> Enrolling:
    assert session.snapshot.enrolling is not None
    return session.snapshot.enrolling


def lay(session: Session, tag: str) -> Snapshot:
    """A tag lies on a reader that repeats: it is read twice, then taken away."""
    session.observe(TagArrived("reader", tag))
    snapshot = session.observe(TagReadAgain("reader", tag))
    session.observe(TagGone("reader", tag))
    return snapshot


def shoot(session: Session, tag: str) -> Snapshot:
    """A scanner that sends once is triggered twice."""
    session.observe(TagArrived("scanner", tag))
    return session.observe(TagArrived("scanner", tag))


@pytest.fixture
def session() -> Session:
    session = sit_down()
    session.enrol("tiny")
    return session


# -- the course
@pytest.mark.parametrize("teach", [lay, shoot])
def test_every_piece_is_named_until_each_has_as_many_tags_as_the_box_has_of_it(session: Session, teach: object) -> None:
    named: dict[str, int] = {}
    while (at := now(session).at) is not None:
        named[str(at)] = named.get(str(at), 0) + 1
        snapshot = teach(session, f"04{sum(named.values()):012X}")  # type: ignore[operator]
        assert (notice(snapshot), snapshot.notice and snapshot.notice.tone) == ("notice.enrol.taken", Tone.GOOD)
    assert named == EVERY
    assert len(session.taught()) == sum(EVERY.values())
    assert all(shelf.tagged == shelf.places for shelf in BOX.shelves(session.taught()))


def test_the_real_box_has_a_place_for_the_tag_of_every_card() -> None:
    shelves = {shelf.kind: shelf.places for shelf in box_of(GAMES["forbidden_island"]).shelves({})}
    assert shelves == {"tile": 24, "treasure": 28, "flood": 24, "role": 6, "figure": 4, "press": len(PRESSES), "do": 16}


def test_what_is_skipped_is_named_again_only_when_it_is_asked_for(session: Session) -> None:
    session.enrolment("skip")
    assert (now(session).at, now(session).skipped) == (DUNE, 1)
    session.enrolment("skip_kind")
    assert now(session).at == Thing("weather", "pier")
    session.enrolment("skip_kind")
    session.enrolment("skip_kind")
    session.enrolment("skip_kind")
    session.enrolment("skip_kind")
    assert now(session).at is None
    assert now(session).skipped == len(BOX.pieces)
    assert notice(lay(session, "04A1")) == "notice.enrol.done"
    assert session.taught() == {}
    session.enrolment("again")
    assert (now(session).at, now(session).skipped) == (PIER, 0)


def test_going_back_replaces_the_tag_that_was_just_taught(session: Session) -> None:
    refused("nothing_before", session.enrolment, "back")
    lay(session, "04A1")
    session.enrolment("skip")
    session.enrolment("back")
    assert (now(session).at, now(session).skipped) == (DUNE, 0)
    session.enrolment("back")
    assert (now(session).at, now(session).replacing) == (PIER, "04A1")
    lay(session, "04A2")
    assert session.taught() == {"04A2": PIER}
    assert now(session).at == DUNE


def test_going_back_and_on_leaves_the_tag_as_it_was(session: Session) -> None:
    lay(session, "04A1")
    session.enrolment("back")
    session.enrolment("skip")
    assert session.taught() == {"04A1": PIER}
    assert now(session).at == DUNE


def test_a_piece_is_named_out_of_turn_and_a_tag_of_it_done_again(session: Session) -> None:
    gale = Thing("weather", "gale")
    session.enrol("tiny", "weather:gale")
    lay(session, "04B1")
    lay(session, "04B2")
    refused("piece_full", session.enrol, "tiny", "weather:gale")
    session.enrol("tiny", "weather:gale", "04B1")
    lay(session, "04B3")
    assert session.taught() == {"04B2": gale, "04B3": gale}
    session.enrol("tiny", "place:pier")
    lay(session, "04A1")
    session.enrol("tiny", "place:pier")
    assert now(session).replacing == "04A1"


def test_what_is_in_no_box_cannot_be_named(session: Session) -> None:
    for wrong in ("place:moon", "moon", "do:dance", ""):
        refused("unknown_piece", session.enrol, "tiny", wrong)
    refused("unknown_game", session.enrol, "chess")
    assert now(session).at == PIER


def test_enrolment_goes_on_after_a_restart_where_it_was_left(tmp_path: Path) -> None:
    session = sit_down(tmp_path / "j.db")
    session.enrol("tiny")
    lay(session, "04A1")
    session.enrolment("skip")
    get_up(session)
    again = sit_down(tmp_path / "j.db")
    assert again.snapshot.enrolling is None
    again.enrol("tiny")
    third = BOX.pieces[2].meaning
    assert (now(again).at, now(again).skipped) == (third, 1)
    again.enrolment("back")
    again.enrolment("back")
    assert now(again).replacing == "04A1"


@pytest.mark.parametrize(
    "text", ["", "[]", '{"at": 7}', '{"passed": [["place:pier", 3]]}', '{"passed": 1}', "null", None]
)
def test_a_damaged_standing_begins_anew(text: str | None) -> None:
    assert read_enrolment(text) == read_enrolment("{}")


def test_a_piece_that_left_the_box_meanwhile_is_passed_over(tmp_path: Path) -> None:
    session = sit_down(tmp_path / "j.db")
    with session._table.journal.writing() as pen:
        pen.enrol("tiny", '{"at": "place:moon", "passed": [["place:sun", null]]}')
    session.enrol("tiny")
    assert now(session).at == PIER


# -- nothing else is meant
def test_while_tags_are_taught_no_scan_moves_the_game() -> None:
    session = tiny_session()
    session.bind("place:dune", DUNE)
    before = seated(session).state
    session.enrol("tiny")
    assert notice(session.observe(TagArrived("reader", "place:dune"))) == "notice.enrol.used"
    session.observe(TagArrived("reader", "04FF"))
    assert seated(session).state == before
    assert session.snapshot.gesture is None
    assert session.last_tag is None
    session.enrolment("rest")
    scan(session, "place:dune")
    assert seated(session).state != before


def test_orders_about_an_enrolment_that_does_not_go_on_are_refused() -> None:
    session = sit_down()
    for step in ("skip", "skip_kind", "back", "again", "rest"):
        refused("not_enrolling", session.enrolment, step)


def test_an_enrolment_that_nobody_goes_on_with_rests() -> None:
    clock = Clock()
    session = sit_down(clock=clock)
    session.enrol("tiny")
    clock.now += REST_SECONDS
    assert session.tick().enrolling is not None
    clock.now += 1
    snapshot = session.tick()
    assert (snapshot.enrolling, notice(snapshot)) == (None, "notice.enrol.rests")


# -- two equal reads
def test_a_tag_counts_at_its_second_read_in_a_row(session: Session) -> None:
    snapshot = session.observe(TagArrived("reader", "04A1"))
    assert notice(snapshot) == "notice.enrol.once"
    assert session.taught() == {}
    session.observe(TagReadAgain("reader", "04A1"))
    assert session.taught() == {"04A1": PIER}


def test_an_id_that_was_seen_only_once_is_a_ghost_until_it_is_seen_again(session: Session) -> None:
    session.observe(TagArrived("reader", "04A1"))
    assert notice(session.observe(TagGone("reader", "04A1"))) == "notice.enrol.ghost"
    assert session.taught() == {}
    session.observe(TagArrived("reader", "04A1"))
    assert session.taught() == {"04A1": PIER}


def test_a_ghost_that_is_gone_does_not_stand_in_the_way_of_the_next_tag(session: Session) -> None:
    session.observe(TagArrived("reader", "04A1"))
    session.observe(TagGone("reader", "04A1"))
    assert notice(session.observe(TagArrived("reader", "04B2"))) == "notice.enrol.once"


def test_an_id_that_changes_between_two_reads_is_refused(session: Session) -> None:
    session.observe(TagArrived("reader", "04A1"))
    assert notice(session.observe(TagArrived("reader", "04A9"))) == "notice.enrol.changed"
    assert session.taught() == {}
    session.observe(TagReadAgain("reader", "04A9"))
    assert session.taught() == {"04A9": PIER}


def test_of_two_tags_on_the_reader_neither_is_taken(session: Session) -> None:
    for happening in (TagArrived, TagReadAgain):
        for tag in ("04A1", "04B2"):
            snapshot = session.observe(happening("reader", tag))
            assert session.taught() == {}, (happening, tag)
    assert snapshot.enrolling is not None
    session.observe(TagGone("reader", "04A1"))
    session.observe(TagGone("reader", "04B2"))
    lay(session, "04B2")
    assert session.taught() == {"04B2": PIER}


def test_the_tag_of_the_last_piece_that_still_lies_there_is_no_hindrance(session: Session) -> None:
    session.observe(TagArrived("reader", "04A1"))
    session.observe(TagReadAgain("reader", "04A1"))
    session.observe(TagArrived("reader", "04B2"))
    session.observe(TagGone("reader", "04A1"))
    session.observe(TagReadAgain("reader", "04B2"))
    assert session.taught() == {"04A1": PIER, "04B2": DUNE}


HAPPENINGS = st.builds(
    lambda kind, tag: kind("reader", tag),
    st.sampled_from([TagArrived, TagReadAgain, TagGone]),
    st.sampled_from(["04A1", "04B2", "04C3", "88A3C6CA", "TABLE:UNDO", "TABLE:X", "", " "]),
)
STEPS = st.sampled_from(["skip", "skip_kind", "back", "again"])


@given(st.lists(HAPPENINGS | STEPS, max_size=40))
def test_whatever_readers_tell_no_tag_is_taught_that_was_not_read_twice(told: list[TagArrived | str]) -> None:
    session = sit_down()
    session.enrol("tiny")
    reads = Counter[str]()
    for each in told:
        if isinstance(each, str):
            with suppress(Refused):
                session.enrolment(each)  # type: ignore[arg-type] # one of STEPS
            continue
        reads[each.tag] += not isinstance(each, TagGone)
        snapshot = session.observe(each)
        assert snapshot.notice is None or snapshot.notice.phrase.code != "notice.failed"
        assert snapshot.enrolling is not None
        assert all(reads[tag] >= 2 for tag in session.taught())
    assert session.taught().keys() <= {"04A1", "04B2", "04C3"}


# -- refused with a reason
@pytest.mark.parametrize(
    ("tag", "code"),
    [
        ("88A3C6CA", "notice.enrol.cut"),
        ("TABLE:PLACE:MILL", "notice.enrol.label"),
        ("table:tile:nowhere", "notice.enrol.label"),
        ("x" * 201, "notice.enrol.unfit"),
        ("04\x07A1", "notice.enrol.unfit"),
        ("place:mill", "notice.enrol.used"),
        ("place:pier", "notice.enrol.same"),
    ],
)
def test_what_cannot_be_this_pieces_tag_is_refused_with_its_reason(tag: str, code: str) -> None:
    session = sit_down()
    session.bind("place:mill", MILL)
    session.enrol("tiny", "place:pier")
    session.bind("place:pier", PIER)
    known = session.taught()
    session.observe(TagReadAgain("reader", tag))
    snapshot = session.observe(TagArrived("reader", tag))
    assert (notice(snapshot), snapshot.notice and snapshot.notice.tone) == (code, Tone.WARNING)
    lay(session, tag)
    assert session.taught() == known


# -- commands
def test_commands_are_enrolled_like_pieces_and_stay_a_class_of_their_own(session: Session) -> None:
    session.enrol("tiny", "undo")
    lay(session, "04C1")
    session.enrol("tiny", "do:light")
    lay(session, "04C2")
    assert session.taught() == {"04C1": Act("undo"), "04C2": Act("do:light")}
    assert session.tags() == {}


def test_a_full_disk_leaves_the_course_where_it_was(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session._table.journal, "writing", lambda: (_ for _ in ()).throw(Refused("not_saved")))
    session.observe(TagArrived("reader", "04A1"))
    session.observe(TagReadAgain("reader", "04A1"))
    monkeypatch.undo()
    assert (now(session).at, session.taught()) == (PIER, {})


def test_orders_are_played_once_and_refused_where_stale() -> None:
    session = Session(ALL_GAMES, Journal(":memory:"), clocks=Clocks(Clock(), Clock()))
    session.enrol("tiny", command_id="a")
    session.enrolment("skip", command_id="b")
    session.enrolment("skip", command_id="b")
    assert now(session).at == DUNE
