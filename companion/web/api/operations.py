"""The operations of the API as routes: bare ones to be served, or with all that the OpenAPI document tells of them.

FastAPI builds checks for every documented answer, which takes a small computer seconds; serving needs none of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from fastapi import APIRouter
from starlette.responses import Response

from companion.web.api.documented import READING, Responses
from companion.web.api.shapes import Shape

Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])
Register = Callable[[Endpoint], Endpoint]

BARE: dict[str, Any] = {"include_in_schema": False, "response_model": None}


class Operations:
    """Registers endpoints. An endpoint's docstring describes its operation; the first line is the summary."""

    def __init__(self, router: APIRouter, tag: str = "", *, documented: bool) -> None:
        self.router = router
        self._tag = tag
        self._documented = documented

    def under(self, tag: str) -> Operations:
        """The same, for operations that the document shows together."""
        return Operations(self.router, tag, documented=self._documented)

    def get(self, path: str, name: str, shape: type[Shape], responses: Responses = READING) -> Register[Any]:
        """An operation that reads: GET, which is documented, and HEAD."""

        def register(endpoint: Endpoint) -> Endpoint:
            self._add(path, "GET", name, endpoint, response_model=shape, responses=responses)
            self.router.add_api_route(path, endpoint, methods=["HEAD"], **BARE)
            return endpoint

        return register

    def send(self, method: str, path: str, name: str, responses: Responses, **told: Any) -> Register[Any]:
        """An operation that changes something, or one that never ends."""

        def register(endpoint: Endpoint) -> Endpoint:
            self._add(path, method, name, endpoint, responses=responses, **told)
            return endpoint

        return register

    def _add(self, path: str, method: str, name: str, endpoint: Callable[..., Any], **told: Any) -> None:
        documentation = self._documentation(name, endpoint, told) if self._documented else BARE
        self.router.add_api_route(path, endpoint, methods=[method], **documentation)

    def _documentation(self, name: str, endpoint: Callable[..., Any], told: dict[str, Any]) -> dict[str, Any]:
        summary, _, rest = (endpoint.__doc__ or "").partition("\n\n")
        plain = {} if "response_model" in told else {"response_class": Response}
        return {
            "operation_id": name,
            "summary": summary.strip().removesuffix("."),
            "description": "\n\n".join(" ".join(each.split()) for each in rest.split("\n\n")),
            "tags": [self._tag],
            **plain,
            **told,
        }
