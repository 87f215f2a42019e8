"""The OpenAPI document as values for a page: operations in reading order, schemas as tables of fields."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup, escape

REFERENCE = "#/components/schemas/"


@dataclass(frozen=True, slots=True)
class Answer:
    """One status that an operation can come to; ``schema`` is empty where there is no body."""

    status: str
    description: Markup
    schema: Markup


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation; ``example`` is a body to send or, where none is sent, the answer's."""

    name: str
    method: str
    path: str
    summary: str
    description: Markup
    body: Markup
    answers: tuple[Answer, ...]
    example: str


@dataclass(frozen=True, slots=True)
class FieldRow:
    """One field of a schema."""

    name: str
    type: Markup
    description: Markup
    required: bool


@dataclass(frozen=True, slots=True)
class SchemaTable:
    """One schema."""

    name: str
    description: Markup
    fields: tuple[FieldRow, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """The operations under one tag."""

    name: str
    description: str
    operations: tuple[Operation, ...]


@dataclass(frozen=True, slots=True)
class Described:
    """The whole document."""

    title: str
    summary: str
    description: Markup
    sections: tuple[Section, ...]
    schemas: tuple[SchemaTable, ...]


def described(document: dict[str, Any]) -> Described:
    """Read an OpenAPI document."""
    info, operations = document["info"], tuple(_operations(document))
    sections = tuple(
        Section(tag["name"], tag["description"], tuple(told for name, told in operations if name == tag["name"]))
        for tag in document["tags"]
    )
    schemas = tuple(_schema(name, schema) for name, schema in document["components"]["schemas"].items())
    return Described(info["title"], info["summary"], _marked(info["description"]), sections, schemas)


def _operations(document: dict[str, Any]) -> Iterator[tuple[str, Operation]]:
    for path, methods in document["paths"].items():
        for method, told in methods.items():
            yield told["tags"][0], _operation(method.upper(), path, told)


def _operation(method: str, path: str, told: dict[str, Any]) -> Operation:
    body = told.get("requestBody", {}).get("content", {}).get("application/json", {})
    answers = tuple(_answer(status, response) for status, response in told["responses"].items())
    return Operation(
        name=told["operationId"],
        method=method,
        path=path,
        summary=told["summary"],
        description=_marked(told.get("description", "")),
        body=_type(body["schema"]) if body else Markup(),
        answers=answers,
        example=_example(body) or _example(_content(told["responses"].get("200", {}))),
    )


def _answer(status: str, response: dict[str, Any]) -> Answer:
    schema = _content(response).get("schema")
    return Answer(status, _marked(response["description"]), _type(schema) if schema else Markup())


def _content(response: dict[str, Any]) -> dict[str, Any]:
    content: dict[str, Any] = next(iter(response.get("content", {}).values()), {})
    return content


def _example(content: dict[str, Any]) -> str:
    examples = [example["value"] for example in content.get("examples", {}).values()]
    if "example" in content:
        examples = [content["example"]]
    return "\n".join(json.dumps(example, ensure_ascii=False) for example in examples)


def _schema(name: str, schema: dict[str, Any]) -> SchemaTable:
    required = schema.get("required", ())
    fields = tuple(
        FieldRow(key, _type(field), _marked(field.get("description", "")), key in required)
        for key, field in schema.get("properties", {}).items()
    )
    one_of = [_type(each) for each in schema.get("oneOf", ())]
    told = _marked(schema.get("description", ""))
    return SchemaTable(name, told + (Markup(" ").join(["One of:", *one_of]) if one_of else Markup()), fields)


def _type(schema: dict[str, Any]) -> Markup:
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(REFERENCE)
        return Markup('<a href="#{0}">{0}</a>').format(name)
    if "anyOf" in schema:
        return Markup(" or ").join(_type(each) for each in schema["anyOf"])
    if "const" in schema or "enum" in schema:
        options = [schema["const"]] if "const" in schema else schema["enum"]
        return Markup(", ").join(Markup("<code>{}</code>").format(option) for option in options)
    if schema.get("type") == "array":
        return Markup("list of ") + _type(schema["items"])
    return escape(schema.get("type", "anything"))


def _marked(text: str) -> Markup:
    """Paragraphs, with what stands in backticks as code."""
    paragraphs = (escape(" ".join(paragraph.split())) for paragraph in text.strip().split("\n\n") if paragraph)
    coded = (re.sub(r"``?([^`]+)``?", r"<code>\1</code>", paragraph) for paragraph in paragraphs)
    return Markup("").join(Markup(f"<p>{paragraph}</p>") for paragraph in coded)
