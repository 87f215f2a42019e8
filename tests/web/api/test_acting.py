"""What other programs do."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from httpx import Response
from starlette.testclient import TestClient

from companion.rules.game import Refused
from companion.web.app import create_app
from companion.web.desk import Desk
from tests.patience import PATIENCE
from tests.web.api.tables import TINY
from tests.web.conftest import ADDRESS, ELSEWHERE
from tests.web.stand import PIN, open_desk

JSON = {"Content-Type": "application/json"}
DEAL = {"command_id": "one", "kind": "deal"}


def pair(client: TestClient, pin: str = PIN, **headers: str) -> Response:
    answer: Response = client.post("/api/v1/pair", json={"pin": pin, "name": "Score board"}, headers=headers)
    return answer


def bearer(client: TestClient) -> dict[str, str]:
    return {"Authorization": f"Bearer {pair(client).json()['token']}"}


def send(client: TestClient, headers: dict[str, str], command_id: str = "one", **order: Any) -> Response:
    answer: Response = client.post("/api/v1/commands", json={"command_id": command_id, **order}, headers=headers)
    return answer


def test_a_program_is_let_in_once_and_plays_with_its_token(viewer: TestClient, desk: Desk) -> None:
    paired = pair(viewer)
    assert paired.status_code == 200
    assert paired.json()["role"] == "host"
    assert "set-cookie" not in paired.headers
    assert paired.headers["cache-control"] == "no-store"
    headers = {"Authorization": f"bearer {paired.json()['token']}"}
    assert send(viewer, headers, "start", kind="start", game="tiny", setup=TINY).status_code == 200
    played = send(viewer, headers, "deal", kind="deal")
    assert played.json() == {"revision": desk.session.snapshot.revision, "saved": True}
    assert viewer.get("/api/v1", headers=headers).json()["role"] == "host"
    assert viewer.get("/api/v1").json()["role"] == "watcher"


def test_a_token_that_was_given_up_or_struck_off_lets_nobody_in(viewer: TestClient, desk: Desk) -> None:
    first, second = bearer(viewer), bearer(viewer)
    assert send(viewer, first, kind="go").status_code == 200
    assert send(viewer, first, kind="deal").status_code == 401
    desk.phones.strike(viewer.get("/api/v1/people", headers=second).json()["phones"][0]["phone"])
    answer = send(viewer, second, kind="deal")
    assert (answer.status_code, answer.json()["code"]) == (401, "unpaired")
    assert answer.headers["www-authenticate"] == 'Bearer realm="table"'


def test_a_token_outlives_a_restart(viewer: TestClient, desk: Desk) -> None:
    headers = bearer(viewer)
    with TestClient(create_app(replace(desk)), ADDRESS, client=ELSEWHERE) as later:
        assert later.get("/api/v1", headers=headers).json()["role"] == "host"


@pytest.mark.parametrize("token", ["", "x", "Ünicode".encode().decode("latin-1"), "a b c"])
def test_a_token_of_nobody_opens_nothing(viewer: TestClient, token: str) -> None:
    answer = viewer.post("/api/v1/commands", json=DEAL, headers={"Authorization": f"Bearer {token}".encode("latin-1")})
    assert answer.status_code == 401


def test_wrong_pins_are_refused_and_then_not_looked_at(viewer: TestClient) -> None:
    for _ in range(5):
        wrong = pair(viewer, "000000")
        assert (wrong.status_code, wrong.json()["code"]) == (403, "wrong")
    closed = pair(viewer)
    assert (closed.status_code, closed.json()["code"]) == (429, "wait")


@pytest.mark.parametrize("body", [b"", b"[", b"[]", b"{}", b'{"pin": 482913}', b'{"pin": "482913", "also": 1}'])
def test_a_knock_that_is_none_is_said_to_be_unreadable(viewer: TestClient, body: bytes) -> None:
    answer = viewer.post("/api/v1/pair", content=body, headers=JSON)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_body")


def test_an_order_is_refused_with_the_status_of_its_reason(viewer: TestClient, desk: Desk) -> None:
    headers = bearer(viewer)

    def answer(**order: Any) -> tuple[int, str]:
        sent = send(viewer, headers, f"order {order}", **order)
        assert set(sent.json()) == {"code", "message"}
        return sent.status_code, sent.json()["code"]

    assert answer(kind="deal") == (422, "no_game")
    desk.session.start("tiny", TINY)
    seen = desk.session.snapshot.revision
    desk.session.deal()
    assert answer(kind="deal", expected_revision=seen) == (409, "stale")
    desk.session.pause()
    assert answer(kind="deal") == (423, "paused")
    assert answer(kind="dance") == (400, "bad_body")
    assert answer(kind="reopen", game_id=99) == (422, "no_such_game")


def test_a_journal_that_cannot_be_written_is_no_fault_of_the_asker(
    viewer: TestClient, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    headers = bearer(viewer)

    def full(*_args: object, **_request: object) -> None:
        raise Refused("not_saved", reason="no space left")

    monkeypatch.setattr(desk.session, "deal", full, raising=True)
    answer = send(viewer, headers, kind="deal")
    assert (answer.status_code, answer.json()["code"]) == (503, "not_saved")


def test_an_order_sent_twice_is_played_once(viewer: TestClient, desk: Desk) -> None:
    headers = bearer(viewer)
    desk.session.start("tiny", TINY)
    first = send(viewer, headers, "the same", kind="deal")
    second = send(viewer, headers, "the same", kind="deal")
    assert first.json() == second.json()


def test_a_player_is_not_a_host(viewer: TestClient, desk: Desk) -> None:
    desk.phones.let_in("host")
    headers = bearer(viewer)
    answer = send(viewer, headers, kind="start", game="tiny", setup=TINY)
    assert (answer.status_code, answer.json()["code"]) == (403, "host_only")


def test_the_guard_speaks_in_the_one_form_too(host: TestClient) -> None:
    def told(**headers: str) -> tuple[int, str]:
        answer = host.post("/api/v1/commands", content="{}", headers={**JSON, **headers})
        assert set(answer.json()) == {"code", "message"}
        return answer.status_code, answer.json()["code"]

    assert told(Host="evil.example") == (421, "name")
    assert told(Origin="http://evil.example") == (403, "origin")
    assert told(**{"Content-Type": "text/plain"}) == (415, "json")
    long = host.post("/api/v1/commands", content=b" " * 70_000, headers=JSON)
    assert (long.status_code, long.json()["code"]) == (413, "too_long")
    endless = host.post("/api/v1/commands", content=iter([b"{}"]), headers=JSON)
    assert (endless.status_code, endless.json()["code"]) == (411, "length")


def test_a_fault_of_ours_is_told_in_the_one_form(
    desk: Desk, viewer: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: object) -> None:
        raise ZeroDivisionError("secret detail")

    monkeypatch.setattr("companion.web.api.telling.table_view", fail)
    answer = viewer.get("/api/v1/table")
    assert (answer.status_code, answer.json()["code"]) == (500, "unexpected")
    assert "secret" not in answer.text


def test_a_browser_chooses_how_it_is_answered(viewer: TestClient) -> None:
    chosen = viewer.patch("/api/v1/preferences", json={"language": "bg", "theme": "dark", "board": "list"})
    assert (chosen.status_code, chosen.content) == (204, b"")
    told = viewer.get("/api/v1/preferences").json()
    assert (told["language"], told["theme"], told["board"], told["size"]) == ("bg", "dark", "list", "normal")
    assert viewer.patch("/api/v1/preferences", json={"language": "de"}).status_code == 400
    assert viewer.patch("/api/v1/preferences", json={"colour": "red"}).status_code == 400


def test_all_is_said_in_the_askers_language(viewer: TestClient) -> None:
    said = {
        viewer.post("/api/v1/commands", json=DEAL, headers={"Accept-Language": language}).json()["message"]
        for language in ("en", "pt-BR", "bg")
    }
    assert len(said) == 3


def test_the_bell_rings_for_programs(tmp_path: Any) -> None:
    import httpx

    from tests.web.stand import running

    with running(tmp_path) as table, httpx.stream("GET", f"{table.address}/api/v1/bell", timeout=PATIENCE) as bell:
        assert bell.headers["content-type"].startswith("text/event-stream")
        lines = bell.iter_lines()
        assert next(line for line in lines if line.startswith("data"))
        table.on_loop(lambda session: session.start("tiny", TINY))
        assert '"revision": 2' in next(line for line in lines if line.startswith("data"))


def test_what_a_program_may_do_is_kept_in_the_file_as_a_hash_only(tmp_path: Any) -> None:
    with open_desk(tmp_path) as desk, TestClient(create_app(desk), ADDRESS, client=ELSEWHERE) as program:
        token = pair(program).json()["token"]
        assert token not in (tmp_path / "phones.json").read_text()
