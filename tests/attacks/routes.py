"""Every address that a table answers to, found in the application itself, so that no new one is forgotten."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from fastapi import FastAPI
from fastapi.routing import iter_route_contexts

from companion.web.app import create_app
from tests.web.stand import open_desk

FILLED = {"game_id": "1", "version": "0", "path": "page.js"}


def every_route() -> tuple[str, ...]:
    """All paths, with something in place of each parameter."""
    with tempfile.TemporaryDirectory() as folder, open_desk(Path(folder)) as desk:
        return tuple(sorted(set(_paths(create_app(desk)))))


def _paths(app: FastAPI) -> Iterator[str]:
    for route in iter_route_contexts(app.routes):
        path = getattr(route, "path", None)
        if path:
            yield re.sub(r"\{(\w+)(:\w+)?\}", lambda found: FILLED.get(found[1], "1"), path)
