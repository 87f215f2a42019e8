"""How a host is asked for what may be left to chance, because it already lies at the table."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from starlette.testclient import TestClient

from companion.ports import TagArrived
from companion.rules.game import Choice, Thing
from companion.rules.registry import GAMES
from companion.web.app import create_app
from companion.web.desk import Desk
from tests.defaults import defaults
from tests.tiny_game import TinyGame
from tests.web.conftest import ADDRESS, HERE

ISLAND = "forbidden_island"
SETUP = defaults(GAMES[ISLAND])


@pytest.fixture
def island(desk: Desk) -> Iterator[TestClient]:
    """A host of a table that has a game with a board to lay."""
    with TestClient(create_app(replace(desk, games=GAMES)), ADDRESS, client=HERE) as client:
        yield client


def test_what_may_be_left_to_chance_is_asked_for_in_closed_details(host: TestClient) -> None:
    page = host.get("/host/games").text
    assert '<details class="more naming" id="naming-tiny-dark">' in page
    assert page.count('<input type="checkbox" name="dark" value=') == 4
    fields = {key: field for field, key in re.findall(r'(<fieldset data-key="(dark|stacked)"[^>]*>)', page)}
    assert 'data-least="1" data-most="1" data-single data-count="{n} of 1"' in fields["dark"]
    assert 'data-least="1" data-most="6" data-ordered data-count="{n} of 6"' in fields["stacked"]


@pytest.mark.parametrize(
    ("least", "sentence"), [(4, 'data-partly="Name all 4, or none."'), (2, 'data-partly="Name at least 2, or none."')]
)
def test_a_half_answer_has_its_sentence(desk: Desk, least: int, sentence: str) -> None:
    class Laid(TinyGame):
        def choices(self) -> tuple[Choice, ...]:
            return (Choice("row", ("a", "b", "c", "d"), (), least, 4, optional=True),)

    with TestClient(create_app(replace(desk, games={"tiny": Laid()})), ADDRESS, client=HERE) as client:
        assert sentence in client.get("/host/games").text


def test_names_stand_in_the_order_of_the_readers_alphabet(island: TestClient) -> None:
    first = {tag: re.findall(r'name="layout" value="(\w+)"', _page(island, tag))[:3] for tag in ("en", "pt-BR", "bg")}
    assert first == {
        "en": ["breakers_bridge", "bronze_gate", "cave_of_embers"],
        "pt-BR": ["cave_of_embers", "cave_of_shadows", "dunes_of_deception"],
        "bg": ["bronze_gate", "howling_garden", "tidal_palace"],
    }


def _page(client: TestClient, language: str) -> str:
    page: str = client.get("/host/games", headers={"accept-language": language}).text
    return page


def test_things_scanned_with_no_game_are_told_to_the_page_that_sets_one_up(host: TestClient, desk: Desk) -> None:
    for tag, thing in (("04A1", "place:mill"), ("04A2", "place:pier")):
        desk.session.bind(tag, Thing.parse(thing))
        desk.session.observe(TagArrived("left", tag))
    revision = desk.session.snapshot.revision
    scanned = f"[[{revision - 2}, &#34;mill&#34;], [{revision}, &#34;pier&#34;]]"
    assert f'data-scanned="{scanned}"' in host.get("/host/live/games").text
    assert "data-scanned" not in host.get("/table").text
    desk.session.start("tiny", {})
    assert "data-scanned" not in host.get("/host/live/games").text


def lots(client: TestClient, **asked: str) -> Any:
    return client.get("/host/lots", params={"game": ISLAND, "key": "layout", "setup": json.dumps(SETUP), **asked})


def test_the_board_to_name_has_a_number_at_every_place(island: TestClient) -> None:
    answer = lots(island)
    assert answer.status_code == 200
    numbers = re.findall(r'data-number="(\d+)">(\d+)<', answer.text)
    assert numbers == [(str(number), str(number)) for number in range(1, 25)]
    assert answer.text.count('class="void"') == 12


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"key": "flooded"}, 204),
        ({"key": "players"}, 204),
        ({"game": "chess"}, 404),
        ({"setup": "{"}, 400),
        ({"setup": "[]"}, 400),
        ({"setup": '{"players": ["pilot", "otter"]}'}, 400),
    ],
)
def test_a_board_is_numbered_only_where_the_names_are_its_places(
    island: TestClient, asked: dict[str, str], status: int
) -> None:
    assert lots(island, **asked).status_code == status


def test_only_a_host_is_shown_the_board_to_name(viewer: TestClient) -> None:
    assert lots(viewer).status_code == 403
