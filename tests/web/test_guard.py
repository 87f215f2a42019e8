from __future__ import annotations

import logging

import pytest
from starlette.testclient import TestClient

from companion.web.app import create_app
from companion.web.desk import Desk
from tests.web.conftest import ADDRESS, HERE

JSON = {"content-type": "application/json"}


@pytest.mark.parametrize(
    "name", ["192.168.1.37:8000", "10.0.0.2", "[fe80::1]:8000", "[::1]", "localhost:8000", "LOCALHOST", "127.0.0.1"]
)
def test_any_address_and_localhost_are_answered(viewer: TestClient, name: str) -> None:
    assert viewer.get("/health", headers={"host": name}).status_code == 200


@pytest.mark.parametrize(
    "name",
    ["evil.example", "evil.example:8000", "localhost.", "127.0.0.1.evil.example", "", "a b", "x@localhost", "[::1"],
)
def test_a_rebound_name_is_misdirected(viewer: TestClient, name: str) -> None:
    answer = viewer.get("/", headers={"host": name})
    assert answer.status_code == 421
    assert "address" in answer.text


def test_a_request_that_calls_two_names_is_misdirected(viewer: TestClient) -> None:
    twice = [("host", "localhost"), ("host", "evil.example")]
    assert viewer.get("/health", headers=twice).status_code == 421


def test_configured_names_and_the_machines_own_local_name_are_answered(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "Tablepi.lan")
    app = create_app(Desk(desk.session, desk.games, names=frozenset({"Games.Home"})))
    with TestClient(app, ADDRESS) as client:
        for name in ("games.home:8000", "tablepi", "tablepi.local", "TABLEPI.LOCAL:80"):
            assert client.get("/health", headers={"host": name}).status_code == 200
        assert client.get("/health", headers={"host": "tablepi.lan"}).status_code == 421


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "http://192.168.1.37", "http://192.168.1.38:8000", "file://", "http://[", "x:y:z"],
)
def test_a_command_from_another_origin_is_forbidden(host: TestClient, origin: str) -> None:
    answer = host.post("/commands", content="{}", headers={**JSON, "origin": origin})
    assert answer.status_code == 403


def test_a_command_from_the_tables_own_page_passes_the_guard(host: TestClient) -> None:
    answer = host.post("/commands", content="{}", headers={**JSON, "origin": ADDRESS})
    assert answer.status_code == 400


def test_the_usual_port_may_be_left_out_on_either_side(host: TestClient) -> None:
    headers = {**JSON, "host": "192.168.1.37:80", "origin": "http://192.168.1.37"}
    assert host.post("/commands", content="{}", headers=headers).status_code == 400


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_command_that_the_browser_calls_cross_site_is_forbidden(host: TestClient, site: str) -> None:
    headers = {**JSON, "origin": ADDRESS, "sec-fetch-site": site}
    assert host.post("/commands", content="{}", headers=headers).status_code == 403


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", "application/json-seq"])
def test_only_json_is_taken(host: TestClient, kind: str) -> None:
    answer = host.post("/commands", content="{}", headers={"content-type": kind})
    assert answer.status_code == 415
    assert "application/json" in answer.text


def test_json_with_a_charset_is_taken(host: TestClient) -> None:
    headers = {"content-type": "application/json; charset=utf-8"}
    assert host.post("/commands", content="{}", headers=headers).status_code == 400


def test_a_long_body_is_refused_before_it_is_read(host: TestClient) -> None:
    assert host.post("/commands", content=b" " * 70_000, headers=JSON).status_code == 413
    assert host.post("/commands", content=iter([b"{}"]), headers=JSON).status_code == 411


def test_every_answer_is_fenced(viewer: TestClient) -> None:
    for path in ("/", "/table.json", "/nothing", "/host"):
        headers = viewer.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
    assert "content-security-policy" in viewer.get("/", headers={"host": "evil.example"}).headers


def test_the_guard_speaks_the_readers_language(viewer: TestClient) -> None:
    answer = viewer.get("/", headers={"host": "evil.example", "accept-language": "pt-PT"})
    assert "endereço" in answer.text


def test_an_unexpected_failure_is_a_sentence_and_one_line_in_the_log(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_args: object) -> None:
        raise ZeroDivisionError("secret detail")

    monkeypatch.setattr("companion.web.sight.table_view", fail)
    with TestClient(create_app(desk), ADDRESS, client=HERE) as client, caplog.at_level(logging.INFO, "companion"):
        answer = client.get("/table")
    assert answer.status_code == 500
    assert answer.text == "The companion could not do that. Reload the page and try again.\n"
    assert [record.getMessage().count("\n") for record in caplog.records] == [0]


def test_extra_routers_stand_behind_the_same_guard(desk: Desk) -> None:
    from fastapi import APIRouter

    router = APIRouter(prefix="/sim")

    @router.post("/press")
    async def press() -> dict[str, bool]:
        return {"pressed": True}

    with TestClient(create_app(desk, (router,)), ADDRESS, client=HERE) as client:
        assert client.post("/sim/press", json={}).json() == {"pressed": True}
        assert client.post("/sim/press", content="x", headers={"content-type": "text/plain"}).status_code == 415
        assert client.post("/sim/press", json={}, headers={"origin": "http://evil.example"}).status_code == 403


def test_there_is_no_description_of_the_api_to_read(viewer: TestClient) -> None:
    for path in ("/openapi.json", "/docs", "/redoc"):
        assert viewer.get(path).status_code == 404
