from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from companion.web.app import create_app
from companion.web.desk import Desk
from tests.web.stand import open_desk

HERE = ("127.0.0.1", 50000)
ELSEWHERE = ("192.168.1.20", 50000)
ADDRESS = "http://192.168.1.37:8000"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with open_desk(tmp_path) as desk:
        yield desk


@pytest.fixture
def host(desk: Desk) -> Iterator[TestClient]:
    """A browser on the companion itself."""
    with TestClient(create_app(desk), ADDRESS, client=HERE, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def viewer(desk: Desk) -> Iterator[TestClient]:
    """A phone that was not let in."""
    with TestClient(create_app(desk), ADDRESS, client=ELSEWHERE, raise_server_exceptions=False) as client:
        yield client
