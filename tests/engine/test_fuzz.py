"""Whatever a peer sends: one JSON object a line, no traceback, no end, and nothing changed by what is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine.protocol import Engine
from companion.i18n.translator import translator
from companion.rules.registry import GAMES
from tests.rules.examples import examples
from tests.rules.second_reading.box import KINDS, ROLES, SILHOUETTE, TILES

from .peer import NEW, Peer

COMMANDS: list[dict[str, Any]] = [
    {"do": "move", "to": "watchtower"},
    {"do": "fly", "to": "watchtower"},
    {"do": "navigate", "player": "pilot", "to": "watchtower"},
    {"do": "shore_up", "tiles": ["watchtower", "observatory"]},
    {"do": "give", "card": "earth_stone", "to": "pilot"},
    {"do": "capture", "treasure": "earth_stone"},
    {"do": "end_actions"},
    {"do": "draw_treasure", "card": "sandbags"},
    {"do": "draw_flood", "card": "watchtower"},
    {"do": "draw_treasure"},
    {"do": "discard", "player": "pilot", "card": "sandbags"},
    {"do": "sandbags", "player": "pilot", "tile": "watchtower"},
    {"do": "helicopter_lift", "player": "pilot", "pawns": ["pilot", "explorer"], "to": "watchtower"},
    {"do": "lift_off", "player": "pilot"},
    {"do": "swim", "player": "pilot", "to": "watchtower"},
    {
        "do": "correct",
        "tiles": {"watchtower": "sunk"},
        "pawns": {"pilot": "observatory"},
        "hands": {"pilot": ["sandbags"]},
        "water": 3,
        "active": "pilot",
        "actions_left": 2,
        "captured": ["earth_stone"],
    },
]
REQUESTS: list[dict[str, Any]] = [
    {**NEW, "layout": TILES, "island": "skull_island", "decks": "table", "flooded": TILES[:6]},
    {**NEW, "hands": {"pilot": ["sandbags", "earth_stone"]}},
    {"cmd": "state"},
    {"cmd": "legal"},
    {"cmd": "deal"},
    {"cmd": "undo"},
    {"cmd": "redo"},
    {"cmd": "perft", "depth": 1},
    *({"cmd": "do", "command": command} for command in COMMANDS),
]
WORDS = [*TILES, *ROLES, *KINDS, *SILHOUETTE, "dry", "flooded", "sunk", "correct", "settle", "reshuffle", "cards"]
JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
    | st.sampled_from([*WORDS, "\ud800", "", "__class__", 10**30, -1, 1e300]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6) | st.sampled_from(WORDS), inner),
    max_leaves=6,
)


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    if isinstance(value, dict):
        for key, entry in value.items():
            yield from _places(entry, (*path, key))
    if isinstance(value, list):
        for index, entry in enumerate(value):
            yield from _places(entry, (*path, index))


def _with(value: Any, path: tuple[Any, ...], junk: Any) -> Any:
    if not path:
        return junk
    if isinstance(value, dict):
        return {**value, path[0]: _with(value[path[0]], path[1:], junk)}
    return [*value[: path[0]], _with(value[path[0]], path[1:], junk), *value[path[0] + 1 :]]


def _without(value: Any, path: tuple[Any, ...]) -> Any:
    if len(path) > 1:
        return _with(value, path[:1], _without(value[path[0]], path[1:]))
    if isinstance(value, dict):
        return {key: entry for key, entry in value.items() if key != path[0]}
    return [*value[: path[0]], *value[path[0] + 1 :]]


@st.composite
def spoilt(draw: st.DrawFn, whole: Any) -> Any:
    """A request with one value somewhere replaced, left out, or added to."""
    path = draw(st.sampled_from(list(_places(whole))))
    return _without(whole, path) if path and draw(st.booleans()) else _with(whole, path, draw(JUNK))


@pytest.fixture(scope="module")
def engine() -> Engine:
    engine = Engine(GAMES, translator("en"))
    assert engine.answer(json.dumps(NEW).encode())["ok"]
    return engine


@cache
def _start() -> Any:
    """The same position for every example, whatever the engine has loaded since."""
    return Engine(GAMES, translator("en")).answer(json.dumps(NEW).encode())["state"]


def _state(engine: Engine) -> Any:
    return engine.answer(b'{"cmd": "state"}')["state"]


def _answered(engine: Engine, raw: bytes) -> dict[str, Any]:
    before = _state(engine)
    answer = engine.answer(raw)
    assert "\n" not in json.dumps(answer)
    if not answer["ok"]:
        assert answer["error"]["code"] != "internal_error", raw
        assert answer["error"]["message"]
        assert _state(engine) == before
    return answer


@examples(150)
@given(raw=st.binary(max_size=200))
def test_any_bytes_get_an_answer(engine: Engine, raw: bytes) -> None:
    assert _answered(engine, raw)["error"]["code"] == "bad_request"


@examples(150)
@given(value=JUNK)
def test_any_json_gets_an_answer(engine: Engine, value: Any) -> None:
    assert _answered(engine, json.dumps(value).encode())["error"]["code"] == "bad_request"


@examples(400)
@given(request=st.sampled_from(REQUESTS).flatmap(spoilt))
def test_a_spoilt_request_gets_an_answer(engine: Engine, request: Any) -> None:
    if isinstance(request, dict) and request.get("cmd") == "perft":
        request = {**request, "depth": min(request["depth"], 1) if isinstance(request.get("depth"), int) else None}
    _answered(engine, json.dumps(request).encode())


@examples(200)
@given(data=st.data())
def test_a_spoilt_position_gets_an_answer(engine: Engine, data: st.DataObject) -> None:
    state = data.draw(spoilt(_start()))
    answer = _answered(engine, json.dumps({"cmd": "load", "state": state}).encode())
    assert answer["ok"] or answer["error"]["code"] in {"bad_state", "bad_request", "unknown_game"}


def test_the_process_outlives_all_of_it_and_prints_no_traceback() -> None:
    peer = Peer()
    assert peer.new()["ok"]
    rng = Random(11)
    lines = [bytes(rng.choices(range(256), k=rng.randrange(60))).replace(b"\n", b"") for _ in range(60)]
    lines += [b"", b"{", b"[]", b"null", b'"cmd"', b'{"cmd": NaN}', b"\xff\xfe", b"[" * 100_000, b'{"cmd":' * 50_000]
    lines += [b"9" * 10_000, b'{"cmd": "perft", "depth": ' + b"9" * 5_000 + b"}", b'{"cmd": "new", "seed": "\\ud800"}']
    for line in lines:
        assert peer.send(line)["error"]["code"] == "bad_request", line
    for request in REQUESTS:
        for path in list(_places(request)):
            peer.send(json.dumps(_with(request, path, rng.choice([None, 1, "x", [], {}, [[]], {"a": 1}]))).encode())
    assert peer.told("state")
    assert peer.leave() == (0, "")
