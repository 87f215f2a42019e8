"""What other programs read."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from starlette.testclient import TestClient

from companion.ports import TagArrived
from companion.web.app import create_app
from companion.web.desk import Desk
from tests.web.api.tables import TINY, at_the_table
from tests.web.conftest import ADDRESS, ELSEWHERE
from tests.web.stand import PIN, Standing

OPEN = (
    *("", "/table", "/state", "/legal-commands", "/menu", "/log", "/odds", "/history", "/history/1", "/devices"),
    *("/games", "/preferences"),
)
CLOSED = ("/people", "/tags")


def test_anyone_in_the_room_may_look(viewer: TestClient, desk: Desk) -> None:
    at_the_table(desk)
    for path in OPEN:
        answer = viewer.get(f"/api/v1{path}")
        assert answer.status_code == 200, path
        assert answer.headers["content-type"] == "application/json"


def test_people_and_tags_are_for_those_who_were_let_in(viewer: TestClient, desk: Desk) -> None:
    for path in CLOSED:
        answer = viewer.get(f"/api/v1{path}")
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == 'Bearer realm="table"'
        assert answer.json()["code"] == "unpaired"
    desk.phones.let_in("the first is a host")
    player = viewer.post("/api/v1/pair", json={"pin": PIN, "name": "Ana"}).json()
    bearer = {"Authorization": f"Bearer {player['token']}"}
    assert viewer.get("/api/v1/tags", headers=bearer).json()["code"] == "host_only"
    people = viewer.get("/api/v1/people", headers=bearer).json()["phones"]
    assert [(each["name"], each["host"], each["me"]) for each in people] == [
        ("the first is a host", True, False),
        ("Ana", False, True),
    ]


def test_the_table_is_told_with_its_words(viewer: TestClient, desk: Desk) -> None:
    at_the_table(desk)
    desk.session.observe(TagArrived("reader", "FFFF"))
    told = viewer.get("/api/v1/table", headers={"Accept-Language": "bg"}).json()
    assert told["revision"] == desk.session.snapshot.revision
    assert told["game"]["name"] == "tiny"
    assert told["position"]["board"]["spaces"][1]["place"]["name"] == "dune"
    assert told["position"]["meters"][0]["marks"] == ["1", "2", "3", "skull"]
    assert told["gesture"]["verb"] == "walk"
    assert told["can_redo"]
    assert told["notice"]["sentence"]["code"] == "notice.unknown_tag"
    assert any("а" <= letter <= "я" for letter in told["notice"]["sentence"]["text"])
    (reader,) = told["devices"]
    assert (reader["state"], reader["advice"]["params"]) == ("lost", {"port": "/dev/ttyACM0"})


def test_without_a_game_the_table_is_there_all_the_same(viewer: TestClient) -> None:
    told = viewer.get("/api/v1/table").json()
    assert (told["game"], told["game_id"], told["position"]) == (None, None, None)
    assert told["awaited"]["text"]
    assert viewer.get("/api/v1/state").json()["state"] is None
    assert viewer.get("/api/v1/legal-commands").json()["commands"] == []
    assert viewer.get("/api/v1/log").json()["lines"] == []
    assert viewer.get("/api/v1/odds").json()["odds"] is None


def test_every_legal_command_can_be_sent_as_it_is_told(host: TestClient, desk: Desk) -> None:
    desk.session.start("tiny", TINY)
    told = host.get("/api/v1/legal-commands").json()["commands"]
    assert [each["command"] for each in told] == list(desk.session.legal())
    order = {"command_id": "first", "kind": "play", "command": told[0]["command"]}
    assert host.post("/api/v1/commands", json=order).status_code == 200


def test_the_log_marks_what_was_taken_back_and_a_past_game_keeps_its_own(viewer: TestClient, desk: Desk) -> None:
    at_the_table(desk)
    lines = viewer.get("/api/v1/log").json()["lines"]
    assert [line["retracted"] for line in lines] == [False, True]
    games = viewer.get("/api/v1/history").json()["games"]
    assert [(game["id"], game["on_table"]) for game in games] == [(2, True), (1, False)]
    past = viewer.get("/api/v1/history/2").json()
    assert past["lines"] == lines
    assert past["game"] == games[0]


@pytest.mark.parametrize("number", ["99", "0", "9007199254740991"])
def test_a_game_that_never_was_is_not_found(viewer: TestClient, number: str) -> None:
    answer = viewer.get(f"/api/v1/history/{number}")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize("number", ["-1", "x", "9007199254740992", "1.5"])
def test_what_is_no_number_cannot_be_read(viewer: TestClient, number: str) -> None:
    answer = viewer.get(f"/api/v1/history/{number}")
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")


def test_the_panels_standing_is_told_and_its_news_change_the_tag(desk: Desk) -> None:
    standing = [Standing(wanted=3, shown=2)]
    with TestClient(create_app(replace(desk, panel_standing=lambda: standing[0])), ADDRESS, client=ELSEWHERE) as phone:
        first = phone.get("/api/v1/devices")
        assert (first.json()["panel"]["shown"], first.json()["panel"]["behind"]) == (2, 1)
        standing[0] = Standing(wanted=3, shown=3)
        again = phone.get("/api/v1/devices", headers={"If-None-Match": first.headers["etag"]})
        assert (again.status_code, again.json()["panel"]["behind"]) == (200, 0)


def test_what_has_not_changed_is_not_sent_again(viewer: TestClient, desk: Desk) -> None:
    desk.session.start("tiny", TINY)
    for path in OPEN[:-2]:
        first = viewer.get(f"/api/v1{path}")
        tag = first.headers["etag"]
        for sent in (tag, f"W/{tag}", f'"other", {tag}', "*"):
            again = viewer.get(f"/api/v1{path}", headers={"If-None-Match": sent})
            assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    tag = viewer.get("/api/v1/table").headers["etag"]
    desk.session.deal()
    assert viewer.get("/api/v1/table", headers={"If-None-Match": tag}).status_code == 200


def test_another_language_is_another_answer(viewer: TestClient) -> None:
    tags = {
        viewer.get("/api/v1/table", headers={"Accept-Language": language}).headers["etag"]
        for language in ("en", "pt-BR", "bg")
    }
    assert len(tags) == 3


def test_head_answers_as_get_does_without_a_body(viewer: TestClient, desk: Desk) -> None:
    desk.session.start("tiny", TINY)
    for path in (*OPEN, "/openapi.json"):
        whole, head = viewer.get(f"/api/v1{path}"), viewer.head(f"/api/v1{path}")
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["etag"] == whole.headers["etag"]
        assert head.headers["content-length"] == whole.headers["content-length"]
    assert viewer.head("/api/v1/bell").headers["content-type"].startswith("text/event-stream")
    assert viewer.head("/api/v1/tags").status_code == 401


def test_an_answer_is_packed_where_the_asker_can_unpack_it(viewer: TestClient, desk: Desk) -> None:
    desk.session.start("tiny", TINY)
    packed = viewer.get("/api/v1/table", headers={"Accept-Encoding": "gzip"})
    plain = viewer.get("/api/v1/table", headers={"Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.json() == plain.json()
    assert int(packed.headers["content-length"]) < int(plain.headers["content-length"])
    assert "Accept-Encoding" in packed.headers["vary"]


def test_what_is_not_there_is_told_in_the_one_form_even_to_a_browser(viewer: TestClient) -> None:
    answer = viewer.get("/api/v1/nothing", headers={"Accept": "text/html", "Accept-Language": "pt-BR"})
    assert answer.status_code == 404
    assert set(answer.json()) == {"code", "message"}
    wrong = viewer.put("/api/v1/table", json={})
    assert (wrong.status_code, wrong.headers["allow"], wrong.json()["code"]) == (405, "GET", "method")


def test_no_answer_holds_an_undealt_card_a_seed_a_pin_or_a_token(host: TestClient, desk: Desk) -> None:
    """A deck is told as its zones in unknown order: shuffled differently, it is told the same."""
    at_the_table(desk)
    _, token = desk.phones.let_in("someone")
    answers = "".join(host.get(f"/api/v1{path}").text for path in (*OPEN, *CLOSED))
    for secret in ("a seed that nobody may read", PIN, token, desk.pins.ticket, "digest"):
        assert secret not in answers
    state = host.get("/api/v1/state").json()["state"]
    assert all(zone == sorted(zone) for zone in state["deck"])
    assert "seed" not in json.loads(host.get("/api/v1/history").text)["games"][0]["setup"]


def test_a_table_that_is_looked_at_only_by_those_let_in_says_so_in_the_one_form(desk: Desk) -> None:
    with TestClient(create_app(replace(desk, watching_is_open=False)), ADDRESS, client=ELSEWHERE) as phone:
        for path in OPEN:
            answer = phone.get(f"/api/v1{path}")
            assert (answer.status_code, answer.json()["code"]) == (401, "unpaired"), path
        token = phone.post("/api/v1/pair", json={"pin": PIN}).json()["token"]
        assert phone.get("/api/v1/table", headers={"Authorization": f"Bearer {token}"}).status_code == 200
