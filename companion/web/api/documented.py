"""What can come back besides the answer itself, status by status, as the OpenAPI document lists it."""

from __future__ import annotations

from typing import Any

from companion.web.api.shapes import Problem

Responses = dict[int | str, dict[str, Any]]

TAG = {
    "ETag": {
        "description": "Send it as `If-None-Match`, and an answer that has not changed is a 304 without a body.",
        "schema": {"type": "string"},
    }
}


def _problem(description: str) -> dict[str, Any]:
    return {"model": Problem, "description": description}


UNCHANGED: Responses = {200: {"headers": TAG}, 304: {"description": "The asker has it already."}}
ALWAYS: Responses = {
    421: _problem("The table was called by a name that it does not know; use its address."),
    500: _problem("A fault of the companion; nothing has changed."),
}
HOST_ONLY: Responses = {403: _problem("`host_only`: the asker is no host.")}
UNPAIRED: Responses = {401: _problem("The asker was not let in, or not any more: pair first.")}
SENDING: Responses = {
    400: _problem("The body is no JSON object of the documented form."),
    403: _problem("Another site's page asks; or the PIN is wrong (`wrong`), or the asker is no host (`host_only`)."),
    411: _problem("The body's length is missing."),
    413: _problem("The body is longer than 64 KiB."),
    415: _problem("The body is not `application/json`."),
}

READING: Responses = {**UNCHANGED, **ALWAYS}
KNOWN: Responses = {
    **READING,
    400: _problem("The number is none."),
    404: _problem("There is no such game in the history."),
}
PRIVATE: Responses = {**READING, **UNPAIRED, **HOST_ONLY}
HEARING: Responses = {
    200: {
        "description": "The stream.",
        "content": {"text/event-stream": {"schema": {"$ref": "#/components/schemas/Rung"}}},
    },
    **ALWAYS,
}
ORDERING: Responses = {
    **ALWAYS,
    **UNPAIRED,
    **SENDING,
    409: _problem("`stale`: the game has moved on since the `expected_revision`. Look again, then decide."),
    422: _problem("Refused: against the rules as the table stands. `code` says which."),
    423: _problem("`paused`: the game rests. Send `resume` first."),
    503: _problem("`not_saved`: the journal refuses the change. Nothing has changed."),
}
PAIRING: Responses = {
    **ALWAYS,
    **SENDING,
    429: _problem("Too many wrong PINs: wait ten minutes, or have a new PIN made at the table."),
}
PREFERRING: Responses = {**ALWAYS, **SENDING}
