"""``python -m tests.web.api.renew``: write the API's OpenAPI document anew. What changes there is seen by programs."""

from __future__ import annotations

import tempfile
from pathlib import Path

from companion.web.api.document import document
from companion.web.api.routes import DOCUMENT, version_1
from companion.web.assets import read_assets
from companion.web.pages import Pages
from tests.web.stand import open_desk


def fresh_document() -> bytes:
    """The document as the routes tell it now."""
    with tempfile.TemporaryDirectory() as folder, open_desk(Path(folder)) as desk:
        return document(version_1(Pages(desk, read_assets()), documented=True))


if __name__ == "__main__":
    DOCUMENT.write_bytes(fresh_document() + b"\n")
