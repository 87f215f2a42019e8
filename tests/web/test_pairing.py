from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from starlette.testclient import TestClient

from companion.web.app import create_app
from companion.web.desk import Desk
from companion.web.pairing import PinGate, TooManyWrongPins
from tests.web.conftest import ADDRESS, ELSEWHERE, HERE
from tests.web.stand import PIN

HOST_PAGES = ("/host", "/host/correct", "/host/tags", "/host/games", "/host/games/1")
HOST_REGIONS = ("/host/live/play", "/host/live/correct", "/host/live/tags", "/host/live/games")
DEAL = {"command_id": "a", "kind": "deal"}


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def phone(desk: Desk, clock: Clock) -> Iterator[TestClient]:
    with TestClient(create_app(replace(desk, clock=clock)), ADDRESS, client=ELSEWHERE) as client:
        yield client


def test_a_phone_that_was_not_let_in_sees_the_table_but_no_host_page(phone: TestClient) -> None:
    assert phone.get("/").status_code == 200
    for path in HOST_PAGES:
        answer = phone.get(path)
        assert answer.status_code == 403
        assert 'data-order="pair"' in answer.text
    for path in HOST_REGIONS:
        assert phone.get(path).status_code == 403


def test_a_phone_that_was_not_let_in_gives_no_order(phone: TestClient) -> None:
    answer = phone.post("/commands", json=DEAL)
    assert answer.status_code == 403
    assert answer.json()["code"] == "unpaired"
    assert "PIN" in answer.json()["message"]


def test_the_right_pin_lets_a_phone_in(phone: TestClient) -> None:
    answer = phone.post("/host/pair", json={"pin": PIN})
    assert answer.status_code == 200
    cookie = answer.headers["set-cookie"]
    assert all(part in cookie for part in ("HttpOnly", "SameSite=strict", "Path=/"))
    assert PIN not in cookie
    assert phone.get("/host").status_code == 200
    assert phone.post("/commands", json=DEAL).json()["code"] == "no_game"


def test_a_phone_stays_let_in_when_the_companion_starts_again(phone: TestClient, desk: Desk) -> None:
    phone.post("/host/pair", json={"pin": PIN})
    with TestClient(create_app(replace(desk, pin="111111")), ADDRESS, client=ELSEWHERE, cookies=phone.cookies) as later:
        assert later.get("/host").status_code == 200


def test_a_cookie_signed_with_another_secret_opens_nothing(phone: TestClient, desk: Desk) -> None:
    phone.post("/host/pair", json={"pin": PIN})
    other = replace(desk, secret=b"another")
    with TestClient(create_app(other), ADDRESS, client=ELSEWHERE, cookies=phone.cookies) as later:
        assert later.get("/host").status_code == 403


def test_a_cookie_that_is_not_ascii_opens_nothing(phone: TestClient) -> None:
    assert phone.get("/host", headers={"cookie": b"host=\xff\xfe"}).status_code == 403


@pytest.mark.parametrize(
    "body", ['{"pin": "000000"}', "{}", '{"pin": 482913.5}', '{"pin": null}', '{"pin": ["482913"]}']
)
def test_anything_but_the_pin_is_wrong(phone: TestClient, body: str) -> None:
    answer = phone.post("/host/pair", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


def test_a_body_that_is_no_json_is_said_to_be_unreadable(phone: TestClient) -> None:
    answer = phone.post("/host/pair", content="[", headers={"content-type": "application/json"})
    assert answer.status_code == 400


def test_a_flood_of_wrong_pins_closes_the_gate_for_everybody_and_for_a_minute(phone: TestClient, clock: Clock) -> None:
    for _ in range(5):
        assert phone.post("/host/pair", json={"pin": "000000"}).status_code == 403
        clock.now += 1
    answer = phone.post("/host/pair", json={"pin": PIN})
    assert answer.status_code == 429
    assert "minute" in answer.json()["message"]
    clock.now += 54
    assert phone.post("/host/pair", json={"pin": PIN}).status_code == 429
    clock.now += 1
    assert phone.post("/host/pair", json={"pin": PIN}).status_code == 200


def test_attempts_at_a_closed_gate_do_not_keep_it_closed(clock: Clock) -> None:
    gate = PinGate(clock)
    for _ in range(5):
        gate.admits("0", PIN)
    for _ in range(50):
        clock.now += 1.1
        with pytest.raises(TooManyWrongPins):
            gate.admits(PIN, PIN)
    clock.now += 6
    assert gate.admits(PIN, PIN)


def test_a_table_without_a_pin_lets_no_phone_in(desk: Desk) -> None:
    with TestClient(create_app(replace(desk, pin=None)), ADDRESS, client=ELSEWHERE) as client:
        assert client.post("/host/pair", json={"pin": "None"}).status_code == 403


def test_a_table_that_is_open_to_all_asks_for_no_pin(desk: Desk) -> None:
    with TestClient(create_app(replace(desk, open_to_all=True)), ADDRESS, client=ELSEWHERE) as client:
        assert client.get("/host").status_code == 200


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"])
def test_the_companions_own_browser_needs_no_pin(desk: Desk, address: str) -> None:
    with TestClient(create_app(desk), ADDRESS, client=(address, 5)) as client:
        assert client.get("/host").status_code == 200


@pytest.mark.parametrize("address", ["192.168.1.20", "::ffff:192.168.1.20", "fe80::1", "testclient"])
def test_other_browsers_need_the_pin(desk: Desk, address: str) -> None:
    with TestClient(create_app(desk), ADDRESS, client=(address, 5)) as client:
        assert client.get("/host").status_code == 403


def test_a_request_that_was_forwarded_is_not_the_companions_own(desk: Desk) -> None:
    with TestClient(create_app(desk), ADDRESS, client=HERE) as client:
        assert client.get("/host", headers={"x-forwarded-for": "203.0.113.9"}).status_code == 403
