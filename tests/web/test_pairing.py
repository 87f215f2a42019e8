from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from starlette.testclient import TestClient

from companion.web.app import create_app
from companion.web.desk import Desk
from companion.web.pairing import PIN_SECONDS, Pins, TooManyWrongPins
from tests.web.conftest import ADDRESS, ELSEWHERE, HERE
from tests.web.stand import PIN

PLAY_PAGES = ("/host", "/host/live/play")
HOST_PAGES = ("/host/correct", "/host/tags", "/host/games", "/host/phones")
HOST_REGIONS = ("/host/live/correct", "/host/live/tags", "/host/live/games", "/host/live/phones")
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
    with TestClient(create_app(replace(desk, pins=Pins(PIN, clock=clock))), ADDRESS, client=ELSEWHERE) as client:
        yield client


def made(pins: Pins) -> tuple[str, str]:
    return pins.pin, pins.ticket


# -- who was not let in
def test_a_phone_that_was_not_let_in_sees_the_table_but_no_page_to_act_on(phone: TestClient) -> None:
    assert phone.get("/").status_code == 200
    for path in ("/host", *HOST_PAGES):
        answer = phone.get(path)
        assert answer.status_code == 403
        assert 'data-order="pair"' in answer.text
    for path in ("/host/live/play", *HOST_REGIONS):
        assert phone.get(path).status_code == 403


def test_a_phone_that_was_not_let_in_gives_no_order(phone: TestClient) -> None:
    answer = phone.post("/commands", json=DEAL)
    assert answer.status_code == 403
    assert answer.json()["code"] == "unpaired"
    assert "PIN" in answer.json()["message"]


@pytest.mark.parametrize(
    "body", ['{"pin": "000000"}', "{}", '{"pin": 482913}', '{"pin": null}', '{"pin": ["482913"]}', '{"pin": ""}']
)
def test_anything_but_the_pin_is_wrong(phone: TestClient, body: str) -> None:
    answer = phone.post("/pair", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


def test_a_body_that_is_no_json_is_said_to_be_unreadable(phone: TestClient) -> None:
    assert phone.post("/pair", content="[", headers={"content-type": "application/json"}).status_code == 400


# -- the PIN and the ticket
def test_the_right_pin_lets_a_phone_in(phone: TestClient) -> None:
    answer = phone.post("/pair", json={"pin": PIN})
    assert answer.status_code == 200
    cookie = answer.headers["set-cookie"]
    assert all(part in cookie for part in ("HttpOnly", "SameSite=strict", "Path=/"))
    assert PIN not in cookie
    assert phone.get("/host").status_code == 200
    assert phone.post("/commands", json=DEAL).json()["code"] == "no_game"


def test_the_ticket_of_the_qr_code_lets_a_phone_in_however_many_pins_were_wrong(desk: Desk) -> None:
    pins = Pins()
    for number in range(20):
        pins.admits("000000x", f"10.0.0.{number}")
    with pytest.raises(TooManyWrongPins):
        pins.admits(pins.pin, "10.0.1.1")
    with TestClient(create_app(replace(desk, pins=pins)), ADDRESS, client=ELSEWHERE) as phone:
        assert phone.post("/pair", json={"pin": pins.ticket}).status_code == 200


def test_pins_and_tickets_are_made_anew_every_time() -> None:
    several = [Pins() for _ in range(5)]
    assert len({pins.pin for pins in several}) > 1
    assert len({pins.ticket for pins in several}) == 5
    assert all(len(pins.pin) == 6 and pins.pin.isdecimal() for pins in several)


def test_a_pin_is_good_for_half_a_day(clock: Clock) -> None:
    pins = Pins(clock=clock)
    pin, ticket = made(pins)
    clock.now += PIN_SECONDS - 1
    assert pins.admits(pin, "10.0.0.1")
    clock.now += 1
    assert not pins.admits(ticket, "10.0.0.1")
    assert ticket != pins.ticket


def test_a_new_game_has_a_new_pin_and_the_old_one_is_good_for_who_is_just_typing_it(clock: Clock) -> None:
    pins = Pins(clock=clock, make=iter(["111111", "222222"]).__next__)
    pins.begin_game()
    assert pins.admits("222222", "10.0.0.1")
    assert pins.admits("111111", "10.0.0.1")
    clock.now += 601
    assert not pins.admits("111111", "10.0.0.1")


def test_the_table_has_a_new_pin_for_each_game(desk: Desk) -> None:
    pins = Pins()
    with TestClient(create_app(replace(desk, pins=pins)), ADDRESS, client=HERE):
        before = made(pins)
        desk.session.start("tiny", {})
        assert made(pins) != before


def test_a_pin_that_was_asked_for_at_the_table_makes_the_old_one_worthless(clock: Clock) -> None:
    pins = Pins(clock=clock, make=iter(["111111", "222222"]).__next__)
    ticket = pins.ticket
    pins.renew()
    assert not pins.admits("111111", "10.0.0.1")
    assert not pins.admits(ticket, "10.0.0.1")


# -- guessing
def test_five_wrong_pins_from_one_address_close_the_gate_to_it_and_to_nobody_else(clock: Clock) -> None:
    pins = Pins(PIN, clock=clock)
    for _ in range(5):
        assert not pins.admits("000000", "10.0.0.66")
        clock.now += 1
    for _ in range(50):
        with pytest.raises(TooManyWrongPins) as closed:
            pins.admits(PIN, "10.0.0.66")
        assert not closed.value.everywhere
    assert pins.admits(PIN, "10.0.0.1")
    clock.now += 600
    assert pins.admits(PIN, "10.0.0.66")


def test_twenty_wrong_pins_from_anywhere_close_it_to_all_for_ten_minutes_and_the_pin_is_another_then(
    clock: Clock,
) -> None:
    pins = Pins(clock=clock, make=iter(["111111", "222222"]).__next__)
    for number in range(20):
        assert not pins.admits("000000", f"10.0.0.{number}")
    with pytest.raises(TooManyWrongPins) as closed:
        pins.admits("111111", "10.0.9.9")
    assert closed.value.everywhere
    clock.now += 600
    assert not pins.admits("111111", "10.0.9.9")
    assert pins.admits("222222", "10.0.9.9")


def test_a_button_at_the_table_opens_a_closed_gate_at_once(clock: Clock) -> None:
    pins = Pins(clock=clock)
    for number in range(20):
        pins.admits("x", f"10.0.0.{number}")
    pins.renew()
    assert pins.admits(pins.pin, "10.0.0.1")


def test_addresses_of_one_ipv6_network_are_one_guesser() -> None:
    pins = Pins(PIN)
    for number in range(5):
        pins.admits("x", f"2001:db8::{number}")
    with pytest.raises(TooManyWrongPins):
        pins.admits(PIN, "2001:db8::9")
    assert pins.admits(PIN, "2001:db8:0:1::9")
    assert pins.admits(PIN, "::ffff:10.0.0.1")


def test_too_many_wrong_pins_are_told_in_words(phone: TestClient, clock: Clock) -> None:
    for _ in range(5):
        assert phone.post("/pair", json={"pin": "000000"}).status_code == 403
    answer = phone.post("/pair", json={"pin": PIN})
    assert answer.status_code == 429
    assert "ten minutes" in answer.json()["message"]


# -- cookies
def test_a_phone_stays_let_in_when_the_companion_starts_again(phone: TestClient, desk: Desk) -> None:
    phone.post("/pair", json={"pin": PIN})
    later_desk = replace(desk, pins=Pins("111111"), phones=type(desk.phones)(desk.phones._keeping))
    with TestClient(create_app(later_desk), ADDRESS, client=ELSEWHERE, cookies=phone.cookies) as later:
        assert later.get("/host").status_code == 200


@pytest.mark.parametrize("cookie", [b"phone=\xff\xfe", b"phone=", b'phone="', b"phone=0; phone=1", b"host=1"])
def test_a_cookie_that_nobody_was_given_opens_nothing(phone: TestClient, cookie: bytes) -> None:
    assert phone.get("/host", headers={"cookie": cookie}).status_code == 403


def test_a_cookie_that_was_chosen_by_someone_else_is_not_taken_over(phone: TestClient) -> None:
    phone.cookies.set("phone", "planted")
    phone.post("/pair", json={"pin": PIN})
    assert phone.get("/host", headers={"cookie": "phone=planted"}).status_code == 403


def test_whoever_types_the_pin_again_gets_a_new_cookie_and_the_old_one_is_worthless(phone: TestClient) -> None:
    phone.post("/pair", json={"pin": PIN})
    first = phone.cookies["phone"]
    phone.post("/pair", json={"pin": PIN})
    assert phone.cookies["phone"] != first
    assert phone.get("/host", headers={"cookie": f"phone={first}"}).status_code == 403
    assert phone.get("/host/phones").text.count("data-phone=") == 1


def test_a_program_brings_its_token_as_a_bearers(phone: TestClient) -> None:
    phone.post("/pair", json={"pin": PIN})
    token = phone.cookies["phone"]
    phone.cookies.clear()
    assert phone.get("/host").status_code == 403
    assert phone.get("/host", headers={"authorization": f"Bearer {token}"}).status_code == 200


# -- the companion's own browser
def test_a_table_that_is_open_to_all_asks_for_no_pin(desk: Desk) -> None:
    with TestClient(create_app(replace(desk, open_to_all=True)), ADDRESS, client=ELSEWHERE) as client:
        assert client.get("/host/phones").status_code == 200


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"])
def test_the_companions_own_browser_needs_no_pin(desk: Desk, address: str) -> None:
    with TestClient(create_app(desk), ADDRESS, client=(address, 5)) as client:
        assert client.get("/host/phones").status_code == 200


def test_the_companions_own_browser_may_be_asked_for_the_pin_too(desk: Desk) -> None:
    with TestClient(create_app(replace(desk, own_browser=False)), ADDRESS, client=HERE) as client:
        assert client.get("/host").status_code == 403


@pytest.mark.parametrize("address", ["192.168.1.20", "::ffff:192.168.1.20", "fe80::1", "fe80::1%eth0", "testclient"])
def test_other_browsers_need_the_pin(desk: Desk, address: str) -> None:
    with TestClient(create_app(desk), ADDRESS, client=(address, 5)) as client:
        assert client.get("/host").status_code == 403


def test_a_request_that_was_forwarded_is_not_the_companions_own(desk: Desk) -> None:
    with TestClient(create_app(desk), ADDRESS, client=HERE) as client:
        assert client.get("/host", headers={"x-forwarded-for": "203.0.113.9"}).status_code == 403


# -- watching
def test_a_table_may_be_looked_at_by_the_paired_alone(desk: Desk) -> None:
    app = create_app(replace(desk, watching_is_open=False))
    with TestClient(app, ADDRESS, client=ELSEWHERE) as phone:
        for path in ("/", "/table", "/table.json", "/bell", "/panel.png", "/nowhere", "/host/games/1"):
            assert phone.get(path).status_code == 403, path
        assert phone.get("/api/v1/table").status_code == 401
        asked = phone.get("/", headers={"accept": "text/html"})
        assert 'data-order="pair"' in asked.text
        assert phone.get("/health").status_code == 200
        assert phone.post("/pair", json={"pin": PIN}).status_code == 200
        assert phone.get("/").status_code == 200
