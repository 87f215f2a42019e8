"""The simulator's page, over HTTP and through the real drivers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from PIL import Image

from companion.ports import PANEL_MODELS, Button, DeviceState, Press, TagArrived, TagGone
from drivers.buttons import GpioButtons
from drivers.interpreter import OneTongue, Tongue
from drivers.line_decoder import LineDecoder
from drivers.presence import RestingTags
from drivers.press import Timing
from drivers.serial_reader import SerialReader
from simulator import sim_buttons
from simulator.faults import Fault
from simulator.page import router
from simulator.table import SimulatedTable
from simulator.tags import Piece, fake_tag
from tests.listening import Ear

TOWER = Piece(fake_tag("tile:watchtower"), "tile", "watchtower", "Watch<tower>")
PILOT = Piece(fake_tag("role:pilot"), "role", "pilot", "Pilot")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[SimulatedTable]:
    made = SimulatedTable([TOWER, PILOT], tmp_path, PANEL_MODELS["phat-red"], slowness=0)
    yield made
    made.close()


@pytest.fixture
def client(table: SimulatedTable) -> TestClient:
    app = FastAPI()
    app.include_router(router(table))
    return TestClient(app)


@pytest.fixture
def reading(table: SimulatedTable) -> Iterator[Ear]:
    """What the real serial reader tells of the table's reader."""
    ear = Ear()
    tongue = Tongue("line", 9600, LineDecoder(), RestingTags("reader", gone_after=0.1))
    reader = SerialReader("reader", str(table.reader.port), OneTongue(tongue))
    reader.start(ear)
    assert ear.state() is DeviceState.READY
    yield ear
    reader.stop()


def test_the_page_holds_every_piece_by_kind_and_escapes_labels(client: TestClient) -> None:
    page = client.get("/sim")
    assert page.headers["content-type"].startswith("text/html")
    assert page.text.index("role") < page.text.index("tile")
    assert f'data-tag="{PILOT.tag}"' in page.text
    assert "Watch&lt;tower&gt;" in page.text


def test_each_button_says_what_it_does(client: TestClient) -> None:
    page = client.get("/sim").text
    said = [
        " ".join(re.sub("<[^>]+>", " ", label).split())
        for label in re.findall(r"(?s)data-press[^>]*>(.*?)</button>", page)
    ]
    assert said == ["A deal", "Hold A: pause", "B next", "Hold B: mute", "C choose", "D back, undo", "Hold D: redo"]
    assert re.findall(r'data-press="(\w)" data-long', page) == ["A", "B", "D"]


def test_the_page_needs_no_inline_code_and_no_other_server(client: TestClient) -> None:
    page = client.get("/sim").text
    assert not re.search(r"<script(?![^>]*src=)|<style|\sstyle=|\son[a-z]+=|https?://", page)
    for asset in re.findall(r'(?:src|href)="(/sim/[^"]+)"', page):
        found = client.get(asset)
        assert found.status_code == 200
        assert "http" not in found.text.replace("http-equiv", "")


def test_a_piece_laid_on_the_reader_is_read_until_it_is_lifted(client: TestClient, reading: Ear) -> None:
    state = client.post("/sim/place", json={"tag": TOWER.tag}).json()
    assert state["readers"]["reader"] == {"plugged": True, "placed": [TOWER.tag], "protocol": "line"}
    assert reading.next() == TagArrived("reader", TOWER.tag)
    assert client.post("/sim/lift", json={"tag": TOWER.tag}).json()["readers"]["reader"]["placed"] == []
    assert reading.next() == TagGone("reader", TOWER.tag)


def test_everything_can_be_lifted_at_once(client: TestClient) -> None:
    for piece in (TOWER, PILOT):
        client.post("/sim/place", json={"tag": piece.tag})
    assert client.get("/sim/state").json()["readers"]["reader"]["placed"] == [TOWER.tag, PILOT.tag]
    assert client.post("/sim/lift", json={}).json()["readers"]["reader"]["placed"] == []


def test_a_piece_held_to_the_reader_comes_and_goes(client: TestClient, reading: Ear) -> None:
    assert client.post("/sim/tap", json={"tag": PILOT.tag}).json()["readers"]["reader"]["placed"] == []
    assert [reading.next(), reading.next()] == [TagArrived("reader", PILOT.tag), TagGone("reader", PILOT.tag)]


def test_the_reader_can_be_unplugged_plugged_in_and_made_to_send_noise(client: TestClient, reading: Ear) -> None:
    assert not client.post("/sim/reader", json={"do": "unplug"}).json()["readers"]["reader"]["plugged"]
    assert reading.state() is DeviceState.LOST
    assert client.post("/sim/reader", json={"do": "plug"}).json()["readers"]["reader"]["plugged"]
    assert client.post("/sim/reader", json={"do": "noise"}).status_code == 200


@pytest.mark.parametrize("long", [False, True])
def test_a_button_is_pressed_short_or_long(
    client: TestClient, table: SimulatedTable, monkeypatch: pytest.MonkeyPatch, long: bool
) -> None:
    monkeypatch.setattr(sim_buttons, "LONG_PRESS", 0.6)
    timing = Timing(hold=0.4 if long else 5.0)
    ear = Ear()
    buttons = GpioButtons(table.buttons.pins, pin_factory=table.buttons.factory, timing=timing)
    buttons.start(ear)
    assert ear.state() is DeviceState.READY
    assert client.post("/sim/press", json={"button": "C", "long": long}).status_code == 200
    assert ear.next() == Press(Button.C, long=long)
    buttons.stop()


def test_the_panel_is_blank_then_shows_its_picture(client: TestClient, table: SimulatedTable) -> None:
    assert client.get("/sim/panel.png").status_code == 404
    assert client.get("/sim/state").json()["panel"]["picture"] == 0
    table.panel.show(Image.new("P", table.panel.size, 2))
    assert client.get("/sim/state").json()["panel"] == {
        "model": "phat-red",
        "size": [212, 104],
        "refreshing": False,
        "dead": False,
        "picture": 1,
        "slowness": 0,
        "ageing": 1,
        "ghost": False,
        "words": [],
    }
    assert client.get("/sim/panel.png?n=1").content.startswith(b"\x89PNG")


def test_the_panel_can_be_killed_and_revived(client: TestClient, table: SimulatedTable) -> None:
    assert client.post("/sim/panel", json={"dead": True}).json()["panel"]["dead"]
    assert not table.panel.show(Image.new("P", table.panel.size, 2)).ok
    client.post("/sim/panel", json={"dead": False})
    assert table.panel.show(Image.new("P", table.panel.size, 2)).ok


@pytest.mark.parametrize(
    ("path", "order"),
    [
        ("place", {}),
        ("place", {"tag": ""}),
        ("place", {"tag": "a\nb"}),
        ("place", {"tag": "x" * 101}),
        ("place", {"tag": "04", "more": 1}),
        ("press", {"button": "E"}),
        ("reader", {"do": "close"}),
        ("panel", {"ageing": 0}),
        ("place", {"tag": "04", "reader": "no"}),
        ("swap", {"protocol": "morse"}),
        ("fault", {"fault": "earthquake", "percent": 1}),
    ],
)
def test_an_order_that_makes_no_sense_is_refused(client: TestClient, path: str, order: object) -> None:
    assert client.post(f"/sim/{path}", json=order).status_code == 422


def test_every_thing_has_its_own_tag_and_always_the_same() -> None:
    tags = {fake_tag(f"tile:{number}") for number in range(1000)}
    assert len(tags) == 1000
    assert fake_tag("tile:watchtower") == TOWER.tag == "045491A89312EF"
    assert all(len(bytes.fromhex(tag)) == 7 and tag.startswith("04") for tag in tags)


def test_a_reader_of_another_protocol_is_put_in_the_first_ones_place(client: TestClient, table: SimulatedTable) -> None:
    state = client.post("/sim/swap", json={"protocol": "rdm6300"}).json()
    assert state["readers"]["reader"] == {"plugged": True, "placed": [], "protocol": "rdm6300"}
    assert table.speaking == {"reader": "rdm6300"}


def test_faults_are_turned_on_and_off_by_their_chance(client: TestClient, table: SimulatedTable) -> None:
    state = client.post("/sim/fault", json={"fault": "torn frames", "percent": 20}).json()
    assert state["faults"]["torn frames"] == 20
    assert table.chances.of[Fault.TORN] == 0.2
    assert client.post("/sim/fault", json={"fault": "torn frames", "percent": 0}).json()["faults"]["torn frames"] == 0


def test_the_panels_speed_and_age_are_set(client: TestClient, table: SimulatedTable) -> None:
    state = client.post("/sim/panel", json={"slowness": 1, "ageing": 3}).json()
    assert (state["panel"]["slowness"], state["panel"]["ageing"], state["panel"]["dead"]) == (1, 3, False)
    assert table.panel.refresh_seconds == PANEL_MODELS["phat-red"].refresh_seconds


def test_something_is_laid_on_a_button_and_taken_away(client: TestClient, table: SimulatedTable) -> None:
    client.post("/sim/touch", json={"button": "B", "closed": True}).raise_for_status()
    pin = table.buttons.factory.pin(table.buttons.pins[Button.B])
    assert not pin.state
    client.post("/sim/touch", json={"button": "B", "closed": False}).raise_for_status()
    assert pin.state
