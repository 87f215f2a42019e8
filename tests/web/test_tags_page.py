"""The page of the tags, over HTTP: teaching, files in and out, labels; for hosts only."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from starlette.testclient import TestClient

from companion.ports import TagArrived, TagReadAgain
from companion.rules.game import Thing
from companion.rules.registry import GAMES as REGISTERED
from companion.table.meaning import Act
from companion.table.tag_file import tag_file
from companion.web.app import create_app
from companion.web.desk import Desk
from tests.web.conftest import ADDRESS, HERE
from tests.web.stand import open_desk

_ids = count()
PIER, DUNE = Thing("place", "pier"), Thing("place", "dune")


def order(client: TestClient, **body: Any) -> Any:
    named = {"command_id": f"tags-{next(_ids)}", **body}
    return client.post("/commands", json=named)


def bring(client: TestClient, text: str, merging: str = "add", name: str = "a") -> Any:
    return client.post("/host/tags/import", json={"command_id": name, "file": text, "merging": merging})


def lay(desk: Desk, tag: str) -> None:
    desk.session.observe(TagArrived("reader", tag))
    desk.session.observe(TagReadAgain("reader", tag))


@pytest.fixture
def island(tmp_path: Path) -> Iterator[tuple[TestClient, Desk]]:
    with open_desk(tmp_path, REGISTERED) as desk, TestClient(create_app(desk), ADDRESS, client=HERE) as client:
        yield client, desk


def test_the_page_names_the_next_piece_and_shows_how_far_it_is(island: tuple[TestClient, Desk]) -> None:
    client, desk = island
    assert "Begin" in client.get("/host/tags").text
    assert order(client, kind="enrol", game="forbidden_island").status_code == 200
    lay(desk, "04A1")
    assert order(client, kind="enrol", game="forbidden_island", piece="treasure:sandbags").status_code == 200
    page = client.get("/host/tags").text
    assert "Taught: 1 of 110" in page
    assert "Sandbags" in page
    assert "number 1 of 2" in page
    lay(desk, "04A2")
    assert "number 2 of 2" in client.get("/host/live/tags").text
    for step in ("skip", "back", "skip_kind", "again", "rest"):
        assert order(client, kind="enrolment", step=step).status_code == 200
    assert "Go on" in client.get("/host/tags").text
    refusal = order(client, kind="enrolment", step="skip", expected_revision=None)
    assert (refusal.status_code, refusal.json()["code"]) == (422, "not_enrolling")


def test_a_tag_of_the_list_is_done_again(island: tuple[TestClient, Desk]) -> None:
    client, desk = island
    desk.session.bind("04A1", Thing("tile", "watchtower"))
    redo = {"kind": "enrol", "game": "forbidden_island", "piece": "tile:watchtower", "replacing": "04A1"}
    assert json.dumps(redo, sort_keys=True).replace('"', "&#34;") in client.get("/host/tags").text
    assert order(client, **redo).status_code == 200
    assert "It takes the place of the tag <code>04A1</code>" in client.get("/host/tags").text
    lay(desk, "04A9")
    assert desk.session.taught() == {"04A9": Thing("tile", "watchtower")}


def test_commands_are_taught_on_the_page_too(host: TestClient, desk: Desk) -> None:
    desk.session.observe(TagArrived("reader", "04C1"))
    assert '<option value="do:walk">' in host.get("/host/tags").text
    assert order(host, kind="bind", tag="04C1", thing="undo").status_code == 200
    assert desk.session.taught() == {"04C1": Act("undo")}
    assert "<b>Undo</b>" in host.get("/host/tags").text


def test_when_all_is_taught_or_skipped_the_page_says_so(host: TestClient, desk: Desk) -> None:
    desk.session.enrol("tiny")
    for _ in range(5):
        desk.session.enrolment("skip_kind")
    page = host.get("/host/tags").text
    assert "That is all" in page
    assert "pieces were skipped" in page


# -- files
def test_tags_are_downloaded_and_taken_in_again(host: TestClient, desk: Desk) -> None:
    desk.session.bind("04A1", PIER)
    desk.session.bind("04C1", Act("undo"))
    answer = host.get("/host/tags.json")
    assert answer.headers["content-disposition"] == 'attachment; filename="tags.json"'
    assert answer.text == tag_file(desk.session.taught())
    desk.session.unbind("04A1")
    taken = bring(host, answer.text)
    assert (taken.status_code, taken.json()["message"]) == (200, "Tags taken in: 1 new or changed, 0 forgotten.")
    assert desk.session.taught() == {"04A1": PIER, "04C1": Act("undo")}


def test_a_faulty_file_is_answered_with_every_fault_in_the_readers_language(host: TestClient, desk: Desk) -> None:
    text = tag_file({"04A1": PIER, "88A3C6CA": DUNE}).replace("place:pier", "place:moon")
    answer = bring(host, text)
    assert answer.status_code == 422
    assert len(answer.json()["faults"]) == 2
    host.headers["accept-language"] = "bg"
    assert "Запис" in bring(host, text, name="b").json()["faults"][0]
    assert desk.session.taught() == {}


def test_a_file_that_contradicts_the_table_waits_for_a_word(host: TestClient, desk: Desk) -> None:
    desk.session.bind("04A1", PIER)
    assert bring(host, tag_file({"04A1": DUNE})).status_code == 422
    assert desk.session.taught() == {"04A1": PIER}
    assert bring(host, tag_file({"04A1": DUNE}), "overwrite", "b").status_code == 200
    assert bring(host, tag_file({}), "replace", "c").status_code == 200
    assert desk.session.taught() == {}


@pytest.mark.parametrize(
    "body", [{}, [], {"command_id": "a", "file": 7}, {"command_id": "a", "file": "", "merging": "x"}]
)
def test_what_is_no_order_to_take_in_is_refused(host: TestClient, body: Any) -> None:
    answer = host.post("/host/tags/import", json=body)
    assert answer.status_code == 400
    assert answer.json()["message"]


# -- labels
def test_labels_are_printed_in_the_language_and_on_the_paper_that_is_chosen(island: tuple[TestClient, Desk]) -> None:
    client, _ = island
    wished = {"game": "forbidden_island", "layout": "avery-5160", "language": "bg"}
    answer = client.get("/host/tags/labels.pdf", params=wished)
    assert answer.headers["content-type"] == "application/pdf"
    first = next(iter(pypdfium2.PdfDocument(answer.content)))
    assert [round(side) for side in first.get_size()] == [612, 792]
    assert "Бронзова порта" in first.get_textpage().get_text_range()


@pytest.mark.parametrize(
    "wrong", [{"game": "chess"}, {"game": "tiny", "layout": "x"}, {"game": "tiny", "language": "x"}]
)
def test_labels_that_there_are_not_are_not_found(host: TestClient, wrong: dict[str, str]) -> None:
    assert host.get("/host/tags/labels.pdf", params=wrong).status_code == 404


# -- hosts only
def test_a_phone_that_was_not_let_in_gets_no_file_and_teaches_nothing(viewer: TestClient, desk: Desk) -> None:
    desk.session.bind("04A1", PIER)
    for path in ("/host/tags.json", "/host/tags/labels.pdf?game=tiny"):
        assert viewer.get(path).status_code == 403
    assert bring(viewer, tag_file({})).status_code == 403
    assert order(viewer, kind="enrol", game="tiny").status_code == 403
    assert order(viewer, kind="enrolment", step="rest").status_code == 403
    assert desk.session.snapshot.enrolling is None
