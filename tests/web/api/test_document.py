"""The API's document says what is served, by names that stay, with examples that are sound."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, get_args

import jsonschema_rs
import pytest
from starlette.testclient import TestClient

from companion.i18n import LANGUAGES
from companion.web.api import beside, shapes
from companion.web.api.acting import EXAMPLES, Wishes
from companion.web.api.routes import DOCUMENT
from companion.web.commands import read_any_order
from companion.web.templating import BOARDS, SIZES, THEMES
from tests.web.api.renew import fresh_document

TOLD: dict[str, Any] = json.loads(DOCUMENT.read_bytes())
SHAPES = [
    shape
    for room in (shapes, beside)
    for shape in vars(room).values()
    if isinstance(shape, type) and issubclass(shape, shapes.Shape) and shape is not shapes.Shape
]


def operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in TOLD["paths"].items():
        yield from ((path, method, operation) for method, operation in methods.items())


def conforms(value: Any, schema: dict[str, Any]) -> bool:
    whole = {**schema, "components": TOLD["components"], "$schema": "https://json-schema.org/draft/2020-12/schema"}
    return jsonschema_rs.validator_for(whole).is_valid(value)


def test_the_document_that_is_served_is_the_one_that_the_routes_tell() -> None:
    """After a change that programs shall see: ``make openapi``."""
    assert json.loads(fresh_document()) == TOLD


def test_the_names_of_version_1_stay() -> None:
    """Taking one away, or giving it another path, breaks programs; a new one is added here."""
    assert {operation["operationId"]: f"{method.upper()} {path}" for path, method, operation in operations()} == {
        "getCompanion": "GET /api/v1",
        "getGames": "GET /api/v1/games",
        "getPreferences": "GET /api/v1/preferences",
        "setPreferences": "PATCH /api/v1/preferences",
        "getTable": "GET /api/v1/table",
        "getState": "GET /api/v1/state",
        "getLegalCommands": "GET /api/v1/legal-commands",
        "getMenu": "GET /api/v1/menu",
        "getLog": "GET /api/v1/log",
        "getOdds": "GET /api/v1/odds",
        "listenToBell": "GET /api/v1/bell",
        "sendCommand": "POST /api/v1/commands",
        "getHistory": "GET /api/v1/history",
        "getPastGame": "GET /api/v1/history/{game_id}",
        "getDevices": "GET /api/v1/devices",
        "getPeople": "GET /api/v1/people",
        "getTags": "GET /api/v1/tags",
        "pairPhone": "POST /api/v1/pair",
    }


def test_it_is_openapi_3_1_and_every_operation_is_described() -> None:
    assert TOLD["openapi"].startswith("3.1")
    for path, _, operation in operations():
        assert operation["summary"], path
        assert operation["tags"][0] in {tag["name"] for tag in TOLD["tags"]}
        assert {"421", "500"} <= set(operation["responses"])
        assert all(response["description"] for response in operation["responses"].values())


def test_every_error_has_the_one_form() -> None:
    for path, method, operation in operations():
        for status, response in operation["responses"].items():
            if status >= "400":
                schema = response["content"]["application/json"]["schema"]
                assert schema == {"$ref": "#/components/schemas/Problem"}, (path, method, status)


def test_whatever_changes_something_lists_how_it_may_go_wrong() -> None:
    told = {operation["operationId"]: set(operation["responses"]) for _, _, operation in operations()}
    sending = {"400", "403", "411", "413", "415"}
    assert told["sendCommand"] >= sending | {"200", "401", "409", "422", "423", "503"}
    assert told["pairPhone"] >= sending | {"200", "429"}
    assert told["setPreferences"] >= sending | {"204"}
    assert told["getTags"] >= {"200", "304", "401", "403"}


def test_every_example_conforms_to_its_schema() -> None:
    shown = 0
    for path, method, operation in operations():
        bodies = (
            [operation["requestBody"], *operation["responses"].values()]
            if "requestBody" in operation
            else [*operation["responses"].values()]
        )
        for content in (content for body in bodies for content in body.get("content", {}).values()):
            examples = [each["value"] for each in content.get("examples", {}).values()]
            for example in [*examples, *([content["example"]] if "example" in content else [])]:
                shown += 1
                assert conforms(example, content["schema"]), (path, method, example)
    assert shown > 30


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_every_field_has_an_example_or_is_made_of_fields_that_have(shape: type[shapes.Shape]) -> None:
    example = shapes.example_of(shape).model_dump(mode="json")
    schema = TOLD["components"]["schemas"].get(shape.__name__)
    assert schema is not None
    assert conforms(example, schema)


def test_every_kind_of_order_is_shown_and_understood() -> None:
    for example in EXAMPLES.values():
        read_any_order(json.dumps(example).encode())
    shown = {example["kind"] for example in EXAMPLES.values()}
    assert {"start", "play", "pick", "deal", "undo", "redo", "pause", "resume", "leave", "reopen", "bind"} <= shown


def test_what_a_browser_may_wish_is_what_the_pages_offer() -> None:
    offered = {"language": LANGUAGES, "theme": THEMES, "board": BOARDS, "size": SIZES}
    for name, options in offered.items():
        (literal, _) = get_args(Wishes.model_fields[name].annotation)
        assert get_args(literal) == tuple(options)


def test_the_document_names_no_game() -> None:
    assert not re.search("forbidden|island|tiny", DOCUMENT.read_text("utf-8").replace("The island as a map", ""))


def test_the_document_is_served_once(viewer: TestClient) -> None:
    answer = viewer.get("/api/v1/openapi.json")
    assert answer.json() == TOLD
    assert answer.headers["content-type"] == "application/json"
    again = viewer.get("/api/v1/openapi.json", headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_the_page_for_people_shows_every_operation_and_schema_and_asks_nobody_else(viewer: TestClient) -> None:
    page = viewer.get("/api").text
    for _, _, operation in operations():
        assert f'id="{operation["operationId"]}"' in page
    for name in TOLD["components"]["schemas"]:
        assert f'id="{name}"' in page
    for link in re.findall(r'href="#(\w+)"', page):
        assert f'id="{link}"' in page
    assert not re.search(r'(?:src|href)="(?:https?:)?//', page)
