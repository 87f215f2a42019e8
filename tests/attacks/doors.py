"""Getting in without the PIN, staying in after having been sent away, doing more than one may."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.attacks.attempt import foiled
from tests.attacks.routes import every_route
from tests.attacks.target import Target

HOST_ORDERS: tuple[dict[str, Any], ...] = (
    {"kind": "start", "game": "forbidden_island", "setup": {}},
    {"kind": "pause"},
    {"kind": "leave"},
    {"kind": "reopen", "game_id": 1},
    {"kind": "play", "command": {"do": "correct", "water": 9}},
    {"kind": "bind", "tag": "04", "thing": "tile:watchtower"},
    {"kind": "appoint", "phone": 2},
    {"kind": "strike", "phone": 1},
    {"kind": "strike_all"},
    {"kind": "new_pin"},
    {"kind": "undo_rule", "undo": "host"},
)
ALLOWED = {("POST", "/pair"), ("POST", "/api/v1/pair"), ("PATCH", "/api/v1/preferences")}


def guess_the_pin_from_one_address(target: Target) -> None:
    with target.stranger("127.0.0.70") as stranger:
        answers = [stranger.post("/pair", json={"pin": f"{n:06d}"}).status_code for n in range(12)]
    foiled(200 not in answers and answers.count(403) <= 5, else_=answers)
    foiled(set(answers[5:]) == {429}, else_=answers)
    with target.stranger("127.0.0.71") as guest:
        foiled(guest.post("/pair", json={"pin": target.pin}).is_success, else_="it locked others out")


def guess_the_pin_from_many_addresses_by_every_route(target: Target) -> None:
    answers = []
    for n in range(60):
        with target.stranger(f"127.0.1.{n + 1}") as stranger:
            route = ("/pair", "/api/v1/pair")[n % 2]
            answers.append(stranger.post(route, json={"pin": f"{n:06d}"}).status_code)
    looked_at = [status for status in answers if status not in (429, 404)]
    foiled(200 not in answers and len(looked_at) <= 20, else_=answers)
    target.order("new_pin").raise_for_status()
    with target.stranger("127.0.0.72") as guest:
        foiled(guest.post("/pair", json={"pin": target.pin}).is_success, else_="it locked the table for ever")


def offer_something_else_than_a_pin(target: Target) -> None:
    odd: list[Any] = [None, True, 0, [], {}, "", " ", "000000\x00", "٠٠٠٠٠٠", "1e5", "9" * 5000, "%", "' OR 1=1 --"]
    for number, pin in enumerate(odd):
        with target.stranger(f"127.0.2.{number + 1}") as stranger:
            answer = stranger.post("/pair", json={"pin": pin})
            foiled(answer.status_code in (400, 403, 429), else_=(pin, answer.status_code))
    target.order("new_pin").raise_for_status()


def forge_a_cookie(target: Target) -> None:
    kept = json.loads((Path(target.folder) / "state" / "phones.json").read_text())
    digest, token = kept["phones"][0]["digest"], str(target.host.cookies["phone"])
    flipped = token[:-1] + ("A" if token[-1] != "A" else "B")
    forged = ["none", "1", "host", digest, flipped, token.upper(), f"{token}x", token[:-1], "x" * 4000, f'"{token}']
    for cookie in forged:
        with target.stranger(Cookie=f"phone={cookie}") as stranger:
            foiled(target.order("deal", stranger).status_code == 403, else_=cookie)
        with target.stranger("127.0.0.68", Authorization=f"Bearer {cookie}") as stranger:
            foiled(target.order("deal", stranger).status_code == 403, else_=f"bearer {cookie}")


def plant_a_cookie_before_somebody_pairs(target: Target) -> None:
    with target.stranger(Cookie="phone=planted") as victim:
        target.let_in(victim)
    with target.stranger(Cookie="phone=planted") as thief:
        foiled(target.order("deal", thief).status_code == 403, else_="the planted cookie was let in")


def come_back_after_having_been_sent_away(target: Target) -> None:
    guest = target.let_in(target.stranger("127.0.0.73"), "Guest")
    number = _number_of(target, "Guest")
    foiled(guest.get("/host").is_success, else_="the guest was never in")
    target.order("strike", phone=number).raise_for_status()
    for answer in (guest.get("/host"), guest.get("/host/live/play"), target.order("deal", guest)):
        foiled(answer.status_code == 403, else_=answer.url)
    guest.close()


def use_a_cookie_that_was_replaced(target: Target) -> None:
    guest = target.let_in(target.stranger("127.0.0.74"))
    old = str(guest.cookies["phone"])
    target.let_in(guest)
    with target.stranger(Cookie=f"phone={old}") as thief:
        foiled(target.order("deal", thief).status_code == 403, else_="the old cookie is still good")
    guest.close()


def pretend_to_be_the_companions_own_browser(target: Target) -> None:
    for header in (
        "X-Forwarded-For",
        "X-Real-IP",
        "Client-IP",
        "True-Client-IP",
        "X-Originating-IP",
        "CF-Connecting-IP",
    ):
        with target.stranger(**{header: "127.0.0.1", "Forwarded": "for=127.0.0.1"}) as stranger:
            foiled(target.order("deal", stranger).status_code == 403, else_=header)


def do_as_a_player_what_only_hosts_do(target: Target) -> None:
    before = target.table
    player = target.let_in(target.stranger("127.0.0.75"), "Player")
    for order in HOST_ORDERS:
        answer = target.order(browser=player, **order)
        foiled(answer.status_code == 403, else_=(order, answer.text))
        api = player.post("/api/v1/commands", json={"command_id": f"api-{order['kind']}", **order})
        foiled(api.status_code in (401, 403, 404), else_=("api", order, api.text))
    for page in ("/host/correct", "/host/tags", "/host/games", "/host/phones", "/host/live/phones"):
        foiled(player.get(page).status_code == 403, else_=page)
    foiled(target.table["state"] == before["state"], else_="the table was changed")
    foiled(target.order("succeed", player).status_code == 422, else_="became a host beside a host")
    player.close()


def write_to_every_route_without_having_been_let_in(target: Target) -> None:
    before = target.table["revision"]
    bodies: tuple[dict[str, Any], ...] = ({}, {"command_id": "x", "kind": "deal"}, *HOST_ORDERS)
    with target.stranger() as stranger:
        for path in every_route():
            for method in ("POST", "PUT", "PATCH", "DELETE"):
                if (method, path) in ALLOWED:
                    continue
                for body in bodies[:3]:
                    answer = stranger.request(method, path, json={"command_id": "y", **body})
                    foiled(answer.status_code in (400, 401, 403, 404, 405), else_=(method, path, answer.status_code))
    foiled(target.table["revision"] == before, else_="a revision was made")


def write_by_way_of_another_verb(target: Target) -> None:
    before = target.table["revision"]
    with target.stranger() as stranger:
        stranger.cookies.update(target.host.cookies)
        for method in ("GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND"):
            for key in ("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"):
                told = {"command_id": f"{method}{key}", "kind": "deal"}
                answer = stranger.request(method, "/commands", params=told, headers={key: "POST"})
                foiled(not answer.is_success, else_=(method, key, answer.status_code))
    foiled(target.table["revision"] == before, else_="a revision was made")


def send_an_order_twice(target: Target) -> None:
    body = {"command_id": "overheard", "kind": "undo"}
    target.host.post("/commands", json=body).raise_for_status()
    once = target.table
    for _ in range(5):
        target.host.post("/commands", json=body)
    foiled(target.table == once, else_="it was played again")
    with target.stranger() as stranger:
        foiled(stranger.post("/commands", json=body).status_code == 403, else_="a stranger replayed it")
    target.order("redo").raise_for_status()


def send_an_order_for_a_table_that_has_moved_on(target: Target) -> None:
    old = target.table["revision"]
    target.order("undo").raise_for_status()
    answer = target.order("redo", expected_revision=old)
    foiled(answer.status_code == 409 and answer.json()["code"] == "stale", else_=answer.text)
    target.order("redo").raise_for_status()


def _number_of(target: Target, name: str) -> int:
    kept = json.loads((Path(target.folder) / "state" / "phones.json").read_text())
    return next(int(phone["number"]) for phone in kept["phones"] if phone["name"] == name)
