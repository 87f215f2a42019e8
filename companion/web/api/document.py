"""The OpenAPI document: what FastAPI reads off the routes, the orders' bodies, and an example for every answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from fastapi import APIRouter
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter

from companion.web.api import beside, shapes
from companion.web.api.acting import ORDERS, Knock, Wishes
from companion.web.pairing import COOKIE

API_VERSION = "1"
DESCRIPTION = """\
The table of a companion for cardboard games, as its own pages see it. Everything is public at the table itself: no
answer holds an undealt card, a seed or a secret.

Looking needs nothing. To act, pair once: send the PIN that the panel shows to `pairPhone`, and then its token as
`Authorization: Bearer TOKEN` with each request. Listen to `listenToBell`, and fetch what you show whenever it rings;
every reading answer bears an `ETag`, so that asking again costs little. Each `GET` also answers `HEAD`.

Sentences and names come in the language that `Accept-Language` asks for: English, português do Brasil, български.
Names (`name`, `code`, `kind`, operations and fields) are the same in every language and stay for as long as version 1
is served; new fields may be added. Every error has one form: `code`, which never changes its meaning, and `message`.
"""
TAGS = [
    {"name": "companion", "description": "Who answers, and how."},
    {"name": "table", "description": "The game on the table."},
    {"name": "history", "description": "Earlier games."},
    {"name": "devices", "description": "Readers, panel, tags."},
    {"name": "pairing", "description": "Who may act."},
]
SECURITY = {
    "token": {"type": "http", "scheme": "bearer", "description": "The token that `pairPhone` gave."},
    "cookie": {"type": "apiKey", "in": "cookie", "name": COOKIE, "description": "What a browser got instead."},
}
BODIES: dict[str, Any] = {"Wishes": Wishes, "Knock": Knock, "Rung": beside.Rung}
NOT_WRITTEN = ("HTTPValidationError", "ValidationError")
"""Schemas of errors in FastAPI's own form, which is never sent."""


def document(router: APIRouter) -> bytes:
    """The document of all operations of a router, as JSON."""
    told = get_openapi(
        title="Table companion",
        version=API_VERSION,
        summary="The live table for other programs",
        description=DESCRIPTION,
        routes=router.routes,
        tags=TAGS,
        license_info={"name": "MIT"},
    )
    _add_schemas(told["components"])
    for operation in _operations(told):
        _finish(operation)
    return json.dumps(told, ensure_ascii=False, indent=1, sort_keys=True).encode()


def _add_schemas(components: dict[str, Any]) -> None:
    schemas = components["schemas"]
    for name in NOT_WRITTEN:
        schemas.pop(name, None)
    bodies = {name: TypeAdapter(body) for name, body in BODIES.items()} | {"Order": ORDERS}
    for name, adapter in bodies.items():
        schema = adapter.json_schema(ref_template="#/components/schemas/{model}")
        schemas.update(schema.pop("$defs", {}))
        schemas[name] = schema
    components["securitySchemes"] = SECURITY


def _operations(told: dict[str, Any]) -> Iterator[dict[str, Any]]:
    return (operation for methods in told["paths"].values() for operation in methods.values())


def _finish(operation: dict[str, Any]) -> None:
    responses = operation["responses"]
    if responses.get("422", {}).get("description") == "Validation Error":
        del responses["422"]
    if "401" in responses:
        operation["security"] = [{"token": []}, {"cookie": []}]
    for status, response in responses.items():
        for content in response.get("content", {}).values():
            _exemplify(status, content)


def _exemplify(status: str, content: dict[str, Any]) -> None:
    name = content["schema"].get("$ref", "").rpartition("/")[2]
    shape = getattr(shapes, name, None) or getattr(beside, name, None)
    if status.startswith("2") and isinstance(shape, type) and issubclass(shape, shapes.Shape):
        content["example"] = shapes.example_of(shape).model_dump()
