from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from httpx import Response
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from companion.ports import TagArrived
from companion.rules.registry import GAMES as REGISTERED
from companion.web.app import create_app
from companion.web.desk import Desk
from tests.web.conftest import ADDRESS, HERE
from tests.web.stand import open_desk

_ids = count()
TINY = {"kind": "start", "game": "tiny", "setup": {"players": ["otter", "heron"], "seed": "1", "dark": "dune"}}


def order(client: TestClient, **body: Any) -> Response:
    answer: Response = client.post("/commands", json={"command_id": f"test-{next(_ids)}", **body})
    return answer


def test_a_game_is_started_and_played(host: TestClient, desk: Desk) -> None:
    started = order(host, **TINY)
    assert started.status_code == 200
    assert started.json()["revision"] == desk.session.snapshot.revision
    assert order(host, kind="play", command={"do": "walk", "places": ["dune"]}).status_code == 200
    seated = desk.session.snapshot.seated
    assert seated is not None
    assert seated.state.at == ("dune", "pier")


def test_every_kind_reaches_the_session(host: TestClient, desk: Desk) -> None:
    order(host, **TINY)
    for body in (
        {"kind": "pick", "option": "do:walk"},
        {"kind": "cancel"},
        {"kind": "deal"},
        {"kind": "undo"},
        {"kind": "redo"},
        {"kind": "pause"},
        {"kind": "resume"},
        {"kind": "leave"},
        {"kind": "reopen", "game_id": 1},
        {"kind": "bind", "tag": "04A1", "thing": "place:mill"},
    ):
        assert order(host, **body).status_code == 200, body
    assert {tag: str(thing) for tag, thing in desk.session.tags().items()} == {"04A1": "place:mill"}
    assert order(host, kind="unbind", tag="04A1").status_code == 200
    assert not desk.session.tags()


def test_an_order_sent_twice_is_played_once(host: TestClient, desk: Desk) -> None:
    order(host, **TINY)
    walk = {"command_id": "one walk", "kind": "play", "command": {"do": "walk", "places": ["dune"]}}
    first, second = host.post("/commands", json=walk), host.post("/commands", json=walk)
    assert (first.status_code, second.status_code) == (200, 200)
    assert first.json() == second.json()
    assert order(host, kind="undo").status_code == 200
    assert order(host, kind="undo").json()["code"] == "nothing_to_undo"


def test_an_order_for_an_older_table_is_stale(host: TestClient) -> None:
    seen = order(host, **TINY).json()["revision"]
    order(host, kind="deal", expected_revision=seen)
    answer = order(host, kind="deal", expected_revision=seen)
    assert answer.status_code == 409
    assert answer.json()["code"] == "stale"
    assert answer.json()["message"] == "The table has moved on. Look again, then decide."
    assert answer.json()["revision"] > seen


def test_a_refusal_is_worded_in_the_phones_language(host: TestClient) -> None:
    answer = host.post(
        "/commands", json={"command_id": "x", "kind": "undo"}, headers={"accept-language": "bg-BG,bg;q=0.9"}
    )
    assert answer.status_code == 422
    assert answer.json()["code"] in ("nothing_to_undo", "no_game")
    assert any("а" <= letter <= "я" for letter in answer.json()["message"])


def test_a_thing_that_is_none_cannot_be_bound(host: TestClient) -> None:
    answer = order(host, kind="bind", tag="04A1", thing="mill")
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_request")
    assert answer.json()["message"] == "The request’s part thing is missing, unknown or not of the right form."


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"deal"',
        b"\xff\xfe",
        b"[" * 30_000,
        b'{"command_id": "a"}',
        b'{"command_id": "a", "kind": "dance"}',
        b'{"command_id": "", "kind": "deal"}',
        b'{"command_id": 7, "kind": "deal"}',
        b'{"command_id": "a", "kind": "deal", "expected_revision": "7"}',
        b'{"command_id": "a", "kind": "deal", "expected_revision": -1}',
        b'{"command_id": "a", "kind": "deal", "expected_revision": 1e400}',
        b'{"command_id": "a", "kind": "deal", "expected_revision": NaN}',
        b'{"command_id": "a", "kind": "deal", "expected_revision": 99999999999999999999}',
        b'{"command_id": "a", "kind": "deal", "also": 1}',
        b'{"command_id": "a\\ud800", "kind": "deal"}',
        b'{"command_id": "a", "kind": "play", "command": []}',
        b'{"command_id": "a", "kind": "play"}',
        b'{"command_id": "a", "kind": "pick", "option": null}',
        b'{"command_id": "a", "kind": "reopen", "game_id": true}',
        b'{"command_id": "a", "kind": "play", "command": {"do": NaN}}',
        b'{"command_id": "a", "kind": "play", "command": {"do": -1e999}}',
        b'{"command_id": "a", "kind": "start", "game": "tiny"}',
        b'{"command_id": "' + b"x" * 65 + b'", "kind": "deal"}',
    ],
)
def test_a_bad_body_gets_a_sentence(host: TestClient, body: bytes) -> None:
    answer = host.post("/commands", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert "JSON" in answer.json()["message"]


words = st.sampled_from(
    ["walk", "light", "rest", "flare", "drop", "signal", "correct", "draw", "place:mill", "dune", "7"]
)
leaves = st.none() | st.booleans() | st.integers() | st.floats() | words | st.text(max_size=8)
values = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words | st.text(max_size=4), inner, max_size=3)
)
verbs = st.sampled_from(["walk", "light", "rest", "flare", "drop", "signal", "draw"])
commands = verbs.map(lambda verb: {"do": verb}) | values
setups = st.dictionaries(st.sampled_from(["players", "seed", "decks", "weather", "dark"]), values)
FIELDS: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "play": {"command": commands},
    "start": {"game": st.sampled_from(["tiny", "chess"]), "setup": setups},
    "pick": {"option": words | st.text(max_size=8) | st.sampled_from(["do:walk", "command:0", "command:-1", "deal"])},
    "reopen": {"game_id": st.integers(0, 4)},
    "bind": {"tag": st.text(max_size=8), "thing": words},
    "unbind": {"tag": st.text(max_size=8)},
    "enrol": {
        "game": st.sampled_from(["tiny", "chess"]),
        "piece": words | st.none(),
        "replacing": st.text(max_size=4) | st.none(),
    },
    "enrolment": {"step": st.sampled_from(["skip", "skip_kind", "back", "again", "rest", "dance"])},
    **{kind: {} for kind in ("deal", "undo", "redo", "cancel", "pause", "resume", "leave")},
}


@st.composite
def orders(draw: st.DrawFn) -> dict[str, Any]:
    """A body that is nearly an order: at times one field is wild or too many."""
    kind = draw(st.sampled_from(sorted(FIELDS)))
    body: dict[str, Any] = {"command_id": str(draw(st.uuids())), "kind": kind}
    body |= {name: draw(field) for name, field in FIELDS[kind].items()}
    if draw(st.integers(0, 4)) == 0:
        body[draw(st.sampled_from([*body, "expected_revision", "also"]))] = draw(values)
    return body


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=orders() | orders() | orders() | values)
def test_no_body_makes_the_companion_fail(host: TestClient, body: Any) -> None:
    content = json.dumps(body).encode()
    answer = host.post("/commands", content=content, headers={"content-type": "application/json"})
    assert answer.status_code in (200, 400, 409, 413, 422), (body, answer.text)
    assert answer.json().get("message") or answer.status_code == 200
    assert host.get("/host").status_code == 200


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.binary(max_size=64))
def test_no_bytes_make_the_companion_fail(host: TestClient, body: bytes) -> None:
    answer = host.post("/commands", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400


REAL = "forbidden_island"
VERBS = ["move", "fly", "navigate", "shore_up", "give", "capture", "end_actions", "draw_treasure", "draw_flood"]
VERBS += ["discard", "sandbags", "helicopter_lift", "lift_off", "swim", "settle", "reshuffle", "correct", "dance"]
named = st.sampled_from(["pilot", "explorer", "watchtower", "earth_stone", "sandbags", "dry", "7", 7, -1])
wild = st.one_of(
    named, values, st.lists(named, max_size=3), st.dictionaries(named.map(str), named | values, max_size=3)
)
parts = st.sampled_from(
    [
        "to",
        "player",
        "tiles",
        "card",
        "treasure",
        "pawns",
        "tile",
        "hands",
        "water",
        "active",
        "actions_left",
        "captured",
    ]
)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(verb=st.sampled_from(VERBS), parts=st.dictionaries(parts, wild, max_size=3))
def test_no_command_makes_a_real_game_fail(island: TestClient, verb: str, parts: dict[str, Any]) -> None:
    body = {"command_id": f"fuzz-{next(_ids)}", "kind": "play", "command": {"do": verb, **parts}}
    answer = island.post("/commands", content=json.dumps(body), headers={"content-type": "application/json"})
    assert answer.status_code in (200, 400, 422), (body, answer.text)


@pytest.fixture
def island(tmp_path: Path) -> Iterator[TestClient]:
    """A host with a real game on the table."""
    with open_desk(tmp_path, REGISTERED) as desk, TestClient(create_app(desk), ADDRESS, client=HERE) as client:
        started = order(
            client,
            kind="start",
            game=REAL,
            setup={"players": ["pilot", "explorer"], "difficulty": "novice", "seed": "3"},
        )
        assert started.status_code == 200
        yield client


def test_an_unknown_tag_stands_on_the_page_that_teaches_tags(host: TestClient, desk: Desk) -> None:
    desk.session.observe(TagArrived("left", "04BEEF"))
    page = host.get("/host/tags").text
    assert "04BEEF" in page
    assert 'value="place:mill"' in page
    assert "Teach this tag" in page


@pytest.mark.parametrize(
    ("language", "order_of_tags"),
    [("en", ["04A2", "04A5", "04A3", "04A1", "04A4"]), ("bg", ["04A4", "04A5", "04A1", "04A3", "04A2"])],
)
def test_known_tags_stand_kind_by_kind_in_the_readers_alphabet(
    island: TestClient, language: str, order_of_tags: list[str]
) -> None:
    things = ("tile:howling_garden", "role:engineer", "tile:crimson_forest", "treasure:helicopter_lift")
    for number, thing in enumerate((*things, "tile:bronze_gate"), start=1):
        assert order(island, kind="bind", tag=f"04A{number}", thing=thing).status_code == 200
    page = island.get("/host/tags", headers={"accept-language": language}).text
    assert re.findall(r"<code>(\w+)</code>", page) == order_of_tags
